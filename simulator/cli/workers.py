"""Plays scenario files in processes of their own, and hands the records on in the order of files."""

import asyncio
import logging
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec

from simulator.cli.selection import Casting, Selection, play_file
from simulator.trace import ScenarioRecord

_START = "fork" if sys.platform == "linux" else "spawn"
"""A forked worker has everything loaded already; this process has no threads to lose by it."""

_decoder = msgspec.json.Decoder(ScenarioRecord)


def play_apart(
    files: Sequence[Path], selection: Selection, casting: Casting, workers: int
) -> Generator[ScenarioRecord]:
    """Play every file once, by whichever worker is free; closing it stops those that wait."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context(_START), initializer=_begin)
    try:
        played = [pool.submit(_played, file, selection, casting) for file in files]
        for rows in played:
            yield from map(_decoder.decode, rows.result())
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    # What the engine warns of is for `falai check` to say.
    logging.getLogger("falai").addHandler(logging.NullHandler())


def _played(file: Path, selection: Selection, casting: Casting) -> list[bytes]:
    """The records of one file as a trace holds them: anything else a host's code may put there
    could not leave its process.
    """

    async def play() -> list[bytes]:
        return [
            msgspec.json.encode(record, enc_hook=repr)
            async for record in play_file(file, selection, casting)
        ]

    return asyncio.run(play())
