"""The stepper: one turn that stops before each phase and at each need, and goes on when told."""

import asyncio
from typing import Any

import pytest

from falai import (
    Action,
    ActionCall,
    Do,
    EmptyReplyError,
    Field,
    ModelCall,
    ModelReply,
    Phase,
    ProviderError,
    Say,
    Stepper,
    Talk,
    Tool,
    ToolBatch,
    ToolCall,
)
from tests.turn.kit import SESSION_ID, Chat, calling, codes, flow, said, texts

FIELDS = {"nome": Field("string"), "ok": Field("boolean")}
ACT = Do("d", "agir", with_={})
ASK = Talk("s", collect=["ok"])


def never(*_: Any) -> Any:
    raise AssertionError("the answer was replaced")


def begin(*steps: Any, handler: Any = never, **given: Any) -> Stepper:
    """A turn that has not begun yet, of a flow that any message starts."""
    tool = Tool(id="busca", description="", parameters={"type": "object"}, handler=handler)
    chat = Chat(
        flow(*steps or (ASK,)), fields=FIELDS, actions={"agir": Action(handler)}, tools=[tool]
    )
    what: dict[str, Any] = given or {"message": "oi", "id": "m1"}
    return chat.agent.steps(session_id=SESSION_ID, **what)


def go_to(stepper: Stepper, stop: Phase | type) -> Stepper:
    """Enter phases until the next stop is a phase, or a need of a kind."""
    while stepper.pending is not stop:
        if isinstance(stop, type) and isinstance(stepper.pending, stop):
            break
        assert isinstance(stepper.pending, Phase)
        stepper.answer()
    return stepper


def finish(stepper: Stepper) -> Any:
    return asyncio.run(stepper.run())


# --- phases -----------------------------------------------------------------------------------


def test_a_turn_stops_before_each_of_its_phases_in_order():
    stepper, stops = begin(Say("s", say="Oi")), []
    while stepper.pending is not None:
        stops.append(stepper.pending)
        assert stepper.phase is stepper.pending
        stepper.answer()
    assert stops == list(Phase)


def test_a_turn_that_is_ignored_goes_through_the_same_phases():
    chat, stops = Chat(), []
    stepper = chat.agent.steps(session_id=SESSION_ID, wake="x")
    while stepper.pending is not None:
        stops.append(stepper.pending)
        stepper.answer()
    assert stops == list(Phase)


def test_nothing_has_happened_before_the_first_stop():
    stepper = begin(Say("s", say="Oi"))
    assert stepper.pending is Phase.LOAD
    assert (stepper.turn.session.inputs, stepper.result, stepper.error) == ([], None, None)


def test_the_state_can_be_looked_at_between_the_phases():
    stepper = go_to(begin(Say("s", say="Oi")), Phase.UNDERSTAND)
    assert stepper.turn.session.inputs == ["m1"]
    assert stepper.turn.messages == []
    go_to(stepper, Phase.SPEAK)
    assert [message.text for message in stepper.turn.messages] == ["Oi"]


def test_the_result_is_there_once_the_turn_is_over():
    stepper = begin(Say("s", say="Oi"))
    result = finish(stepper)
    assert stepper.result is result
    assert (stepper.pending, stepper.error) == (None, None)


# --- needs ------------------------------------------------------------------------------------


def test_a_model_call_is_answered_in_the_model_s_place():
    stepper = go_to(begin(), ModelCall)
    stepper.answer(said("Posso?", ok=True))
    result = finish(stepper)
    assert (texts(result), result.session.data) == (["Posso?"], {"ok": True})


def test_an_action_is_answered_in_its_place():
    stepper = go_to(begin(ACT, Say("s", say="Oi")), ActionCall)
    need = stepper.pending
    assert isinstance(need, ActionCall)
    assert (need.name, need.key, need.args) == ("agir", "a#m1:d:1", {})
    stepper.answer({"failed": "de propósito"})
    assert codes(finish(stepper)) == ["action-failed", None]


def test_tools_are_answered_in_their_place():
    stepper = go_to(begin(), ModelCall)
    stepper.answer(calling(ToolCall("busca", {"n": 1}), ToolCall("busca", {"n": 2})))
    first = stepper.pending
    assert isinstance(first, ToolBatch)
    assert [run.args for run in first.runs] == [{"n": 1}]
    stepper.answer([{"data": {"nome": "Ana"}}])
    stepper.answer([ValueError("quebrou")])
    stepper.answer(said())
    assert finish(stepper).session.data == {"nome": "Ana"}


