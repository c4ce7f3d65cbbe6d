"""`falai report`: what traces spent, as tables or a page, and whether it grew."""

import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

import click

if TYPE_CHECKING:
    from simulator.report.baseline import Comparison
    from simulator.report.tables import By

_SUFFIXES = {".txt": "text", ".csv": "csv", ".html": "html", ".htm": "html", ".parquet": "parquet"}
"""The format of a file by the end of its name."""

_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%?", re.ASCII)


@click.command(name="report")
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--by",
    type=click.Choice(["scenario", "flow", "step", "phase", "code"]),
    help="Only this table. Without it text has all of them, csv and parquet every call.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "html", "parquet"]),
    help="Else the end of the file's name says it; text where there is none.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to FILE.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="An earlier trace: fail when a step spends more than it did there.",
)
@click.option("--max-increase", metavar="PERCENT", help="How much more is fine, such as 5%.")
def command(
    traces: Sequence[Path],
    by: str | None,
    form: str | None,
    output: Path | None,
    baseline: Path | None,
    max_increase: str | None,
) -> None:
    """Say what TRACES spent: model calls, tokens, cost, latency, and what came of them.

    A trace is what `falai run --json FILE` writes. Several make one report. With a baseline,
    the calls, tokens and cost of each step are compared scenario by scenario.

    Exit code 0: all is fine; 1: something grew; 2: a file is bad or cannot be written.

    \b
    Examples:
        falai report trace.json
        falai report trace.json --by flow --format csv
        falai report trace.json -o report.html
        falai report trace.json --baseline main.json --max-increase 5%
    """
    form = form or _format_of(output)
    _check_usage(form, by, output, baseline, max_increase)
    percent = _percent("0" if max_increase is None else max_increase)
    _keep_inputs(output, [*traces, *([baseline] if baseline else [])])
    _need_pandas()
    # Here, and not above: pandas is slow to load, and `falai --help` needs none of it.
    from simulator.report.document import ReportError
    from simulator.report.write import FORMATS, read_report

    try:
        report = read_report(traces, cast("By | None", by), baseline, percent)
        content = FORMATS[form](report)
    except ReportError as error:
        _stop(str(error))
    _put(content, output)
    if report.comparison is not None:
        _say(report.comparison, form, output)


def _check_usage(
    form: str, by: str | None, output: Path | None, baseline: Path | None, max_increase: str | None
) -> None:
    """Refuse options that do not go together."""
    if form == "html" and by is not None:
        raise click.UsageError("--by chooses a table; the page has all of them. Leave it out.")
    if form == "parquet" and output is None:
        raise click.UsageError("Parquet is not for a terminal. Name a file: -o report.parquet")
    if max_increase is not None and baseline is None:
        raise click.UsageError("--max-increase compares with a trace. Name it: --baseline FILE")


def _format_of(output: Path | None) -> str:
    if output is None:
        return "text"
    form = _SUFFIXES.get(output.suffix.lower())
    if form is None:
        known = ", ".join(_SUFFIXES)
        raise click.UsageError(f"{output}: the name tells no format. Use {known}, or --format.")
    return form


def _percent(text: str) -> float:
    found = _PERCENT.fullmatch(text.strip())
    if found is None:
        raise click.UsageError(f'--max-increase: "{text}" is no percentage. Write one such as 5%.')
    return float(found[1])


def _keep_inputs(output: Path | None, inputs: Sequence[Path]) -> None:
    if output is not None and output.resolve() in [path.resolve() for path in inputs]:
        raise click.UsageError(f"{output} is read here. Write the report to another file.")


def _need_pandas() -> None:
    if find_spec("pandas") is None:
        _stop("A report needs pandas, which is not installed: pip install 'falai[workbench]'")


def _put(content: bytes, output: Path | None) -> None:
    """Print the report, or write it to its file."""
    if output is None:
        click.echo(content.decode(), nl=False)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        _stop(f"{output}: cannot be written: {error.strerror}. Choose another place.")
    click.echo(f"{output} written")


def _say(comparison: "Comparison", form: str, output: Path | None) -> None:
    """Say what grew, apart from a report that a program reads; growth is a failure."""
    from simulator.report.changes import comparison_text

    if output is None and form == "text":
        click.echo()
    click.echo(comparison_text(comparison), err=output is None and form != "text")
    if comparison.grown:
        sys.exit(1)


def _stop(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)
