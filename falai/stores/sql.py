"""The SQL store: a table of PostgreSQL, MariaDB, MySQL or SQLite, through SQLAlchemy."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, cast

import msgspec
from msgspec.structs import replace

from falai.errors import FlowConfigurationError
from falai.stores.engines import dispose, make_engine, read_url
from falai.stores.loops import PerLoop
from falai.stores.naming import check_removal, missing_package, prefix_of, without
from falai.stores.rows import read_row, refusal
from falai.words.generic import D
from falai.words.session import Session

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Executable
    from sqlalchemy.ext.asyncio import AsyncEngine

    from falai.stores.statements import Statements
    from falai.stores.tables import Names

_LEVELS = {"sqlite": "SERIALIZABLE"}
"""How a transaction sees others; where nothing is said, only what they have finished."""


class _RefusedError(Exception):
    """The row is not at the version that is expected: the transaction is rolled back."""


class SqlStore(Generic[D]):
    """Keeps sessions in a table: `await SqlStore.open("postgresql://app@127.0.0.1/shop")`.

    `table` and `columns` map names of your own: `columns={"id": "chat_id"}`; `"app.chats"` is a
    table of the schema `app`. A table that is missing is made, unless `create` is False.

    `open` looks at the table and raises FlowConfigurationError when it cannot be used. `SqlStore`
    itself connects to nothing: such a store looks at its table before its first load or save.
    """

    def __init__(
        self,
        url: "str | URL | AsyncEngine",
        *,
        table: str = "falai_sessions",
        columns: Mapping[str, str] | None = None,
        create: bool = True,
        namespace: str = "",
    ) -> None:
        """Take a URL, or an engine of your own: you dispose of it, and it serves one event loop."""
        try:
            from sqlalchemy.ext.asyncio import AsyncEngine  # an extra, and slow to load
        except ModuleNotFoundError as error:
            raise missing_package("SqlStore", error) from None
        self._names = _names(table, columns or {})
        self._create = create
        self._namespace = namespace
        self._prefix = prefix_of(namespace)
        self._statements: Statements | None = None
        self._engines: PerLoop[AsyncEngine] | None = None
        if isinstance(url, AsyncEngine):
            self._engine = url.execution_options(isolation_level="AUTOCOMMIT")
            self._url = url.url
        else:
            self._url = parsed = read_url(url)
            self._engines = PerLoop(lambda: make_engine(parsed), dispose)

    @classmethod
    async def open(
        cls,
        url: "str | URL | AsyncEngine",
        *,
        table: str = "falai_sessions",
        columns: Mapping[str, str] | None = None,
        create: bool = True,
        namespace: str = "",
    ) -> "SqlStore[D]":
        """Connect, and make sure of the table; see the class."""
        store = cls(url, table=table, columns=columns, create=create, namespace=namespace)
        try:
            await store._usable()
        except BaseException:
            await store.close()
            raise
        return store

    async def load(self, session_id: str) -> Session[D] | None:
        """Read a session; see Store."""
        statements = await self._usable()
        row, _ = await self._run(statements.load(self._prefix + session_id))
        return None if row is None else cast("Session[D]", read_row(session_id, *row))

    async def save(
        self,
        session: Session[Any],
        expected_version: int,
        *,
        also: "Sequence[Executable]" = (),
    ) -> Session[D]:
        """Write a session one version on; see Store.

        Statements that are to be run `also` are written in the same transaction: all of it, or
        nothing when the save is refused or the process dies.
        """
        statements = await self._usable()
        key = self._prefix + session.id
        stored = replace(session, version=expected_version + 1)
        row = (key, stored.version, msgspec.json.encode(stored))
        if also:
            await self._save_with(statements, row, expected_version, also)
            return stored
        if expected_version == 0:
            written = await self._insert(statements, *row)
        else:
            _, written = await self._run(statements.update(*row, expected_version))
        if not written:
            found, _ = await self._run(statements.found(key))
            raise refusal(session.id, expected_version, found)
        return stored

    @property
    def database(self) -> str:
        """The kind of database: `postgresql`, `mysql`, `mariadb` or `sqlite`."""
        return self._url.get_backend_name()

    async def run(self, *statements: "Executable") -> list[Any]:
        """Run statements of the host's own, each a transaction; give the rows of the last one."""
        rows: list[Any] = []
        await self._usable()
        async with (await self._connected()).connect() as connection:
            for statement in statements:
                result: Any = await connection.execute(statement)
                rows = list(result) if result.returns_rows else []
        return rows

    async def run_sync(self, work: "Callable[[Connection], None]") -> None:
        """Run something that needs a connection of the synchronous kind, such as making a table."""
        async with (await self._connected()).connect() as connection:
            await connection.run_sync(work)

    async def _save_with(
        self,
        statements: "Statements",
        row: tuple[str, int, bytes],
        expected_version: int,
        also: "Sequence[Executable]",
    ) -> None:
        """Check, write and all the rest in one transaction."""
        from sqlalchemy.exc import IntegrityError  # loaded by now

        first = statements.update(*row, expected_version)
        if expected_version == 0:
            first = statements.insert(*row)
        async with (await self._connected()).connect() as connection:
            level = _LEVELS.get(self.database, "READ COMMITTED")
            await connection.execution_options(isolation_level=level)
            try:
                async with connection.begin():
                    written: Any = await connection.execute(first)
                    if not written.rowcount:
                        raise _RefusedError
                    for statement in also:
                        await connection.execute(statement)
                return
            except (_RefusedError, IntegrityError) as error:
                refused = error
        key, version = row[0], expected_version
        found, _ = await self._run(statements.found(key))
        if isinstance(refused, IntegrityError) and (version or found is None):
            raise refused  # it is another rule that was broken
        raise refusal(key.removeprefix(self._prefix), version, found)

    async def remove_all(self) -> None:
        """Remove the sessions of the namespace."""
        check_removal(self._namespace)
        statements = await self._usable()
        await self._run(statements.remove(self._prefix))

    async def close(self) -> None:
        """Close the connections that the store opened in the running loop."""
        if self._engines is not None:
            await self._engines.close()

    async def _connected(self) -> "AsyncEngine":
        return self._engine if self._engines is None else await self._engines.get()

    async def _usable(self) -> "Statements":
        """The statements for the table, once it was looked at."""
        if self._statements is None:
            from falai.stores.statements import Statements  # needs SQLAlchemy
            from falai.stores.tables import usable

            try:
                async with (await self._connected()).connect() as connection:
                    kind = await connection.run_sync(usable, self._names, self._create)
            except FlowConfigurationError:
                raise
            except ModuleNotFoundError as error:
                raise missing_package("SqlStore", error) from None
            except Exception as error:  # noqa: BLE001 - each driver has its own for a refusal
                raise self._unreachable(error) from None
            self._statements = Statements(self._names, kind, self._url.get_backend_name())
        return self._statements

    async def _run(self, statement: "Executable") -> tuple[Any, int]:
        """Run one statement, which is one transaction; give its first row and how many it wrote."""
        async with (await self._connected()).connect() as connection:
            result: Any = await connection.execute(statement)
            return (result.first(), 0) if result.returns_rows else (None, result.rowcount)

    async def _insert(self, statements: "Statements", key: str, version: int, data: bytes) -> int:
        from sqlalchemy.exc import IntegrityError  # loaded by now

        try:
            return (await self._run(statements.insert(key, version, data)))[1]
        except IntegrityError:
            row, _ = await self._run(statements.found(key))
            if row is None:  # it is another rule of the table that was broken
                raise
            return 0

    def _unreachable(self, error: Exception) -> FlowConfigurationError:
        where = f"{self._url.get_backend_name()}://{self._url.host or ''}/{self._url.database}"
        said = str(getattr(error, "orig", error)) or type(error).__name__
        why = without(said, [self._url.password]).rstrip(".")
        fix = "Check the URL, and that the server runs and lets this user in."
        return FlowConfigurationError.at(f"SqlStore, {where}", why, fix)


def _names(table: str, columns: Mapping[str, str]) -> "Names":
    from falai.stores.tables import Names  # needs SQLAlchemy

    named = {"id": "id", "version": "version", "data": "data", **columns}
    if len(named) > len(Names._fields) - 2 or len(set(named.values())) < len(named):
        raise FlowConfigurationError.at(
            "SqlStore",
            f"columns is {dict(columns)}",
            'Give names of their own to some of "id", "version" and "data".',
        )
    schema, _, name = table.rpartition(".")
    return Names(schema or None, name, **named)
