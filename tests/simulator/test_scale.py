"""Reading a file costs its size, no more: counted in calls, which no busy machine changes."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from simulator.load import Document
from simulator.reading import read_scenario

ENTRY = {
    "message": "oi",
    "model": {"understand": {"flows": {"a": 90}}, "speak": {"message": "Oi!"}},
    "expect": {"replies": ["Oi!"], "data": {"nome": {"$any": True}}, "floor": "${now}"},
}


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, those written in C included."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def read_and_place(entries: int) -> None:
    text = json.dumps({"scenario": "t", "agent": "a", "turns": [ENTRY] * entries})
    [scenario] = read_scenario(Document(Path("s.json"), text))
    assert scenario.turns[-1].place.column > 1


def test_ten_times_the_entries_cost_ten_times_the_calls():
    read_and_place(1)  # fills the caches of expressions
    assert calls(lambda: read_and_place(500)) < 10.5 * calls(lambda: read_and_place(50))
