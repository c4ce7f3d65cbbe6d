"""Run: which run moves, which comes back, and what its branches say then."""

from typing import Any

import pytest

from falai import (
    Action,
    Branch,
    Do,
    Event,
    EventDef,
    Field,
    If,
    Message,
    Say,
    Session,
    Talk,
    Wait,
)
from tests.turn.kit import SESSION_ID, Chat, codes, flow, judged, only, said, statuses, texts

FIELDS = {name: Field("boolean") for name in ("um", "dois", "tres")}
EVENTS = {"pago": EventDef()}
VIP = {"vip": True}
CONDITIONS = {"vip": lambda ctx, wanted: bool(ctx.context) is wanted}


def asks(name: str, field: str, *branches: Branch, **options: Any) -> Any:
    """A flow that asks for a field; the host starts it."""
    step = Talk("t", collect=[field], branches=branches or None)
    return flow(step, id=name, **({"on": None} | options))


def stacked(*flows: Any, **parts: Any) -> Chat:
    """A conversation with every flow started, each suspending the one before."""
    chat = Chat(*flows, fields=FIELDS, events=EVENTS, conditions=CONDITIONS, **parts)
    for number, one in enumerate(flows):
        chat.clock.advance("1m")
        chat.take(start={"flow": one.id, "key": f"k{number}"}, speak=said())
    return chat


# --- the stack --------------------------------------------------------------------------------


def test_the_last_one_that_was_suspended_comes_back_first():
    chat = stacked(asks("a", "um"), asks("b", "dois"), asks("c", "tres"))
    chat.know(tres=True)
    result = chat.hear(speak=said("E dois?"))
    assert statuses(result) == {"a": "suspended", "b": "asking"}
    assert texts(result) == ["E dois?"]


def test_those_that_have_nothing_to_ask_are_gone_through_in_one_message():
    chat = stacked(asks("a", "um"), asks("b", "dois"), asks("c", "tres"))
    chat.know(tres=True, dois=False)
    result = chat.hear(speak=said("E um?"))
    assert (statuses(result), texts(result)) == ({"a": "asking"}, ["E um?"])


def test_under_a_closed_gate_only_one_comes_back_for_a_message():
    chat = stacked(asks("a", "um"), asks("b", "dois"), asks("c", "tres"))
    chat.know(tres=True, dois=True)
    result = chat.hear(silenced="pausa")
    assert statuses(result) == {"a": "suspended", "b": "asking"}
    assert only(result.outcomes, "t").run_id == "c#k2"


def test_without_a_message_nobody_who_comes_back_speaks():
    chat = stacked(asks("a", "um"), asks("b", "dois"))
    chat.agent = chat.agent.replace(flows=[asks("a", "um")])
    result = chat.take(event="pago", key="e1")
    assert statuses(result) == {"a": "suspended", "b": "asking"}
    assert result.messages == []


def test_a_run_that_comes_back_while_something_was_said_waits_for_its_turn():
    nudge = flow(Say("s", say="Pago!"), id="n", on=[Message(["pago"])])
    chat = stacked(asks("a", "um"), asks("b", "dois"))
    chat.know(dois=True)
    chat.agent = chat.agent.replace(flows=[*chat.agent.flows, nudge])
    result = chat.hear(understand=judged(flows={"n": 90}))
    assert (texts(result), statuses(result)) == (["Pago!"], {"a": "asking"})


LEAVES = Branch(if_=VIP, then="end")


def test_branches_by_code_are_looked_at_when_a_run_comes_back():
    chat = stacked(asks("a", "um", LEAVES), asks("b", "dois"))
    chat.know(dois=True)
    result = chat.hear(context={"vip": 1})
    assert codes(result) == [None, "branch"]
    assert statuses(result) == {}


def test_branches_are_not_looked_at_without_a_message():
    chat = stacked(asks("a", "um", LEAVES), asks("b", "dois"))
    assert chat.session is not None
    del chat.session.runs[1]
    result = chat.take(event="pago", key="e1", context={"vip": 1})
    assert (codes(result), statuses(result)) == ([], {"a": "asking"})


def test_a_branch_that_only_the_model_judges_does_not_hold_when_a_run_comes_back():
    chat = stacked(asks("a", "um", Branch(when="quer sair", then="end")), asks("b", "dois"))
    chat.know(dois=True)
    assert statuses(chat.hear(speak=said())) == {"a": "asking"}


