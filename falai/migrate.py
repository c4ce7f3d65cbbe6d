"""Sessions of other hands: checking what a host stored itself, and moving 3.x sessions to this version."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from falai.clock import iso_of, to_datetime
from falai.errors import InvalidSessionError
from falai.shapes import is_list, is_mapping
from falai.stores.rows import assert_session, shown
from falai.words.session import SESSION_VERSION, Cause, Claim, Run, Session

__all__ = ["assert_session", "migrate_session"]

_OF_THIS_VERSION = ("v", "runs", "claims", "inputs")
"""Keys that no 3.x session has."""


def migrate_session(
    blob: object,
    session_id: str,
    flow_id_of: Callable[[str], str],
    now: datetime | str,
) -> Session:
    """Read a session of this version, or make one of a 3.x session.

    `blob` is a decoded JSON value. `flow_id_of` gives the flow that a completed flow or a signal
    of 3.x has become: its claim keeps it from starting again. `now` dates what has no date.
    Raises InvalidSessionError for what is neither, naming the key.
    """
    if not is_mapping(blob) or not _is_legacy(blob):
        return assert_session(blob, session_id)
    try:
        return _Legacy(blob, session_id, _iso(now)).session(flow_id_of)
    except RecursionError as error:
        raise InvalidSessionError(session_id, f"is no JSON ({error})") from error


def _is_legacy(blob: Mapping[str, Any]) -> bool:
    """Whether a blob may be of 3.x; one of this version that lost its `v` would lose its runs too."""
    return blob.keys().isdisjoint(_OF_THIS_VERSION) and is_mapping(blob.get("data"))


class _Legacy:
    """A 3.x session that is being read."""

    def __init__(self, blob: Mapping[str, Any], session_id: str, now: str) -> None:
        self._blob = blob
        self._id = session_id
        self._now = now

    def session(self, flow_id_of: Callable[[str], str]) -> Session:
        """The same conversation in this version."""
        found = self._blob.get("id", self._id)
        if found != self._id:
            raise self._wrong("id", found, shown(self._id))
        run = self._run()
        claims = dict(self._claims(flow_id_of))
        if run is not None:
            claims[run.dedupe_key] = Claim(run.started_at)
        session = Session(
            id=self._id,
            v=SESSION_VERSION,
            version=self._version(),
            data=dict(self._blob["data"]),
            runs=[] if run is None else [run],
            claims=claims,
            inputs=[],
            metadata=_dated(self._part("metadata", is_mapping, "an object") or {}),
            history=_dated(self._part("history", is_list, "a list")),
        )
        return assert_session(session, self._id)

    def _version(self) -> int:
        version = self._blob.get("version", 0)
        if type(version) is not int or version < 0:
            raise self._wrong("version", version, "a whole number")
        return version

    def _run(self) -> Run | None:
        """The flow that was under way, asking at its step."""
        flow_id, entered = self._where("currentFlow")
        step_id, _ = self._where("currentStep")
        if flow_id is None:
            return None
        return Run(
            id=f"{flow_id}#legacy",
            flow_id=flow_id,
            anchor=self._id,
            dedupe_key=self._claim(flow_id),
            step_id=step_id,
            status="running" if step_id is None else "asking",
            trigger=Cause(kind="message", key="legacy"),
            hop=0,
            started_at=entered or self._now,
            asked={},
            visits={} if step_id is None else {step_id: 1},
            outcomes=[],
        )

    def _where(self, key: str) -> tuple[str | None, str | None]:
        """A flow or step, written as text or as `{id, enteredAt?}`, and when it was entered."""
        found = self._blob.get(key)
        if found is None or isinstance(found, str):
            return found or None, None
        if not is_mapping(found) or not isinstance(found.get("id"), str):
            raise self._wrong(key, found, "text or an object with an id")
        return found["id"], self._time(f"{key}.enteredAt", found.get("enteredAt"))

    def _claims(self, flow_id_of: Callable[[str], str]) -> Iterator[tuple[str, Claim]]:
        for number, entry in enumerate(self._part("flowHistory", is_list, "a list") or ()):
            name = f"flowHistory[{number}]"
            if not is_mapping(entry):
                raise self._wrong(name, entry, "an object")
            if entry.get("completed") is not True:
                continue
            flow_id = entry.get("flowId")
            if not isinstance(flow_id, str):
                raise self._wrong(f"{name}.flowId", flow_id, "text")
            at = self._first_time(name, entry, "exitedAt", "enteredAt")
            yield self._claim(flow_id_of(flow_id)), Claim(at)
        for key, entry in self._triggers().items():
            name = f'signals.triggers["{key}"]'
            fired: Mapping[str, Any] = entry if is_mapping(entry) else {}
            at = self._first_time(name, fired, "lastTriggeredAt", "firstTriggeredAt")
            yield self._claim(flow_id_of(key)), Claim(at)

    def _triggers(self) -> Mapping[str, Any]:
        signals: Mapping[str, Any] = self._part("signals", is_mapping, "an object") or {}
        triggers: object = signals.get("triggers")
        if triggers is not None and not is_mapping(triggers):
            raise self._wrong("signals.triggers", triggers, "an object")
        return triggers or {}

    def _claim(self, flow_id: str) -> str:
        return f"{flow_id}:{self._id}:"

    def _part(self, key: str, is_right: Callable[[object], bool], wanted: str) -> Any:
        found = self._blob.get(key)
        if found is not None and not is_right(found):
            raise self._wrong(key, found, wanted)
        return found

    def _first_time(self, name: str, entry: Mapping[str, Any], *keys: str) -> str:
        times = (self._time(f"{name}.{key}", entry.get(key)) for key in keys)
        return next(filter(None, times), self._now)

    def _time(self, name: str, found: object) -> str | None:
        if found is None:
            return None
        try:
            if isinstance(found, datetime | str):
                return _iso(found)
        except (ValueError, OverflowError):
            pass
        raise self._wrong(name, found, "an ISO 8601 time")

    def _wrong(self, name: str, found: object, wanted: str) -> InvalidSessionError:
        what = "is missing" if found is None else f"is {shown(found)}"
        return InvalidSessionError(self._id, f"{name} {what}, expected {wanted}")


def _dated(value: Any) -> Any:
    """A value of any depth, dates as ISO text: a database driver may have made them."""
    if isinstance(value, datetime):
        return _iso(value)
    if is_mapping(value):
        return {key: _dated(item) for key, item in value.items()}
    return [_dated(item) for item in value] if is_list(value) else value


def _iso(moment: datetime | str) -> str:
    """An instant as the wire has it; one without a zone is UTC."""
    return iso_of(to_datetime(moment if isinstance(moment, str) else moment.isoformat()))
