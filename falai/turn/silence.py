"""Silence: arming the wakes of a quiet conversation, and firing them."""

from collections.abc import Iterator

from falai.clock import iso_from_ms, to_ms
from falai.plan import FlowPlan
from falai.turn.due import due_ms
from falai.turn.start import Origin, may_repeat, start_run
from falai.turn.state import Turn
from falai.words.turn import Wake

PREFIX = "silence:"


def arm(turn: Turn) -> None:
    """Schedule the silence wakes when the assistant spoke last in this turn."""
    before = turn.given.session.last_assistant_at if turn.given.session is not None else None
    last = turn.session.last_assistant_at
    if last is None or (before is not None and to_ms(before) == to_ms(last)):
        return
    for plan, wake in wakes(turn):
        replaces = _key(turn, plan, before) if before is not None else None
        turn.schedule.append(Wake(key=wake.key, at=wake.at, replaces=replaces))


def wakes(turn: Turn) -> Iterator[tuple[FlowPlan, Wake]]:
    """The wake of every silence flow that counts from the assistant's last words."""
    last = turn.session.last_assistant_at
    if last is None or turn.wrote_after(last):
        return
    instant = to_ms(last)
    for plan in turn.agent.plan.flows:
        trigger = plan.silence
        if trigger is None or not turn.holds(trigger.if_):
            continue
        if not may_repeat(turn, plan, trigger, "silence", str(instant)):
            continue
        where = f'flow "{plan.id}", its silence'
        at_ms = due_ms(turn, where, instant, trigger.after, in_hours=trigger.business_hours)
        yield plan, Wake(key=_key(turn, plan, last), at=iso_from_ms(at_ms))


def fire(turn: Turn, key: str) -> None:
    """Start the flow of a silence wake, unless the silence was broken."""
    flow_id, instant = _cut(turn, key)
    plan = turn.agent.plan.by_id.get(flow_id)
    if plan is None:
        turn.skip_start(flow_id, turn.session.id, instant, "flow-gone")
        return
    last = turn.session.last_assistant_at
    if last is None or str(to_ms(last)) != instant or _broken(turn, plan, last):
        turn.ignore("silence-broken", key)
        return
    run = start_run(turn, flow_id, Origin(kind="silence", key=instant, trigger=plan.silence))
    turn.floor = run


def _broken(turn: Turn, plan: FlowPlan, last: str) -> bool:
    return turn.wrote_after(last) or turn.inbound_after(plan, last)


def _key(turn: Turn, plan: FlowPlan, iso: str) -> str:
    return f"{PREFIX}{plan.id}:{turn.session.id}:{to_ms(iso)}"


def _cut(turn: Turn, key: str) -> tuple[str, str]:
    """Flow id and instant of a key; both ids may hold colons, so it is cut at the session's."""
    rest = key.removeprefix(PREFIX)
    middle = f":{turn.session.id}:"
    flow_id, cut, instant = rest.rpartition(middle)
    if not cut:
        flow_id, _, instant = rest.partition(":")
    return flow_id, instant
