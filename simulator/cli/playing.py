"""Plays the scenarios of a command, one after another, and prints each as it ends."""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import click

from simulator.cli.printer import Printer
from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord, file_error_record


class Selection:
    """Which scenarios of the files are wanted."""

    def __init__(self, keyword: str | None, tags: Sequence[str]) -> None:
        self._keyword = keyword.casefold() if keyword is not None else None
        self._tags = frozenset(tags)

    def takes(self, scenario: Scenario, file: Path) -> bool:
        """Whether a scenario is to be played."""
        if self._tags and self._tags.isdisjoint(scenario.tags):
            return False
        return self._keyword is None or self._keyword in f"{scenario.title} {file}".casefold()

    def takes_broken(self, file: Path) -> bool:
        """Whether a file that cannot be read is to be reported: its title and tags are unknown."""
        return self._keyword is None or self._keyword in str(file).casefold()


def scenario_files(paths: Sequence[Path]) -> list[Path]:
    """The scenario files at the paths; one that is not there ends the command with exit code 2."""
    try:
        return find_scenarios(paths)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


Casting: TypeAlias = Callable[[Scenario], tuple[Scenario, PlayOptions] | None]
"""How a scenario is to be played; None when it is not."""


class Playing:
    """How the scenarios of one command are played, and what came of them."""

    def __init__(
        self,
        selection: Selection,
        casting: Casting,
        *,
        first: bool = False,
        judge: Callable[[ScenarioRecord], None] | None = None,
    ) -> None:
        """With `first`, nothing is played after one that does not pass; `judge` may let one fail."""
        self.records: list[ScenarioRecord] = []
        self.printer = Printer()
        self._selection = selection
        self._casting = casting
        self._first = first
        self._judge = judge

    async def play(self, files: Sequence[Path]) -> None:
        """Play every wanted scenario, in the order of the files."""
        for file in files:
            async for record in self._play_file(file):
                if self._judge is not None:
                    self._judge(record)
                self.records.append(record)
                self.printer.scenario(record)
                if self._first and record.status != "passed":
                    return

    async def _play_file(self, file: Path) -> AsyncIterator[ScenarioRecord]:
        """Play what a file holds; a bad file is a record of its own."""
        try:
            scenarios = read_scenario(load_document(file))
        except ScenarioFileError as error:
            if self._selection.takes_broken(file):
                yield file_error_record(file, error)
            return
        said: set[str] = set()
        for scenario in scenarios:
            if not self._selection.takes(scenario, file):
                continue
            try:
                cast = self._casting(scenario)
                if cast is not None:
                    yield await play(*cast)
            except ScenarioFileError as error:
                # Each combination of a matrix has the same agent, and the same to say of it.
                if str(error) not in said:
                    yield file_error_record(file, error, scenario.title)
                said.add(str(error))
