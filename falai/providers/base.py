"""The seam between a turn and a model: one call, one reply."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from falai.words.turn import HistoryItem, Usage

Purpose: TypeAlias = Literal["understand", "speak", "summary"]


class ToolOffer(msgspec.Struct, frozen=True):
    """A tool as the model is told of it."""

    id: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON Schema object."""


class ToolCall(msgspec.Struct, frozen=True):
    """One call that the model asks for."""

    tool: str
    arguments: Mapping[str, Any] | str | None = None
    """A mapping, or JSON text as some models send it, perhaps cut off."""


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a model is asked in one call."""

    purpose: Purpose
    """Travels as the name of the response schema."""
    system: str | None
    """What repeats every turn, so that a provider can cache it."""
    history: Sequence[HistoryItem]
    prompt: str
    """This turn's own text, sent last, as a user message."""
    schema: Mapping[str, Any] | None
    """JSON Schema of the reply; None asks for free text."""
    tools: Sequence[ToolOffer] = ()
    context: Any = None
    """The host's, for providers that route on it."""
    brief: object = None
    """What the prompt was written from, a `falai.text.brief.Brief`: for a stand-in that reads no
    prose. It never leaves the process."""


class ModelReply(msgspec.Struct, frozen=True, kw_only=True):
    """What came back."""

    message: str = ""
    """The text as the model wrote it; JSON, where a schema was asked for."""
    structured: Mapping[str, Any] | None = None
    """The parsed envelope, when the provider already has it."""
    tool_calls: Sequence[ToolCall] = ()
    usage: Usage | None = None
    reasoning: Any = None
    """Opaque; replayed with the tool round that it belongs to."""


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a streamed reply; the last one carries the whole of it."""

    text: str = ""
    reply: ModelReply | None = None


class Provider(Protocol):
    """A model behind a name.

    `generate` raises ProviderError once its own retries are spent.
    """

    @property
    def name(self) -> str: ...

    async def generate(self, call: ModelCall) -> ModelReply: ...

    def stream(self, call: ModelCall) -> AsyncIterator[Chunk]: ...
