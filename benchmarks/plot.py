"""Draws the figures of a run as one picture: who takes how long, and how a turn grows."""

# pyright: reportMissingImports=false

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import Table

_OWN, _OTHERS = "#2a7f62", "#9aa5b1"


def draw(peers: Table, curves: Table, file: Path) -> bool:
    """Write an SVG; False where matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "falai"  # the same figures give the same bytes
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    _bars(left, [row for row in peers.rows if isinstance(row[1], float)])
    _lines(right, curves.rows)
    figure.savefig(file, metadata={"Date": None})
    return True


def _bars(axes: Any, rows: Sequence[Sequence[Any]]) -> None:
    names, times = [row[0] for row in rows], [row[1] for row in rows]
    colours = [_OWN if name.startswith("falai") else _OTHERS for name in names]
    bars = axes.barh(names, times, color=colours)
    axes.bar_label(bars, [f" {time:,.0f}" for time in times])
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.set_xlabel("µs a turn, log scale: less is better")
    axes.set_title("A five-turn triage, two model calls a turn")


def _lines(axes: Any, rows: Sequence[Sequence[Any]]) -> None:
    for name in dict.fromkeys(row[0] for row in rows):
        points = [(row[1], row[2]) for row in rows if row[0] == name]
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(10, 10_000)
    axes.set_xlabel("so many, log scale")
    axes.set_ylabel("µs a turn, log scale")
    axes.set_title("What a turn costs as things grow")
    axes.legend(fontsize="small")
