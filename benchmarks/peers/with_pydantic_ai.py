"""pydantic-ai: one agent reads, one speaks, both on FunctionModel; the messages are kept as JSON."""

# pyright: reportMissingImports=false

import asyncio
from dataclasses import dataclass, field

from pydantic import BaseModel
from pydantic_ai import Agent, ModelMessagesTypeAdapter
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.peers import talk

turn = 0
"""Which message is being answered."""

# pyright: reportMissingImports=false


class Lead(BaseModel):
    """What a message may give."""

    name: str | None = None
    company: str | None = None
    size: str | None = None
    budget: str | None = None


@dataclass
class Kept:
    """What is stored of a conversation: JSON, as falai's stores keep it."""

    messages: bytes = b"[]"
    data: dict[str, str] = field(default_factory=dict)


def _read(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    return ModelResponse([ToolCallPart(info.output_tools[0].name, dict(talk.given_by(turn)))])


def _speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    return ModelResponse([TextPart(talk.reply(turn))])


reader = Agent(FunctionModel(_read), output_type=Lead, instructions="Read the message.")
speaker = Agent(FunctionModel(_speak), instructions="Ask for what is missing.")


async def _turn(kept: Kept, number: int) -> None:
    global turn
    turn = number
    history = ModelMessagesTypeAdapter.validate_json(kept.messages)
    text = talk.message(turn)
    read = await reader.run(text, message_history=history)
    kept.data |= read.output.model_dump(exclude_none=True)
    said = await speaker.run(text, message_history=history)
    assert said.output == talk.reply(turn)
    if all(name in kept.data for name in talk.FIELDS):
        kept.data.clear()
    kept.messages = said.all_messages_json()


async def _many(conversations: int, turns: int) -> None:
    store: dict[str, Kept] = {}
    for conversation in range(conversations):
        kept = store.setdefault(f"s{conversation}", Kept())
        for number in range(turns):
            await _turn(kept, number)


def in_memory(conversations: int, turns: int) -> None:
    """So many conversations of so many turns."""
    asyncio.run(_many(conversations, turns))
