"""What came in and is not handled yet. A row stays until its turn is saved: a killed worker loses none."""

from typing import Any, NamedTuple

import sqlalchemy as sa

from falai import SqlStore


class Input(NamedTuple):
    """One message of a customer's."""

    number: int
    session_id: str
    message_id: str
    text: str


_meta = sa.MetaData()
_table = sa.Table(
    "inbox",
    _meta,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("session_id", sa.String(255), nullable=False),
    sa.Column("message_id", sa.String(255), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)


class Inbox:
    """The table, in the database of the sessions."""

    def __init__(self, store: SqlStore[Any]) -> None:
        self._store = store

    async def make(self) -> None:
        """Make the table when it is missing."""
        await self._store.run_sync(_meta.create_all)

    async def put(self, session_id: str, message_id: str, text: str) -> None:
        row = {"session_id": session_id, "message_id": message_id, "text": text}
        await self._store.run(sa.insert(_table).values(row))

    async def next(self) -> Input | None:
        """The oldest one; it stays until it is removed."""
        rows = await self._store.run(sa.select(_table).order_by(_table.c.number).limit(1))
        return Input(*rows[0]) if rows else None

    async def remove(self, handled: Input) -> None:
        await self._store.run(sa.delete(_table).where(_table.c.number == handled.number))
