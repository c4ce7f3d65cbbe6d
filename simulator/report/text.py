"""The report for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.report.amounts import (
    HEADINGS,
    counted,
    numbers_shown,
    one_line,
    shown,
    texts_shown,
    tokens_shown,
)
from simulator.report.frames import Frames
from simulator.report.tables import By, known_columns, rows_of, table_of, totals_of


def text_report(frames: Frames, tables: Sequence[By]) -> str:
    """Each table, and the sums below them."""
    parts = [_table(frames, by) for by in tables]
    return "\n\n".join([*parts, totals_line(frames)])


def _table(frames: Frames, by: By) -> str:
    """Numbers on the left and names on the right, so that long names keep the columns straight."""
    numbers = numbers_shown(by, known_columns(frames))
    names = texts_shown(by)
    cells = [
        [HEADINGS.get(name, name) for name in (*numbers, *names)],
        *(_cells(row, numbers, names) for row in rows_of(table_of(frames, by))),
    ]
    return "\n".join([f"By {by}", *_aligned(cells, len(numbers))])


def _cells(row: Mapping[str, Any], numbers: Sequence[str], names: Sequence[str]) -> list[str]:
    texts = [one_line(str(row[name] or "")) for name in names]
    return [*(shown(name, row[name]) for name in numbers), *texts]


def _aligned(lines: Sequence[Sequence[str]], numbers: int) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.rjust(width) if place < numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


def totals_line(frames: Frames) -> str:
    """All of it in one line."""
    totals = totals_of(frames)
    calls = counted(totals.calls, "model call")
    if totals.failed:
        calls += f" ({totals.failed} failed)"
    head = [counted(totals.scenarios, "scenario"), counted(totals.turns, "turn"), calls]
    parts = [", ".join(head), f"tokens: {', '.join(tokens_shown(totals))}"]
    cost = totals.sums["costUsd"]
    if cost is not None:
        parts.append(f"cost: {shown('costUsd', cost)} USD")
    if totals.latency is not None:
        p50, p95 = (shown("", latency) for latency in totals.latency)
        parts.append(f"latency: p50 {p50} ms, p95 {p95} ms")
    return "; ".join(parts)
