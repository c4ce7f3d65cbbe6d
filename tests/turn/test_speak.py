"""Speak: who phrases the reply, and what a call that cannot be made comes to."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from falai import (
    Agent,
    Chunk,
    Field,
    FlowConfigurationError,
    Idle,
    Instruction,
    ModelCall,
    ModelReply,
    ProviderError,
    ScriptError,
    Talk,
    TurnResult,
)
from tests.turn.kit import SESSION_ID, Chat, codes, flow, said, texts

ASKER = flow(Talk("s", collect=["nome"]))
FIELDS = {"nome": Field("string")}


class Broken:
    """A provider that raises whatever it is given, in either way of asking."""

    name = "broken"

    def __init__(self, error: BaseException) -> None:
        self._error = error

    async def generate(self, call: ModelCall) -> ModelReply:
        raise self._error

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        raise self._error
        yield Chunk()


def ask(error: BaseException) -> TurnResult:
    agent = Agent(name="Ana", fields=FIELDS, flows=[ASKER], provider=Broken(error))
    return agent.turn_sync(session_id=SESSION_ID, message="oi")


@pytest.mark.parametrize(
    "error", [ValueError("x"), TimeoutError(), ConnectionResetError(), KeyError("choices")]
)
def test_whatever_a_provider_raises_is_a_provider_failure(error: Exception):
    result = ask(error)
    assert codes(result) == ["provider-unavailable"]
    assert (len(result.schedule), result.llm_calls) == (1, 1)


def test_a_script_that_ran_dry_is_swallowed_by_nobody():
    with pytest.raises(ScriptError, match="no take"):
        ask(ScriptError("no take"))


def test_a_task_that_is_cancelled_stays_cancelled():
    with pytest.raises(asyncio.CancelledError):
        ask(asyncio.CancelledError())


def test_an_agent_without_a_provider_says_how_to_give_it_one():
    agent = Agent(name="Ana", fields=FIELDS, flows=[ASKER])
    with pytest.raises(FlowConfigurationError, match="no provider is set"):
        agent.turn_sync(session_id=SESSION_ID, message="oi")


def test_a_turn_that_needs_no_model_needs_no_provider():
    agent = Agent(name="Ana", idle="silent")
    assert agent.turn_sync(session_id=SESSION_ID, message="oi").changed


def test_without_any_flow_the_idle_speaker_answers():
    result = Chat(idle=None).hear(id="m1", speak=said("Pois não?"))
    (message,) = result.messages
    assert (message.key, message.kind, message.run_id) == ("idle:m1", "ai", None)


def test_the_idle_speaker_says_nothing_when_nobody_wrote():
    result = Chat(idle=None).take(event="x", key="e1")
    assert (result.messages, result.llm_calls, result.changed) == ([], 0, True)


def test_a_reply_that_is_no_json_is_the_message_itself():
    chat = Chat(ASKER, fields=FIELDS)
    assert texts(chat.hear(speak=ModelReply(message="Qual é o seu nome?"))) == [
        "Qual é o seu nome?"
    ]


def test_half_a_character_in_a_parsed_reply_can_be_saved_and_sent():
    result = Chat(ASKER, fields=FIELDS).hear(speak=said("Oi \ud83d", nome="An\ud800"))
    assert msgspec.json.encode(result)


def rules(*names: str) -> list[Instruction]:
    """A rule for each name, which never applies where the name says so."""
    return [
        Instruction(prompt=name, if_={"known": ["nome"]} if "never" in name else None)
        for name in names
    ]


def test_the_rules_that_apply_come_from_the_widest_scope_to_the_narrowest():
    step = Talk("s", collect=["nome"], instructions=rules("of the step", "never of the step"))
    chat = Chat(
        flow(step, instructions=rules("of the flow", "never of the flow")),
        fields=FIELDS,
        instructions=rules("of the agent", "never of the agent"),
        idle=Idle(instructions=tuple(rules("of the idle speaker"))),
    )
    chat.hear(speak=said())
    prompt = chat.calls[0].prompt
    places = [prompt.find(f"of the {scope}") for scope in ("agent", "flow", "step")]
    assert places == sorted(places)
    assert -1 not in places
    assert not any(other in prompt for other in ("never of", "of the idle speaker"))


def test_the_idle_speaker_has_its_own_prompt_and_rules():
    idle = Idle("Seja breve.", instructions=tuple(rules("of the idle speaker")))
    chat = Chat(idle=idle, instructions=rules("of the agent"))
    chat.hear(speak=said())
    prompt = chat.calls[0].prompt
    assert all(text in prompt for text in ("Seja breve.", "of the agent", "of the idle speaker"))


USER, ASSISTANT = {"role": "user", "content": "oi"}, {"role": "assistant", "content": "Olá"}


def retried(history: list[dict[str, str]]) -> str:
    """The prompt of a failed answer that is tried again."""
    chat = Chat(ASKER, fields=FIELDS)
    (wake,) = chat.hear(speak=ProviderError("scripted", "rate")).schedule
    chat.take(wake=wake.key, speak=said(), history=history)
    return chat.calls[0].prompt


def started(history: list[dict[str, str]]) -> str:
    """The prompt of a run that the host starts."""
    chat = Chat(flow(Talk("s", collect=["nome"]), on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said(), history=history)
    return chat.calls[0].prompt


def test_a_retry_says_that_the_customer_still_waits_where_the_history_ends_with_the_customer():
    assert retried([]) == retried([USER, ASSISTANT]) == started([USER])
    assert retried([ASSISTANT, USER]) != retried([])


def test_an_answer_quotes_the_message_and_a_start_has_none():
    chat = Chat(ASKER, fields=FIELDS)
    chat.hear("quanto custa?", speak=said())
    assert "quanto custa?" in chat.calls[0].prompt
    assert chat.calls[0].prompt != started([])


def test_only_the_fields_that_were_asked_for_are_read_from_the_reply():
    fields = {"nome": Field("string"), "porte": Field("string")}
    chat = Chat(ASKER, fields=fields)
    result = chat.hear(speak=said(nome="Ana", porte="G", inventado=1))
    assert (chat.data, codes(result)) == ({"nome": "Ana"}, [None])
