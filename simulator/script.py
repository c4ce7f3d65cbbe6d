"""The scripted model of a turn: replies as a scenario writes them, made into what a provider gives."""

import msgspec

from falai.providers.base import ModelCall, ModelReply, Provider, Purpose
from falai.providers.scripted import PURPOSES, ScriptedProvider, ScriptedReply
from simulator.scenario import ModelScript, Reply

NEUTRAL: dict[Purpose, ModelReply] = {
    "understand": ModelReply(message="{}", structured={}),
    "speak": ModelReply(message="…"),
    "summary": ModelReply(message="…"),
}
"""What an attempt that is lost anyway gets where its script says nothing."""


class ScriptedModel(ScriptedProvider):
    """A scripted provider that takes its replies from a scenario's entry.

    With a model `behind` it, that one answers the calls for which the entry has no reply.
    """

    def __init__(self, behind: Provider | None = None) -> None:
        super().__init__()
        self._behind = behind
        self._lenient = False
        self._handed_on: list[ModelCall] = []
        if behind is not None:
            self.name = behind.name

    def play(self, script: ModelScript, *, lenient: bool = False) -> None:
        """Take the replies of one turn; with `lenient`, calls without one get a neutral reply."""
        self._lenient = lenient
        self._handed_on.clear()
        self.load({purpose: map(self._made, script.of(purpose)) for purpose in PURPOSES})

    def model_of(self, call: ModelCall) -> str | None:
        """The model that a call of this turn was handed on to; None for one that the script answered."""
        handed_on = any(made is call for made in self._handed_on)
        return self.name if handed_on else None

    async def generate(self, call: ModelCall) -> ModelReply:
        """Give the next reply; see ScriptedProvider."""
        # Asked beforehand: an error of the model behind would have "unscripted" as its context.
        if call.purpose not in self.leftovers:
            if self._behind is not None:
                self._handed_on.append(call)
                return await self._behind.generate(call)
            if self._lenient:
                return NEUTRAL[call.purpose]
        return await super().generate(call)

    def _made(self, reply: Reply) -> ScriptedReply:
        if reply.fail is not None:
            return reply.fail.to_error(self.name)
        if reply.raw is not None:
            return ModelReply(message=reply.raw, usage=reply.usage)
        if reply.envelope is None:
            return ModelReply(usage=reply.usage)
        return ModelReply(
            message=_text(reply),
            structured=reply.envelope or None,
            tool_calls=reply.tool_calls,
            usage=reply.usage,
        )


def _text(reply: Reply) -> str:
    """The envelope as a model would have written it; tool calls may come with no text at all."""
    if reply.tool_calls and not reply.envelope:
        return ""
    return msgspec.json.encode(reply.envelope).decode()
