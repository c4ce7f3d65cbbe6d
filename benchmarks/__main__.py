"""All benchmarks in one run: `make bench`, or `python -m benchmarks [--quick] [--out FOLDER]`.

Prints tables, saves them as CSV beside a plot, and writes the page `performance.md` of the docs.
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import side_by_side
from benchmarks.curves import curves
from benchmarks.figures import Table, markdown, save
from benchmarks.loading import SIZES, loading
from benchmarks.many_sessions import many_sessions
from benchmarks.million import million
from benchmarks.page import page
from benchmarks.phases import phases
from benchmarks.plot import draw
from benchmarks.starting import starting

_DOCS = Path(__file__).parents[1] / "docs"
_MEASURED = ("falai", "langgraph", "pydantic-ai-slim", "apache-burr", "msgspec", "pyyaml")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a moment of each, to see that it runs"
    )
    parser.add_argument("--out", type=Path, default=_DOCS, help="where to write; docs by default")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Table] = {}
    for table in _tables(quick=options.quick):
        print(markdown(table), end="\n\n", flush=True)  # noqa: T201 - what it is run for
        save(table, options.out)
        tables[table.name] = table
    has_plot = draw(tables["peers"], tables["curves"], options.out / "performance.svg")
    text = page(tables, _machine(), has_plot=has_plot)
    (options.out / "performance.md").write_text(text, encoding="utf-8")


def _tables(*, quick: bool) -> Iterator[Table]:
    yield side_by_side.short(1 if quick else 9, 0.02 if quick else 1.0)
    yield side_by_side.long(1 if quick else 3, 10 if quick else side_by_side.LONG_TURNS)
    yield phases(2 if quick else 500)
    yield curves(0.05 if quick else 1.0)
    yield loading(1 if quick else 7, SIZES[:2] if quick else SIZES)
    yield starting(1 if quick else 9)
    yield many_sessions(20 if quick else 100_000)
    yield million((1_000,) if quick else (10_000, 100_000, 1_000_000))


def _machine() -> str:
    """Where the figures come from, in a line."""
    found = ", ".join(f"{name} {_version(name)}" for name in _MEASURED)
    return f"{platform.system()} on {platform.machine()}, Python {sys.version.split()[0]}; {found}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    main()
