"""Who answers the model calls of a conversation that goes on live."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

from falai.providers.base import Chunk, ModelCall, ModelReply, Provider
from simulator.agentfile import AgentSource
from simulator.cassette.miss import CassetteMissError


class StoppedError(BaseException):
    """Whoever was asked wants no more of the play; no phase of a turn takes it for a failure."""


class SettingsError(Exception):
    """A `provider` makes no client."""


def model_of(source: AgentSource, model: str | None = None, *, offline: bool = False) -> Provider:
    """The agent's own model, or the one that is named; a stand-in where there is none.

    Raises SettingsError for settings that make no client.
    """
    wanted = {"model": model} if model else source.provider
    if offline or wanted is None:
        from falai.providers.offline import OfflineProvider  # not needed where a model answers

        return OfflineProvider()
    from falai.providers.litellm import LiteLLMProvider  # not needed offline

    settings: dict[str, Any] = {key: it for key, it in wanted.items() if key != "cassette"}
    try:
        return LiteLLMProvider(**settings)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"provider: {error}") from None


Ask: TypeAlias = Callable[[ModelCall], Awaitable[ModelReply]]
"""Answers a call that nothing else could; whoever is asked may take their time, or raise
StoppedError."""


class AskingProvider:
    """Asks for the answer of every call that the tape before it does not hold."""

    def __init__(self, tape: Provider | None, ask: Ask) -> None:
        self.name = tape.name if tape is not None else "scripted"
        self._tape = tape
        self._ask = ask

    async def generate(self, call: ModelCall) -> ModelReply:
        """Play the call, or ask."""
        if self._tape is not None:
            try:
                return await self._tape.generate(call)
            except CassetteMissError:
                pass  # that is what there is somebody to ask for
        return await self._ask(call)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """The same in one piece."""
        reply = await self.generate(call)
        yield Chunk(text=reply.message, reply=reply)
