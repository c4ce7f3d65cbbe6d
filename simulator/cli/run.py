"""`falai run`: plays scenarios, prints what differed, and says so in its exit code."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import click
import msgspec

from simulator.cli.files import write_file
from simulator.cli.playing import Playing, Selection, scenario_files
from simulator.options import RECORD_MODES, PlayOptions, RecordMode
from simulator.trace import trace_of


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
@click.option(
    "--cassettes",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where recorded model calls lie.",
)
@click.option(
    "--record",
    type=click.Choice(RECORD_MODES),
    default="none",
    show_default=True,
    help="Whether to ask the model, and to record what it answers.",
)
@click.option("--strict", is_flag=True, help="Fail when a recorded call is not made.")
def command(  # noqa: PLR0913 - one for each option
    paths: Sequence[Path],
    keyword: str | None,
    tags: Sequence[str],
    *,
    first: bool,
    json_file: Path | None,
    cassettes: Path | None,
    record: RecordMode,
    strict: bool,
) -> None:
    """Play scenario files, or every scenario in a folder.

    Exit code 0: all passed; 1: some failed; 2: a file is bad, or there was nothing to play.

    \b
    Examples:
        falai run scenarios
        falai run scenarios/03-triage-asks-again.yaml -x
        falai run scenarios -k silence --json trace.json
    """
    began = perf_counter()
    options = PlayOptions(cassettes=cassettes, record=record, strict=strict)
    playing = Playing(Selection(keyword, tags), lambda scenario: (scenario, options), first=first)
    # The records are kept there, not returned: asyncio.run would spell out all of a result.
    asyncio.run(playing.play(scenario_files(paths)))
    trace = trace_of(playing.records)
    if json_file is not None:
        write_file(json_file, msgspec.json.encode(trace, enc_hook=repr))
    playing.printer.summary(trace, perf_counter() - began)
    if trace.errors or not playing.records:
        sys.exit(2)
    sys.exit(1 if trace.failed else 0)
