"""What a process holds that serves many sessions: `python -m benchmarks.many_sessions [SESSIONS]`."""

import asyncio
import sys
from pathlib import Path
from time import perf_counter

from benchmarks.figures import Table
from benchmarks.peers.with_falai import converse, host
from falai import MemoryStore

_MARK = "VmRSS:"


def many_sessions(sessions: int) -> Table:
    """Bytes for each session in the memory store, and turns a second up to there."""
    asyncio.run(_serve(MemoryStore(), 100))  # whatever is made once is made now
    store, before, began = MemoryStore(), resident(), perf_counter()
    asyncio.run(_serve(store, sessions))
    seconds, held = perf_counter() - began, resident() - before
    row = (sessions, sessions * 5, round(held / sessions), round(sessions * 5 / seconds))
    columns = ("sessions", "turns", "bytes a session", "turns a second")
    return Table("sessions", columns, [row])


async def _serve(store: MemoryStore, sessions: int) -> None:
    own, model = host(store)
    for number in range(sessions):
        await converse(own, model, f"s{number}", 5)
        own.outbox.sent.clear()


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    lines = status.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1_024 for line in lines if line.startswith(_MARK))


if __name__ == "__main__":
    print(many_sessions(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000).rows)  # noqa: T201
