"""Waits that no calendar has, and business hours that give no time: told, with the place to mend."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from falai import (
    Action,
    BusinessHours,
    Do,
    Event,
    EventDef,
    FlowConfigurationError,
    Say,
    Silence,
    Wait,
    WaitEvent,
)
from tests.turn.kit import Chat, flow, only

LATE = "9999-12-30T09:00:00.000Z"


def at_the_end(chat: Chat) -> Chat:
    chat.clock.set(LATE)
    return chat


def refusal(chat: Chat, **given: Any) -> str:
    with pytest.raises(FlowConfigurationError) as raised:
        chat.take(**(given or {"message": "oi", "id": "m1"}))
    return str(raised.value).removeprefix("[FlowConfigurationError] ")


def beyond(where: str) -> str:
    return (
        f"{where}: waits until after the year 9999, from {LATE}. "
        "Wait less, and check the agent's clock."
    )


# --- the end of the calendar --------------------------------------------------------------------


@pytest.mark.parametrize(
    "step", [Wait("w", "2d"), WaitEvent("w", "pago", up_to="2d"), WaitEvent("w", "pago")]
)
def test_a_step_that_waits_past_the_calendar_is_named(step: Any):
    chat = at_the_end(Chat(flow(step), events={"pago": EventDef()}))
    assert refusal(chat) == beyond('flow "a", step "w"')


def test_the_last_day_of_the_calendar_may_be_waited_for():
    [wake] = at_the_end(Chat(flow(Wait("w", "38h")))).hear(id="m1").schedule
    assert wake.at == "9999-12-31T23:00:00.000Z"


def test_a_trigger_that_waits_past_the_calendar_is_named():
    late = flow(Say("s", "Oi"), on=[Event("pago", after="2d")])
    chat = at_the_end(Chat(late, events={"pago": EventDef()}))
    assert refusal(chat, event="pago", key="e1") == beyond('flow "a", its event "pago"')


def test_a_silence_that_lasts_past_the_calendar_is_named():
    quiet = flow(Say("s", "Oi?"), id="b", on=[Silence("2d")])
    chat = at_the_end(Chat(flow(Say("s", "Oi")), quiet))
    assert refusal(chat) == beyond('flow "b", its silence')


def test_an_action_that_defers_past_the_calendar_has_failed():
    action = Action(lambda _, __: {"defer": "2d"})
    chat = at_the_end(Chat(flow(Do("d", "agir"), Say("s", "Oi")), actions={"agir": action}))
    line = only(chat.hear(id="m1").outcomes, "d")
    assert (line.status, line.code) == ("failed", "action-failed")
    assert line.detail == 'deferred by "2d", until after the year 9999'


def test_hours_that_open_only_after_the_calendar_are_told_at_the_step():
    never = BusinessHours(days=["mon"], open="09:00", close="18:00")
    chat = at_the_end(Chat(flow(Wait("w", "1h", business_hours=True)), business_hours=never))
    assert refusal(chat) == beyond('flow "a", step "w"')


# --- what a function of business hours returns ------------------------------------------------

WAIT = Wait("w", "1h", business_hours=True)
Hours = Callable[[datetime], Any]


def naive(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)


def nothing(_: datetime) -> None:
    return None


def in_text(moment: datetime) -> str:
    return moment.isoformat()


WRONG = [
    (naive, '"2026-01-05T10:00:00"'),
    (nothing, "null"),
    (in_text, '"2026-01-05T10:00:00+00:00"'),
]


@pytest.mark.parametrize(("hours", "shown"), WRONG, ids=lambda it: getattr(it, "__name__", ""))
def test_hours_that_give_no_time_with_a_timezone_are_named(hours: Hours, shown: str):
    assert refusal(Chat(flow(WAIT), business_hours=hours)) == (
        f"agent: businessHours {hours.__name__} returned {shown}, which is no time with a "
        "timezone. Return a datetime with one, such as UTC."
    )


def test_the_same_hours_are_named_where_silence_and_events_use_them():
    quiet = flow(Say("s", "Oi?"), id="b", on=[Silence("1h", business_hours=True)])
    assert "businessHours naive" in refusal(Chat(flow(Say("s", "Oi")), quiet, business_hours=naive))
    on_event = flow(Say("s", "Oi"), on=[Event("pago", business_hours=True)])
    chat = Chat(on_event, events={"pago": EventDef()}, business_hours=naive)
    assert "businessHours naive" in refusal(chat, event="pago", key="e1")


def test_the_session_is_as_it_was_when_a_turn_was_refused():
    chat = Chat(flow(Say("s", "Oi"), WAIT), business_hours=naive)
    refusal(chat)
    assert chat.session is None


def test_hours_in_another_zone_are_taken():
    zone = timezone(timedelta(hours=-3))
    chat = Chat(flow(WAIT), business_hours=lambda at: at.astimezone(zone) + timedelta(hours=1))
    [wake] = chat.hear(id="m1").schedule
    assert wake.at == "2026-01-05T11:00:00.000Z"


def test_pending_wakes_name_the_hours_too():
    quiet = flow(Say("s", "Oi?"), id="b", on=[Silence("1h", business_hours=True)])
    chat = Chat(flow(Say("s", "Oi")), quiet)
    session = chat.hear(id="m1").session
    broken = chat.agent.replace(business_hours=naive)
    with pytest.raises(FlowConfigurationError, match="businessHours naive returned"):
        broken.pending_wakes(session)
