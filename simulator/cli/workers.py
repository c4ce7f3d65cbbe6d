"""Plays scenario files elsewhere, and hands the records on in the order of the files."""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib.metadata import version
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from simulator.cli.selection import Casting, Selection, play_file
from simulator.trace import ScenarioRecord

_START = "fork" if sys.platform == "linux" else "spawn"
"""A forked worker has everything loaded already; this process has no threads to lose by it."""


class Row(msgspec.Struct, frozen=True):
    """What a worker gives back of one scenario."""

    turns: int
    record: bytes
    """As a trace holds it: anything else a host's code may put there could not leave its process."""


Rows: TypeAlias = list[Row]

_decoder = msgspec.json.Decoder(ScenarioRecord)


class OtherVersionError(Exception):
    """A worker has another falai than the command."""


def processes(count: int) -> Executor:
    """So many processes of this machine."""
    return ProcessPoolExecutor(count, mp_context=get_context(_START), initializer=_begin)


def play_apart(
    files: Sequence[Path],
    selection: Selection,
    casting: Casting,
    executor: Executor,
    *,
    ahead: int,
    slim: bool = False,
) -> Generator[tuple[ScenarioRecord, int]]:
    """Play every file once, by whichever worker is free; gives each record and its turns' number.

    No more than `ahead` files are under way or done and not yet handed on, so that what is held
    here does not grow with their number. With `slim`, the turns of what passed are left behind.
    Closing it stops those that wait. Raises OtherVersionError.
    """
    part = (selection, casting, slim, _own())
    tasks = (executor.submit(_played, file, *part) for file in files)
    waiting = deque(islice(tasks, ahead))
    try:
        while waiting:
            rows = waiting.popleft().result()
            waiting.extend(islice(tasks, 1))
            yield from ((_decoder.decode(row.record), row.turns) for row in rows)
    finally:
        for future in waiting:
            future.cancel()


def _own() -> str:
    return version("falai")


def _begin() -> None:
    # What the engine warns of is for `falai check` to say.
    logging.getLogger("falai").addHandler(logging.NullHandler())


def _played(file: Path, selection: Selection, casting: Casting, slim: bool, wanted: str) -> Rows:
    """Play one file."""
    if (own := _own()) != wanted:
        raise OtherVersionError(f"a worker has falai {own}, and the command {wanted}")
    _begin()

    async def play() -> Rows:
        return [_row(record, slim) async for record in play_file(file, selection, casting)]

    return asyncio.run(play())


def _row(record: ScenarioRecord, slim: bool) -> Row:
    turns = len(record.turns)
    if slim and record.status == "passed":
        record = replace(record, turns=())
    return Row(turns, msgspec.json.encode(record, enc_hook=repr))
