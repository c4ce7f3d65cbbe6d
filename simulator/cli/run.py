"""`falai run`: plays scenarios, prints what differed, and says so in its exit code."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from time import perf_counter

import click
import msgspec

from simulator.cli.files import write_file
from simulator.cli.printer import Printer
from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord, file_error_record, trace_of


@click.command(name="run")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-k", "keyword", metavar="TEXT", help="Only scenarios with TEXT in title or file.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag.")
@click.option("-x", "first", is_flag=True, help="Stop at the first one that does not pass.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a trace of every turn to FILE.",
)
def command(
    paths: Sequence[Path],
    keyword: str | None,
    tags: Sequence[str],
    *,
    first: bool,
    json_file: Path | None,
) -> None:
    """Play scenario files, or every scenario in a folder.

    Exit code 0: all passed; 1: some failed; 2: a file is bad, or there was nothing to play.

    \b
    Examples:
        falai run scenarios
        falai run scenarios/03-triage-asks-again.yaml -x
        falai run scenarios -k silence --json trace.json
    """
    printer = Printer()
    began = perf_counter()
    records: list[ScenarioRecord] = []
    # The records are handed in, not returned: asyncio.run would spell out all of a result.
    asyncio.run(_play_all(_files(paths), Selection(keyword, tags), printer, records, first=first))
    trace = trace_of(records)
    if json_file is not None:
        write_file(json_file, msgspec.json.encode(trace, enc_hook=repr))
    printer.summary(trace, perf_counter() - began)
    if trace.errors or not records:
        sys.exit(2)
    sys.exit(1 if trace.failed else 0)


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


def _files(paths: Sequence[Path]) -> list[Path]:
    try:
        return find_scenarios(paths)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


async def _play_all(
    files: Sequence[Path],
    selection: Selection,
    printer: Printer,
    records: list[ScenarioRecord],
    *,
    first: bool,
) -> None:
    """Play every wanted scenario, in the order of the files."""
    for file in files:
        async for record in _play_file(file, selection):
            records.append(record)
            printer.scenario(record)
            if first and record.status != "passed":
                return


async def _play_file(file: Path, selection: Selection) -> AsyncIterator[ScenarioRecord]:
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
            yield await play(scenario)
        except ScenarioFileError as error:
            # Each combination of a matrix has the same agent, and the same to say of it.
            if str(error) not in said:
                yield file_error_record(file, error, scenario.title)
            said.add(str(error))
