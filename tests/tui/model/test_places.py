"""Places: what they are called, and where a name leads."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.turn.needs import Phase
from tests.property.profile import checked
from tests.tui.model.kit import NOTHING, drawn, timeline
from tui.model.places import PlaceError, place_name, read_place
from tui.model.timeline import Timeline

TALK = timeline()
DAYS = timeline("- {event: oi}\n- {advance: 20h}\n- {event: oi}\n- {advance: 2h}\n- {event: oi}")
"""Turns at 09:00 of the 5th, at 05:00 and at 07:00 of the 6th."""


@checked
@given(drawn(least=1), st.data())
def test_every_step_is_found_by_its_name_and_by_its_number(play: Timeline, data: st.DataObject):
    at = data.draw(st.integers(0, len(play) - 1))
    elsewhere = data.draw(st.integers(0, len(play) - 1))
    assert read_place(place_name(play, at), play, elsewhere) == at
    assert read_place(f"#{at + 1}", play, elsewhere) == at


def test_turns_are_counted_from_one_and_the_last_phase_is_return():
    assert place_name(TALK, 0) == "1.load"
    assert place_name(TALK, len(TALK) - 1) == "4.return"
    assert read_place(" 2.return ", TALK) == read_place("2.finish", TALK) == 15
    assert read_place("2.Decide", TALK) == TALK.at(1, Phase.DECIDE)


def test_a_turn_alone_keeps_the_phase():
    assert read_place("3", TALK, TALK.at(0, Phase.SPEAK)) == TALK.at(2, Phase.SPEAK)


@pytest.mark.parametrize(
    ("time", "since", "turn"),
    [
        ("2026-01-05T09:00:00Z", 0, 0),
        ("2026-01-05T09:00:01Z", 0, 1),
        ("2026-01-06 06:00", 0, 2),
        ("2026-01-06T04:00:00-03:00", 0, 2),
        ("2030-01-01", 0, 2),
        ("2020-01-01", 0, 0),
        ("09:00", 0, 0),
        ("9:00", 0, 0),
        ("09:30", 0, 1),
        ("04:00", 0, 0),
        ("04:00", 1, 1),
        ("06:59:59", 1, 2),
        ("23:00", 1, 2),
    ],
)
def test_a_time_leads_to_the_earliest_turn_that_is_not_before_it(time: str, since: int, turn: int):
    assert read_place(time, DAYS, DAYS.at(since)) == DAYS.at(turn, Phase.LOAD)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0", "there is no turn 0. Write one of 1 to 4."),
        ("5.decide", "there is no turn 5. Write one of 1 to 4."),
        ("#0", "there is no step #0. Write one of #1 to #32."),
        ("#33", "there is no step #33. Write one of #1 to #32."),
        (
            "2.think",
            'there is no phase "think". There is load, ingest, understand, decide, run, speak, '
            "settle, return.",
        ),
        (
            "25:00",
            '"25:00" is no time of day. Write a turn such as 6 or 6.decide, a step such as #53, or '
            "a time such as 09:30.",
        ),
        (
            "depois",
            '"depois" names no place. Write a turn such as 6 or 6.decide, a step such as #53, or '
            "a time such as 09:30.",
        ),
    ],
)
def test_what_names_no_place_is_told_what_can_be_written(text: str, told: str):
    with pytest.raises(PlaceError) as refused:
        read_place(text, TALK)
    assert str(refused.value) == told


def test_a_play_without_turns_has_no_place():
    with pytest.raises(PlaceError, match="there is no turn to go to"):
        read_place("1", NOTHING)


@checked
@given(st.text(max_size=12))
def test_any_text_names_a_step_or_is_refused(text: str):
    with suppress(PlaceError):
        assert 0 <= read_place(text, TALK) < len(TALK)
