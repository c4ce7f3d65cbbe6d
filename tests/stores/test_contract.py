"""Every store that keeps its rows outside of the process, held to the contract on a real server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from falai import Session, SessionConflictError, SQLiteStore, SqlStore, Store
from falai.words.session import fresh_session
from tests.stores.contract import StoreContract, full_session
from tests.stores.servers import MARIADB, PLACES, POSTGRESQL, name_of, need, place_of, run_sql


class OnAServer(StoreContract):
    """What only shows where rows are kept outside of the process."""

    def test_a_session_of_some_megabytes_comes_back(self, store: Store):
        large = replace(full_session(), data={"text": "ação 🙂 " * 500_000})
        stored = self.save(store, large, 0)
        assert self.load(store) == stored

    def test_of_fifty_first_saves_one_wins(self, store: Store):
        async def race() -> list[Session | BaseException]:
            saves = (store.save(full_session(), 0) for _ in range(50))
            return await asyncio.gather(*saves, return_exceptions=True)

        results = asyncio.run(race())
        assert sum(isinstance(result, Session) for result in results) == 1
        assert sum(isinstance(result, SessionConflictError) for result in results) == 49


class TestOnRowsOfItsOwn(OnAServer):
    """Tables and columns that have names and types of their own; a prefix in Redis."""

    @pytest.fixture(params=PLACES)
    def store(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
        place = place_of(request.param, tmp_path)
        yield place.open()
        place.remove()


class TestOnTheTableThatItMakes(OnAServer):
    @pytest.fixture(params=["postgresql", "mariadb", "sqlite"])
    def store(self, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
        urls = {"postgresql": POSTGRESQL, "mariadb": MARIADB}
        url = need(urls.get(request.param, f"sqlite+aiosqlite:///{tmp_path / 'made.db'}"))
        yield SqlStore(url, table=name_of(tmp_path))
        run_sql(url, f"DROP TABLE {name_of(tmp_path)}")


class TestInANamespace(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SQLiteStore(tmp_path / "sessions.db", namespace="a/b")
        other = SQLiteStore(tmp_path / "sessions.db", namespace="a")
        self.save(other, fresh_session("s1"), 0)
        yield store
        assert self.load(other) == replace(fresh_session("s1"), version=1)
        asyncio.run(store.close())
        asyncio.run(other.close())
