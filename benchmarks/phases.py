"""Where the time of a turn goes: each of the eight phases, and what its store adds."""

import asyncio
from collections import defaultdict
from time import perf_counter_ns
from typing import Any

import msgspec

from benchmarks.figures import Table
from benchmarks.peers import talk
from benchmarks.peers.with_falai import Model, agent
from falai.stores.rows import read_session
from falai.turn.needs import Phase
from falai.words.session import Session


def phases(conversations: int) -> Table:
    """Microseconds and share of every part of a turn, from its stored session to the next one."""
    model = Model()
    ana = agent(model)
    spent: defaultdict[str, int] = defaultdict(int)
    for _ in range(conversations):
        asyncio.run(_converse(ana, model, spent))
    turns, whole = conversations * len(talk.MESSAGES), sum(spent.values())
    rows = [(part, ns / turns / 1_000, f"{ns / whole:.0%}") for part, ns in spent.items()]
    rows.append(("all of it", whole / turns / 1_000, "100%"))
    return Table("phases", ("part of a turn", "µs", "share"), rows)


async def _converse(ana: Any, model: Model, spent: defaultdict[str, int]) -> None:
    blob: bytes | None = None
    for turn in range(len(talk.MESSAGES)):
        model.turn = turn
        began = perf_counter_ns()
        session = read_session(blob, "s") if blob is not None else None
        spent["decode the session"] += perf_counter_ns() - began
        ended = await _turn(ana, turn, session, spent)
        began = perf_counter_ns()
        blob = msgspec.json.encode(ended)
        spent["encode the session"] += perf_counter_ns() - began


async def _turn(
    ana: Any, turn: int, session: Session | None, spent: defaultdict[str, int]
) -> Session:
    began, part = perf_counter_ns(), "read the input"
    stepper = ana.steps(session_id="s", session=session, message=talk.message(turn), id=f"m{turn}")
    while (pending := stepper.pending) is not None:
        now = perf_counter_ns()
        spent[part] += now - began
        began = now
        if isinstance(pending, Phase):
            part = f"{pending.value}"
            stepper.answer()
        else:
            await stepper.go_on()
    spent[part] += perf_counter_ns() - began
    return stepper.result.session
