"""Breakpoints: what can be written, which steps each stops at, and which of its hits."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from falai.turn.needs import Phase
from tests.property.profile import checked
from tests.tui.model.kit import NOTHING, drawn, new, of_the_house, record_of, timeline
from tui.model.breakpoints import (
    NAMES,
    Breakpoints,
    read_breakpoint,
)
from tui.model.places import place_name
from tui.model.timeline import Timeline
from tui.model.watches import changed

TALK = timeline()


def stops(text: Any, play: Timeline = TALK) -> list[str]:
    return [place_name(play, at) for at in read_breakpoint(text).stops(play)]


# --- each question ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("turn:3", ["3.load"]),
        ("turn:9", []),
        ("phase:return", ["1.return", "2.return", "3.return", "4.return"]),
        ("at:2.decide", ["2.decide"]),
        ("at:2", ["2.load"]),
        ("at:#12", ["2.decide"]),
        ("at:9.decide", []),
        ("code:no-reply", ["4.ingest"]),
        ("code:nada", []),
        ("flow:pedido", ["1.decide"]),
        ("flow:aviso", ["3.ingest"]),
        ("field:nome", ["2.decide"]),
        ("field:visto", ["2.run"]),
        ("path:data.visto", ["2.run"]),
        ("path:visto", ["2.run"]),
        ("path:floor", ["1.run", "2.run"]),
        ("calls>0", ["1.understand", "2.understand"]),
        ("calls > 1", ["1.speak", "2.speak"]),
        ("llmCalls>1", ["1.speak", "2.speak"]),
        ("calls>2", []),
        ("failed", []),
        ("wake", ["2.run"]),
        ("wake:pausa", ["2.run"]),
        ("wake:outra", []),
        ("miss", []),
        ("text:BIA", ["2.load", "2.settle", "4.run"]),
        ("text: certo, bia", ["2.settle"]),
        ("text:quem é?", ["1.settle"]),
    ],
)
def test_a_breakpoint_stops_where_it_says(text: str, places: list[str]):
    assert stops(text) == places


def test_a_failure_stops_at_the_end_of_its_turn():
    play = timeline("- {event: oi}\n- {event: oi, expect: {floor: nada}}\n- {event: oi}")
    assert stops("failed", play) == ["2.return"]


def test_a_call_that_no_script_holds_stops_where_it_was_made():
    play = timeline("- {event: oi}\n- {message: oi}")
    assert stops("miss", play) == ["2.understand"]


def test_a_call_that_no_tape_holds_stops_where_it_was_made():
    play = record_of(
        "- {message: oi, model: {understand: {fail: timeout}}, expect: {error: {kind: timeout}}}"
    )
    assert stops("miss", Timeline(play)) == []
    play.turns = [replace(play.turns[0], error={"class": "CassetteMissError", "message": "…"})]
    assert stops("miss", Timeline(play)) == ["1.understand"]


def test_a_start_that_was_refused_has_a_code_too():
    refused = [
        (play, turn, skip.code)
        for play in of_the_house()
        for turn, record in enumerate(play.turns)
        for skip in (record.result.skipped if record.result else ())
    ]
    assert refused
    for play, turn, code in refused:
        assert turn in [play.turn_of(at) for at in read_breakpoint(f"code:{code}").stops(play)]


def test_without_phases_a_thing_comes_when_it_comes_at_the_latest():
    play = timeline(phases=False)
    assert stops("text:certo", play) == ["2.settle"]
    assert stops("calls>1", play) == ["1.speak", "2.speak"]
    assert stops("field:nome", play) == ["2.settle"]
    assert stops("flow:aviso", play) == ["3.return"]


# --- against a scan -----------------------------------------------------------------------------


def _said(play: Timeline, at: int, words: str) -> bool:
    heard = str(play.record(at).input.get("message", "")).casefold()
    came = play.phase_of(at) is Phase.LOAD and words in heard
    return came or any(words in it.text.casefold() for it in new(play, at, "messages"))


def _started(play: Timeline, at: int, name: str) -> bool:
    before = {run.id for run in play.before(at).runs}
    return any(it.flow_id == name and it.id not in before for it in play.state(at).runs)


Scan = Callable[[Timeline, int], bool]
SCANS: Mapping[str, Scan] = {
    "phase:speak": lambda play, at: play.phase_of(at) is Phase.SPEAK,
    "at:2.decide": lambda play, at: at == 11,
    "turn:2": lambda play, at: at == 8,
    "code:no-reply": lambda play, at: any(
        it.code == "no-reply" for it in new(play, at, "outcomes")
    ),
    "field:nome": lambda play, at: changed(play, "data.nome", at),
    "path:floor": lambda play, at: changed(play, "floor", at),
    "calls>1": lambda play, at: (
        len(play.step(at).calls) > 1 >= len(play.step(at).calls) - len(new(play, at, "calls"))
    ),
    "failed": lambda play, at: at % 8 == 7 and bool(play.failures(at // 8)),
    "wake": lambda play, at: bool(new(play, at, "schedule")),
    "wake:pausa": lambda play, at: any("pausa" in it.key for it in new(play, at, "schedule")),
    "text:bia": lambda play, at: _said(play, at, "bia"),
}


@checked
@given(drawn(), st.lists(st.sampled_from(sorted(SCANS)), max_size=3, unique=True), st.data())
def test_the_next_hit_is_that_of_a_scan(play: Timeline, texts: list[str], data: st.DataObject):
    at = data.draw(st.integers(0, max(0, len(play) - 1)))
    points = Breakpoints()
    for text in texts:
        points.add(text)
    hits = [it for it in range(len(play)) if any(SCANS[text](play, it) for text in texts)]
    assert points.next_hit(play, at, 1) == min((it for it in hits if it > at), default=None)
    assert points.next_hit(play, at, -1) == max((it for it in hits if it < at), default=None)
    assert [it for it in range(len(play)) if points.hits(play, it)] == hits


@pytest.mark.parametrize("text", sorted(SCANS))
def test_in_every_play_of_the_house_it_stops_as_a_scan_does(text: str):
    for play in of_the_house():
        scanned = [at for at in range(len(play)) if SCANS[text](play, at)]
        assert list(read_breakpoint(text).stops(play)) == scanned


def test_a_run_that_goes_on_living_was_started_where_the_state_has_it_first():
    for play in of_the_house():
        flows = {run.flow_id for at in range(len(play)) for run in play.state(at).runs}
        for name in sorted(flows):
            seen = {at for at in range(len(play)) if at % 8 and _started(play, at, name)}
            assert seen <= set(read_breakpoint(f"flow:{name}").stops(play))


# --- which hits ---------------------------------------------------------------------------------


def test_hits_can_be_skipped_and_counted_off_whichever_way_a_run_goes():
    points = Breakpoints()
    point = points.add("phase:load")
    point.skip = 1
    assert point.stops(TALK) == [8, 16, 24]
    point.every = 2
    assert point.stops(TALK) == [16]
    assert points.next_hit(TALK, 0, 1) == points.next_hit(TALK, 31, -1) == 16
    point.skip = 9
    assert points.next_hit(TALK, 0, 1) is None


def test_one_that_is_switched_off_stops_nothing():
    points = Breakpoints()
    points.add("turn:2")
    points.switch("turn:2")
    assert points.next_hit(TALK, 0, 1) is None
    assert points.hits(TALK, 8) == []
    assert points.marked(TALK) == frozenset()
    points.switch("turn:2")
    assert points.next_hit(TALK, 0, 1) == 8


def test_the_same_text_twice_is_one_breakpoint_and_can_be_taken_away():
    points = Breakpoints()
    assert points.add("code: max-asks") is points.add({"code": "max-asks"})
    assert [point.text for point in points] == ["code:max-asks"]
    assert points.toggle(" failed ")
    assert not points.toggle("code:max-asks")
    points.remove("failed")
    assert list(points) == []


def test_those_of_a_place_are_marked_and_found_anew_in_another_play():
    points = Breakpoints()
    for text in ("at:2.decide", "turn:3", "failed"):
        points.add(text)
    assert points.marked(TALK) == {11, 16}
    assert points.marked(timeline("- {event: oi}")) == frozenset()
    assert points.marked(TALK) == {11, 16}


def test_a_play_without_turns_is_never_stopped():
    points = Breakpoints()
    for text in NAMES:
        points.add(text)
    assert points.next_hit(NOTHING, 0, 1) is None
    assert points.next_hit(NOTHING, 0, -1) is None