# --- the premise ------------------------------------------------------------------------------


@pytest.mark.parametrize(("context", "code"), [({"vip": 1}, None), (None, "premise-changed")])
def test_the_reason_of_a_run_is_judged_each_time_it_moves(context: Any, code: str | None):
    chat = Chat(
        flow(Wait("w", wait="1h"), Say("s", say="Oi"), on=None, while_=VIP), conditions=CONDITIONS
    )
    (wake,) = chat.take(start={"flow": "a", "key": "k"}, context={"vip": 1}).schedule
    assert codes(chat.take(wake=wake.key, context=context))[-1] == code


def test_any_trigger_of_the_kind_that_started_a_run_upholds_it():
    triggers = [Event("pago", if_=VIP), Event("pago", if_={"vip": False})]
    chat = Chat(
        flow(Wait("w", wait="1h"), Say("s", say="Oi"), on=triggers),
        conditions=CONDITIONS,
        events=EVENTS,
    )
    (wake,) = chat.take(event="pago", key="e1", context={"vip": 1}).schedule
    assert texts(chat.take(wake=wake.key)) == ["Oi"]


def test_triggers_of_another_kind_do_not_count():
    triggers = [Event("pago"), Message(if_={"vip": False})]
    chat = Chat(
        flow(Wait("w", wait="1h"), Say("s", say="Oi"), on=triggers),
        conditions=CONDITIONS,
        events=EVENTS,
    )
    (wake,) = chat.take(event="pago", key="e1", context={"vip": 1}).schedule
    assert texts(chat.take(wake=wake.key, context={"vip": 1})) == ["Oi"]


def test_an_asker_is_not_judged_until_somebody_writes():
    chat = Chat(asks("a", "um", while_=VIP), fields=FIELDS, conditions=CONDITIONS, events=EVENTS)
    chat.take(start={"flow": "a", "key": "k"}, context={"vip": 1}, speak=said())
    assert statuses(chat.take(event="pago", key="e1")) == {"a": "asking"}
    assert codes(chat.hear()) == ["premise-changed"]


# --- too many steps ---------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "reason"), [(49, "end"), (50, "end"), (51, "failed")])
def test_a_run_executes_fifty_steps_in_one_go(count: int, reason: str):
    steps = [Do(f"d{number}", "agir") for number in range(count)]
    chat = Chat(flow(*steps), actions={"agir": Action(lambda _, __: {"ok": True})})
    (ended,) = chat.hear().ended
    assert ended.reason == reason
    assert len(ended.outcomes) == min(count, 50)


def test_a_loop_ends_where_it_stands():
    chat = Chat(flow(If("i", if_={}, then="i", else_="end")))
    result = chat.hear()
    line = result.outcomes[-1]
    assert (line.code, line.status, line.step_id, line.key) == ("step-loop", "failed", "i", None)
    assert result.ended[0].visits == {"i": 51}


# --- gone -------------------------------------------------------------------------------------


def test_a_run_of_a_flow_that_is_gone_ends_when_it_moves():
    chat = Chat(flow(Wait("w", wait="1h"), on=None))
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    chat.agent = chat.agent.replace(flows=[])
    result = chat.take(wake=wake.key)
    (line,) = result.outcomes
    assert (line.code, line.kind, line.step_id) == ("flow-gone", "if", "w")
    assert result.ended[0].reason == "skipped"


def test_a_stored_run_in_the_middle_of_a_step_goes_on_with_whatever_comes():
    chat = Chat(flow(Say("s", say="Oi"), on=None))
    chat.take(start={"flow": "a", "key": "k"})
    session = Session(
        id=SESSION_ID, v=4, version=1, data={}, runs=[], claims={}, inputs=[], metadata={}
    )
    started = chat.agent.steps(session_id=SESSION_ID, start={"flow": "a", "key": "k2"})
    while started.pending is not None and started.pending != "run":
        started.answer()
    session.runs = started.turn.session.runs
    assert [run.status for run in session.runs] == ["running"]
    assert texts(chat.agent.turn_sync(session_id=SESSION_ID, session=session, message="oi")) == [
        "Oi"
    ]
