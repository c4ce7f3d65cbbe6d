"""A store by its URL: which one comes, namespaces that are removed, and what is refused."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from falai import FlowConfigurationError, MemoryStore, RedisStore, SQLiteStore, SqlStore, open_store
from falai.stores.opening import OpenStore
from falai.words.session import fresh_session
from tests.stores.servers import MARIADB, POSTGRESQL, REDIS, name_of, need

KINDS = {
    "memory:": MemoryStore,
    "memory://": MemoryStore,
    "sqlite:///sessions.db": SQLiteStore,
    "sqlite+aiosqlite:///sessions.db": SqlStore,
    POSTGRESQL: SqlStore,
    POSTGRESQL.replace("+asyncpg", ""): SqlStore,
    POSTGRESQL.replace("postgresql+asyncpg", "postgres") + "?sslmode=disable": SqlStore,
    MARIADB: SqlStore,
    MARIADB.replace("mariadb+aiomysql", "mariadb"): SqlStore,
    MARIADB.replace("mariadb+aiomysql", "mysql"): SqlStore,
    REDIS: RedisStore,
}


async def ids_in(store: OpenStore[Any], *ids: str) -> list[str]:
    return [i for i in ids if await store.load(i) is not None]


@pytest.mark.parametrize("url", KINDS)
def test_each_namespace_is_seen_and_removed_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    if "127.0.0.1" in url:
        need(url if url == REDIS else POSTGRESQL if "postgres" in url else MARIADB)
    names = [f"{name_of(tmp_path)}{end}" for end in ("", "1", ":s", "*", "%_ é'")]

    async def use() -> None:
        stores = [await open_store(url, namespace=name) for name in names]
        assert {type(store) for store in stores} <= {KINDS[url], *KINDS[url].__subclasses__()}
        for number, store in enumerate(stores):
            for name in ("s1", "S1", "1:s1"):
                await store.save(fresh_session(name), 0)
            assert await ids_in(store, "s1", "S1", "1:s1", "s2") == ["s1", "S1", "1:s1"]
            assert await ids_in(store, f"{names[0]}:s1") == [], number
        for number, store in enumerate(stores):
            await store.remove_all()
            left = [await ids_in(other, "s1", "S1", "1:s1") for other in stores]
            assert [bool(ids) for ids in left] == [other > number for other in range(len(stores))]
        for store in stores:
            await store.close()

    asyncio.run(use())


@pytest.mark.parametrize("url", ["sqlite:///a.db", "sqlite+aiosqlite:///b.db", REDIS])
def test_all_sessions_that_there_are_are_not_removed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    need(url)

    async def use() -> None:
        store = await open_store(url)
        with pytest.raises(FlowConfigurationError, match="the store has no namespace"):
            await store.remove_all()
        await store.close()

    asyncio.run(use())


def refusal(url: str) -> str:
    with pytest.raises(FlowConfigurationError) as caught:
        asyncio.run(open_store(url))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "this is no URL"),
        ("sessions.db", "this is no URL"),
        ("mongodb://127.0.0.1/a", 'there is no store "mongodb:"'),
        ("sqlite://", '"sqlite://" names no file'),
        ("sqlite:///", '"sqlite:///" names no file'),
        ("sqlite:sessions.db", '"sqlite:sessions.db" names no file'),
        ("sqlite:///:memory:", "keeps sessions in a file"),
        ("sqlite+aiosqlite://", "a database in memory lives as long as one connection"),
        ("sqlite+aiosqlite:///:memory:", "a database in memory lives as long as one connection"),
        ("postgresql+nothing://127.0.0.1/a", "the URL cannot be read"),
        ("postgresql+pg8000://127.0.0.1/a", "needs pg8000, which is not installed"),
    ],
)
def test_a_url_that_names_no_store_is_refused(url: str, reason: str):
    said = refusal(url)
    assert said.startswith("[FlowConfigurationError] ")
    assert reason in said


SECRET = "s3kr3t-pass"
LEAKY = [
    f"postgresql://falai:{SECRET}@127.0.0.1:1/test",
    f"postgresql://falai:{SECRET}@127.0.0.1:{SECRET}/test",
    f"postgresql://falai:x/{SECRET}@127.0.0.1/test",
    f"postgresql://127.0.0.1:1/test?password={SECRET}",
    f"mysql://falai:{SECRET}@127.0.0.1:1/test",
    f"mysql://falai:{SECRET}@127.0.0.1:3306/test",
    f"mariadb://falai:{SECRET}@127.0.0.1:3306/test",
    f"redis://:{SECRET}@127.0.0.1:1/0",
    f"redis://falai:{SECRET}@127.0.0.1:6379/0",
    f"redis://:x/{SECRET}@127.0.0.1:6379/0",
    f"redis://127.0.0.1:{SECRET}/0",
    f"nosuch://falai:{SECRET}@127.0.0.1/test",
]


@pytest.mark.parametrize("url", LEAKY)
def test_no_refusal_tells_a_password(url: str):
    assert SECRET not in refusal(url)


@pytest.mark.parametrize(
    ("url", "package"),
    [
        ("postgresql://127.0.0.1/a", "sqlalchemy"),
        ("postgresql://127.0.0.1/a", "asyncpg"),
        ("mariadb://127.0.0.1/a", "aiomysql"),
        ("sqlite+aiosqlite:///a.db", "aiosqlite"),
        ("redis://127.0.0.1/0", "redis"),
    ],
)
def test_a_driver_that_is_missing_is_told(url: str, package: str, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    said = refusal(url)
    assert f"needs {package}, which is not installed. pip install 'falai[stores]'" in said
