"""What holds for every pane, at every step of every play: it fits, and it is plain text."""

from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tui.model.kit import NOTHING, drawn
from tests.tui.panes.kit import house, without_phases
from tui.model.shown import cells
from tui.model.subject import Subject
from tui.model.text import Line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes import PANES

LIKE_RECORDED = ("turns", "outcomes", "calls", "wakes", "checks", "flow", "bar", "scrubber")
"""Panes that show the same at the end of a turn, whether or not its phases were recorded."""


def faults(view: View) -> Iterator[str]:
    for name, pane in PANES.items():
        for line in pane(view):
            yield from (f"{name} {what}: {line.text!r}" for what in _wrong(line, view))


def _wrong(line: Line, view: View) -> Iterator[str]:
    if cells(line.text) > view.width:
        yield "is wider than there is room"
    if not all(sign.isprintable() or sign == "\u200d" for sign in line.text):
        yield "has a sign that a terminal obeys"
    if line.to is not None and not 0 <= line.to < len(view.timeline):
        yield "leads out of the play"


@pytest.mark.parametrize("width", [20, 27, 80])
def test_every_line_of_the_house_fits_and_is_plain_text(width: int):
    for subject in house():
        everything = frozenset(f"open:{flow.id}" for flow in subject.flows)
        paths = ("data.nome", "floor", "clock", "claims", "runs")
        for at in range(len(subject.timeline)):
            view = View(subject=subject, at=at, width=width, watches=paths, folded=everything)
            assert list(faults(view)) == []


@given(st.data(), drawn(1), st.integers(20, 200))
def test_every_line_of_any_play_fits_and_is_plain_text(
    data: st.DataObject, play: Timeline, width: int
):
    steps = st.integers(0, len(play) - 1)
    view = View(
        subject=Subject(name="s.yaml", timeline=play),
        at=data.draw(steps),
        width=width,
        marked=frozenset(data.draw(st.lists(steps))),
        compare=data.draw(st.booleans()),
        sort=data.draw(st.sampled_from(["", "status", "llmCalls"])),
        only=data.draw(st.sampled_from(["", "wait", "zzz"])),
    )
    assert list(faults(view)) == []


def test_a_play_without_turns_has_panes_too():
    view = View(subject=Subject(name="s.yaml", timeline=NOTHING), at=0, width=30)
    assert list(faults(view)) == []
    assert {name: [line.text.strip() for line in pane(view)] for name, pane in PANES.items()} == {
        **{name: [] for name in ("turns", "conversation")},
        **{name: ["No turn was played."] for name in ("state", "outcomes", "calls", "wakes")},
        "prompt": ["No model call was made by this", "step."],
        "checks": ["✓ pass  everything that was e…"],
        "flow": ["The agent of this play is not", "at hand, so its flows are not", "known."],
        "bar": ["s.yaml · no turns"],
        "strip": [""],
        "scrubber": [""],
    }


@lru_cache(maxsize=1)
def _as_recorded() -> list[tuple[Subject, Subject]]:
    """Each play of the house, and as a trace without phases has it."""
    plain = [Timeline(without_phases(subject.play)) for subject in house()]
    pairs = zip(house(), plain, strict=True)
    return [(it, _over(it, timeline)) for it, timeline in pairs]


def _over(subject: Subject, timeline: Timeline) -> Subject:
    return Subject(
        name=subject.name,
        timeline=timeline,
        scenario=subject.scenario,
        flows=subject.flows,
        fields=subject.fields,
    )


@pytest.mark.parametrize("name", LIKE_RECORDED)
def test_a_trace_without_phases_shows_the_same_at_the_end_of_a_turn(name: str):
    for subject, plain in _as_recorded():
        for turn in range(len(subject.timeline.turns)):
            at = subject.timeline.at(turn)
            assert PANES[name](View(subject=plain, at=at)) == PANES[name](
                View(subject=subject, at=at)
            )


@settings(max_examples=50, deadline=None)
@given(st.data(), drawn(1))
def test_the_same_view_gives_the_same_lines(data: st.DataObject, play: Timeline):
    view = View(
        subject=Subject(name="s.yaml", timeline=play),
        at=data.draw(st.integers(0, len(play) - 1)),
        marked=frozenset(data.draw(st.lists(st.integers(0, len(play) - 1)))),
    )
    again = Subject(name="s.yaml", timeline=Timeline(play.play))
    other = View(subject=again, at=view.at, marked=view.marked)
    assert [pane(view) for pane in PANES.values()] == [pane(other) for pane in PANES.values()]
