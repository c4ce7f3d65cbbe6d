"""The reference host on a database: a turn's session, messages and wakes are saved in one transaction.

Copy it into your service, or use it as it is. An input may be handed in again after a crash: what
was saved is not done twice, and what was not is done then.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Unpack

import msgspec
import sqlalchemy as sa

from falai.agent import Agent
from falai.clock import iso_from_ms, ms_of, to_ms
from falai.errors import SessionConflictError
from falai.stores.sql import SqlStore
from falai.turn.given import TurnArgs
from falai.words.turn import OutMessage, TurnResult, Wake
from simulator.host import OutboxEntry

Send = Callable[[OutboxEntry], Awaitable[None]]
"""Sends one message. It may get the same entry again when the process died in between: whoever
receives it knows it by `identity`."""


class DurableHost:
    """Runs an agent's turns against tables of one database.

    `open` makes the tables `falai_outbox` and `falai_wakes` beside that of the store.
    """

    def __init__(self, agent: Agent, store: SqlStore[Any]) -> None:
        self.agent = agent
        self.store = store
        self._tables = _Tables(store.database)

    @classmethod
    async def open(cls, agent: Agent, url: str) -> "DurableHost":
        """Connect and make what is missing; raises FlowConfigurationError as `SqlStore.open` does."""
        host = cls(agent, await SqlStore[Any].open(url))
        await host.store.run_sync(host._tables.make)
        return host

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self.store.close()

    # --- turns ----------------------------------------------------------------------------------

    async def handle(self, **given: Unpack[TurnArgs]) -> TurnResult:
        """Take one input to its end; replays it when another turn saved first."""
        while True:
            session = await self.store.load(given["session_id"])
            given["session"] = session
            result = await self.agent.steps(**given).run()
            if not result.changed:
                await self._forget(given)
                return result
            version = session.version if session is not None else 0
            try:
                also = self._left_by(result, given, version + 1)
                await self.store.save(result.session, version, also=also)
            except SessionConflictError:
                continue
            return result

    def _left_by(self, result: TurnResult, given: TurnArgs, version: int) -> list[sa.Executable]:
        """What is written with the session: its messages and wakes, and the wake that fired."""
        session_id, tables = given["session_id"], self._tables
        statements: list[sa.Executable] = []
        if "wake" in given:
            statements.append(tables.without_wake(session_id, str(given["wake"])))
        at_ms = ms_of(self.agent.clock.now())
        for position, message in enumerate(result.messages):
            at_ms += message.after_ms
            statements.append(tables.message(session_id, version, position, message, at_ms))
        for wake in result.schedule:
            replaced = [key for key in (wake.replaces, wake.key) if key is not None]
            statements += [tables.without_wake(session_id, key) for key in replaced]
            statements.append(tables.wake(session_id, wake))
        # A turn may leave nothing, and is to be saved in a transaction like any other.
        return statements or [sa.select(sa.literal(1))]

    async def _forget(self, given: TurnArgs) -> None:
        """A wake that changed nothing was stale: nobody waits for it."""
        if "wake" in given:
            key = str(given["wake"])
            await self.store.run(self._tables.without_wake(given["session_id"], key))

    # --- what leaves ----------------------------------------------------------------------------

    async def deliver(self, send: Send, *, limit: int = 100) -> int:
        """Send what waits and is due, in the order in which it was saved; gives how many it were.

        Call it after every turn and once at the start: then it sends what a process that died had
        saved. Let one process at a time deliver.
        """
        now_ms = ms_of(self.agent.clock.now())
        entries = [_entry(row) for row in await self.store.run(self._tables.unsent(now_ms, limit))]
        for entry in entries:
            await send(entry)
            await self.store.run(self._tables.mark_sent(entry))
        return len(entries)

    async def fire_due(self, **seen: Any) -> list[TurnResult]:
        """Run every wake that is due now, each in its own turn; one that raises stays due."""
        now_ms = ms_of(self.agent.clock.now())
        results: list[TurnResult] = []
        while rows := await self.store.run(self._tables.due(now_ms)):
            session_id, key = rows[0]
            results.append(await self.handle(session_id=session_id, wake=key, **seen))
        return results

    async def pending(self, session_id: str) -> Sequence[Wake]:
        """The session's wakes that have not fired, earliest first."""
        rows = await self.store.run(self._tables.waiting(session_id))
        return [Wake(key=key, at=iso_from_ms(at_ms)) for key, at_ms in rows]

    async def rebuild_wakes(self, session_id: str, **seen: Any) -> None:
        """Work out the wakes of a session anew, as when a queue was lost."""
        session = await self.store.load(session_id)
        if session is not None:
            wakes = self.agent.pending_wakes(session, **seen)
            statements = [self._tables.without_wakes(session_id)]
            await self.store.run(
                *statements, *(self._tables.wake(session_id, wake) for wake in wakes)
            )


