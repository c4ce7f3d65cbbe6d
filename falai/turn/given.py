"""Reading a turn's input as the host writes it: exactly one thing that happened."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Required, TypedDict, TypeVar

import msgspec

from falai.clock import to_ms
from falai.limits import DATA_DEPTH
from falai.shapes import is_deeper, is_mapping
from falai.words.generic import C
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

T = TypeVar("T")

_KINDS = ("message", "wake", "event", "start")
_BESIDE = {
    "message": ("id", "at"),
    "wake": (),
    "event": ("payload", "key", "hop"),
    "start": (),
}
"""Keys that go with one kind of input only."""


class TurnArgs(TypedDict, Generic[C], total=False):
    """What a host passes to a turn: the session id, one thing that happened, what it knows."""

    session_id: Required[str]
    session: Session[Any] | None
    context: C
    """The host's own, as its code and templates see it."""
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
    unknown = [name for name in args if name not in TurnArgs.__annotations__]
    if unknown:
        raise TypeError(f"A turn takes no {unknown[0]}. {_suggestion(unknown[0])}")
    if "session_id" not in args:
        raise TypeError("A turn needs session_id: it names the conversation.")
    session = args.get("session")
    if session is not None and session.id != args["session_id"]:
        ids = f'"{session.id}", session_id is "{args["session_id"]}"'
        raise TypeError(f"The session is of another conversation: its id is {ids}.")
    return TurnInput(
        session_id=args["session_id"],
        what=_what(args),
        session=session,
        context=args.get("context"),
        history=args.get("history"),
        silenced=_silenced(args.get("silenced")),
        anchors={name: _anchor(name, it) for name, it in (args.get("anchors") or {}).items()},
        claims=_claims(args.get("claims")),
    )


def _suggestion(name: str) -> str:
    import difflib  # slow to load, and needed for this message alone

    near = difflib.get_close_matches(name, TurnArgs.__annotations__, n=1)
    return f"Did you mean {near[0]}?" if near else "Leave it out."


def _read(name: str, value: object, shape: type[T]) -> T:
    """Read an argument of a known shape; raises TypeError naming it."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise TypeError(f"{name} has the wrong shape: {error}. See TurnArgs.") from None


def _what(args: TurnArgs) -> What:
    given = [kind for kind in _KINDS if kind in args]
    if len(given) != 1:
        raise TypeError(
            f"A turn takes exactly one of message, wake, event and start: "
            f"given: {' and '.join(given) or 'none of them'}. Pass one input a turn."
        )
    _check_beside(args, given[0])
    if "message" in args:
        _instant("at", args.get("at"))
        said = {"text": args["message"], "id": args.get("id"), "at": args.get("at")}
        return _read("message", said, MessageInput)
    if "wake" in args:
        return _read("wake", {"key": args["wake"]}, WakeInput)
    if "event" in args:
        if "key" not in args:
            raise TypeError("An event needs a key: it tells a repeated delivery from a new one.")
        happened = {"name": args["event"], "key": args["key"], "hop": args.get("hop", 0)}
        if "payload" in args:
            happened["payload"] = _kept("payload", args["payload"])
        return _read("event", happened, EventInput)
    start = args.get("start")
    if is_mapping(start):
        _kept("start.input", start.get("input"))
    return _read("start", start, StartInput)


def _kept(name: str, value: T) -> T:
    """A value that the session will keep; refused when no turn could copy it."""
    if is_deeper(value, DATA_DEPTH):
        raise TypeError(f"{name} is nested more than {DATA_DEPTH} levels deep. Flatten it.")
    return value


def _check_beside(args: TurnArgs, kind: str) -> None:
    for other, keys in _BESIDE.items():
        for key in keys:
            if key in args and key not in _BESIDE[kind]:
                raise TypeError(f"{key} goes with {other}, not with {kind}. Leave it out.")


def _anchor(name: str, given: Mapping[str, Any] | Anchor) -> Anchor:
    anchor = _read(f"anchors.{name}", given, Anchor)
    _instant(f"anchors.{name}.lastInboundAt", anchor.last_inbound_at)
    return anchor


def _claims(given: Mapping[str, Any] | HeldClaims | None) -> HeldClaims:
    if not given:
        return HeldClaims()
    claims = _read("claims", given, HeldClaims)
    for key, at in claims.held.items():
        _instant(f'claims.held["{key}"]', at)
    return claims


def _instant(name: str, at: object) -> None:
    """Refuse what is no time: the session would keep it for good."""
    if at is not None:
        try:
            to_ms(at)
        except (ValueError, TypeError):
            raise TypeError(f'{name} is no time: "{at}". Write ISO 8601, in UTC.') from None


def _silenced(given: str | Mapping[str, Any] | Silenced | None) -> Silenced | None:
    if given is None or isinstance(given, Silenced):
        return given
    return Silenced(given) if isinstance(given, str) else _read("silenced", given, Silenced)
