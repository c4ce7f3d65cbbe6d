"""`falai run`: plays scenarios, prints what differed, and says so in its exit code."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Unpack

import click
from msgspec.structs import replace

from simulator.cli.gates import Gate, Gates
from simulator.cli.playing import Playing
from simulator.cli.selection import Alike, Selection, scenario_files
from simulator.options import RECORD_MODES, PlayOptions, RecordMode
from simulator.trace import trace_of

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


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
    "--executor",
    metavar="NAME",
    help="Play files on a cluster: dask:ADDRESS, or module:attribute that makes an executor.",
)
@click.option(
    "--json", "json_file", type=_FILE, metavar="FILE", help="Write a trace of every turn to FILE."
)
@click.option("--junit", type=_FILE, metavar="FILE", help="Write the verdicts as JUnit XML.")
@click.option(
    "--lock", type=_FILE, metavar="FILE", help="Fail turns that spend more calls than FILE has."
)
@click.option("--update-lock", is_flag=True, help="Write what every turn spends to the lock.")
@click.option(
    "--trace", "traces", type=_FOLDER, metavar="DIR", help="Write a trace of each file into DIR."
)
@click.option("--twice", is_flag=True, help="Play again in a fresh process; it must be the same.")
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="NAME=MOST",
    help="Fail a run that spends more: llmCalls=120, flow.triage.costUsd=0.5.",
)
@click.option("--coverage", is_flag=True, help="Say what of the agents was not reached.")
@click.option(
    "--min-coverage",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail when less of the agents was reached.",
)
@click.option(
    "--cassettes",
    type=_FOLDER,
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
@click.option("--store", metavar="URL", help="Play on a store: sqlite, postgresql://…, redis://…")
@click.option("--strict", is_flag=True, help="Fail when a recorded call is not made.")
def command(  # noqa: PLR0913 - one for each option
    paths: Sequence[Path],
    keyword: str | None,
    tags: Sequence[str],
    *,
    first: bool,
    workers: str,
    executor: str | None,
    cassettes: Path | None,
    record: RecordMode,
    store: str | None,
    strict: bool,
    **gates: Unpack[Gates],
) -> None:
    """Play scenario files, or every scenario in a folder.

    Exit code 0: all passed; 1: some failed, too much was spent or too little reached; 2: a file is bad, or
    there was nothing to play.

    \b
    Examples:
        falai run scenarios
        falai run scenarios/03-triage-asks-again.yaml -x
        falai run scenarios -k silence --json trace.json
        falai run scenarios --lock calls.lock.yaml --min-coverage 90
        falai run scenarios --twice --budget llmCalls=120
    """
    began = perf_counter()
    if gates["twice"] and record != "none":
        raise click.UsageError("--twice plays what is there: it cannot stand beside --record.")
    files, count = scenario_files(paths), _count(workers)
    options = PlayOptions(cassettes=cassettes, record=record, store=store, strict=strict)
    gate = Gate(gates, _again(paths, keyword, tags, options, first=first))
    options = replace(options, phases=gate.keeps_traces)
    playing = Playing(
        Selection(keyword, tags),
        Alike(options),
        first=first,
        judge=gate.judge,
        wants=gate.wants,
        slim=not gate.reads_turns,
    )
    _play(playing, files, count, executor)
    trace, tally = trace_of(playing.records), playing.tally
    gate.keep(trace)
    held = gate.holds(trace)
    playing.printer.summary(tally, perf_counter() - began)
    if tally.errors or not tally.scenarios:
        sys.exit(2)
    sys.exit(1 if tally.failed or not held else 0)


def _play(playing: Playing, files: Sequence[Path], workers: int, executor: str | None) -> None:
    """Play the files; an executor that cannot be used ends the command with exit code 2."""
    if executor is None:
        playing.play(files, workers=workers)
        return
    from simulator.cli.executors import ExecutorError
    from simulator.cli.workers import OtherVersionError

    try:
        playing.play(files, executor=executor)
    except ExecutorError as error:
        click.echo(str(error), err=True)
    except OtherVersionError as error:
        click.echo(f"--executor: {error}. Install the same one everywhere.", err=True)
    else:
        return
    sys.exit(2)


def _again(
    paths: Sequence[Path],
    keyword: str | None,
    tags: Sequence[str],
    options: PlayOptions,
    *,
    first: bool,
) -> list[str]:
    """The arguments of a run that plays the same once more."""
    chosen = [*(["-k", keyword] if keyword is not None else []), *(f"--tag={tag}" for tag in tags)]
    flags = [*(["-x"] if first else []), *(["--strict"] if options.strict else [])]
    folder = [] if options.cassettes is None else ["--cassettes", str(options.cassettes)]
    store = [] if options.store is None else ["--store", options.store]
    return [*chosen, *flags, *folder, *store, "--", *map(str, paths)]


def _count(workers: str) -> int:
    """How many processes play."""
    if workers == "auto":
        return os.cpu_count() or 1
    if workers.isascii() and workers.isdecimal() and int(workers) > 0:
        return int(workers)
    raise click.UsageError(f'-n is "{workers}". Write a whole number of 1 or more, or auto.')