def test_what_is_pending_is_performed_for_real():
    stepper = go_to(begin(ACT, handler=lambda _, __: {"ok": True}), ActionCall)
    asyncio.run(stepper.go_on())
    assert stepper.exchanges[0].answer == {"ok": True}


def test_going_on_at_a_phase_enters_it():
    stepper = begin()
    asyncio.run(stepper.go_on())
    assert stepper.pending is Phase.INGEST


@pytest.mark.parametrize("error", [ProviderError("x", "auth"), ProviderError("x", "rate")])
def test_a_call_may_be_let_fail(error: ProviderError):
    stepper = go_to(begin(), ModelCall)
    stepper.fail(error)
    code = {"auth": "provider-auth", "rate": "provider-unavailable"}[error.kind]
    assert codes(finish(stepper)) == [code]


def test_an_action_may_be_let_fail():
    stepper = go_to(begin(ACT), ActionCall)
    stepper.fail(TimeoutError("60 s"))
    assert finish(stepper).outcomes[0].detail == "60 s"


def test_a_call_that_fails_of_anything_fails_as_a_real_one_would():
    stepper = go_to(begin(), ModelCall)
    stepper.fail(TimeoutError("60 s"))
    assert codes(finish(stepper)) == ["provider-unavailable"]


# --- the record -------------------------------------------------------------------------------


def test_every_need_is_recorded_with_its_answer():
    stepper = begin(ACT, ASK, handler=lambda _, __: {"ok": True})
    go_to(stepper, ActionCall)
    asyncio.run(stepper.go_on())
    go_to(stepper, ModelCall)
    stepper.answer(said())
    finish(stepper)
    acted, asked = stepper.exchanges
    assert (acted.answer, acted.error) == ({"ok": True}, None)
    assert isinstance(asked.need, ModelCall)
    assert asked.answer == said()


def test_a_failure_is_recorded_as_one():
    stepper = go_to(begin(), ModelCall)
    error = ProviderError("x", "auth")
    stepper.fail(error)
    (exchange,) = stepper.exchanges
    assert (exchange.answer, exchange.error) == (None, error)


def test_phases_are_not_recorded():
    stepper = begin(Say("s", say="Oi"))
    finish(stepper)
    assert stepper.exchanges == []


# --- the end ----------------------------------------------------------------------------------


def understanding() -> Stepper:
    """A turn that stands at its understand call."""
    return go_to(begin(Say("o", say="Oi"), Talk("n", collect=["nome"])), ModelCall)


def test_what_a_turn_raises_is_kept_and_raised_to_whoever_runs_it():
    stepper = understanding()
    stepper.answer(ModelReply())
    assert isinstance(stepper.error, EmptyReplyError)
    assert (stepper.pending, stepper.result) == (None, None)
    with pytest.raises(EmptyReplyError):
        finish(stepper)


def test_a_turn_that_is_over_takes_no_more_answers():
    stepper = begin(Say("s", say="Oi"))
    finish(stepper)
    with pytest.raises(RuntimeError, match="over"):
        stepper.answer()
    with pytest.raises(RuntimeError, match="Only a call can fail"):
        stepper.fail(ValueError("x"))


def test_a_phase_cannot_fail():
    with pytest.raises(RuntimeError, match="Only a call can fail"):
        begin().fail(ValueError("x"))


def test_running_goes_on_from_where_the_turn_stands():
    stepper = go_to(begin(ACT, handler=lambda _, __: {"skipped": "x"}), ActionCall)
    assert codes(finish(stepper)) == ["action-skipped"]


def test_a_turn_may_be_left_in_the_middle():
    chat = Chat(flow(ASK), fields=FIELDS)
    go_to(chat.agent.steps(session_id=SESSION_ID, message="oi"), ModelCall)
    assert texts(chat.hear(speak=said())) == ["Certo!"]


def test_two_turns_of_one_session_know_nothing_of_each_other():
    first, second = begin(), begin()
    go_to(first, ModelCall).answer(said("um", ok=True))
    go_to(second, ModelCall).answer(said("dois"))
    assert finish(first).session.data == {"ok": True}
    assert finish(second).session.data == {}
