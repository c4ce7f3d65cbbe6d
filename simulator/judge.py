"""Judging a turn: what an expectation may look at, and what it says when it does not hold."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from falai.words.session import Session
from falai.words.turn import TurnResult
from simulator.expression import Moments, expand
from simulator.host import OutboxEntry
from simulator.match import match
from simulator.mismatch import format_path
from simulator.scenario import Block
from simulator.spot import Spot
from simulator.trace import ActionRecord, CallRecord, Failure


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an expectation may look at after an entry."""

    result: TurnResult | None
    """None when the turn raised, or when there was none."""
    session: Session | None
    """The turn's session, or the stored one when there was no turn."""
    stored: Session | None
    calls: Sequence[CallRecord] = ()
    actions: Sequence[ActionRecord] = ()
    error: Mapping[str, Any] | None = None
    sent: Sequence[OutboxEntry] = ()
    pending: Sequence[str] = ()


def _replies(seen: Seen) -> Any:
    return [message.text for message in seen.result.messages] if seen.result else []


def _floor(seen: Seen) -> Any:
    runs = seen.session.runs if seen.session else []
    return next((run.flow_id for run in runs if run.status == "asking"), None)


def _prompts(seen: Seen) -> Any:
    """The rendered text by purpose, system included; of several calls all of it."""
    prompts: dict[str, str] = {}
    for call in seen.calls:
        text = "\n\n".join(part for part in (call.system, call.prompt) if part)
        prompts[call.purpose] = "\n\n".join(filter(None, (prompts.get(call.purpose), text)))
    return prompts


def _tools(seen: Seen) -> Any:
    return list(dict.fromkeys(tool for call in seen.calls for tool in call.tools))


def _actions(seen: Seen) -> Any:
    return [
        {"do": action.do, "with": msgspec.to_builtins(action.with_), "key": action.key}
        for action in seen.actions
    ]


def _sent(seen: Seen) -> Any:
    """Each outbox entry as the message that left, with its session and its time."""
    return [
        {
            **msgspec.to_builtins(entry.message),
            "sessionId": entry.session_id,
            "at": entry.at,
        }
        for entry in seen.sent
    ]


_VIEWS: Mapping[str, Callable[[Seen], Any]] = {
    "replies": _replies,
    "data": lambda seen: seen.session.data if seen.session else {},
    "runs": lambda seen: msgspec.to_builtins(seen.session.runs) if seen.session else [],
    "floor": _floor,
    "calls": lambda seen: [call.purpose for call in seen.calls],
    "actions": _actions,
    "prompts": _prompts,
    "tools": _tools,
    "error": lambda seen: seen.error,
    "sent": _sent,
    "pending": lambda seen: list(seen.pending),
    "stored": lambda seen: msgspec.to_builtins(seen.stored) if seen.stored else None,
}
"""What `expect` may name besides the turn result."""


OF_AN_ERROR = frozenset({"error", "calls", "actions"})
"""All that a turn that raised has."""


def judge(
    block: Block, spot: Spot, seen: Seen, moments: Moments | None, *, exactly: bool
) -> list[Failure]:
    """Compare one `expect` or `exactly` block; `spot` is where it stands."""
    wanted = block if moments is None else expand(block, moments)
    got = looked_at(wanted, seen)
    return [
        Failure(
            line=spot.source.place((*spot.path, *mismatch.at)).line,
            path=format_path(mismatch.path),
            wanted=mismatch.wanted,
            got=mismatch.got,
            message=mismatch.message,
        )
        for mismatch in match(wanted, got, exactly=exactly)
    ]


def looked_at(wanted: Block, seen: Seen) -> dict[str, Any]:
    """What happened, as far as the block looks at it."""
    wire: Mapping[str, Any] = msgspec.to_builtins(seen.result) if seen.result else {}
    if not wire and seen.session is not None:
        wire = {"session": msgspec.to_builtins(seen.session)}
    got: dict[str, Any] = {}
    for key in wanted:
        if seen.error is not None and key not in OF_AN_ERROR:
            continue
        value = _VIEWS[key](seen) if key in _VIEWS else wire.get(key)
        if value is not None:
            got[key] = value
    return got
