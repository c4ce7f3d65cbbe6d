"""Rows of a store: reading a session, and saying exactly what is wrong with what is none."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from falai.clock import to_ms
from falai.errors import InvalidSessionError, SessionConflictError
from falai.limits import DATA_DEPTH
from falai.shapes import is_deeper, is_mapping
from falai.words.session import SESSION_VERSION, Session

_decoder = msgspec.json.Decoder(Session)
_PARTS = ((("data", "claims", "metadata"), dict, "an object"), (("runs", "inputs"), list, "a list"))
_SHOWN = 60
"""Characters of a wrong value that a message shows."""


def read_session(row: bytes | str, session_id: str) -> Session:
    """Decode a stored row; raises InvalidSessionError for anything that is no session."""
    try:
        session = _decoder.decode(row)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidSessionError(session_id, _reason(row, error)) from error
    reason = _wrong_value(session, session_id)
    if reason is not None:
        raise InvalidSessionError(session_id, reason)
    return session


def read_row(session_id: str, version: object, data: object) -> Session:
    """Read the row of a table: its data is the session, at the version that stands beside it."""
    if not isinstance(data, bytes | str):
        found = "missing" if data is None else shown(data)
        raise InvalidSessionError(session_id, f"data is {found}, expected JSON text")
    session = read_session(data, session_id)
    if session.version != version:
        reason = f"version is {session.version} in the data and {shown(version)} beside it"
        raise InvalidSessionError(session_id, reason)
    return session


def refusal(session_id: str, expected_version: int, row: tuple[object] | None) -> Exception:
    """Why a save met no row at its version: the version found there, None for no row."""
    if row is None:
        return SessionConflictError(session_id, expected_version, None)
    [version] = row
    if not isinstance(version, int):
        return InvalidSessionError(session_id, f"version is {shown(version)}, expected a number")
    return SessionConflictError(session_id, expected_version, version)


def assert_session(blob: object, session_id: str) -> Session:
    """Check a decoded JSON value that should be a session, and read it.

    For what a host keeps by itself, or gets from another implementation; stores do it on
    every load. Raises InvalidSessionError naming the key and what was found there.
    """
    try:
        row = msgspec.json.encode(blob)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidSessionError(session_id, f"is no JSON ({error})") from error
    return read_session(row, session_id)


def _wrong_value(session: Session, session_id: str) -> str | None:
    if session.v != SESSION_VERSION:
        return f"v is {session.v}, expected {SESSION_VERSION}"
    if session.id != session_id:
        return f"id is {shown(session.id)}, expected {shown(session_id)}"
    if session.version < 0:
        return f"version is {session.version}, expected 0 or more"
    for place, at in _times(session):
        if at is not None and not _is_time(at):
            return f"{_name(place)} is {shown(at)}, expected an ISO 8601 time"
    for place, value in _values(session):
        if is_deeper(value, DATA_DEPTH):
            return f"{_name(place)} is nested more than {DATA_DEPTH} levels deep"
    return None


_Place: TypeAlias = tuple[str, str | int, str]
"""A part of the session, which one of it, and what of that: spelled only when it is wrong."""


def _name(place: _Place) -> str:
    part, which, rest = place
    return f"{part}[{shown(which)}]{rest}" if part else rest


def _values(session: Session) -> Iterator[tuple[_Place, object]]:
    """The values of any shape that a turn copies."""
    for slug, value in session.data.items():
        yield ("data", slug, ""), value
    for number, run in enumerate(session.runs):
        yield ("runs", number, ".input"), run.input
        yield ("runs", number, ".trigger.payload"), run.trigger.payload


def _times(session: Session) -> Iterator[tuple[_Place, str | None]]:
    """The times that a turn reckons with."""
    yield ("", 0, "lastUserAt"), session.last_user_at
    yield ("", 0, "lastAssistantAt"), session.last_assistant_at
    for number, run in enumerate(session.runs):
        yield ("runs", number, ".startedAt"), run.started_at
        yield ("runs", number, ".suspendedAt"), run.suspended_at
        if run.waiting is not None:
            yield ("runs", number, ".waiting.until"), run.waiting.until
            yield ("runs", number, ".waiting.setAt"), run.waiting.set_at
    for key, claim in session.claims.items():
        yield ("claims", key, ".at"), claim.at


@lru_cache(maxsize=4096)
def _is_time(text: str) -> bool:
    try:
        to_ms(text)
    except ValueError:
        return False
    return True


def _reason(row: bytes | str, error: Exception) -> str:
    """What is wrong with a row that has not the shape of a session."""
    try:
        found: Any = msgspec.json.decode(row)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return f"is no JSON ({error})"
    if not is_mapping(found):
        return f"expected an object, got {shown(found)}"
    if found.get("v", SESSION_VERSION) != SESSION_VERSION:
        return f"v is {shown(found['v'])}, expected {SESSION_VERSION}"
    reason = _wrong_part(found) or ("v is missing, expected 4" if "v" not in found else str(error))
    return reason if "v" in found else f"{reason}; not a 3.x session either"


def _wrong_part(found: Mapping[str, Any]) -> str | None:
    for names, kind, wanted in _PARTS:
        for name in names:
            if name not in found:
                return f"{name} is missing, expected {wanted}"
            if not isinstance(found[name], kind):
                return f"{name} is {shown(found[name])}, expected {wanted}"
    return None


def shown(value: object) -> str:
    """A wrong value as a message shows it."""
    try:
        text = msgspec.json.encode(value, enc_hook=repr).decode()
    except UnicodeEncodeError:  # half of a character
        text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
