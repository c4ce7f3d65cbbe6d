"""The provider for real models: whatever model litellm knows, through one completion call."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import cache, cached_property
from typing import Any

from falai.clock import Clock, SystemClock
from falai.errors import ProviderError, ScriptError
from falai.providers.base import Chunk, ModelCall, ModelReply
from falai.providers.chat import Format, chat_request, tool_names
from falai.providers.completion import Pieces, read_completion
from falai.providers.failures import read_failure
from falai.providers.loops import close_with_loop
from falai.providers.retry import pause_before
from falai.providers.secrets import environment_secrets, named_secrets
from falai.words.turn import Usage

_ENVIRONMENT = {
    "LITELLM_OFFLINE_MODE": "true",  # fetch no price list, no tokenizer
    "LITELLM_MODE": "PRODUCTION",  # load no .env file
    "LITELLM_RUST": "false",  # one HTTP stack, which recorders see
}
"""What litellm reads while it is imported; what is set already stays."""

_BOTH = frozenset({"openai", "azure"})
"""Where a schema can be enforced while tools are on offer; elsewhere it would rule them out."""


class LiteLLMProvider:
    """Any model that litellm has a name for: `LiteLLMProvider("openai/gpt-4.1-mini")`.

    `options` go to litellm as they are: `api_key`, `api_base`, `temperature`, `max_tokens` and
    so on; without a key it looks in the environment. `timeout` is how many seconds the model may
    stay silent, not how long it may take. A failure that a short wait may mend is tried again
    `retries` times. `json_schema` says whether the model enforces a schema; litellm knows, unless
    the model goes by a name of your own. litellm is loaded by the first call, not before.

    Raises ValueError for a model that is missing and for numbers out of range; calls raise
    ProviderError.
    """

    def __init__(  # noqa: PLR0913 - what is not an option of litellm's
        self,
        model: str = "",
        *,
        name: str | None = None,
        timeout: float = 60,
        retries: int = 3,
        json_schema: bool | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Clock | None = None,
        **options: Any,
    ) -> None:
        if not model or not model.strip():
            raise ValueError('Model is required. Example: LiteLLMProvider("openai/gpt-4.1-mini").')
        if timeout <= 0:
            raise ValueError(f"timeout is {timeout}: give it in seconds, more than 0.")
        if retries < 0:
            raise ValueError(f"retries is {retries}: give a whole number, 0 for none.")
        self.model = model
        self.name = name or model
        self._timeout = timeout
        self._retries = retries
        self._json_schema = json_schema
        self._sleep = sleep
        self._clock = clock or SystemClock()
        self._options = options

    async def generate(self, call: ModelCall) -> ModelReply:
        """Ask the model; raises ProviderError once the retries are spent."""
        before = sys.exception()
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._ask(call)
            except Exception as exc:  # noqa: BLE001 - read_failure knows what it means
                failure = self._read(exc, before)
            # Out here, so that the next failure is not taken to follow from this one.
            await self._wait(failure, attempt)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """Ask the model and yield its text as it comes, then the whole reply.

        Nothing is tried again once some text is out.
        """
        before = sys.exception()
        attempt, begun = 0, False
        while True:
            attempt += 1
            try:
                async with aclosing(self._listen(call)) as chunks:
                    async for chunk in chunks:
                        begun = True
                        yield chunk
                return
            except Exception as exc:  # noqa: BLE001 - read_failure knows what it means
                failure = self._read(exc, before)
            if begun:
                raise failure
            await self._wait(failure, attempt)

    def cost_of(self, usage: Usage) -> float | None:
        """What a call cost in US dollars, by litellm's price list; None for a model not on it."""
        try:
            parts = _library().cost_per_token(
                model=self.model,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cache_read_input_tokens=usage.cached_input_tokens,
            )
        except Exception:  # noqa: BLE001 - litellm raises whatever it likes for a name it lacks
            return None
        return round(sum(parts), 10)

    async def _ask(self, call: ModelCall) -> ModelReply:
        answer = await self._complete(call)
        return read_completion(self.name, _plain(answer), tool_names(call))

    async def _listen(self, call: ModelCall) -> AsyncGenerator[Chunk]:
        pieces = Pieces()
        stream = await self._complete(call, stream=True, stream_options={"include_usage": True})
        async with aclosing(stream):
            async for piece in stream:
                text = pieces.take(_plain(piece))
                if text:
                    yield Chunk(text=text)
        if not _was_counted(stream):
            pieces.usage = None
        yield Chunk(reply=pieces.reply(self.name, tool_names(call)))

    async def _complete(self, call: ModelCall, **streaming: Any) -> Any:
        """Send a request. It is made anew for every attempt, for litellm writes in it."""
        litellm = _library()
        await close_with_loop(litellm)
        fixed = {"model": self.model, "timeout": self._timeout, "max_retries": 0}
        asked = chat_request(call, self._form(call))
        return await litellm.acompletion(**(self._options | asked | streaming | fixed))

    def _form(self, call: ModelCall) -> Format:
        """How the reply is held to its schema."""
        form, maker = self._abilities
        together = form == "schema" and maker in _BOTH
        return form if together or not call.tools else "prompt"

    @cached_property
    def _abilities(self) -> tuple[Format, str]:
        """What the model does with a schema at best, and whose API it is."""
        litellm = _library()
        model = (self.model, self._options.get("custom_llm_provider"))
        if "response_format" not in (litellm.get_supported_openai_params(*model) or ()):
            return "prompt", ""
        enforces = self._json_schema
        if enforces is None:
            enforces = litellm.supports_response_schema(*model)
        return "schema" if enforces else "json", litellm.get_llm_provider(*model)[1]

    def _read(self, raised: Exception, before: BaseException | None) -> ProviderError | ScriptError:
        secrets = (*named_secrets(self._options), *environment_secrets())
        return read_failure(self.name, raised, clock=self._clock, before=before, secrets=secrets)

    async def _wait(self, failure: ProviderError | ScriptError, attempt: int) -> None:
        """Let the time before the next attempt pass; raises the failure when there is none."""
        pause = pause_before(attempt, failure) if attempt <= self._retries else None
        if pause is None:
            raise failure
        await self._sleep(pause)


# --- the untyped edge -------------------------------------------------------------------------


@cache
def _library() -> Any:
    """Load litellm, and keep it off the network, the console and the log."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    import litellm

    litellm.suppress_debug_info = True
    log = logging.getLogger("LiteLLM")
    if log.level == logging.NOTSET and "LITELLM_LOG" not in os.environ:
        log.setLevel(logging.CRITICAL)  # it tells of failures that are raised anyway
    return litellm


def _plain(answer: Any) -> Mapping[str, Any]:
    """One of litellm's models as plain data."""
    return answer.model_dump(exclude_none=True, warnings=False)


def _was_counted(stream: Any) -> bool:
    """Whether the server stated the usage of a stream; litellm makes one up where it did not."""
    return any(getattr(chunk, "usage", None) is not None for chunk in stream.chunks)
