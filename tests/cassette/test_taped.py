"""The provider with a tape: litellm's calls, whole and streamed, one by one and together."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from falai.clock import FakeClock
from falai.errors import ProviderError
from falai.providers.base import Chunk, ToolOffer
from falai.words.turn import Usage
from simulator.cassette.calls import playing
from simulator.cassette.deck import inserted
from simulator.cassette.miss import CassetteMissError
from simulator.cassette.recorder import Recorder
from simulator.cassette.tape import Tape
from simulator.cassette.taped import TapedProvider, client_of
from tests.cassette.kit import KEY, MODEL, model_call, model_server, no_network, recorder, tape_of
from tests.modelserver.answers import Answer, called, cut, fails, said
from tests.modelserver.server import ModelServer

SLOT = ToolOffer("agenda", "Free slots.", {"type": "object", "properties": {}})


def provider(used: Recorder) -> TapedProvider:
    given = {"model": MODEL}
    return TapedProvider(client_of(given, FakeClock("2026-01-05T09:00:00Z"), used), used)


@contextmanager
def recording(*answers: Answer) -> Iterator[tuple[Recorder, ModelServer]]:
    used = recorder(mode="once", environment={"OPENAI_API_KEY": KEY})
    with model_server(*answers) as server, inserted(used):
        yield used, server


def tape_from(used: Recorder) -> Tape:
    return tape_of(*used.taken)


@contextmanager
def playing_from(tape: Tape) -> Iterator[Recorder]:
    used = recorder(tape)
    with no_network() as tried, inserted(used):
        yield used
    assert tried == []


async def streamed(model: TapedProvider, prompt: str = "hi") -> list[Chunk]:
    return [chunk async for chunk in model.stream(model_call(prompt))]


def test_a_reply_is_played_as_it_was_recorded():
    with recording(said("Olá! 🙂")) as (used, server):
        live = asyncio.run(provider(used).generate(model_call()))
    assert server.last.headers["authorization"] == f"Bearer {KEY}"
    with playing_from(tape_from(used)) as again:
        assert asyncio.run(provider(again).generate(model_call())) == live
    assert (live.message, live.usage) == ("Olá! 🙂", Usage(100, 20))


def test_a_tool_round_is_played_as_it_was_recorded():
    call = model_call("book", tools=[SLOT])
    with recording(called("agenda", '{"day": "fri', 'day"}')) as (used, _):
        live = asyncio.run(provider(used).generate(call))
    with playing_from(tape_from(used)) as again:
        assert asyncio.run(provider(again).generate(call)) == live
    assert [(made.tool, made.arguments) for made in live.tool_calls] == [
        ("agenda", {"day": "friday"})
    ]


def test_a_stream_is_played_as_its_events():
    with recording(said("Ol", "á", "!")) as (used, server):
        live = asyncio.run(streamed(provider(used)))
    assert server.last.streams
    assert [chunk.text for chunk in live] == ["Ol", "á", "!", ""]
    [call] = used.taken
    deltas = [event["data"]["choices"][0]["delta"] for event in call.response.body.value[1:4]]
    assert deltas == [{"content": "Ol"}, {"content": "á"}, {"content": "!"}]
    with playing_from(tape_from(used)) as again:
        assert asyncio.run(streamed(provider(again))) == live


def test_a_stream_that_nobody_listens_to_the_end_is_on_the_tape():
    async def first(model: TapedProvider) -> str:
        async for chunk in model.stream(model_call()):
            return chunk.text
        return ""

    with recording(said("a", "b")) as (used, _):
        assert asyncio.run(first(provider(used))) == "a"
    with playing_from(tape_from(used)) as again:
        assert [chunk.text for chunk in asyncio.run(streamed(provider(again)))] == ["a", "b", ""]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (fails(429, "slow down", Retry_After="7"), "rate"),
        (fails(429, "no money", code="insufficient_quota"), "quota"),
        (fails(503, "overloaded"), "overload"),
        (fails(401, "bad key"), "auth"),
        (fails(400, "too long", code="context_length_exceeded"), "context"),
        (fails(400, "refused", code="content_policy_violation"), "content"),
    ],
)
@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_a_failure_is_played_like_an_answer(answer: Answer, kind: str, streams: bool):
    def failure(model: TapedProvider) -> list[Any]:
        with pytest.raises(ProviderError) as caught:
            asyncio.run(streamed(model) if streams else model.generate(model_call()))
        error = caught.value
        return [error.kind, error.status, error.code, error.retry_after_ms, error.reset_at_ms]

    with recording(answer) as (used, server):
        live = failure(provider(used))
    assert live[0] == kind
    assert len(server.requests) == 1
    with playing_from(tape_from(used)) as again:
        assert failure(provider(again)) == live


@pytest.mark.parametrize(
    "words",
    [
        "rate limit",
        "This model's maximum context length is 1",
        "A timeout occurred",
        "invalid_request_error model_not_found",
        "content_policy_violation",
    ],
)
@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_a_miss_is_a_miss_whatever_the_prompt_says(words: str, streams: bool):
    with playing_from(tape_of()) as used:
        model = provider(used)
        asked = streamed(model, words) if streams else model.generate(model_call(words))
        with pytest.raises(CassetteMissError):
            asyncio.run(asked)


@pytest.mark.parametrize(
    "model", ["anthropic/claude-x", "gemini/gemini-2.5-flash", "mistral/m", "openrouter/a/b"]
)
def test_a_miss_is_a_miss_with_any_provider_and_no_key(model: str, monkeypatch: Any):
    for name in ("ANTHROPIC", "GEMINI", "GOOGLE", "MISTRAL", "OPENROUTER"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    with playing_from(tape_of()) as used:
        given = client_of({"model": model}, FakeClock("2026-01-05T09:00:00Z"), used)
        with pytest.raises(CassetteMissError):
            asyncio.run(TapedProvider(given, used).generate(model_call()))


def test_a_call_without_an_answer_leaves_nothing():
    with recording(cut) as (used, _), pytest.raises(ProviderError) as caught:
        asyncio.run(provider(used).generate(model_call()))
    assert caught.value.kind == "network"
    assert used.taken == []
    assert [call.error for call in used.calls] == [caught.value]


def test_answers_are_asked_for_in_a_form_that_can_be_read():
    with recording(said("a")) as (used, server):
        asyncio.run(provider(used).generate(model_call()))
    assert server.last.headers["accept-encoding"] == "identity"


def test_calls_that_run_together_are_kept_in_the_order_in_which_they_began():
    async def all_of(model: TapedProvider) -> list[str]:
        calls = (model.generate(model_call(prompt)) for prompt in prompts)
        return [reply.message for reply in await asyncio.gather(*calls)]

    prompts = ["a", "same", "b", "same", "same", "c", "same"] * 3
    count = iter(range(100))
    with recording() as (used, server):
        server.answer_by(lambda request: said(f"{next(count)}")(request))
        live = asyncio.run(all_of(provider(used)))
    asked = [call.request.body.value["messages"][-1]["content"] for call in used.taken]
    assert asked == prompts
    for _ in range(3):
        with playing_from(tape_from(used)) as again:
            assert asyncio.run(all_of(provider(again))) == live


def test_a_call_knows_its_turn():
    with recording(said("a"), said("b")) as (used, _):
        model = provider(used)
        for entry, line, purpose in (("1", 5, "understand"), ("2.1", 9, "speak")):
            with playing(entry, line):
                asyncio.run(model.generate(model_call(purpose=purpose)))
    assert [(call.turn, call.purpose) for call in used.taken] == [
        ("1", "understand"),
        ("2.1", "speak"),
    ]
    assert [call.name for call in used.calls] == [
        "understand call of turn 1 (line 5)",
        "speak call of turn 2.1 (line 9)",
    ]
