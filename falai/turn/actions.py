"""Actions: running what a `do` step names, and reading what it returned."""

from collections.abc import Mapping
from typing import Any

import msgspec

from falai.duration import parse_duration
from falai.errors import FlowConfigurationError, ScriptError
from falai.limits import LAST_MS
from falai.text.template import render_deep
from falai.turn.move import follow, target_text
from falai.turn.needs import ActionCall, Steps
from falai.turn.state import Turn, step_key
from falai.words.context import ActionCtx
from falai.words.flow import Do
from falai.words.registry import Action
from falai.words.session import Run


def act(turn: Turn, run: Run, step: Do) -> Steps[None]:
    """Run the action; it runs at least once under its key, and never again once it is done."""
    action = turn.agent.actions.get(step.do)
    if action is None:
        _failed(turn, run, step, f"unknown action {msgspec.json.encode(step.do).decode()}")
        return
    returned = yield from _call(turn, run, step, action)
    _apply(turn, run, step, returned)


def _call(turn: Turn, run: Run, step: Do, action: Action) -> Steps[Any]:
    key = step_key(run, step.id)
    own = {"key": key, "dedupe_key": run.dedupe_key}
    ctx: ActionCtx[Any] = ActionCtx(**turn.seen_by(run, **own))
    args = render_deep(step.with_ or {}, turn.roots(run))
    try:
        return (yield ActionCall(name=step.do, key=key, args=args, action=action, ctx=ctx))
    except ScriptError:
        raise
    except Exception as exc:  # noqa: BLE001 - whatever a host's action raises is its failure
        return {"failed": str(exc) or type(exc).__name__}


def _apply(turn: Turn, run: Run, step: Do, returned: Any) -> None:
    match returned:
        case {"ok": _, **rest}:
            _ok(turn, run, step, rest)
        case {"skipped": reason}:
            _skipped(turn, run, step, reason)
        case {"failed": reason}:
            _failed(turn, run, step, reason)
        case {"defer": wait, **rest}:
            _defer(turn, run, step, wait, rest.get("detail"))
        case _:
            _failed(turn, run, step, f"returned {_shown(returned)}, which is no action result")


def _ok(turn: Turn, run: Run, step: Do, rest: Mapping[str, Any]) -> None:
    if rest.get("spoke") is True:
        turn.voices.append(run.id)
    detail = _text(rest.get("detail"))
    turn.log_step(run, step, "ok", detail=detail, next=target_text(step.then))
    follow(turn, run, step.then)


def _skipped(turn: Turn, run: Run, step: Do, reason: Any) -> None:
    then = target_text(step.then)
    turn.log_step(run, step, "skipped", "action-skipped", detail=_text(reason), next=then)
    follow(turn, run, step.then)


def _failed(turn: Turn, run: Run, step: Do, reason: Any) -> None:
    target = step.then if step.on_fail is None else step.on_fail
    then = target_text(target)
    turn.log_step(run, step, "failed", "action-failed", detail=_text(reason), next=then)
    follow(turn, run, target)


def _defer(turn: Turn, run: Run, step: Do, wait: Any, detail: Any) -> None:
    try:
        at_ms = turn.now_ms + parse_duration(wait)
    except FlowConfigurationError:
        # the side effect already happened: raising would run it again
        _failed(turn, run, step, f"deferred by {_shown(wait)}, which is no duration")
        return
    if at_ms > LAST_MS:
        _failed(turn, run, step, f"deferred by {_shown(wait)}, until after the year 9999")
        return
    until = turn.park(run, f"{run.id}:{step.id}:{at_ms}", at_ms)
    turn.log_step(run, step, "deferred", "action-deferred", detail=_text(detail), until=until)


def _text(detail: Any) -> str | None:
    return detail if detail is None or isinstance(detail, str) else _shown(detail)


def _shown(value: Any) -> str:
    """A returned value for people, whatever it is."""
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        return repr(value)
