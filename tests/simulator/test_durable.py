"""The host on a database: one transaction for a turn, nothing lost or doubled by a race or a kill."""

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from falai import ActionCtx, Do, Event, FakeClock, Say, Silence, falai, open_store
from falai.agent import Agent
from simulator.durable import DurableHost
from simulator.host import Host, OutboxEntry
from tests.simulator.durable_kit import CLOCK, agent
from tests.stores.servers import MARIADB, POSTGRESQL, REDIS, name_of, need, run_sql

ROOT = Path(__file__).parents[2]
TURNS = 200
_DIES = (600_000, 1_300_000)
"""After how many lines of Python a process may be killed."""


@pytest.fixture(params=["sqlite", "postgresql", "mariadb"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of the test's own."""
    yield from database(request.param, tmp_path)


def database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite+aiosqlite:///{folder / 'host.db'}"
        return
    server = sa.make_url(need({"postgresql": POSTGRESQL, "mariadb": MARIADB}[kind]))
    name = name_of(folder)
    plain = server.render_as_string(hide_password=False)
    run_admin(plain, f"CREATE DATABASE {name}")
    yield server.set(database=name).render_as_string(hide_password=False)
    run_admin(plain, f"DROP DATABASE {name}")


def run_admin(url: str, statement: str) -> None:
    async def run() -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(sa.text(statement))
        await engine.dispose()

    asyncio.run(run())


class Sent:
    """Keeps what was sent."""

    def __init__(self) -> None:
        self.entries: list[OutboxEntry] = []

    async def __call__(self, entry: OutboxEntry) -> None:
        self.entries.append(entry)

    @property
    def texts(self) -> list[str]:
        return [entry.message.text for entry in self.entries]


def nudger(clock: FakeClock) -> Agent:
    kit = falai()
    kit.event("go")
    kit.flow("hi", "Hi", on=[Event("go", after="1h")], steps=[Say("a", "Hello!")])
    kit.flow("poke", "Poke", on=[Silence("2h")], steps=[Say("b", "Still there?")])
    return kit.agent("Ana", clock=clock)


# --- one after the other --------------------------------------------------------------------------


def test_messages_leave_once_in_order_and_wakes_fire_when_due(url: str):
    async def run() -> None:
        clock, sent = FakeClock(CLOCK), Sent()
        host = await DurableHost.open(nudger(clock), url)
        await host.handle(session_id="s1", event="go", key="e1")
        assert await host.deliver(sent) == 0
        assert [wake.at for wake in await host.pending("s1")] == ["2026-01-05T10:00:00.000Z"]
        assert await host.fire_due() == []
        clock.advance("1h")
        assert len(await host.fire_due()) == 1
        assert (await host.deliver(sent), await host.deliver(sent)) == (1, 0)
        assert sent.texts == ["Hello!"]
        [poke] = await host.pending("s1")
        clock.advance("2h")
        await host.fire_due()
        await host.deliver(sent)
        assert (sent.texts, poke.key.startswith("silence:poke:s1:")) == (
            ["Hello!", "Still there?"],
            True,
        )
        await host.close()

    asyncio.run(run())


def test_a_lost_queue_is_worked_out_anew(url: str):
    async def run() -> None:
        host = await DurableHost.open(nudger(FakeClock(CLOCK)), url)
        await host.handle(session_id="s1", event="go", key="e1")
        before = await host.pending("s1")
        await host.store.run(sa.text("DELETE FROM falai_wakes"))
        assert await host.pending("s1") == []
        await host.rebuild_wakes("s1")
        assert (await host.pending("s1"), len(before)) == (before, 1)
        await host.close()

    asyncio.run(run())


def test_a_turn_that_is_refused_leaves_nothing(url: str):
    """Two hosts on one session: the one that is too late writes no message either."""

    async def run() -> None:
        host, sent = await DurableHost.open(agent(), url), Sent()
        await asyncio.gather(
            *(host.handle(session_id="s1", message=f"n{n}", id=f"m{n}") for n in range(8))
        )
        await host.deliver(sent)
        assert sorted(sent.texts) == sorted(f"re: n{n}" for n in range(8))
        assert sorted(entry.version for entry in sent.entries) == list(range(1, 9))
        await host.close()

    asyncio.run(run())


def test_a_message_that_comes_again_is_answered_once(url: str):
    async def run() -> None:
        host, sent = await DurableHost.open(agent(), url), Sent()
        for _ in range(3):
            await host.handle(session_id="s1", message="oi", id="m1")
            await host.deliver(sent)
        assert sent.texts == ["re: oi"]
        await host.close()

    asyncio.run(run())


# --- fifty at once --------------------------------------------------------------------------------


@pytest.mark.parametrize("store", ["memory:", "sqlite", POSTGRESQL, MARIADB, REDIS])
def test_fifty_turns_at_once_on_one_session(store: str, tmp_path: Path):
    """All succeed, after replays; every action ran at least once under its key."""
    ran: list[str] = []
    url = f"sqlite:///{tmp_path / 's.db'}" if store == "sqlite" else store
    if "//" in url and store != "sqlite":
        need(url)

    async def act(ctx: ActionCtx) -> dict[str, Any]:
        ran.append(ctx.key)
        await asyncio.sleep(0)
        return {"ok": True}

    async def run() -> None:
        opened = await open_store(url, namespace=name_of(tmp_path))
        host = Host(_acting(act), store=opened)
        results = await asyncio.gather(
            *(host.handle(session_id="s1", event="go", key=f"e{n}") for n in range(50))
        )
        changed = [result for result in results if result.changed]
        session = await opened.load("s1")
        assert session is not None
        assert session.version == len(changed) == 50
        assert len({entry.identity for entry in host.outbox.sent}) == len(host.outbox.sent) == 50
        assert {run_id for key in ran for run_id in [key.split(":")[0]]} == {
            f"hi#e{n}" for n in range(50)
        }
        await opened.remove_all()
        await opened.close()

    asyncio.run(run())


def _acting(act: Any) -> Agent:
    kit = falai()
    kit.action(act)
    kit.event("go")
    kit.flow(
        "hi",
        "Hi",
        on=[Event("go", repeat="always")],
        steps=[Do("d", "act"), Say("a", "Hello!")],
    )
    return kit.agent("Ana", clock=FakeClock(CLOCK))


# --- kill -9 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_host_that_is_killed_again_and_again_loses_and_doubles_nothing(kind: str, tmp_path: Path):
    for own in database(kind, tmp_path):
        inbox, chance, kills = tmp_path / "inbox", random.Random(7), 0
        # The first lines load what a process needs; from then on a turn takes some 20,000.
        while _worked(own, inbox, chance.randrange(*_DIES)) == -signal.SIGKILL and kills < 100:
            kills += 1
        assert 8 < kills < 100
        assert _worked(own, inbox, 0) == 0
        texts = run_sql(own, "SELECT text FROM received_messages")
        assert sorted(row[0] for row in texts) == sorted(f"re: n{n}" for n in range(TURNS))
        outbox = run_sql(own, "SELECT session_id, version, position, sent FROM falai_outbox")
        assert len(outbox) == TURNS
        assert all(row[3] for row in outbox)
        assert _sessions(own) == {"s0": 67, "s1": 67, "s2": 66}


def _worked(url: str, inbox: Path, events: int) -> int:
    """Let a process work on, and perhaps die after so many lines; gives how it ended."""
    command = [sys.executable, "-m", "tests.simulator.durable_kit", url, str(inbox), str(TURNS)]
    done = subprocess.run([*command, str(events)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


def _sessions(url: str) -> dict[str, int]:
    """The version of each session; every row is read as the store reads it."""

    async def run() -> dict[str, int]:
        host = await DurableHost.open(agent(), url)
        loaded = [await host.store.load(f"s{n}") for n in range(3)]
        await host.close()
        return {session.id: session.version for session in loaded if session is not None}

    return asyncio.run(run())
