"""Two plays side by side: which turns belong together, where they part, and in what."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from falai.turn.needs import Phase
from simulator.trace import ScenarioRecord
from tests.tui.model.kit import TALK, drawn, of_the_house, record_of, timeline
from tui.model.aligning import aligned
from tui.model.diff import Difference, compare, first_place, lines
from tui.model.shown import cells
from tui.model.timeline import Timeline

OTHER_NAME = TALK.replace("Bia", "Rui")
OTHER_REPLY = TALK.replace("Quem é?", "Seu nome?")
SHORTER = TALK.replace("- event: oi\n", "")


def told(before: Timeline, after: Timeline, width: int = 80) -> list[str]:
    return [line.text for line in lines(compare(before, after), before, after, width)]


def plain(record: ScenarioRecord) -> ScenarioRecord:
    return replace(record, turns=[replace(turn, phases=UNSET) for turn in record.turns])


def changed(record: ScenarioRecord, turn: int, **parts: Any) -> Timeline:
    """A play of which one turn came out otherwise."""
    turns = list(record.turns)
    turns[turn] = replace(turns[turn], **parts)
    return Timeline(replace(record, turns=turns))


def with_result(record: ScenarioRecord, turn: int, **parts: Any) -> Timeline:
    result = record.turns[turn].result
    assert result is not None
    return changed(record, turn, result=replace(result, **parts))


def names(difference: Difference) -> list[str]:
    return [it.name for pair in difference.pairs for it in pair.changes]


# --- where they part ------------------------------------------------------------------------------


def test_a_play_is_the_same_as_itself():
    assert told(timeline(), timeline()) == ["no difference", "  … 4 equal turns"]


def test_another_answer_of_the_model_is_where_two_plays_part():
    assert told(timeline(), timeline(OTHER_REPLY)) == [
        "first differs at 1.speak: calls[1].reply.message",
        "turn 1",
        "  calls[1].reply.message",
        '    - "{\\"message\\":\\"Quem é?\\"}"',
        '    + "{\\"message\\":\\"Seu nome?\\"}"',
        "  replies[0]",
        '    - "Quem é?"',
        '    + "Seu nome?"',
        "  … 3 equal turns",
    ]


def test_another_input_is_told_before_what_came_of_it():
    before, after = timeline(), timeline(OTHER_NAME)
    assert first_place(compare(before, after), before) == "first differs at 2.ingest: input.message"
    second = compare(before, after).pairs[1]
    assert [(it.name, it.phase.value) for it in second.changes] == [
        ("input.message", "ingest"),
        ("prompts[0]", "understand"),
        ("calls[0].reply.message", "understand"),
        ("state.data.nome", "decide"),
        ("replies[0]", "settle"),
    ]


def test_a_turn_that_only_one_play_has_stands_alone():
    before, after = timeline(), timeline(SHORTER)
    assert told(before, after)[:3] == [
        "first differs at turn 3: only the first has it",
        "  … 2 equal turns",
        "- turn 3  event oi",
    ]
    assert told(after, before)[:3] == [
        "first differs at turn 3: only the second has it",
        "  … 2 equal turns",
        "+ turn 3  event oi",
    ]


def test_turns_that_stand_elsewhere_name_both_numbers():
    record = record_of(TALK)
    after = with_result(replace(record, turns=record.turns[1:]), 1, messages=[])
    told_of = told(Timeline(record), after)
    assert told_of[:2] == ["first differs at turn 1: only the first has it", "- turn 1  quero"]
    assert told_of[2:5] == ["  … 1 equal turn", "turn 3 / 2", "  replies[0]"]


def outcome(record: ScenarioRecord) -> Timeline:
    result = record.turns[3].result
    assert result is not None
    return with_result(
        record, 3, outcomes=[replace(result.outcomes[0], code="reply"), *result.outcomes[1:]]
    )


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (outcome, "4.ingest: outcomes[0].code"),
        (lambda it: with_result(it, 1, schedule=[]), "2.run: schedule[0]"),
        (lambda it: with_result(it, 2, messages=[]), "3.run: replies[0]"),
        (lambda it: with_result(it, 3, ended=[]), "4.return: runs.ended[0]"),
        (lambda it: changed(it, 1, actions=[]), "2.run: actions[0]"),
        (lambda it: changed(it, 0, calls=it.turns[0].calls[:1]), "1.speak: prompts[1]"),
        (lambda it: changed(it, 2, error={"class": "X", "message": "x"}), "3.return: error"),
    ],
)
def test_what_differs_is_named_with_its_place(other: Any, place: str):
    record = record_of(TALK)
    before, after = Timeline(record), other(record)
    assert first_place(compare(before, after), before) == f"first differs at {place}"


def test_records_without_phases_part_where_each_thing_comes_at_the_latest():
    before, after = (Timeline(plain(record_of(it))) for it in (TALK, OTHER_NAME))
    changes = {it.name: it.phase.value for it in compare(before, after).pairs[1].changes}
    assert changes["state.data.nome"] == "settle"
    assert changes["calls[0].reply.message"] == "understand"


def test_how_often_something_was_asked_is_part_of_the_state():
    record = record_of(TALK)
    result = record.turns[0].result
    assert result is not None
    run = replace(result.session.runs[0], asked={"nome": 2})
    other = with_result(record, 0, session=replace(result.session, runs=[run]))
    assert names(compare(Timeline(record), other)) == ['state.runs["pedido#m1"].asked.nome']


def test_time_and_usage_of_live_calls_are_no_difference():
    record = record_of(TALK)
    calls = [replace(call, duration_ms=99, recorded=True) for call in record.turns[0].calls]
    assert compare(Timeline(record), changed(record, 0, calls=calls)).is_empty


def test_whether_phases_were_recorded_is_no_difference():
    assert compare(timeline(), timeline(phases=False)).is_empty


# --- as lines -------------------------------------------------------------------------------------


def test_a_line_leads_to_its_step_and_opens_both_sides():
    before, after = timeline(), timeline(OTHER_REPLY)
    made = lines(compare(before, after), before, after, 80)
    assert made[5].text == "  replies[0]"
    assert made[5].to == before.at(0, Phase.SETTLE)
    assert made[5].opens == 'replies\n\nbefore\n[\n  "Quem é?"\n]\n\nafter\n[\n  "Seu nome?"\n]'


def test_a_turn_that_is_gone_leads_to_where_it_was():
    before, after = timeline(), timeline(SHORTER)
    made = lines(compare(before, after), before, after, 80)
    assert made[2].to == before.at(2)


def test_long_values_are_shown_from_where_they_differ():
    long = "palavra " * 30
    before, after = (timeline(TALK.replace("Quem é?", f"{long}{end}")) for end in ("um", "dois"))
    told_of = told(before, after, width=40)
    at = told_of.index("  replies[0]")
    assert told_of[at + 1].startswith("    - …")
    assert told_of[at + 1].endswith('um"')
    assert told_of[at + 2].endswith('dois"')


def test_the_difference_of_one_turn_is_that_turn_alone():
    before, after = timeline(), timeline(OTHER_NAME)
    whole = compare(before, after)
    assert whole.of_turn(0).is_empty
    assert [pair.before for pair in whole.of_turn(1).pairs] == [1]
    assert whole.of_turn(9).pairs == []


# --- rules ----------------------------------------------------------------------------------------


def test_no_play_of_the_house_differs_from_itself():
    for play in of_the_house():
        assert compare(play, Timeline(play.play)).is_empty


@given(drawn())
def test_no_play_differs_from_itself(play: Timeline):
    difference = compare(play, Timeline(play.play))
    assert difference.is_empty
    assert len(difference.pairs) == len(play.turns)


def turns_of(difference: Difference, side: str) -> list[int]:
    places = [getattr(pair, side) for pair in difference.pairs]
    return [place for place in places if place is not None]


@settings(deadline=None)
@given(drawn(), drawn(), st.integers(20, 90))
def test_the_other_way_round_the_same_turns_differ_in_the_same(
    before: Timeline, after: Timeline, width: int
):
    there, back = compare(before, after), compare(after, before)
    assert [(pair.after, pair.before) for pair in there.pairs] == [
        (pair.before, pair.after) for pair in back.pairs
    ]
    assert [{it.what for it in pair.changes} for pair in there.pairs] == [
        {it.what for it in pair.changes} for pair in back.pairs
    ]
    assert turns_of(there, "before") == list(range(len(before.turns)))
    assert turns_of(there, "after") == list(range(len(after.turns)))
    made = lines(there, before, after, width)
    assert all(cells(line.text) <= width for line in made)


KEYS = st.lists(st.sampled_from("abc"), max_size=12)


@given(KEYS, KEYS)
def test_turns_with_the_same_input_are_found_again_after_others_were_left_out(
    kept: list[str], lost: list[str]
):
    pairs = list(aligned([*kept, *lost], kept))
    assert sum(a is not None and b is not None for a, b in pairs) == len(kept)
    assert sum(b is None for _, b in pairs) == len(lost)


def test_long_plays_of_one_input_align_at_once():
    pairs = list(aligned(["a"] * 20_000, ["a"] * 19_999 + ["b"]))
    assert pairs[-1] == (19_999, 19_999)
