"""An agent that echoes, and a host of it that can be made to die anywhere."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, cast

import sqlalchemy as sa

from falai import FakeClock, Idle, falai
from falai.agent import Agent
from falai.providers.base import Chunk, ModelCall, ModelReply
from simulator.durable import DurableHost
from simulator.host import OutboxEntry

CLOCK = "2026-01-05T09:00:00Z"


class Echo:
    """Answers with what the customer wrote."""

    name = "echo"

    async def generate(self, call: ModelCall) -> ModelReply:
        said = re.findall(r"^> (.*)$", call.prompt, re.MULTILINE)
        return ModelReply(message=f"re: {said[-1]}")

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        yield Chunk(reply=await self.generate(call))


def agent() -> Agent:
    return falai().agent(
        "Eco", idle=Idle(prompt="Repeat."), provider=Echo(), clock=FakeClock(CLOCK)
    )


def received_table(name: str) -> sa.Table:
    """What a receiver keeps: a message that it knows already is nothing new."""
    key: list[sa.Column[Any]] = [
        sa.Column("session_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    ]
    return sa.Table(name, sa.MetaData(), *key, sa.Column("text", sa.Text, nullable=False))


class Receiver:
    """The customer's phone, as a table."""

    def __init__(self, host: DurableHost) -> None:
        self._host = host
        self._table = received_table("received_messages")

    async def make(self) -> None:
        await self._host.store.run_sync(lambda it: self._table.create(it, checkfirst=True))

    async def __call__(self, entry: OutboxEntry) -> None:
        session_id, version, position = entry.identity
        columns = self._table.c
        known = sa.select(columns.text).where(
            columns.session_id == session_id,
            columns.version == version,
            columns.position == position,
        )
        if not await self._host.store.run(known):
            row = {"session_id": session_id, "version": version, "position": position}
            insert = sa.insert(self._table).values(**row, text=entry.message.text)
            await self._host.store.run(insert)


def die_after(events: int) -> None:
    """Let the process be killed after so many lines of falai, its host or SQLAlchemy."""
    left = events

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return count

    sys.settrace(count)


async def work(url: str, acknowledged: BinaryIO, done: int, turns: int) -> None:
    """Take every input that was not acknowledged, in order, and acknowledge it when all is done."""
    host = await DurableHost.open(agent(), url)
    receiver = Receiver(host)
    await receiver.make()
    await host.deliver(receiver)
    for number in range(done, turns):
        await host.handle(session_id=f"s{number % 3}", message=f"n{number}", id=f"m{number}")
        await host.deliver(receiver)
        acknowledged.write(b".")
    await host.close()


if __name__ == "__main__":
    given_url, given_inbox, given_turns, given_events = sys.argv[1:]
    if int(given_events):
        die_after(int(given_events))
    with Path(given_inbox).open("ab", buffering=0) as file:
        asyncio.run(work(given_url, cast("BinaryIO", file), file.tell(), int(given_turns)))
