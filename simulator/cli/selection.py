"""Which scenarios of which files a command plays, how, and what comes of one file."""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import click

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


class Alike:
    """Every scenario is played as it stands, with the same options."""

    def __init__(self, options: PlayOptions) -> None:
        self._options = options

    def __call__(self, scenario: Scenario) -> tuple[Scenario, PlayOptions]:
        return scenario, self._options


async def play_file(
    file: Path, selection: Selection, casting: Casting
) -> AsyncIterator[ScenarioRecord]:
    """Play what a file holds; a bad file is a record of its own."""
    try:
        scenarios = read_scenario(load_document(file))
    except ScenarioFileError as error:
        if selection.takes_broken(file):
            yield file_error_record(file, error)
        return
    said: set[str] = set()
    for scenario in scenarios:
        if not selection.takes(scenario, file):
            continue
        try:
            cast = casting(scenario)
            if cast is not None:
                yield await play(*cast)
        except ScenarioFileError as error:
            # Each combination of a matrix has the same agent, and the same to say of it.
            if str(error) not in said:
                yield file_error_record(file, error, scenario.title)
            said.add(str(error))
