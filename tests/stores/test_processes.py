"""Several processes on one row: of those that save at once one wins, and nothing is lost."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from falai import open_store
from tests.stores.servers import MARIADB, POSTGRESQL, REDIS, name_of, need

COUNT = """
import asyncio, sys
from msgspec.structs import replace
from falai import SessionConflictError, open_store
from falai.words.session import fresh_session

async def main(url, namespace, who, turns):
    store = await open_store(url, namespace=namespace)
    print("ready", flush=True)
    sys.stdin.readline()
    for turn in range(int(turns)):
        while True:
            session = await store.load("s1") or fresh_session("s1")
            data = {**session.data, who: session.data.get(who, 0) + 1}
            try:
                await store.save(replace(session, data=data), session.version)
                break
            except SessionConflictError:
                pass
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""
TURNS = 40
WHO = ("a", "b", "c")


@pytest.fixture(params=["sqlite", "sql-sqlite", POSTGRESQL, MARIADB, REDIS])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    drivers = {"sqlite": "sqlite", "sql-sqlite": "sqlite+aiosqlite"}
    if request.param in drivers:
        return f"{drivers[request.param]}:///{tmp_path / 'sessions.db'}"
    return need(request.param)


@pytest.fixture
def namespace(url: str, tmp_path: Path) -> Iterator[str]:
    yield name_of(tmp_path)

    async def remove() -> None:
        store = await open_store(url, namespace=name_of(tmp_path))
        await store.remove_all()
        await store.close()

    asyncio.run(remove())


def start(url: str, namespace: str, who: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", COUNT, url, namespace, who, str(TURNS)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_processes_that_save_one_row_lose_nothing(url: str, namespace: str):
    processes = [start(url, namespace, who) for who in WHO]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in processes] == ["", "", ""]

    async def count() -> tuple[int, dict[str, int]]:
        store = await open_store(url, namespace=namespace)
        session = await store.load("s1")
        await store.close()
        assert session is not None
        return session.version, session.data

    assert asyncio.run(count()) == (len(WHO) * TURNS, dict.fromkeys(WHO, TURNS))
