"""What a store promises: one atomic check-and-write on the session's version."""

from typing import Any, Protocol

from falai.words.generic import D
from falai.words.session import Session


class Store(Protocol[D]):
    """Where sessions live between turns; `Store[Lead]` says what their data is."""

    async def load(self, session_id: str) -> Session[D] | None:
        """Give the stored session, or None when there is none.

        Raises InvalidSessionError for a row that is no session.
        """
        ...

    async def save(self, session: Session[Any], expected_version: int) -> Session[D]:
        """Store the session one version on, and return it as stored.

        Version 0 inserts and fails when a row exists; n replaces only a row at n. Raises
        SessionConflictError otherwise.
        """
        ...
