"""The fallback provider: who is asked, in which order, and which failure comes out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, get_args

import pytest

from falai import (
    Chunk,
    ErrorKind,
    FakeClock,
    FlowConfigurationError,
    ModelCall,
    ModelReply,
    ProviderError,
    ScriptedProvider,
    ScriptError,
)
from falai.providers.fallback import FallbackProvider
from tests.modelserver.answers import fails, said
from tests.modelserver.server import ModelServer
from tests.providers.kit import call, chunks_of, provider, speaker, wait_for

START = "2026-01-05T09:00:00.000Z"
KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
OURS_ALONE = {"aborted", "context", "content", "invalid"}
"""Kinds that another model would meet as well."""


class Model:
    """A model that answers with its name, or fails as it is told."""

    def __init__(self, name: str, *failures: BaseException | None) -> None:
        self.name = name
        self.failures = list(failures)
        self.asked = 0

    async def generate(self, call: ModelCall) -> ModelReply:
        self.asked += 1
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure
        return ModelReply(message=self.name)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        reply = await self.generate(call)
        yield Chunk(text=reply.message)
        yield Chunk(reply=reply)


def down(kind: ErrorKind = "overload", **said: Any) -> ProviderError:
    return ProviderError("down", kind, **said)


def ask(model: FallbackProvider, *, streamed: bool = False) -> str:
    if not streamed:
        return wait_for(model.generate(call())).message
    chunks = wait_for(chunks_of(model, call()))
    assert chunks[-1].reply is not None
    assert "".join(chunk.text for chunk in chunks) == chunks[-1].reply.message
    return chunks[-1].reply.message


def fallback(*models: Model, **options: Any) -> tuple[FallbackProvider, FakeClock]:
    clock = FakeClock(START)
    return FallbackProvider(models, clock=clock, **options), clock


BOTH_WAYS = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


# --- moving on --------------------------------------------------------------------------------


@BOTH_WAYS
def test_the_first_that_is_up_to_it_answers(streamed: bool):
    second = Model("b")
    model, _ = fallback(Model("a"), second)
    assert ask(model, streamed=streamed) == "a"
    assert second.asked == 0


@BOTH_WAYS
@pytest.mark.parametrize("kind", KINDS)
def test_it_moves_on_from_what_another_model_may_not_share(kind: ErrorKind, streamed: bool):
    failure, second = down(kind), Model("b")
    model, _ = fallback(Model("a", failure), second)
    if kind in OURS_ALONE:
        with pytest.raises(ProviderError) as caught:
            ask(model, streamed=streamed)
        assert caught.value is failure
        assert second.asked == 0
    else:
        assert ask(model, streamed=streamed) == "b"


@BOTH_WAYS
def test_what_is_no_provider_error_is_taken_for_one(streamed: bool):
    model, _ = fallback(Model("a", TimeoutError("slow")), Model("b"))
    assert ask(model, streamed=streamed) == "b"


@BOTH_WAYS
@pytest.mark.parametrize("error", [ScriptError("dry"), FlowConfigurationError("no model")])
def test_what_no_model_can_mend_comes_out(error: Exception, streamed: bool):
    model, _ = fallback(Model("a", error), Model("b"))
    with pytest.raises(type(error)) as caught:
        ask(model, streamed=streamed)
    assert caught.value is error


@BOTH_WAYS
def test_a_cancelled_call_is_cancelled(streamed: bool):
    second = Model("b")
    model, _ = fallback(Model("a", asyncio.CancelledError()), second)
    with pytest.raises(asyncio.CancelledError):
        ask(model, streamed=streamed)
    assert second.asked == 0


FAILED: dict[str, tuple[Sequence[ErrorKind], int]] = {
    "the-last": (["auth", "quota"], 1),
    "the-one-that-a-wait-mends": (["overload", "auth"], 0),
    "the-first-that-a-wait-mends": (["auth", "rate", "network"], 1),
    "also-when-the-last-ends-it": (["overload", "content"], 0),
}


@BOTH_WAYS
@pytest.mark.parametrize(("kinds", "place"), FAILED.values(), ids=FAILED.keys())
def test_when_all_fail_the_error_is(kinds: Sequence[ErrorKind], place: int, streamed: bool):
    failures = [down(kind) for kind in kinds]
    model, _ = fallback(*[Model(failure.kind, failure) for failure in failures])
    with pytest.raises(ProviderError) as caught:
        ask(model, streamed=streamed)
    assert caught.value is failures[place]
    assert caught.value.__context__ is None


# --- resting ----------------------------------------------------------------------------------


@BOTH_WAYS
def test_one_that_failed_rests_for_a_minute(streamed: bool):
    first = Model("a", down())
    model, clock = fallback(first, Model("b"))
    assert ask(model, streamed=streamed) == "b"
    clock.advance(59_999)
    assert ask(model, streamed=streamed) == "b"
    assert first.asked == 1
    clock.advance(1)
    assert ask(model, streamed=streamed) == "a"


@pytest.mark.parametrize(
    ("said", "ms"),
    [
        ({}, 5_000),
        ({"retry_after_ms": 90_000}, 90_000),
        ({"retry_after_ms": 1_000}, 5_000),
        ({"reset_at_ms": 1_767_603_600_000 + 3_600_000}, 3_600_000),
    ],
)
def test_it_rests_for_as_long_as_it_said_when_that_is_longer(said: dict[str, Any], ms: int):
    model, clock = fallback(Model("a", down("rate", **said)), Model("b"), rest_ms=5_000)
    assert ask(model) == "b"
    clock.advance(ms - 1)
    assert ask(model) == "b"
    clock.advance(1)
    assert ask(model) == "a"


def test_when_all_rest_the_one_that_rests_least_is_asked_first():
    models = [
        Model("a", down("rate", retry_after_ms=300_000)),
        Model("b", down("rate", retry_after_ms=120_000)),
        Model("c", down("rate", retry_after_ms=240_000)),
    ]
    model, _ = fallback(*models)
    with pytest.raises(ProviderError):
        ask(model)
    assert ask(model) == "b"
    assert [one.asked for one in models] == [1, 2, 1]


def test_one_that_rests_is_better_than_no_answer():
    model, _ = fallback(Model("a", down()), Model("b", None, down()))
    assert ask(model) == "b"
    assert ask(model) == "a"


@BOTH_WAYS
def test_one_that_answered_while_it_rested_is_awake(streamed: bool):
    first = Model("a", down("rate", retry_after_ms=300_000))
    model, _ = fallback(first, Model("b", None, down()))
    # `b` rests for less than `a` would have.
    assert [ask(model, streamed=streamed) for _ in range(3)] == ["b", "a", "a"]


def test_a_call_that_no_model_takes_sends_nobody_to_rest():
    first = Model("a", down("context"))
    model, _ = fallback(first, Model("b"))
    with pytest.raises(ProviderError):
        ask(model)
    assert ask(model) == "a"


def test_without_a_rest_every_call_begins_with_the_first():
    model, _ = fallback(Model("a", down()), Model("b"), rest_ms=0)
    assert [ask(model), ask(model)] == ["b", "a"]


# --- streaming --------------------------------------------------------------------------------


class Breaking(Model):
    """A model whose stream breaks off after some words."""

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        yield Chunk(text="Bom ")
        raise down("network")


def test_a_reply_that_has_begun_is_not_begun_anew_by_another():
    second = Model("b")
    model, _ = fallback(Breaking("a"), second)
    heard: list[str] = []

    async def listen() -> None:
        async for chunk in model.stream(call()):
            heard.append(chunk.text)  # noqa: PERF401 - what was heard before it raises

    with pytest.raises(ProviderError) as caught:
        wait_for(listen())
    assert (caught.value.kind, heard, second.asked) == ("network", ["Bom "], 0)
    assert ask(model) == "b"


def test_a_reply_that_broke_off_is_the_failure_whoever_failed_before():
    model, _ = fallback(Model("a", down("overload")), Breaking("b"))
    with pytest.raises(ProviderError) as caught:
        ask(model, streamed=True)
    assert caught.value.kind == "network"


# --- construction, and in a turn ----------------------------------------------------------------


def test_it_needs_a_provider():
    with pytest.raises(ValueError, match=r"^FallbackProvider has no providers\. Pass at least one"):
        FallbackProvider([])


def test_a_rest_is_no_less_than_none():
    with pytest.raises(ValueError, match=r"^rest_ms is -1: "):
        FallbackProvider([ScriptedProvider()], rest_ms=-1)


def test_it_is_called_by_the_names_of_all():
    assert FallbackProvider([Model("a"), Model("b")]).name == "a, b"


def test_a_turn_is_answered_by_the_spare_model(server: ModelServer):
    server.answer(fails(401), said("Olá!"))
    model = FallbackProvider([provider(server, "openai/main"), provider(server, "openai/spare")])
    result = speaker(model).turn_sync(session_id="s1", message="oi", id="m1")
    assert [message.text for message in result.messages] == ["Olá!"]
    assert [request.body["model"] for request in server.requests] == ["main", "spare"]
    assert result.llm_calls == 1
