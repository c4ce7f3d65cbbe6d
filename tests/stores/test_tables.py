"""Tables of databases: those that the SQL store takes, and what it says of those it does not."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from falai import FlowConfigurationError, SqlStore
from falai.words.session import fresh_session
from tests.stores.contract import full_session
from tests.stores.servers import MARIADB, POSTGRESQL, name_of, need, run_sql

URLS = {"postgresql": POSTGRESQL, "mariadb": MARIADB, "sqlite": ""}


class Database:
    """A server, and the name of a table that nobody else has."""

    def __init__(self, url: str, table: str) -> None:
        self.url, self.table = url, table

    def refusal(self, columns: str, *more: str) -> str:
        """What is said of a table; without its name, which is another one each time."""
        run_sql(self.url, f"CREATE TABLE {self.table} ({columns})", *more)
        with pytest.raises(FlowConfigurationError) as caught:
            asyncio.run(SqlStore.open(self.url, table=self.table))
        begin = f'[FlowConfigurationError] SqlStore, table "{self.table}": '
        end = ". Mend the table, or name another one with table= and columns=."
        message = str(caught.value)
        assert message.startswith(begin)
        assert message.endswith(end)
        return message.removeprefix(begin).removesuffix(end)


def database(kind: str, folder: Path) -> Iterator[Database]:
    url = need(URLS[kind] or f"sqlite+aiosqlite:///{folder / 'sessions.db'}")
    name = name_of(folder)
    yield Database(url, name)
    run_sql(url, f"DROP TABLE IF EXISTS {name}")


@pytest.fixture(params=URLS)
def every(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    yield from database(request.param, tmp_path)


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[Database]:
    yield from database("postgresql", tmp_path)


@pytest.fixture
def mariadb(tmp_path: Path) -> Iterator[Database]:
    yield from database("mariadb", tmp_path)


def test_a_table_that_is_missing_is_made_when_it_may_be(every: Database):
    with pytest.raises(FlowConfigurationError, match="there is no such table"):
        asyncio.run(SqlStore.open(every.url, table=every.table, create=False))
    asyncio.run(SqlStore.open(every.url, table=every.table))
    asyncio.run(SqlStore.open(every.url, table=every.table, create=False))


def test_several_that_open_at_once_make_one_table(every: Database):
    async def open_them() -> None:
        await asyncio.gather(*(SqlStore.open(every.url, table=every.table) for _ in range(8)))

    asyncio.run(open_them())
    assert run_sql(every.url, f"SELECT count(*) FROM {every.table}") == [(0,)]


@pytest.mark.parametrize("missing", ["id", "version", "data"])
def test_a_column_that_is_missing_is_named(every: Database, missing: str):
    kind = "VARBINARY(255)" if every.url == MARIADB else "TEXT"
    data = "LONGTEXT CHARACTER SET utf8mb4" if every.url == MARIADB else "TEXT"
    kinds = {"id": f"{kind} PRIMARY KEY", "version": "INTEGER", "data": data}
    columns = [f"{'other' if name == missing else name} {kinds[name]}" for name in kinds]
    assert f'column "{missing}" is missing' in every.refusal(", ".join(columns))


def test_all_that_is_wrong_is_said_at_once(postgresql: Database):
    assert postgresql.refusal("id UUID, version TEXT, tenant INTEGER NOT NULL") == (
        'column "id" is UUID, expected text or bytes of varying length; '
        'column "version" is TEXT, expected INTEGER or BIGINT; '
        'column "data" is missing; '
        'column "tenant" is NOT NULL without a default, and no session has it; '
        'column "id" is neither the primary key nor unique by itself'
    )


@pytest.mark.parametrize(
    ("kind", "shown"),
    [("JSONB", "JSONB"), ("VARCHAR(500)", "VARCHAR(500)"), ("INTEGER", "INTEGER")],
)
def test_data_that_would_not_come_back_as_it_was(postgresql: Database, kind: str, shown: str):
    assert postgresql.refusal(f"id TEXT PRIMARY KEY, version INTEGER, data {kind}") == (
        f'column "data" is {shown}, expected text or bytes, no limit'
    )


@pytest.mark.parametrize("kind", ["TEXT", "BLOB", "VARCHAR(9000)"])
def test_data_that_ends_at_64_kilobytes(mariadb: Database, kind: str):
    columns = f"id VARBINARY(255) PRIMARY KEY, version INTEGER, data {kind} CHARACTER SET utf8mb4"
    said = mariadb.refusal(columns.replace("BLOB CHARACTER SET utf8mb4", "BLOB"))
    assert said == f'column "data" is {kind}, expected LONGTEXT or LONGBLOB'


def test_ids_whose_case_would_not_count(mariadb: Database):
    key = "id VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY KEY"
    assert mariadb.refusal(f"{key}, version INTEGER, data LONGBLOB") == (
        'column "id" (utf8mb4_general_ci) takes different ids for the same, '
        "expected VARBINARY or a collation of nopad_bin or 0900_bin"
    )


def test_texts_without_all_letters(mariadb: Database):
    data = "data LONGTEXT CHARACTER SET latin1"
    assert mariadb.refusal(f"id VARBINARY(255) PRIMARY KEY, version INTEGER, {data}") == (
        'column "data" is encoded in latin1, expected utf8mb4'
    )


@pytest.mark.parametrize("kind", ["CHAR(40)", "UUID"])
def test_ids_that_would_be_changed(postgresql: Database, kind: str):
    said = postgresql.refusal(f"id {kind} PRIMARY KEY, version INTEGER, data TEXT")
    assert said == f'column "id" is {kind}, expected text or bytes of varying length'


def test_versions_that_end_too_soon(every: Database):
    said = every.refusal("id VARCHAR(255) PRIMARY KEY, version SMALLINT, data TEXT")
    assert 'column "version" is SMALLINT, expected INTEGER or BIGINT' in said


NOT_UNIQUE = 'column "id" is neither the primary key nor unique by itself'
COLUMNS = "id VARCHAR(99) NOT NULL, version INTEGER, data TEXT"


@pytest.mark.parametrize(
    "more",
    [
        ["CREATE INDEX {0}_i ON {0} (id)"],
        ["CREATE UNIQUE INDEX {0}_i ON {0} (id, version)"],
        ["CREATE UNIQUE INDEX {0}_i ON {0} (id) WHERE version > 3"],
        ["CREATE UNIQUE INDEX {0}_i ON {0} (lower(id))"],
    ],
)
def test_an_id_that_may_stand_twice(postgresql: Database, more: list[str]):
    more = [statement.format(postgresql.table) for statement in more]
    assert postgresql.refusal(COLUMNS, *more) == NOT_UNIQUE


def test_an_id_that_is_unique_with_another_column_or_by_its_beginning(mariadb: Database):
    unique = f"CREATE UNIQUE INDEX some ON {mariadb.table} (id(10))"
    columns = "id VARBINARY(99) NOT NULL, version INTEGER, data LONGBLOB, PRIMARY KEY (id, version)"
    assert mariadb.refusal(columns, unique) == NOT_UNIQUE


@pytest.mark.parametrize("unique", ["UNIQUE (id)", "PRIMARY KEY (id)"])
def test_a_table_with_an_id_of_its_own_will_do(every: Database, unique: str):
    kind = "VARCHAR(99) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
    key, data = (kind, "LONGBLOB") if every.url == MARIADB else ("VARCHAR(99)", "TEXT")
    columns = f"id {key} NOT NULL, version BIGINT, data {data}, note VARCHAR(9)"
    run_sql(every.url, f"CREATE TABLE {every.table} ({columns}, {unique})")
    stored = asyncio.run(SqlStore(every.url, table=every.table).save(full_session(), 0))
    assert asyncio.run(SqlStore(every.url, table=every.table).load("s1")) == stored


def test_a_table_of_a_schema(postgresql: Database):
    schema = f"{postgresql.table}_schema"
    run_sql(postgresql.url, f"CREATE SCHEMA {schema}")
    try:
        store = SqlStore(postgresql.url, table=f"{schema}.chats", columns={"id": "chat id"})
        asyncio.run(store.save(full_session(), 0))
        rows = run_sql(postgresql.url, f'SELECT "chat id", version FROM {schema}.chats')
        assert rows == [("s1", 1)]
    finally:
        run_sql(postgresql.url, f"DROP SCHEMA {schema} CASCADE")


@pytest.mark.parametrize(
    ("kind", "longest", "what"),
    [("VARBINARY(10)", "ação-123", "bytes"), ("VARCHAR(10)", "ação-12345", "characters")],
)
def test_an_id_that_is_too_long_is_refused_and_never_cut(
    mariadb: Database, kind: str, longest: str, what: str
):
    collation = " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin" if "CHAR" in kind else ""
    columns = f"id {kind}{collation} PRIMARY KEY, version INTEGER, data LONGBLOB"
    run_sql(mariadb.url, f"CREATE TABLE {mariadb.table} ({columns})")
    store = SqlStore(mariadb.url, table=mariadb.table)
    asyncio.run(store.save(fresh_session(longest), 0))
    for work in (store.load(f"{longest}x"), store.save(fresh_session(f"{longest}x"), 0)):
        with pytest.raises(ValueError, match=f"is too long, 11 {what} where the table takes 10"):
            asyncio.run(work)


def test_a_rule_of_the_table_that_is_broken_is_no_conflict(postgresql: Database):
    rule = "CHECK (id <> 's1')"
    columns = f"id TEXT PRIMARY KEY, version INTEGER, data TEXT, {rule}"
    run_sql(postgresql.url, f"CREATE TABLE {postgresql.table} ({columns})")
    with pytest.raises(IntegrityError) as caught:
        asyncio.run(SqlStore(postgresql.url, table=postgresql.table).save(full_session(), 0))
    assert "Ação" not in str(caught.value)


@pytest.mark.parametrize("columns", [{"key": "id"}, {"id": "data"}])
def test_columns_that_are_none_are_refused(columns: dict[str, str]):
    with pytest.raises(FlowConfigurationError, match="Give names of their own to some of"):
        SqlStore("sqlite:///a.db", columns=columns)


def test_an_engine_of_one_s_own_is_used_and_left_open(every: Database):
    async def use() -> None:
        engine = create_async_engine(every.url)
        store = await SqlStore.open(engine, table=every.table)
        stored = await store.save(full_session(), 0)
        await store.close()
        assert await store.load("s1") == stored
        assert engine.pool.status()
        await engine.dispose()

    asyncio.run(use())
