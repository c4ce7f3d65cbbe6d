"""Names that only number the entries of a file: they move with every entry before them."""

import pytest

from tests.tui.model.kit import TALK, timeline
from tui.model.diff import compare
from tui.model.timeline import Timeline

GREETING = "- {message: bom dia, model: {understand: {}, speak: {message: Bom dia!}}}"


def places(before: Timeline, after: Timeline) -> list[tuple[int | None, int | None]]:
    return [(pair.before, pair.after) for pair in compare(before, after).pairs]


def differ(before: Timeline, after: Timeline) -> list[list[str]]:
    """The names of what differs, for each pair of turns."""
    return [[it.name for it in pair.changes] for pair in compare(before, after).pairs]


def test_a_turn_in_the_middle_leaves_those_behind_it_as_they_are():
    start, _, rest = TALK.partition("- event: oi")
    longer = timeline(f"{start}{GREETING}\n- event: oi{rest}")
    assert places(timeline(), longer) == [(0, 0), (1, 1), (None, 2), (2, 3), (3, 4)]
    assert [it for it in differ(timeline(), longer)[3] if it.startswith("input")] == []


def test_a_wake_of_a_run_with_another_number_is_the_same_turn():
    longer = timeline(f"{GREETING}{TALK}")
    assert places(timeline(), longer) == [(None, 0), (0, 1), (1, 2), (2, 3), (3, 4)]
    assert "input.wake" in differ(timeline(), longer)[4]


@pytest.mark.parametrize("given", ["event: oi", "start: aviso", "start: {flow: aviso}"])
def test_a_key_that_nobody_wrote_is_no_difference(given: str):
    short, longer = timeline(f"- {given}"), timeline(f"{GREETING}\n- {given}")
    assert places(short, longer) == [(None, 0), (0, 1)]
    assert [it for it in differ(short, longer)[1] if it.startswith("input")] == []


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("{event: oi, key: a}", "{event: oi, key: b}", "input.key"),
        ("{event: oi, key: a}", "{event: oi}", "input.key"),
        ("{start: {flow: aviso, key: a}}", "{start: {flow: aviso, key: b}}", "input.start.key"),
    ],
)
def test_a_key_that_somebody_wrote_is_compared(one: str, other: str, name: str):
    assert differ(timeline(f"- {one}"), timeline(f"- {other}"))[0][0] == name
