"""A report, from the files that it reads to the bytes that it writes in each format."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from simulator.report.baseline import Comparison, compare
from simulator.report.document import ReportError, TracedScenario, read_traces
from simulator.report.frames import Frames, frames_of
from simulator.report.html import html_report
from simulator.report.tables import KEYS, By, table_of
from simulator.report.text import text_report


class Report(NamedTuple):
    """What there is to write."""

    played: Sequence[TracedScenario]
    frames: Frames
    by: By | None
    """The table that is wanted; None for all that the format can hold."""
    comparison: Comparison | None


def read_report(
    traces: Sequence[Path], by: By | None, baseline: Path | None, max_percent: float
) -> Report:
    """Read the traces and compare them with the baseline; raises ReportError."""
    played = read_traces(traces)
    frames = frames_of(played)
    comparison = _compared(frames, baseline, max_percent) if baseline else None
    return Report(played, frames, by, comparison)


def _compared(frames: Frames, baseline: Path, max_percent: float) -> Comparison:
    before = frames_of(read_traces([baseline]))
    comparison = compare(before, frames, max_percent)
    if not comparison.shared:
        # A comparison of nothing would pass, whatever was spent.
        raise ReportError(
            f"{baseline}: nothing to compare: none of its scenarios was played. "
            "Play the same files for both, from the same folder."
        )
    return comparison


def _text(report: Report) -> bytes:
    tables: Sequence[By] = [report.by] if report.by else list(KEYS)
    return f"{text_report(report.frames, tables)}\n".encode()


def _csv(report: Report) -> bytes:
    return _one_frame(report).to_csv(index=False, lineterminator="\n").encode()


def _parquet(report: Report) -> bytes:
    into = BytesIO()
    try:
        _one_frame(report).to_parquet(into, index=False)
    except ImportError:
        raise ReportError(
            "Parquet needs a package that is not installed: pip install pyarrow"
        ) from None
    return into.getvalue()


def _html(report: Report) -> bytes:
    return html_report(report.frames, report.played, report.comparison).encode()


def _one_frame(report: Report) -> pd.DataFrame:
    """A table, or every call in a row of its own."""
    return table_of(report.frames, report.by) if report.by else report.frames.calls


FORMATS: Mapping[str, Callable[[Report], bytes]] = {
    "text": _text,
    "csv": _csv,
    "html": _html,
    "parquet": _parquet,
}
