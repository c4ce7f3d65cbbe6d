"""The model of a scenario with a tape: its calls are played from it, or made and recorded."""

import os
import shlex
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from falai.clock import Clock
from falai.providers.base import Chunk, ModelCall, ModelReply, Provider
from falai.providers.litellm import LiteLLMProvider
from simulator.behind import Behind, Expense, Remark
from simulator.cassette.calls import OpenCall, making
from simulator.cassette.deck import inserted
from simulator.cassette.recorder import Recorder
from simulator.cassette.recording import Recording, load_tape
from simulator.cassette.scrub import Scrubber
from simulator.cassette.where import provider_spot, tape_path
from simulator.options import PlayOptions
from simulator.scenario import Scenario

_NO_RETRIES = ("cassette", "retries", "num_retries", "max_retries")
"""Keys of `provider` that the client does not get: a scenario tries nothing again."""
_READABLE = {"Accept-Encoding": "identity"}
"""Asks for answers that need not be unpacked before they are written down."""


@contextmanager
def taped_model(scenario: Scenario, options: PlayOptions, clock: Clock) -> Generator[Behind]:
    """Open the tape of a scenario, for one play; raises ScenarioFileError."""
    path = tape_path(scenario, options.cassettes)
    tape = load_tape(path, options.record)
    recorder = Recorder(
        tape,
        options.record,
        Scrubber(os.environ),
        file=str(path),
        again=_again(scenario, options, exists=tape is not None),
    )
    assert not isinstance(scenario.provider, str)
    try:
        client = client_of(scenario.provider, clock, recorder)
    except (ValueError, TypeError) as error:
        raise provider_spot(scenario).error(str(error)) from None
    model = TapedProvider(client, recorder)
    with inserted(recorder):
        yield _Taped(client, model, Recording(scenario, path, options, recorder))


def client_of(provider: Mapping[str, Any], clock: Clock, recorder: Recorder) -> LiteLLMProvider:
    """The client of a model; one that only plays needs no key, and waits for nothing.

    Raises ValueError or TypeError for settings that make no client.
    """
    settings: dict[str, Any] = {
        key: value for key, value in provider.items() if key not in _NO_RETRIES
    }
    if recorder.records:
        settings["extra_headers"] = _READABLE | dict(settings.get("extra_headers") or {})
    else:
        settings.pop("timeout", None)
        settings["api_key"] = "played-from-a-tape"
    return LiteLLMProvider(**settings, retries=0, clock=clock)


def _again(scenario: Scenario, options: PlayOptions, *, exists: bool) -> str:
    """The command that records a scenario's tape."""
    words = ["falai", "record", *(["--update"] if exists else [])]
    if options.cassettes is not None:
        words += ["--cassettes", str(options.cassettes)]
    return shlex.join([*words, str(scenario.spot.source.path)])


class TapedProvider:
    """A provider whose calls go through a recorder; a miss is raised as what it is."""

    def __init__(self, model: Provider, recorder: Recorder) -> None:
        self.name = model.name
        self._model = model
        self._recorder = recorder
        self._made: dict[int, tuple[ModelCall, OpenCall]] = {}

    async def generate(self, call: ModelCall) -> ModelReply:
        """Play or make the call; raises CassetteMissError when it can be neither."""
        with self._recorder.call(call.purpose) as made:
            self._made[id(call)] = (call, made)
            try:
                reply = await self._model.generate(call)
            except Exception as error:
                made.error = error
                if made.miss is not None:
                    raise made.miss from None  # a client may have made anything of it
                raise
            made.usage = reply.usage
            return reply

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """The same, piece by piece."""
        made = self._recorder.begin(call.purpose)
        self._made[id(call)] = (call, made)
        pieces = self._model.stream(call)
        try:
            while (piece := await _next(pieces, made)) is not None:
                made.usage = piece.reply.usage if piece.reply else None
                yield piece
        except Exception as error:
            made.error = error
            if made.miss is not None:
                raise made.miss from None
            raise
        finally:
            self._recorder.finish()
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    def made(self, call: ModelCall) -> OpenCall | None:
        """What became of a call; None when another provider answered it."""
        found = self._made.get(id(call))
        return found[1] if found else None


async def _next(pieces: AsyncIterator[Chunk], made: OpenCall) -> Chunk | None:
    """The next piece of a stream; the code that waits for it works for the call."""
    with making(made):
        return await anext(pieces, None)


class _Taped(Behind):
    """The taped model of one play, and the recording that comes of it."""

    def __init__(self, client: LiteLLMProvider, model: TapedProvider, recording: Recording) -> None:
        super().__init__(model)
        self._client = client
        self._model = model
        self._recording = recording

    def expense_of(self, call: ModelCall) -> Expense | None:
        made = self._model.made(call)
        if made is None or not made.answers:
            return None
        cost = self._client.cost_of(made.usage) if made.usage is not None else None
        return Expense(made.duration_ms, made.recorded, cost, made.answers - 1)

    def finish(self, *, passed: bool) -> list[Remark]:
        return self._recording.finish(passed=passed)
