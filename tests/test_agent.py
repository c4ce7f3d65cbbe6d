"""The agent: what it is built from, that it never changes, and the doors to its turns."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from falai import (
    Agent,
    Chain,
    Chunk,
    Delta,
    FakeClock,
    Field,
    FlowConfigurationError,
    Message,
    ModelCall,
    ModelReply,
    ProviderError,
    Say,
    ScriptedProvider,
    ScriptError,
    SystemClock,
    Talk,
    Tool,
    ToolCall,
)
from tests.turn.kit import SESSION_ID, START, Chat, codes, flow, said, texts

ASKER = flow(Talk("s", collect=["nome"]))
FIELDS = {"nome": Field("string", ask="Pergunte.", extract="asked")}


def asking(**parts: Any) -> Agent:
    return Agent(name="Ana", fields=FIELDS, flows=[ASKER], clock=FakeClock(START), **parts)


# --- building ---------------------------------------------------------------------------------


def test_an_agent_needs_no_more_than_a_name():
    agent = Agent(name="Ana")
    assert (agent.name, agent.flows, agent.tools) == ("Ana", (), {})
    assert (agent.max_tool_loops, agent.idle, agent.provider) == (5, None, None)
    assert isinstance(agent.clock, SystemClock)


def test_an_agent_without_a_name_is_refused():
    with pytest.raises((TypeError, FlowConfigurationError), match="name"):
        Agent()  # pyright: ignore[reportCallIssue]


def test_a_part_that_no_agent_has_is_refused():
    with pytest.raises((TypeError, FlowConfigurationError), match="flow"):
        Agent(name="Ana", flow=[ASKER])  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("loops", [-1, "muitas", 1.5, True])
def test_the_number_of_tool_rounds_is_checked(loops: Any):
    with pytest.raises(FlowConfigurationError, match=r"(?i)max_?tool_?loops"):
        Agent(name="Ana", max_tool_loops=loops)


@pytest.mark.parametrize("part", ["name", "flows", "clock", "novo"])
def test_an_agent_is_immutable(part: str):
    agent = Agent(name="Ana")
    with pytest.raises(AttributeError, match=r"use replace\(\) to change its " + part):
        setattr(agent, part, None)


def test_what_an_agent_was_built_from_may_change_behind_it():
    flows, fields = [ASKER], dict(FIELDS)
    agent = Agent(name="Ana", flows=flows, fields=fields)
    flows.clear()
    fields.clear()
    assert (agent.flows, agent.fields) == ((ASKER,), FIELDS)


def test_a_copy_has_another_provider_and_leaves_the_first_alone():
    agent = asking()
    copy = agent.replace(provider=ScriptedProvider(), clock=FakeClock("2027-01-01"))
    assert (copy.provider_name, agent.provider) == ("scripted", None)
    assert copy.clock.now().year == 2027
    assert copy.flows is agent.flows


def test_a_copy_of_a_copy_keeps_both_changes():
    copy = asking().replace(max_tool_loops=1).replace(provider=ScriptedProvider()).replace(goal="x")
    assert (copy.max_tool_loops, copy.provider_name, copy.flows) == (1, "scripted", (ASKER,))


def test_a_copy_may_lose_its_provider():
    assert asking(provider=ScriptedProvider()).replace(provider=None).provider is None


def test_a_copy_has_the_flows_of_its_agent_whatever_became_of_the_list():
    flows = [ASKER]
    agent = Agent(name="Ana", flows=flows, fields=FIELDS)
    flows.clear()
    assert agent.replace(goal="Vender.").flows == (ASKER,)


def test_a_copy_without_a_clock_reads_the_system_s():
    assert isinstance(asking().replace(clock=None).clock, SystemClock)


def test_a_copy_is_checked_as_an_agent_is():
    with pytest.raises(FlowConfigurationError, match='unknown field "nome"'):
        asking().replace(fields={})


def test_what_is_worth_saying_is_logged_and_kept(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING, "falai"):
        agent = Agent(name="Ana", flows=[flow(Say("s", say="Oi", then=Chain("nada")))])
    assert 'chains to flow "nada"' in agent.warnings[0]
    assert caplog.messages == list(agent.warnings)


# --- the doors --------------------------------------------------------------------------------


def test_a_turn_is_awaited_or_waited_for():
    chat = Chat(flow(Say("s", say="Oi")))
    awaited = asyncio.run(chat.agent.turn(session_id=SESSION_ID, message="oi"))
    assert awaited == chat.agent.turn_sync(session_id=SESSION_ID, message="oi")


def test_one_agent_serves_many_sessions_at_once():
    agent = Chat(flow(Say("s", say="Oi {{context.nome}}"))).agent

    async def serve() -> list[str]:
        turns = (
            agent.turn(session_id=f"s{n}", message="oi", context={"nome": str(n)}) for n in range(9)
        )
        return [result.messages[0].text for result in await asyncio.gather(*turns)]

    assert asyncio.run(serve()) == [f"Oi {n}" for n in range(9)]


def test_a_wake_never_begins_a_conversation():
    result = Chat(flow(Say("s", say="Oi"))).take(wake="x")
    assert (codes(result), result.changed, result.outcomes[0].key) == (["no-session"], False, "x")


# --- streaming --------------------------------------------------------------------------------


class Pieces:
    """A provider that streams its replies in pieces."""

    name = "pieces"

    def __init__(self, *replies: list[str] | ModelReply | Exception) -> None:
        self._replies = list(replies)

    async def generate(self, call: ModelCall) -> ModelReply:
        raise AssertionError("a streamed turn streams its speak call")

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, ModelReply):
            yield Chunk(text=reply.message, reply=reply)
            return
        for text in reply:
            yield Chunk(text=text)
        yield Chunk(reply=ModelReply(message="".join(reply)))


def stream(agent: Agent, **given: Any) -> list[Delta]:
    async def collect() -> list[Delta]:
        return [delta async for delta in agent.turn_stream(session_id=SESSION_ID, **given)]

    return asyncio.run(collect())


ENVELOPE = ['Claro! ```json\n{"nome": "An', 'a", "message": "Oi,', " An\\u00", 'e1!"', "}\n```"]


def test_the_words_arrive_while_the_model_writes_them():
    *words, last = stream(asking(provider=Pieces(ENVELOPE)), message="oi")
    assert [delta.text for delta in words] == ["Oi,", " An", "á!"]
    assert last.result is not None
    assert (texts(last.result), last.result.session.data) == (["Oi, Aná!"], {"nome": "Ana"})


def test_a_streamed_turn_comes_to_what_a_turn_comes_to():
    agent = asking()
    streamed = stream(agent.replace(provider=Pieces(ENVELOPE)), message="oi", id="m1")
    provider = ScriptedProvider(speak=[ModelReply(message="".join(ENVELOPE))])
    plain = agent.replace(provider=provider).turn_sync(session_id=SESSION_ID, message="oi", id="m1")
    assert streamed[-1].result == plain


@pytest.mark.parametrize(
    "reply",
    [
        ["Qual é o", " seu nome?"],
        ['{"message": "Qual é o seu nome?"}'],
        said("Qual é o seu nome?"),
    ],
)
def test_the_words_that_arrived_are_the_message(reply: Any):
    *words, last = stream(asking(provider=Pieces(reply)), message="oi")
    assert last.result is not None
    assert ["".join(delta.text for delta in words)] == texts(last.result)


def test_words_beside_a_tool_call_are_not_for_the_customer():
    tool = Tool(id="busca", description="", parameters={"type": "object"}, handler=lambda _, __: {})
    preamble = ModelReply(message='{"message": "Um momento."}', tool_calls=[ToolCall("busca")])
    provider = Pieces(preamble, ['{"message": "Achei."}'])
    *words, _ = stream(asking(provider=provider, tools=[tool]), message="oi")
    assert "".join(delta.text for delta in words) == "Achei."


@pytest.mark.parametrize(
    "text",
    [
        '{"message": "Um momento."}',
        "Um momento.",
    ],
)
def test_words_of_a_last_call_are_sent_and_streamed_whatever_stands_beside(text: str):
    reply = ModelReply(message=text, tool_calls=[ToolCall("busca")])
    *words, last = stream(asking(provider=Pieces(reply), max_tool_loops=0), message="oi")
    assert last.result is not None
    assert ["".join(delta.text for delta in words)] == texts(last.result) == ["Um momento."]


def test_a_turn_that_asks_nobody_streams_its_result_alone():
    (last,) = stream(Chat(flow(Say("s", say="Oi"))).agent, message="oi")
    assert last.done
    assert last.result is not None


@pytest.mark.parametrize("error", [ProviderError("pieces", "overload"), TimeoutError("60 s")])
def test_a_stream_that_fails_is_retried_like_any_answer(error: Exception):
    (last,) = stream(asking(provider=Pieces(error)), message="oi")
    assert last.result is not None
    assert codes(last.result) == ["provider-unavailable"]


def test_a_stream_without_a_script_is_no_provider_failure():
    with pytest.raises(ScriptError):
        stream(asking(provider=Pieces(ScriptError("no take"))), message="oi")


def test_an_understand_call_is_not_streamed():
    flows = [flow(Say("s", say="Oi"), id=name, on=[Message(["oi"])]) for name in ("a", "b")]
    provider = ScriptedProvider(understand=[ModelReply(message='{"flows": {"a": 90}}')])
    (last,) = stream(Agent(name="Ana", flows=flows, idle="silent", provider=provider), message="oi")
    assert last.result is not None
    assert texts(last.result) == ["Oi"]
