"""The scenarios of the house: every one passes, and notices when it should not."""

import asyncio
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.find import find_scenarios
from simulator.load import Document, load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord

FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = find_scenarios([FOLDER])
Way = tuple[str | int, ...]
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def play_all(document: Document) -> list[ScenarioRecord]:
    return [asyncio.run(play(scenario)) for scenario in read_scenario(document)]


# --- changing what is expected ------------------------------------------------------------------


def blocks(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every `expect` and `exactly` block of a file, with the way to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if key in ("expect", "exactly"):
            yield (*way, key), item
        elif isinstance(item, dict | list):
            yield from blocks(item, (*way, key))


def leaves(value: Any, way: Way) -> Iterator[Way]:
    """The ways to texts and numbers that are compared as they stand, under no matcher."""
    if isinstance(value, dict) and not any(key.startswith("$") for key in value):
        for key, item in value.items():
            yield from leaves(item, (*way, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*way, index))
    elif isinstance(value, str | int) and way[-1] != "message":
        yield way


def expected_values(value: Any) -> list[Way]:
    found = blocks(value["turns"], ("turns",))
    return [leaf for way, block in found for leaf in leaves(block, way)]


def first_of(ways: list[Way]) -> Way:
    """The first reply text or number of calls, or else the first value."""
    telling = (way for way in ways if "replies" in way or way[-1] == "llmCalls")
    return next(telling, ways[0])


def changed(value: Any, way: Way) -> Any:
    """A file's value with something else at one place."""
    value = copy.deepcopy(value)
    *steps, last = way
    holder = value
    for step in steps:
        holder = holder[step]
    old = holder[last]
    holder[last] = f"{old} e mais" if isinstance(old, str) else 0 if old is True else old + 1
    return value


def play_value(file: Path, value: Any) -> list[ScenarioRecord]:
    return play_all(Document(file.with_suffix(".json"), json.dumps(value)))


# --- tests --------------------------------------------------------------------------------------


def test_the_folder_has_the_scenarios_that_its_page_lists():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(FILES) == 36
    named = {file: file.relative_to(FOLDER).as_posix() for file in FILES}
    assert [name for name in named.values() if f"]({name})" not in page] == []


@each_file
def test_it_passes(file: Path):
    for record in play_all(load_document(file)):
        assert record.failures == []
        assert record.turns


@each_file
def test_it_fails_when_another_value_is_expected(file: Path):
    value = load_document(file).value
    other = changed(value, first_of(expected_values(value)))
    assert {record.status for record in play_value(file, value)} == {"passed"}
    assert {record.status for record in play_value(file, other)} == {"failed"}


@each_file
def test_no_value_is_expected_in_vain(file: Path):
    value = load_document(file).value
    ways = expected_values(value)
    for way in ways:
        value = changed(value, way)
    assert [len(record.failures) for record in play_value(file, value)] == [
        len(ways) for _ in read_scenario(load_document(file))
    ]