class _Tables:
    """The tables beside the sessions, and what is asked of them."""

    def __init__(self, database: str) -> None:
        exact = "utf8mb4_bin" if database in ("mysql", "mariadb") else None
        text = sa.String(255, collation=exact)
        self._meta = sa.MetaData()
        self.outbox = sa.Table(
            "falai_outbox",
            self._meta,
            sa.Column("session_id", text, primary_key=True),
            sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
            sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("message", sa.Text(collation=exact), nullable=False),
            sa.Column("at_ms", sa.BigInteger, nullable=False),
            sa.Column("sent", sa.Boolean, nullable=False, index=True),
        )
        self.wakes = sa.Table(
            "falai_wakes",
            self._meta,
            sa.Column("session_id", text, primary_key=True),
            sa.Column("wake_key", text, primary_key=True),
            sa.Column("at_ms", sa.BigInteger, nullable=False, index=True),
        )

    def make(self, connection: sa.Connection) -> None:
        """Make the tables that are missing."""
        self._meta.create_all(connection)

    def message(
        self, session_id: str, version: int, position: int, message: OutMessage, at_ms: int
    ) -> sa.Insert:
        return sa.insert(self.outbox).values(
            session_id=session_id,
            version=version,
            position=position,
            message=msgspec.json.encode(message).decode(),
            at_ms=at_ms,
            sent=False,
        )

    def unsent(self, now_ms: int, limit: int) -> sa.Select[Any]:
        columns = self.outbox.c
        rows = sa.select(self.outbox).where(~columns.sent, columns.at_ms <= now_ms)
        order = (columns.at_ms, columns.session_id, columns.version, columns.position)
        return rows.order_by(*order).limit(limit)

    def mark_sent(self, entry: OutboxEntry) -> sa.Update:
        columns = self.outbox.c
        session_id, version, position = entry.identity
        return (
            sa.update(self.outbox)
            .where(
                columns.session_id == session_id,
                columns.version == version,
                columns.position == position,
            )
            .values(sent=True)
        )

    def wake(self, session_id: str, wake: Wake) -> sa.Insert:
        values = {"session_id": session_id, "wake_key": wake.key, "at_ms": to_ms(wake.at)}
        return sa.insert(self.wakes).values(values)

    def without_wake(self, session_id: str, key: str) -> sa.Delete:
        columns = self.wakes.c
        return sa.delete(self.wakes).where(
            columns.session_id == session_id, columns.wake_key == key
        )

    def without_wakes(self, session_id: str) -> sa.Delete:
        return sa.delete(self.wakes).where(self.wakes.c.session_id == session_id)

    def due(self, now_ms: int) -> sa.Select[Any, Any]:
        """The wake that is due first."""
        columns = self.wakes.c
        rows = sa.select(columns.session_id, columns.wake_key).where(columns.at_ms <= now_ms)
        return rows.order_by(columns.at_ms, columns.session_id, columns.wake_key).limit(1)

    def waiting(self, session_id: str) -> sa.Select[Any, Any]:
        columns = self.wakes.c
        rows = sa.select(columns.wake_key, columns.at_ms).where(columns.session_id == session_id)
        return rows.order_by(columns.at_ms, columns.wake_key)


def _entry(row: Any) -> OutboxEntry:
    session_id, version, position, message, at_ms, _ = row
    return OutboxEntry(
        session_id=session_id,
        version=version,
        position=position,
        message=msgspec.json.decode(message, type=OutMessage),
        at=iso_from_ms(at_ms),
    )
