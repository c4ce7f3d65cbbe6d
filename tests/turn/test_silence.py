"""Silence and lost queues: the wakes that a saved session waits on."""

from typing import Any

import pytest

from falai import (
    BusinessHours,
    Event,
    EventDef,
    Message,
    Say,
    Session,
    Silence,
    Wait,
    WaitEvent,
    Wake,
)
from tests.turn.kit import Chat, codes, flow, texts

NUDGE_AT = "2026-01-05T10:00:00.000Z"
NUDGE_KEY = "silence:nudge:s1:1767603600000"
HELLO = flow(Say("s", say="Oi"), on=[Message(repeat="always")])
EVENTS = {"pago": EventDef(), "humano": EventDef("outbound"), "ping": EventDef("inbound")}


def nudging(**trigger: Any) -> Chat:
    """A conversation that is greeted, and nudged an hour later."""
    nudge = flow(Say("n", say="Ainda aí?"), id="nudge", on=[Silence("1h", **trigger)])
    return Chat(HELLO, nudge, events=EVENTS)


def pending(chat: Chat, **seen: Any) -> list[Wake]:
    assert chat.session is not None
    return chat.agent.pending_wakes(chat.session, **seen)


def test_a_reply_arms_the_silence_that_follows_it():
    assert nudging().hear().schedule == [Wake(key=NUDGE_KEY, at=NUDGE_AT)]


def test_a_queue_that_was_lost_holds_what_the_turns_scheduled():
    parking = flow(Wait("w", wait="2d"), id="w", on=None)
    waiting = flow(WaitEvent("e", event="pago"), id="e", on=None)
    delayed = flow(Say("s", say="Oi"), id="d", on=[Event("pago", after="1h")])
    chat = Chat(parking, waiting, delayed, HELLO, nudging().agent.flows[1], events=EVENTS)
    scheduled = [
        *chat.take(start={"flow": "w", "key": "k1"}).schedule,
        *chat.take(start={"flow": "e", "key": "k2"}).schedule,
        *chat.hear().schedule,
    ]
    assert pending(chat) == scheduled
    assert len(scheduled) == 3


def test_looking_for_wakes_changes_nothing_and_asks_nobody():
    chat = nudging()
    chat.hear()
    before = repr(chat.session)
    assert pending(chat) == pending(chat) == [Wake(key=NUDGE_KEY, at=NUDGE_AT)]
    assert repr(chat.session) == before


def test_a_session_that_waits_on_nothing_has_no_wakes():
    chat = Chat(flow(Say("s", say="Oi")))
    chat.hear()
    assert pending(chat) == []


def test_a_message_after_the_reply_leaves_no_silence_to_wait_on():
    chat = nudging()
    chat.hear()
    chat.clock.advance("1m")
    chat.take(event="ping", key="p1")
    assert pending(chat) == []


def test_a_condition_of_the_host_decides_what_is_waited_on():
    chat = nudging(if_=lambda ctx: bool(ctx.context))
    assert chat.hear().schedule == []
    assert pending(chat) == []
    assert pending(chat, context={"vip": 1}) == [Wake(key=NUDGE_KEY, at=NUDGE_AT)]


def test_a_claim_held_elsewhere_leaves_no_silence_to_wait_on():
    chat = nudging()
    chat.hear()
    assert pending(chat, claims={"held": {"nudge:s1:": NUDGE_AT}}) == []


def test_silence_in_opening_hours_waits_for_them():
    chat = nudging(business_hours=True)
    hours = BusinessHours(days=["tue"], open="09:00", close="18:00")
    agent = chat.agent.replace(business_hours=hours)
    result = agent.turn_sync(session_id="s1", message="oi")
    assert [wake.at for wake in result.schedule] == ["2026-01-06T09:00:00.000Z"]


def test_a_later_reply_takes_the_wake_of_the_earlier_one_away():
    chat = nudging()
    chat.hear()
    chat.clock.advance("1m")
    (wake,) = chat.hear().schedule
    assert (wake.replaces, wake.at) == (NUDGE_KEY, "2026-01-05T10:01:00.000Z")


def test_words_of_a_person_arm_the_silence_too():
    chat = nudging()
    assert len(chat.take(event="humano", key="h1").schedule) == 1


def test_a_wake_that_comes_before_its_time_counts_all_the_same():
    chat = nudging()
    chat.hear()
    assert texts(chat.take(wake=NUDGE_KEY)) == ["Ainda aí?"]


@pytest.mark.parametrize(
    "key", ["silence:nudge:s1:1767603600001", "silence:nudge:s1:", "silence:nudge:s1:ontem"]
)
def test_a_wake_of_another_moment_is_broken(key: str):
    chat = nudging()
    chat.hear()
    result = chat.take(wake=key)
    assert (codes(result), result.changed) == (["silence-broken"], False)


@pytest.mark.parametrize(
    ("key", "flow_id", "instant"),
    [
        ("silence:nada:s1:5", "nada", "5"),
        ("silence:nada:outra:5", "nada", "outra:5"),
        ("silence:nada", "nada", ""),
        ("silence:", "", ""),
    ],
)
def test_a_wake_of_a_flow_that_is_gone_is_skipped(key: str, flow_id: str, instant: str):
    chat = nudging()
    chat.hear()
    (skip,) = chat.take(wake=key).skipped
    assert (skip.flow_id, skip.trigger_key, skip.code) == (flow_id, instant, "flow-gone")


def test_a_silence_that_was_never_begun_is_broken():
    session = Session(id="s1", v=4, version=1, data={}, runs=[], claims={}, inputs=[], metadata={})
    result = nudging().agent.turn_sync(session_id="s1", session=session, wake=NUDGE_KEY)
    assert codes(result) == ["silence-broken"]
