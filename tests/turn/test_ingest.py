"""Ingest: what wakes a run, and what it is taken for then."""

from typing import Any

import pytest

from falai import Action, Do, Event, EventDef, Field, Say, Talk, Wait, WaitEvent
from tests.turn.kit import Chat, codes, flow, said, texts

FIELDS = {"ok": Field("boolean")}
ASK = Talk("t", collect=["ok"], question="Confirma?")
EVENTS = {"pago": EventDef(), "ping": EventDef("inbound")}


def deferring(step_id: str) -> Chat:
    """A conversation whose flow runs an action that defers once, and then asks."""
    results = iter([{"defer": "1h"}, {"ok": True}])
    return Chat(
        flow(Do(step_id, "agir"), ASK, on=None),
        fields=FIELDS,
        actions={"agir": Action(lambda _, __: next(results))},
    )


@pytest.mark.parametrize(
    ("step_id", "key"), [("d", "k1"), ("retry", "k1"), ("d", "k:retry:1"), ("d:retry", "retry:")]
)
def test_a_deferred_action_is_no_answer_that_failed(step_id: str, key: str):
    chat = deferring(step_id)
    (wake,) = chat.take(start={"flow": "a", "key": key}).schedule
    result = chat.take(wake=wake.key)
    assert (texts(result), result.llm_calls) == (["Confirma?"], 0)


def test_a_wait_that_became_a_talk_step_is_no_answer_that_failed():
    chat = Chat(flow(Wait("t", wait="1h"), on=None), fields=FIELDS)
    (wake,) = chat.take(start={"flow": "a", "key": "k1"}).schedule
    chat.agent = chat.agent.replace(flows=[flow(ASK, on=None)])
    result = chat.take(wake=wake.key)
    assert (texts(result), result.llm_calls) == (["Confirma?"], 0)


def test_a_message_time_may_go_back():
    chat = Chat()
    chat.hear()
    result = chat.hear(at="2025-01-01T00:00:00.000Z")
    assert result.session.last_user_at == "2025-01-01T00:00:00.000Z"


def test_an_event_that_nobody_defined_is_taken_in_all_the_same():
    chat = Chat(flow(Say("s", say="Oi")))
    result = chat.take(event="nada", key="e1", payload={"x": 1})
    assert (result.outcomes, result.skipped, result.session.last_user_at) == ([], [], None)


def test_a_wait_for_an_event_ends_with_the_event_whatever_the_customer_says():
    chat = Chat(flow(WaitEvent("w", event="pago"), Say("s", say="Pago!")), events=EVENTS)
    chat.hear()
    assert texts(chat.hear()) == []
    assert texts(chat.take(event="pago", key="e1")) == ["Pago!"]


def test_an_inbound_event_counts_as_the_customer_s_words():
    chat = Chat(
        flow(
            Wait("w", wait="1h", else_="s"), Say("x", say="Tarde.", then="end"), Say("s", say="Oi!")
        ),
        events=EVENTS,
    )
    chat.hear()
    assert codes(chat.take(event="ping", key="p1")) == ["replied", None]


def test_a_run_that_waits_to_begin_begins_at_its_wake():
    chat = Chat(flow(Say("s", say="Oi"), on=[Event("pago", after="1h")]), events=EVENTS)
    (wake,) = chat.take(event="pago", key="e1").schedule
    chat.clock.advance("1h")
    assert texts(chat.take(wake=wake.key)) == ["Oi"]


def test_a_start_may_carry_nothing_null_or_anything():
    chat = Chat(flow(Say("s", say="[{{input.x}}]"), on=None))

    def say(**given: Any) -> list[str]:
        return texts(chat.take(start={"flow": "a", "key": str(given)} | given))

    assert [say(), say(input=None), say(input={"x": 1})] == [["[{{input.x}}]"], ["[]"], ["[1]"]]


def test_the_asker_keeps_the_floor_when_an_event_starts_a_run_that_says():
    chat = Chat(
        flow(Talk("s", collect=["ok"])),
        flow(Say("s", say="Pago!"), id="b", on=[Event("pago")]),
        fields=FIELDS,
        events=EVENTS,
    )
    chat.hear(speak=said())
    result = chat.take(event="pago", key="e1")
    assert (texts(result), [run.status for run in result.session.runs]) == (["Pago!"], ["asking"])


def test_an_event_finds_a_run_whose_step_is_gone_and_lets_it_end():
    chat = Chat(flow(WaitEvent("w", event="pago"), Say("s", say="Pago!"), on=None), events=EVENTS)
    chat.take(start={"flow": "a", "key": "k"})
    chat.agent = chat.agent.replace(flows=[flow(Say("s", say="Pago!"), on=None)])
    result = chat.take(event="pago", key="e1")
    (line,) = result.outcomes
    assert (line.code, line.step_id, line.kind) == ("step-gone", "w", "if")
    assert (result.messages, [run.reason for run in result.ended]) == ([], ["skipped"])


def test_an_event_finds_a_run_whose_flow_is_gone_and_lets_it_end():
    chat = Chat(flow(WaitEvent("w", event="pago"), on=None), events=EVENTS)
    chat.take(start={"flow": "a", "key": "k"})
    chat.agent = chat.agent.replace(flows=[])
    assert codes(chat.take(event="pago", key="e1")) == ["flow-gone"]
