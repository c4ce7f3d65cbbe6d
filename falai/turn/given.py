"""Reading a turn's input as the host writes it: exactly one thing that happened."""

from collections.abc import Mapping, Sequence
from typing import Any, Required, TypedDict

import msgspec
from msgspec import UNSET

from falai.clock import to_ms
from falai.words.session import Session
from falai.words.turn import (
    Anchor,
    EventInput,
    HeldClaims,
    HistoryItem,
    MessageInput,
    Silenced,
    StartInput,
    TurnInput,
    WakeInput,
    What,
)

_KINDS = ("message", "wake", "event", "start")
_BESIDE = {
    "message": ("id", "at"),
    "wake": (),
    "event": ("payload", "key", "hop"),
    "start": (),
}
"""Keys that go with one kind of input only."""


class TurnArgs(TypedDict, total=False):
    """What a host passes to a turn: the session id, one thing that happened, what it knows."""

    session_id: Required[str]
    session: Session | None
    context: Any
    history: Sequence[HistoryItem] | None
    """The conversation before this input."""
    silenced: str | Mapping[str, Any] | Silenced | None
    anchors: Mapping[str, Mapping[str, Any] | Anchor] | None
    claims: Mapping[str, Any] | HeldClaims | None
    message: str
    id: str | None
    at: str | None
    """When the message was written, ISO 8601; now by default."""
    wake: str
    event: str
    payload: Any
    key: str
    hop: int
    start: Mapping[str, Any]
    """`{flow, key, input?, hop?}`."""


def read_input(args: TurnArgs) -> TurnInput:
    """Make a turn's input; raises TypeError naming what was given when it is not one thing."""
    return TurnInput(
        session_id=args["session_id"],
        what=_what(args),
        session=args.get("session"),
        context=args.get("context"),
        history=args.get("history"),
        silenced=_silenced(args.get("silenced")),
        anchors={
            name: msgspec.convert(anchor, Anchor)
            for name, anchor in (args.get("anchors") or {}).items()
        },
        claims=msgspec.convert(args.get("claims") or {}, HeldClaims),
    )


def _what(args: TurnArgs) -> What:
    given = [kind for kind in _KINDS if kind in args]
    if len(given) != 1:
        raise TypeError(
            f"A turn takes exactly one of message, wake, event and start: "
            f"{' and '.join(given) or 'none of them'} was given. Pass one input a turn."
        )
    _check_beside(args, given[0])
    if "message" in args:
        return MessageInput(text=args["message"], id=args.get("id"), at=_instant(args.get("at")))
    if "wake" in args:
        return WakeInput(key=args["wake"])
    if "event" in args:
        return EventInput(
            name=args["event"],
            key=_required_key(args, "event"),
            payload=args.get("payload", UNSET),
            hop=args.get("hop", 0),
        )
    return msgspec.convert(args.get("start"), StartInput)


def _check_beside(args: TurnArgs, kind: str) -> None:
    for other, keys in _BESIDE.items():
        for key in keys:
            if key in args and key not in _BESIDE[kind]:
                raise TypeError(f"{key} goes with {other}, not with {kind}. Leave it out.")


def _required_key(args: TurnArgs, kind: str) -> str:
    if "key" not in args:
        raise TypeError(f"An {kind} needs a key: it tells a repeated delivery from a new one.")
    return args["key"]


def _instant(at: str | None) -> str | None:
    """A time as written, once it is known to be one: the session keeps it for good."""
    if at is not None:
        try:
            to_ms(at)
        except ValueError:
            raise TypeError(f'at is no time: "{at}". Write ISO 8601, in UTC.') from None
    return at


def _silenced(given: str | Mapping[str, Any] | Silenced | None) -> Silenced | None:
    if given is None or isinstance(given, Silenced):
        return given
    return Silenced(given) if isinstance(given, str) else msgspec.convert(given, Silenced)
