"""The same conversation through falai and its peers, in rounds that take turns."""

import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import Table, cpu_seconds

Contest = tuple[str, str, str, int]
"""A name, the module in `benchmarks/peers`, its function, and five-turn conversations in a round."""

_SHORT: tuple[Contest, ...] = (
    ("falai, in memory", "with_falai", "in_memory", 200),
    ("LangGraph, one save a turn", "with_langgraph", "saved_once", 40),
    ("LangGraph, in-memory saver", "with_langgraph", "in_memory", 40),
    ("pydantic-ai, FunctionModel", "with_pydantic_ai", "in_memory", 20),
    ("Burr, in memory, kept alive", "with_burr", "in_memory", 100),
    ("Burr, in memory, loaded each turn", "with_burr", "loaded", 100),
    ("falai, SQLite", "with_falai", "in_sqlite", 100),
    ("Burr, SQLite, kept alive", "with_burr", "in_sqlite", 60),
)
_LONG = ("in_memory", "saved_once")
LONG_TURNS = 500


def short(rounds: int, share: float = 1.0) -> Table:
    """Five turns, over and over, each conversation in a session of its own."""
    times = _measured(_SHORT, rounds, share)
    rows = [(name, *_figures(times, name, _base(name))) for name, *_ in _SHORT if name in times]
    columns = ("five-turn triage", "µs a turn", "turns a second", "falai is faster by")
    return Table("peers", columns, [*rows, *_missing(times)])


def long(rounds: int, turns: int = LONG_TURNS) -> Table:
    """One conversation of 500 turns, its whole history handed on or kept."""
    contests = [(name, module, made, 0) for name, module, made, _ in _SHORT if made in _LONG]
    times = _measured(contests, rounds, 1.0, turns=turns)
    rows = [(name, *_figures(times, name, "falai, in memory")) for name in times]
    columns = (f"{turns} turns", "µs a turn", "turns a second", "falai is faster by")
    return Table("peers-long", columns, rows)


def _measured(contests: Any, rounds: int, share: float, turns: int = 5) -> Mapping[str, float]:
    """Microseconds of a turn by contestant, the median of the rounds."""
    found = {name: _work(module, made) for name, module, made, _ in contests}
    taken: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, _, _, size in contests:
            count = max(1, round(size * share))
            work = found[name]
            if work is not None:
                seconds = cpu_seconds(lambda work=work, count=count: work(count, turns))
                taken.setdefault(name, []).append(seconds / (count * turns) * 1e6)
    return {name: median(times) for name, times in taken.items()}


def _work(module: str, made: str) -> Callable[[int, int], object] | None:
    """What a contestant does; None where its library is not installed."""
    try:
        function = getattr(import_module(f"benchmarks.peers.{module}"), made)
    except ImportError:
        return None
    if made != "in_sqlite":
        return function

    def work(count: int, turns: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            function(count, turns, str(Path(folder, "bench.db")))

    return work


def _base(name: str) -> str:
    return "falai, SQLite" if "SQLite" in name else "falai, in memory"


def _figures(times: Mapping[str, float], name: str, base: str) -> tuple[float, int, str]:
    ratio = times[name] / times[base]
    return times[name], round(1e6 / times[name]), "" if name == base else f"{ratio:.1f} times"


def _missing(times: Mapping[str, float]) -> list[tuple[str, str, str, str]]:
    return [(name, "not installed", "", "") for name, *_ in _SHORT if name not in times]
