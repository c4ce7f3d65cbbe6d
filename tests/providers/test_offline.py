"""The stand-in as a provider: it answers every call of every agent, the same each time."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from falai import FakeClock, ModelCall, ModelReply, OfflineProvider
from simulator.agentfile import load_agent
from simulator.find import find_scenarios
from simulator.live import Live
from simulator.load import load_document
from simulator.reading import read_scenario
from simulator.scenario import DEFAULT_CLOCK, MessageEntry, Scenario
from simulator.stage import Stage
from tests.property.profile import checked

ROOT = Path(__file__).parents[2]
FILES = find_scenarios([ROOT / "scenarios", ROOT / "tests" / "conformance"])
AGENTS = sorted((ROOT / "scenarios" / "agents").glob("*.yaml"))


class Watched:
    """The stand-in, with a look at each of its replies."""

    name = "offline"

    def __init__(self) -> None:
        self._model = OfflineProvider()
        self.answered = 0

    async def generate(self, call: ModelCall) -> ModelReply:
        reply = await self._model.generate(call)
        check(call, reply)
        assert await self._model.generate(call) == reply
        self.answered += 1
        return reply

    def stream(self, call: ModelCall) -> AsyncIterator[Any]:
        return self._model.stream(call)


def check(call: ModelCall, reply: ModelReply) -> None:
    """A reply is what its call asked for, and nothing of ours shows in it."""
    if call.schema is None:
        assert reply.message.strip()
        return
    envelope = msgspec.json.decode(reply.message)
    Draft202012Validator(with_null_options(call.schema)).validate(envelope)
    if call.purpose == "speak":
        said = envelope["message"]
        assert said.strip()
        assert "{{" not in said
    assert not reply.tool_calls


def with_null_options(schema: Any) -> Any:
    """The schema as it is meant: options are those of a value, and null is none given."""
    if isinstance(schema, dict):
        inside = {key: with_null_options(value) for key, value in schema.items()}
        return {**inside, "enum": [*inside["enum"], None]} if "enum" in inside else inside
    return schema


async def talk(scenario: Scenario, model: Watched) -> None:
    """Say what the customer of a scenario says, to its agent, with no script."""
    source = load_agent(scenario.agent, stubs=scenario.stubs)
    live = Live(Stage(source, DEFAULT_CLOCK, model), context=scenario.context)
    for entry in scenario.turns:
        if isinstance(entry, MessageEntry):
            [turn] = (await live.say(entry.text)).turns
            assert turn.error is None
    await live.wait("1d")


def scenarios() -> Iterator[Scenario]:
    for file in FILES:
        yield from read_scenario(load_document(file))


def test_it_plays_the_messages_of_every_scenario():
    model = Watched()

    async def all_of_them() -> None:
        for scenario in scenarios():
            await talk(scenario, model)

    asyncio.run(all_of_them())
    assert model.answered > 1_000


HOSTILE = st.text(max_size=60) | st.sampled_from(
    [
        "",
        " ",
        "?",
        "{{data.nome}}",
        "sou a",
        "R$",
        "não",
        "1" * 400,
        "9e999",
        "a" * 20_000,
        "\0",
        "ﷺ",
    ]
)


@checked
@given(agent=st.sampled_from(AGENTS), said=st.lists(HOSTILE, min_size=1, max_size=3))
def test_whatever_is_said_it_answers_as_it_was_asked(agent: Path, said: list[str]):
    async def converse() -> None:
        stage = Stage(load_agent(str(agent)), DEFAULT_CLOCK, Watched())
        live = Live(stage, context={"lead": {"atendente": "ia"}})
        for text in said:
            [turn] = (await live.say(text)).turns
            assert turn.error is None

    asyncio.run(converse())


def test_a_stream_says_the_same():
    agent = load_agent(str(AGENTS[0])).build(clock=FakeClock("2026-01-05T09:00:00Z")).agent
    stepper = agent.replace(provider=OfflineProvider()).steps(
        session_id="s1", message="oi!", id="m1"
    )

    async def speak_call() -> ModelCall:
        while not isinstance(stepper.pending, ModelCall) or stepper.pending.purpose != "speak":
            await stepper.go_on()
        return stepper.pending

    async def streamed(call: ModelCall) -> tuple[str, ModelReply | None]:
        chunks = [chunk async for chunk in OfflineProvider().stream(call)]
        assert len(chunks) > 1
        return "".join(chunk.text for chunk in chunks), chunks[-1].reply

    async def both() -> None:
        call = await speak_call()
        whole = await OfflineProvider().generate(call)
        assert await streamed(call) == (whole.message, whole)

    asyncio.run(both())


def test_a_call_without_a_brief_is_answered_too():
    call = ModelCall(purpose="speak", system=None, history=(), prompt="Oi", schema=None)
    assert asyncio.run(OfflineProvider().generate(call)).message.strip()
