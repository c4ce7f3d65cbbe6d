"""What benchmarks hand on: named figures in rows, as CSV and as a table of Markdown."""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple


class Table(NamedTuple):
    """One thing that was measured."""

    name: str
    """As in `performance-name.csv`."""
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of this process that some work takes: others on the machine do not count."""
    began = process_time()
    work()
    return process_time() - began


def typical(work: Callable[[], object], rounds: int) -> float:
    """The median CPU time of so many rounds."""
    return median(cpu_seconds(work) for _ in range(rounds))


def save(table: Table, folder: Path) -> None:
    """Write a table as CSV."""
    with (folder / f"performance-{table.name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)


def markdown(table: Table) -> str:
    """The same for a page."""
    lines = [table.columns, ["---"] * len(table.columns), *table.rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def slope(points: Iterable[tuple[float, float]]) -> float:
    """What one more of the first costs of the second, by least squares."""
    pairs = list(points)
    x_mean = sum(x for x, _ in pairs) / len(pairs)
    y_mean = sum(y for _, y in pairs) / len(pairs)
    over = sum((x - x_mean) * (y - y_mean) for x, y in pairs)
    return over / sum((x - x_mean) ** 2 for x, _ in pairs)
