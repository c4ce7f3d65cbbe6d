"""What a store promises: one atomic check-and-write on the session's version."""

from typing import Protocol

from falai.words.session import Session


class Store(Protocol):
    """Where sessions live between turns."""

    async def load(self, session_id: str) -> Session | None:
        """Give the stored session, or None when there is none.

        Raises InvalidSessionError for a row that is no session.
        """
        ...

    async def save(self, session: Session, expected_version: int) -> Session:
        """Store the session one version on, and return it as stored.

        Version 0 inserts and fails when a row exists; n replaces only a row at n. Raises
        SessionConflictError otherwise.
        """
        ...
