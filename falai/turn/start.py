"""The start checks: whether a flow may start, and the run that it starts with."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from falai.clock import to_ms
from falai.duration import parse_duration
from falai.limits import ALWAYS_CLAIMS_KEPT, HOPS
from falai.plan import FlowPlan
from falai.turn.due import due_ms
from falai.turn.state import Turn
from falai.words.flow import Event, Repeat, Trigger
from falai.words.session import Cause, Run, TriggerKind, own_copy
from falai.words.turn import Started

_ONCE: frozenset[TriggerKind] = frozenset({"message", "mention", "silence"})
"""Kinds that start a flow once unless the trigger says otherwise."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """What wants to start a flow."""

    kind: TriggerKind
    key: str
    payload: Any | UnsetType = UNSET
    hop: int = 0
    trigger: Trigger | None = None
    keep_fields: bool = False
    """A reset keeps what `clearOnStart` would forget."""


def start_run(turn: Turn, flow_id: str, origin: Origin) -> Run | None:
    """Put a flow through the start checks; the first that fails leaves its skip."""
    plan = turn.agent.plan.by_id.get(flow_id)
    if plan is None:
        turn.skip_start(flow_id, turn.session.id, origin.key, "flow-gone")
        return None
    repeat = repeat_of(origin.kind, origin.trigger)
    run = _run_as_it_would_be(turn, plan, origin, repeat)
    if origin.trigger is not None and not turn.holds(origin.trigger.if_, run):
        return None
    code = _refusal(turn, plan, run, repeat)
    if code is not None:
        turn.skip_start(flow_id, run.anchor, origin.key, code)
        return None
    _admit(turn, plan, run, origin, repeat)
    return run


def anchor_of(turn: Turn, plan: FlowPlan) -> str:
    """The key that the flow's runs belong to: the host's anchor, or the session."""
    given = turn.given.anchors.get(plan.flow.anchor) if plan.flow.anchor is not None else None
    return turn.session.id if given is None else given.key


def repeat_of(kind: TriggerKind, trigger: Trigger | None) -> Repeat:
    """How often this kind of trigger may start its flow."""
    written = trigger.repeat if trigger is not None else None
    return written or ("once" if kind in _ONCE else "always")


def may_repeat(turn: Turn, plan: FlowPlan, trigger: Trigger, kind: TriggerKind, key: str) -> bool:
    """Whether no claim stands in the way of a start."""
    repeat = repeat_of(kind, trigger)
    return (
        _claim_refusal(turn, _dedupe_key(plan.id, anchor_of(turn, plan), repeat, key), repeat)
        is None
    )


def _dedupe_key(flow_id: str, anchor: str, repeat: Repeat, key: str) -> str:
    return f"{flow_id}:{anchor}:{key if repeat == 'always' else ''}"


def _run_as_it_would_be(turn: Turn, plan: FlowPlan, origin: Origin, repeat: Repeat) -> Run:
    anchor = anchor_of(turn, plan)
    return Run(
        id=f"{plan.id}#{origin.key}",
        flow_id=plan.id,
        anchor=anchor,
        dedupe_key=_dedupe_key(plan.id, anchor, repeat, origin.key),
        step_id=None,
        status="running",
        trigger=Cause(kind=origin.kind, key=origin.key, payload=own_copy(origin.payload)),
        input=own_copy(origin.payload),
        hop=origin.hop,
        started_at=turn.now_iso,
        asked={},
        visits={},
        outcomes=[],
    )


def _refusal(turn: Turn, plan: FlowPlan, run: Run, repeat: Repeat) -> str | None:
    code = _claim_refusal(turn, run.dedupe_key, repeat)
    if code is not None:
        return code
    if run.hop >= HOPS:
        return "hop-limit"
    live = next(
        (r for r in turn.session.runs if r.flow_id == plan.id and r.anchor == run.anchor), None
    )
    if live is None:
        elsewhere = f"{plan.id}:{run.anchor}" in turn.given.claims.active
        return "already-running" if elsewhere else None
    if live.status == "waiting" and live.step_id is None:
        turn.end(live, "replaced")
        return None
    return "already-running"


def _claim_refusal(turn: Turn, key: str, repeat: Repeat) -> str | None:
    own = turn.session.claims.get(key)
    at = own.at if own is not None else turn.given.claims.held.get(key)
    if at is None:
        return None
    if isinstance(repeat, Mapping):
        young = turn.now_ms - to_ms(at) < parse_duration(repeat["cooldown"])
        return "cooldown" if young else None
    return "already-claimed"


def _admit(turn: Turn, plan: FlowPlan, run: Run, origin: Origin, repeat: Repeat) -> None:
    turn.claim(run.dedupe_key)
    if repeat == "always":
        _prune_claims(turn.session.claims, f"{plan.id}:{run.anchor}:")
    if not origin.keep_fields:
        turn.forget(None, plan.flow.clear_on_start or ())
    turn.session.runs.append(run)
    turn.queue.append(run)
    turn.started.append(
        Started(run_id=run.id, flow_id=plan.id, anchor=run.anchor, dedupe_key=run.dedupe_key)
    )
    if isinstance(origin.trigger, Event):
        _delay(turn, run, origin.trigger)


def _prune_claims(claims: dict[str, Any], prefix: str) -> None:
    mine = [key for key in claims if key.startswith(prefix)]
    for key in mine[:-ALWAYS_CLAIMS_KEPT]:
        del claims[key]


def _delay(turn: Turn, run: Run, trigger: Event) -> None:
    """Park a run before its first step while its trigger says to wait."""
    where = f'flow "{run.flow_id}", its event "{trigger.name}"'
    start_ms = due_ms(turn, where, turn.now_ms, trigger.after, in_hours=trigger.business_hours)
    if trigger.after is None and start_ms <= turn.now_ms:
        return
    until = turn.park(run, f"{run.id}:start:{start_ms}", start_ms)
    turn.log("wait", "waiting", "awaiting-trigger", run=run, until=until)
