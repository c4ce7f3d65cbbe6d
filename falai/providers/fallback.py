"""The fallback provider: several models behind one name, each standing in for those before it."""

from collections.abc import AsyncIterator, Iterator, Sequence

from falai.clock import Clock, SystemClock, ms_of
from falai.errors import FlowConfigurationError, ProviderError, ScriptError
from falai.providers.base import Chunk, ModelCall, ModelReply, Provider


class FallbackProvider:
    """Asks the first of its providers that is up to it: `FallbackProvider([main, spare])`.

    It moves on to the next when a failure is one that another model may not share. The one that
    failed rests for `rest_ms`, or for as long as it said, and is asked only after those that are
    awake; when all rest, the one that rests least comes first. Once a streamed reply has begun
    there is no moving on. Raises ValueError without providers.
    """

    def __init__(
        self, providers: Sequence[Provider], *, rest_ms: int = 60_000, clock: Clock | None = None
    ) -> None:
        if not providers:
            raise ValueError(
                "FallbackProvider has no providers. Pass at least one: FallbackProvider([main])."
            )
        if rest_ms < 0:
            raise ValueError(f"rest_ms is {rest_ms}: give milliseconds, 0 for no rest.")
        self.name = ", ".join(provider.name for provider in providers)
        self._providers = tuple(providers)
        self._rest_ms = rest_ms
        self._clock = clock or SystemClock()
        self._until = dict.fromkeys(range(len(providers)), 0)
        """By place: when the rest ends, in epoch ms."""

    async def generate(self, call: ModelCall) -> ModelReply:
        """Ask one after another; raises the ProviderError that a wait may mend, else the last."""
        failures: list[ProviderError] = []
        for place in self._order():
            provider = self._providers[place]
            try:
                reply = await provider.generate(call)
            except (ScriptError, FlowConfigurationError):
                raise
            except Exception as exc:  # noqa: BLE001 - wrap names it
                failure = ProviderError.wrap(provider.name, exc)
            else:
                self._until[place] = 0
                return reply
            failures.append(failure)
            if not self._moves_on(place, failure):
                break
        raise _to_raise(failures)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """The same, as it comes; a reply that breaks off after its first words has failed."""
        failures: list[ProviderError] = []
        for place in self._order():
            provider, begun = self._providers[place], False
            try:
                async for chunk in provider.stream(call):
                    begun = True
                    yield chunk
            except (ScriptError, FlowConfigurationError):
                raise
            except Exception as exc:  # noqa: BLE001 - wrap names it
                failure = ProviderError.wrap(provider.name, exc)
            else:
                self._until[place] = 0
                return
            failures.append(failure)
            moves_on = self._moves_on(place, failure)
            if begun:
                raise failure
            if not moves_on:
                break
        raise _to_raise(failures)

    def _order(self) -> Iterator[int]:
        now_ms = self._now_ms()
        rests = {place: until for place, until in self._until.items() if until > now_ms}
        # Sorting keeps the order of those that are awake.
        return iter(sorted(self._until, key=lambda place: rests.get(place, 0)))

    def _moves_on(self, place: int, failure: ProviderError) -> bool:
        """Send a provider to rest when another one may do better; tell whether it may."""
        if failure.is_backup_eligible:
            now_ms = self._now_ms()
            rest_ms = max(self._rest_ms, failure.retry_after_ms or 0)
            self._until[place] = max(now_ms + rest_ms, failure.reset_at_ms or 0)
        return failure.is_backup_eligible

    def _now_ms(self) -> int:
        return ms_of(self._clock.now())


def _to_raise(failures: Sequence[ProviderError]) -> ProviderError:
    """The first failure that a short wait may mend: the call is worth another try; else the last."""
    return next((failure for failure in failures if failure.is_transient), failures[-1])
