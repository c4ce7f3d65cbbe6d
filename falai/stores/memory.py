"""The memory store: rows as JSON text in a dict, so that it behaves like the others."""

from collections.abc import Iterable
from typing import Any, Generic, cast

import msgspec
from msgspec.structs import replace

from falai.errors import SessionConflictError
from falai.stores.rows import read_session
from falai.words.generic import D
from falai.words.session import Session

_encoder = msgspec.json.Encoder()


class MemoryStore(Generic[D]):
    """Keeps sessions for as long as the process lives."""

    def __init__(self, sessions: Iterable[Session[Any]] = ()) -> None:
        """Begin empty, or with sessions that stand there at their own versions."""
        self._rows = {s.id: (s.version, _encoder.encode(s)) for s in sessions}

    async def load(self, session_id: str) -> Session[D] | None:
        """Read a session; see Store."""
        row = self._rows.get(session_id)
        return None if row is None else cast("Session[D]", read_session(row[1], session_id))

    async def save(self, session: Session[Any], expected_version: int) -> Session[D]:
        """Write a session one version on; see Store."""
        row = self._rows.get(session.id)
        found = row[0] if row is not None else None
        if found != (expected_version or None):
            raise SessionConflictError(session.id, expected_version, found)
        stored = replace(session, version=expected_version + 1)
        self._rows[session.id] = (stored.version, _encoder.encode(stored))
        return stored

    def __len__(self) -> int:
        return len(self._rows)
