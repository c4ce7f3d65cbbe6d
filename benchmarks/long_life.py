"""Whether a session grows with its years: `python -m benchmarks.long_life [TURNS]`.

One session lives through so many turns (10,000 unless said otherwise): messages that a flow collects
from, events that start flows anew, waits and silence wakes that come due. Printed at some of them:
the size of the stored blob, and the median time of the 200 turns before. The blob at the last one
should be within 10 % of that at turn 1,000, and the time should be flat. Then come 200 turns to
which the host hands a long history, which compaction cuts down in each of them: they take longer,
and leave nothing in the session.
"""

import asyncio
import statistics
import sys
from time import perf_counter
from typing import Any, cast

import msgspec

from falai import (
    Event,
    FakeClock,
    Fields,
    Idle,
    Mention,
    Message,
    Say,
    Silence,
    Talk,
    Wait,
    ask,
    falai,
)
from falai.agent import Agent
from falai.providers.scripted import ScriptedProvider
from falai.words.session import Session
from simulator.host import Host

MARKS = (1_000, 2_000, 5_000, 10_000)
WINDOW = 200
LONG_HISTORY = [
    {"role": role, "content": f"Message {number} of a long conversation. {'Words. ' * 20}"}
    for number in range(200)
    for role in ("user", "assistant")
]


class Wishes(Fields):
    name: str = ask()
    wish: str = ask()


def agent(model: ScriptedProvider, clock: FakeClock) -> Agent[Any, Wishes]:
    """Something of everything that leaves a trace in a session."""
    kit = falai(Wishes)
    kit.event("ready")
    kit.flow(
        "order",
        "Order",
        on=[Message(["orders something"], repeat="always")],
        clear_on_start=["wish"],
        steps=[Talk("what", "Ask.", collect=["wish"]), Wait("rest", "2h"), Say("bye", "Bye!")],
    )
    kit.flow(
        "ready",
        "Ready",
        on=[Event("ready", repeat="always")],
        steps=[Say("tell", "It is ready.", once=True), Say("again", "Come by!")],
    )
    kit.flow(
        "human",
        "Human",
        on=[Mention(["a human"], repeat={"cooldown": "1d"})],
        steps=[Say("soon", "Somebody will call.")],
    )
    kit.flow("poke", "Poke", on=[Silence("1d", repeat="always")], steps=[Say("hey", "Hey?")])
    return kit.agent(
        "Otto",
        provider=model,
        clock=clock,
        idle=Idle(prompt="Answer."),
        compaction={"maxTokens": 4_000},
    )


class Life:
    """One session, and what happens in it."""

    def __init__(self) -> None:
        self.clock = FakeClock("2026-01-05T09:00:00Z")
        self.model = ScriptedProvider()
        self.host = Host(cast("Agent", agent(self.model, self.clock)))
        self.turn = 0
        self.history: list[dict[str, str]] | None = None
        """What the host hands in; nothing, while it is None."""

    async def live(self) -> None:
        """One more turn, of the kind whose time it is."""
        self.turn += 1
        match self.turn % 5:
            case 0:
                await self.host.handle(session_id="s", event="ready", key=f"e{self.turn}")
            case 1:
                await self.say("I want cake", {"flows": {"order": 95}, "mentions": {"human": True}})
            case 2:
                await self.say("with cream", {"fields": {"wish": "cream"}})
            case 3:
                await self.say("thanks", {})
            case _:
                self.clock.advance("26h")
                await self.host.fire_due()
        self.host.outbox.sent.clear()

    async def say(self, text: str, judged: dict[str, object]) -> None:
        summed = [{"message": "They like cake."}] * 2
        spoken = [{"message": "Fine."}] * 2
        self.model.load({"understand": [judged] * 2, "speak": spoken, "summary": summed})
        await self.host.handle(
            session_id="s", message=text, id=f"m{self.turn}", history=self.history
        )


async def run(turns: int) -> None:
    life, taken, sizes = Life(), list[float](), dict[int, int]()
    for _ in range(turns):
        taken.append(await timed(life))
        if life.turn in (*MARKS, turns):
            sizes[life.turn] = await told(life, taken)
    life.history = LONG_HISTORY
    with_history = [await timed(life) for _ in range(WINDOW)]
    await told(life, with_history)
    if MARKS[0] in sizes:
        grew = sizes[turns] / sizes[MARKS[0]] - 1
        print(f"the blob grew by {grew:+.1%} since turn {MARKS[0]}")  # noqa: T201 - its result


async def timed(life: Life) -> float:
    """Microseconds of one more turn."""
    began = perf_counter()
    await life.live()
    return (perf_counter() - began) * 1_000_000


async def told(life: Life, taken: list[float]) -> int:
    """Print how the session stands; gives the size of its blob."""
    session: Session | None = await life.host.store.load("s")
    size = len(msgspec.json.encode(session))
    median = statistics.median(taken[-WINDOW:])
    history = ", with a long history" if life.history else ""
    print(f"turn {life.turn:>6}  blob {size:>7} bytes  {median:6.0f} µs a turn{history}")  # noqa: T201
    return size


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]) if len(sys.argv) > 1 else MARKS[-1]))
