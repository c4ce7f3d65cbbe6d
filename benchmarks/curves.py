"""How the time of a turn grows with everything that can grow: one message, read and answered."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.figures import Table, slope, typical
from falai import Agent, Event, EventDef, Field, Flow, Message, Silence, Talk, Wait
from falai.providers.base import ModelReply
from falai.providers.scripted import ScriptedProvider
from falai.words.session import Claim, Session

NOW = "2026-01-05T09:00:00.000Z"
_ROUNDS = 7
_TURNS = 40

Made = tuple[Agent, Session | None, dict[str, Any]]
"""An agent, a session of it, and what its host passes besides."""


def curves(share: float = 1.0) -> Table:
    """Microseconds of a turn at each size, alone and with its session decoded and encoded."""
    rows: list[tuple[Any, ...]] = []
    for name, make, sizes in _CURVES:
        made = [(size, make(size)) for size in sizes]
        alone = [(size, _turn(it, share, stored=False)) for size, it in made]
        stored = [_turn(it, share, stored=True) for _, it in made]
        rows += [(name, *point, both, "") for point, both in zip(alone, stored, strict=True)]
        rows[-1] = (*rows[-1][:4], f"{slope(alone) * 1_000:,.0f} ns")
    columns = ("of", "so many", "µs a turn", "with the store's JSON", "one more costs a turn")
    return Table("curves", columns, rows)


def _turn(made: Made, share: float, *, stored: bool) -> float:
    """Microseconds of one turn."""
    agent, session, known = made
    turns = max(2, round(_TURNS * share))
    blob = msgspec.json.encode(session) if session is not None else None
    decoder = msgspec.json.Decoder(Session)

    async def play() -> None:
        for _ in range(turns):
            loaded = decoder.decode(blob) if stored and blob is not None else session
            model = agent.replace(provider=_model())
            result = await model.turn(
                session_id="s", session=loaded, message="I am Ana", id="m", **known
            )
            if stored:
                msgspec.json.encode(result.session)

    return typical(lambda: asyncio.run(play()), _ROUNDS) / turns * 1e6


def _model() -> ScriptedProvider:
    judged = ModelReply(structured={"fields": {}})
    return ScriptedProvider(
        understand=[judged] * 2, speak=[ModelReply(structured={"message": "Fine."})] * 2
    )


# --- what grows ---------------------------------------------------------------------------------


def _agent(*more: Flow, fields: int = 4) -> Agent:
    names = [f"field{number}" for number in range(fields)]
    ask = Talk(id="ask", prompt="Ask.", collect=names)
    main = Flow(id="main", name="Main", on=[Message(["wants something"])], steps=[ask])
    return Agent(
        name="Ana",
        fields={name: Field(type="string") for name in names},
        flows=[main, *more],
        events={"asked": EventDef()},
        clock=_clock(),
    )


def _clock() -> Any:
    from falai import FakeClock

    return FakeClock(NOW)


def _begun(agent: Agent, **known: Any) -> Session:
    """The session of a conversation that has begun."""
    result = asyncio.run(
        agent.replace(provider=_model()).turn(session_id="s", message="hi", id="m0", **known)
    )
    return result.session


def _past_turns(count: int) -> Made:
    agent = _agent()
    session = _begun(agent)
    for number in range(count):
        result = asyncio.run(
            agent.replace(provider=_model()).turn(
                session_id="s", session=session, message="so", id=f"p{number}"
            )
        )
        session = result.session
    return agent, session, {}


def _history(count: int) -> Made:
    agent = _agent()
    said = [{"role": "user", "content": f"Message {number}."} for number in range(count)]
    return agent, _begun(agent), {"history": said}


def _claims(count: int) -> Made:
    agent = _agent()
    session = _begun(agent)
    for number in range(count):
        session.claims[f"old{number}:s:"] = Claim(at=NOW)
    return agent, session, {}


def _flows(count: int) -> Made:
    more = [
        Flow(
            id=f"flow{number}",
            name=f"Flow {number}",
            on=[Message([f"wants the thing {number}"]), Silence("1d")],
            steps=[Talk(id="ask", prompt="Ask.")],
        )
        for number in range(count - 1)
    ]
    agent = _agent(*more)
    return agent, _begun(agent), {}


def _runs(count: int) -> Made:
    waits = Flow(
        id="waits", name="W", anchor="thing", on=[Event("asked")], steps=[Wait(id="w", wait="1d")]
    )
    agent = _agent(waits)
    session = _begun(agent)
    for number in range(count):
        anchors = {"thing": {"key": f"t{number}"}}
        result = asyncio.run(
            agent.turn(
                session_id="s", session=session, event="asked", key=f"e{number}", anchors=anchors
            )
        )
        session = result.session
    return agent, session, {}


def _fields(count: int) -> Made:
    agent = _agent(fields=count)
    return agent, _begun(agent), {}


_CURVES: tuple[tuple[str, Callable[[int], Made], tuple[int, ...]], ...] = (
    ("past turns", _past_turns, (1, 10, 100, 1_000)),
    ("claims", _claims, (1, 100, 1_000, 10_000)),
    ("messages of history", _history, (1, 100, 1_000, 5_000)),
    ("flows", _flows, (1, 10, 100, 1_000)),
    ("live runs", _runs, (1, 10, 50, 200)),
    ("fields", _fields, (1, 10, 100, 500)),
)
