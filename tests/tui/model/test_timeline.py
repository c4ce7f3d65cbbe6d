"""The timeline: eight steps to a turn, and what each of them shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from falai.turn.needs import Phase
from tests.property.profile import checked
from tests.tui.model.kit import NOTHING, TALK, drawn, of_the_house, record_of, timeline
from tui.model.timeline import PHASES, State, Timeline

LISTS = ("calls", "actions", "outcomes", "messages", "schedule")
SESSIONS = """
- event: oi
- {message: quero, session: b, model: {understand: {flows: {pedido: 90}}, speak: {message: Oi}}}
- {message: Ana, session: b, model: {understand: {fields: {nome: Ana}}, speak: {message: Oi}}}
- event: oi
"""


@checked
@given(drawn(least=1), st.data())
def test_a_step_is_a_turn_and_a_phase(play: Timeline, data: st.DataObject):
    at = data.draw(st.integers(0, len(play) - 1))
    step = play.step(at)
    assert (step.at, play.at(step.turn, step.phase)) == (at, at)
    assert (play.turn_of(at), play.phase_of(at)) == (step.turn, step.phase)
    assert play.record(at) is play.turns[step.turn]
    assert len(play) == 8 * len(play.turns)


@checked
@given(drawn(least=1))
def test_within_a_turn_that_ran_to_its_end_nothing_that_was_there_goes_away(play: Timeline):
    for turn, record in enumerate(play.turns):
        steps = [play.step(play.at(turn, phase)) for phase in PHASES]
        if not all(step.ran for step in steps):
            continue
        for name in LISTS:
            counts = [len(getattr(step, name)) for step in steps]
            assert counts == sorted(counts)
        result = record.result
        assert steps[-1].calls == record.calls
        assert steps[-1].actions == record.actions
        if result is not None:
            assert steps[-1].messages == result.messages
            assert steps[-1].outcomes == result.outcomes
            assert steps[-1].schedule == result.schedule


@checked
@given(drawn(least=1))
def test_before_a_step_stood_what_stood_after_the_one_before(play: Timeline):
    for at in range(len(play)):
        if play.phase_of(at) is not Phase.LOAD:
            assert play.before(at) == play.state(at - 1)


@pytest.mark.parametrize("phases", [True, False])
def test_a_turn_ends_with_what_was_saved(phases: bool):
    for play in [timeline(phases=phases), timeline(SESSIONS, phases=phases)]:
        for turn, record in enumerate(play.turns):
            assert record.result is not None
            state, session = play.state(play.at(turn)), record.result.session
            assert state.data == session.data
            assert [run.id for run in state.runs] == [run.id for run in session.runs]
            assert state.claims == session.claims
            assert list(state.inputs) == list(session.inputs)


def test_each_session_goes_on_from_its_own_last_turn():
    play = timeline(SESSIONS)
    assert play.has_sessions
    assert play.session_of(1) == play.session_of(2) != play.session_of(3) == play.session_of(0)
    assert play.before(play.at(1, Phase.LOAD)) == State()
    assert play.before(play.at(2, Phase.LOAD)) == play.state(play.at(1))
    assert play.before(play.at(3, Phase.LOAD)) == play.state(play.at(0))
    assert not timeline().has_sessions


@pytest.mark.parametrize("phases", [True, False])
def test_a_turn_that_raised_leaves_nothing_to_the_next(phases: bool):
    play = timeline("- {event: oi}\n- {message: oi}\n- {event: oi}", phases=phases)
    assert play.turns[1].result is None
    assert play.before(play.at(2, Phase.LOAD)) == play.state(play.at(0))


def test_the_phases_that_a_turn_never_came_to_did_not_run():
    play = timeline("- {message: oi}")
    assert [play.step(at).ran for at in range(8)] == [True] * 3 + [False] * 5


def test_without_phases_a_turn_shows_its_state_from_settle_on():
    play = timeline(phases=False)
    at = play.at(1, Phase.SETTLE)
    assert play.state(at - 1) == play.state(play.at(0))
    assert play.state(at).data == {"nome": "Bia", "visto": True}
    assert play.state(at) == play.state(play.at(1))


def test_with_phases_and_without_the_calls_are_there_when_they_were_made():
    with_them, without = timeline(), timeline(phases=False)
    assert [len(with_them.step(at).calls) for at in range(16)] == [
        len(without.step(at).calls) for at in range(16)
    ]


@checked
@given(drawn(least=1))
def test_calls_are_counted_from_the_start(play: Timeline):
    made = 0
    for turn, record in enumerate(play.turns):
        assert play.spent(play.at(turn, Phase.LOAD)) == made
        made += len(record.calls)
        assert play.spent(play.at(turn)) == made


def test_a_failure_belongs_to_the_turn_in_whose_lines_it_stands():
    play = timeline(TALK + "  expect: {floor: nada}\n- {event: oi, expect: {replies: []}}")
    assert play.failed_turns == [3, 4]
    assert [it.path for it in play.failures(4)] == ["replies[0]"]
    assert play.failures(0) == ()


def test_a_failure_above_the_first_turn_belongs_to_none():
    record = record_of("- {event: oi, expect: {floor: nada}}")
    [failure] = record.failures
    record.turns = [replace(it, line=failure.line + 1) for it in record.turns]
    play = Timeline(record)
    assert play.failed_turns == []
    assert list(play.failures(None)) == [failure]


def test_the_house_passes_without_a_failure_anywhere():
    for play in of_the_house():
        assert (play.failed_turns, play.failures(None)) == ([], ())


def test_a_play_without_turns_has_no_steps():
    assert len(NOTHING) == 0
    assert not NOTHING.has_sessions
    assert NOTHING.failed_turns == []
