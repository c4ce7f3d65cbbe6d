"""The file of the SQLite store: what it shares, and what it is not made of."""

import asyncio
from pathlib import Path

import pytest

from falai import FlowConfigurationError, SQLiteStore, SqlStore
from tests.stores.contract import full_session
from tests.stores.servers import run_sql


def test_both_stores_of_sqlite_share_a_file(tmp_path: Path):
    file = SQLiteStore(tmp_path / "a.db")
    stored = asyncio.run(file.save(full_session(), 0))
    table = asyncio.run(SqlStore.open(f"sqlite:///{tmp_path / 'a.db'}", create=False))
    assert asyncio.run(table.load("s1")) == stored
    asyncio.run(table.save(stored, 1))
    assert asyncio.run(file.save(stored, 2)).version == 3
    asyncio.run(file.close())


def test_a_file_that_the_sqlite_store_cannot_use_is_refused(tmp_path: Path):
    (tmp_path / "page.db").write_text("<html>" * 200, encoding="utf-8")
    for name, columns in {
        "none.db": "id TEXT PRIMARY KEY, version INTEGER",
        "loose.db": "id TEXT, version INTEGER, data TEXT",
        "text.db": "id TEXT PRIMARY KEY, version TEXT, data TEXT",
    }.items():
        url = f"sqlite+aiosqlite:///{tmp_path / name}"
        run_sql(url, f"CREATE TABLE falai_sessions ({columns})")
    for path, reason in {
        ":memory:": "keeps sessions in a file, and this is none. Use MemoryStore",
        "nowhere/a.db": 'the folder "nowhere" does not exist',
        tmp_path: "unable to open database file",
        tmp_path / "page.db": "file is not a database",
        tmp_path / "none.db": 'table "falai_sessions" has no column "data"',
        tmp_path / "loose.db": 'column "id" of "falai_sessions" is not TEXT, the primary key',
        tmp_path / "text.db": 'column "version" of "falai_sessions" is not INTEGER',
    }.items():
        with pytest.raises(FlowConfigurationError) as caught:
            SQLiteStore(path)
        assert reason in str(caught.value)


def test_a_store_that_was_closed_opens_its_file_again(tmp_path: Path):
    store = SQLiteStore(tmp_path / "a.db")
    stored = asyncio.run(store.save(full_session(), 0))
    asyncio.run(store.close())
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]
    assert asyncio.run(store.load("s1")) == stored
    asyncio.run(store.close())
    asyncio.run(store.close())
