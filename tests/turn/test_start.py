"""Starts: delays, opening hours and the memory of claims."""

from datetime import UTC, datetime

import pytest

from falai import BusinessHours, Event, EventDef, Message, Say, Wait
from tests.turn.kit import START, Chat, codes, flow, only, texts

OFFICE = BusinessHours(days=["mon", "tue"], open="09:00", close="18:00")
EVENTS = {"pago": EventDef()}
SATURDAY = "2026-01-10T12:00:00Z"
MONDAY = "2026-01-12T09:00:00.000Z"


def on_event(*steps: Say | Wait, at: str = SATURDAY, **trigger: object) -> Chat:
    trigger = {"name": "pago"} | trigger
    chat = Chat(
        flow(*steps, on=[Event(**trigger)]),  # pyright: ignore[reportArgumentType]
        events=EVENTS,
        business_hours=OFFICE,
    )
    chat.clock.set(at)
    return chat


def test_a_start_outside_of_opening_hours_waits_for_them():
    (wake,) = (
        on_event(Say("s", say="Oi"), business_hours=True).take(event="pago", key="e1").schedule
    )
    assert (wake.key, wake.at) == ("a#e1:start:1768208400000", MONDAY)


def test_a_start_inside_of_opening_hours_starts_at_once():
    chat = on_event(Say("s", say="Oi"), business_hours=True, at="2026-01-06T17:59:59Z")
    assert texts(chat.take(event="pago", key="e1")) == ["Oi"]


def test_a_delay_is_moved_to_opening_hours_where_the_trigger_says_so():
    moved = on_event(Say("s", say="Oi"), after="1h", business_hours=True)
    plain = on_event(Say("s", say="Oi"), after="1h")
    assert moved.take(event="pago", key="e1").schedule[0].at == MONDAY
    assert plain.take(event="pago", key="e1").schedule[0].at == "2026-01-10T13:00:00.000Z"


def test_a_delay_of_nothing_parks_at_now():
    chat = on_event(Say("s", say="Oi"), after="0s")
    result = chat.take(event="pago", key="e1")
    assert (texts(result), codes(result)) == ([], ["awaiting-trigger"])
    assert texts(chat.take(wake=result.schedule[0].key)) == ["Oi"]


def test_a_wait_is_moved_to_opening_hours_where_the_step_says_so():
    chat = on_event(Wait("w", wait="1h", business_hours=True))
    line = only(chat.take(event="pago", key="e1").outcomes, "w")
    assert (line.until, line.key) == (MONDAY, "a#e1:w:1")


def test_an_agent_without_hours_is_always_open():
    chat = on_event(Wait("w", wait="1h", business_hours=True))
    agent = chat.agent.replace(business_hours=None)
    line = only(agent.turn_sync(session_id="s1", event="pago", key="e1").outcomes, "w")
    assert line.until == "2026-01-10T13:00:00.000Z"


def test_hours_may_be_any_function():
    chat = on_event(Wait("w", wait="1h", business_hours=True))
    agent = chat.agent.replace(business_hours=lambda _: datetime(2027, 1, 1, tzinfo=UTC))
    line = only(agent.turn_sync(session_id="s1", event="pago", key="e1").outcomes, "w")
    assert line.until == "2027-01-01T00:00:00.000Z"


def test_a_run_is_named_after_what_started_it():
    always = [Message(repeat="always")]
    chat = Chat(flow(Say("s", say="Oi"), on=always))
    at = "2026-01-05T06:00:00-03:00"
    results = [chat.hear(id="m1", at=at), chat.hear(at=at), chat.hear()]
    assert [result.started[0].run_id for result in results] == ["a#m1", f"a#{at}", f"a#{START}"]


@pytest.mark.parametrize(("age", "code"), [(59, "cooldown"), (60, None), (61, None)])
def test_a_cooldown_is_over_at_its_very_moment(age: int, code: str | None):
    chat = Chat(
        flow(Say("s", say="Oi"), on=[Event("pago", repeat={"cooldown": "1h"})]), events=EVENTS
    )
    chat.take(event="pago", key="e1")
    chat.clock.advance(f"{age}m")
    result = chat.take(event="pago", key="e2")
    assert [skip.code for skip in result.skipped] == ([code] if code else [])


def test_the_session_s_own_claim_counts_before_one_held_elsewhere():
    chat = Chat(
        flow(Say("s", say="Oi"), on=[Event("pago", repeat={"cooldown": "1h"})]), events=EVENTS
    )
    chat.take(event="pago", key="e1")
    chat.clock.advance("2h")
    held = {"held": {"a:s1:": "2026-01-05T11:00:00.000Z"}}
    assert chat.take(event="pago", key="e2", claims=held).started
    other = Chat(*chat.agent.flows, events=EVENTS)
    other.clock.advance("2h")
    assert not other.take(event="pago", key="e2", claims=held).started


@pytest.mark.parametrize(("hop", "code"), [(4, None), (5, "hop-limit"), (9, "hop-limit")])
def test_a_chain_that_is_five_hops_long_goes_no_further(hop: int, code: str | None):
    chat = Chat(flow(Say("s", say="Oi"), on=None))
    result = chat.take(start={"flow": "a", "key": "k", "hop": hop})
    assert [skip.code for skip in result.skipped] == ([code] if code else [])


def test_fifty_claims_of_a_flow_are_kept_and_those_of_others_are_left_alone():
    always = [Message(repeat="always")]
    chat = Chat(flow(Say("s", say="Oi", once=True), on=always))
    for number in range(55):
        chat.hear(id=f"m{number}")
    assert chat.session is not None
    claims = list(chat.session.claims)
    assert (len(claims), claims[0], claims[1]) == (51, "a:s:s1", "a:s1:m5")


def test_a_run_s_condition_sees_the_payload():
    chat = Chat(
        flow(Say("s", say="Oi"), on=[Event("pago", if_=lambda ctx: ctx.input["valor"] > 10)]),
        events=EVENTS,
    )
    assert not chat.take(event="pago", key="e1", payload={"valor": 5}).started
    assert chat.take(event="pago", key="e2", payload={"valor": 50}).started


def test_a_condition_sees_the_run_as_it_would_be():
    seen: list[object] = []

    def look(ctx: object) -> bool:
        seen.append(getattr(getattr(ctx, "run", None), "id", None))
        return True

    Chat(flow(Say("s", say="Oi"), on=[Event("pago", if_=look)]), events=EVENTS).take(
        event="pago", key="e1"
    )
    assert seen[0] == "a#e1"
