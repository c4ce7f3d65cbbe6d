"""`falai run`: plays scenarios, prints what differed, and says so in its exit code."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, TypedDict, Unpack

import click
import msgspec

from simulator.cli.files import write_file
from simulator.cli.playing import Playing
from simulator.cli.selection import Alike, Selection, scenario_files
from simulator.options import RECORD_MODES, PlayOptions, RecordMode
from simulator.place import ScenarioFileError
from simulator.trace import ScenarioRecord, Trace, trace_of

_FILE = click.Path(path_type=Path, dir_okay=False)


class Gates(TypedDict):
    """What is kept of a run, and what it must hold besides its expectations."""

    json_file: Path | None
    junit: Path | None
    lock: Path | None
    update_lock: bool
    coverage: bool
    min_coverage: float | None


@click.command(name="run")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-k", "keyword", metavar="TEXT", help="Only scenarios with TEXT in title or file.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag.")
@click.option("-x", "first", is_flag=True, help="Stop at the first one that does not pass.")
@click.option(
    "-n",
    "workers",
    default="1",
    metavar="WORKERS",
    help="Play files in so many processes; auto for one on each core.",
)
@click.option(
    "--json", "json_file", type=_FILE, metavar="FILE", help="Write a trace of every turn to FILE."
)
@click.option("--junit", type=_FILE, metavar="FILE", help="Write the verdicts as JUnit XML.")
@click.option(
    "--lock", type=_FILE, metavar="FILE", help="Fail turns that spend more calls than FILE has."
)
@click.option("--update-lock", is_flag=True, help="Write what every turn spends to the lock.")
@click.option("--coverage", is_flag=True, help="Say what of the agents was not reached.")
@click.option(
    "--min-coverage",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail when less of the agents was reached.",
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
    workers: str,
    cassettes: Path | None,
    record: RecordMode,
    strict: bool,
    **gates: Unpack[Gates],
) -> None:
    """Play scenario files, or every scenario in a folder.

    Exit code 0: all passed; 1: some failed, or too little was reached; 2: a file is bad, or
    there was nothing to play.

    \b
    Examples:
        falai run scenarios
        falai run scenarios/03-triage-asks-again.yaml -x
        falai run scenarios -k silence --json trace.json
        falai run scenarios --lock calls.lock.yaml --min-coverage 90
    """
    began = perf_counter()
    options = PlayOptions(cassettes=cassettes, record=record, strict=strict)
    playing = Playing(Selection(keyword, tags), Alike(options), first=first, judge=_judge(gates))
    playing.play(scenario_files(paths), workers=_count(workers))
    trace = trace_of(playing.records)
    _keep(trace, gates)
    reached = _is_reached(trace, gates)
    playing.printer.summary(trace, perf_counter() - began)
    if trace.errors or not playing.records:
        sys.exit(2)
    sys.exit(1 if trace.failed or not reached else 0)


def _count(workers: str) -> int:
    """How many processes play."""
    if workers == "auto":
        return os.cpu_count() or 1
    if workers.isascii() and workers.isdecimal() and int(workers) > 0:
        return int(workers)
    raise click.UsageError(f'-n is "{workers}". Write a whole number of 1 or more, or auto.')


def _judge(gates: Gates) -> Any:
    """What the lock has to say of a scenario; None when there is none to hold."""
    if gates["update_lock"] and gates["lock"] is None:
        raise click.UsageError("--update-lock needs --lock FILE: the file to write.")
    if gates["lock"] is None or gates["update_lock"]:
        return None
    from simulator.lock import read_lock  # not needed without a lock

    try:
        return read_lock(gates["lock"]).judge
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _keep(trace: Trace, gates: Gates) -> None:
    """Write the files that were asked for."""
    if gates["json_file"] is not None:
        write_file(gates["json_file"], _encoded(trace))
    if gates["junit"] is not None:
        from simulator.junit import junit_xml  # not needed without it

        write_file(gates["junit"], junit_xml(trace.scenarios))
    if gates["lock"] is not None and gates["update_lock"]:
        _write_lock(gates["lock"], trace.scenarios)


def _write_lock(file: Path, records: Sequence[ScenarioRecord]) -> None:
    from simulator.lock import lock_text  # not needed without a lock

    try:
        text = lock_text(file, records)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    write_file(file, text.encode().rstrip(b"\n"))
    click.echo(f"{file} written")


def _is_reached(trace: Trace, gates: Gates) -> bool:
    """Whether enough of the agents was reached; prints what was not."""
    least = gates["min_coverage"]
    if not gates["coverage"] and least is None:
        return True
    from simulator.coverage import coverage_lines, coverage_of  # not needed without it

    coverage = coverage_of(msgspec.json.decode(_encoded(trace)))
    for line in coverage_lines(coverage):
        click.echo(line)
    if least is None or coverage.percent >= least:
        return True
    click.echo(f"reached {coverage.percent:.1f} %, and at least {least:g} % are asked for")
    return False


def _encoded(trace: Trace) -> bytes:
    return msgspec.json.encode(trace, enc_hook=repr)
