"""The scripted provider: a model whose replies are given beforehand."""

from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from falai.errors import ProviderError, ScriptError
from falai.providers.base import Chunk, ModelCall, ModelReply, Purpose

ScriptedReply: TypeAlias = ModelReply | ProviderError | str | Mapping[str, Any]
"""What a call gets: a reply, its text, or its envelope; an error is raised."""

PURPOSES: tuple[Purpose, ...] = ("understand", "speak", "summary")


class UnscriptedCallError(ScriptError):
    """The script has no reply left for a call."""

    def __init__(self, call: ModelCall) -> None:
        self.purpose: Purpose = call.purpose
        super().__init__(f"unscripted {call.purpose} call")


class ScriptedProvider:
    """Answers each call with the next reply of its purpose.

    A call with no reply left raises UnscriptedCallError, which no phase of a turn takes for a
    failing provider; `leftovers` names the replies that nobody asked for.
    """

    name: str = "scripted"

    def __init__(
        self,
        *,
        understand: Iterable[ScriptedReply] = (),
        speak: Iterable[ScriptedReply] = (),
        summary: Iterable[ScriptedReply] = (),
    ) -> None:
        self.load({"understand": understand, "speak": speak, "summary": summary})

    def load(self, script: Mapping[Purpose, Iterable[ScriptedReply]]) -> None:
        """Put a new script in the place of what is left of the old one."""
        self._replies: dict[Purpose, deque[ScriptedReply]] = {
            purpose: deque(script.get(purpose, ())) for purpose in PURPOSES
        }

    @property
    def leftovers(self) -> Mapping[Purpose, int]:
        """How many replies of each purpose are unused; only those with any."""
        return {purpose: len(left) for purpose, left in self._replies.items() if left}

    async def generate(self, call: ModelCall) -> ModelReply:
        """Give the next reply of the call's purpose, or raise the failure scripted for it."""
        if not self._replies[call.purpose]:
            raise UnscriptedCallError(call)
        reply = self._replies[call.purpose].popleft()
        if isinstance(reply, ProviderError):
            raise reply
        return reply if isinstance(reply, ModelReply) else _made(reply)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """Give the next reply in one chunk."""
        reply = await self.generate(call)
        yield Chunk(text=reply.message, reply=reply)


def _made(reply: str | Mapping[str, Any]) -> ModelReply:
    """A reply of which only the text or the envelope was written down."""
    if isinstance(reply, str):
        return ModelReply(message=reply)
    return ModelReply(message=msgspec.json.encode(reply).decode(), structured=reply)
