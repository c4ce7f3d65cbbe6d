"""Attempts: how many, after which waits, and what ends them."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from falai import ModelReply, ProviderError, ScriptError
from falai.providers.litellm import LiteLLMProvider
from falai.providers.retry import pause_before
from tests.modelserver.answers import Answer, Request, Response, cut, fails, held, raw, said
from tests.modelserver.server import ModelServer
from tests.providers.kit import Pauses, call, failure_of, provider, wait_for


def try_it(server: ModelServer, *answers: Answer, **options: Any) -> tuple[int, list[float]]:
    """Let a call meet these answers; give the requests and the waits."""
    pauses = Pauses()
    server.answer(*answers)
    given: dict[str, Any] = {"retries": 3, "sleep": pauses}
    with suppress(ProviderError):
        wait_for(provider(server, **(given | options)).generate(call()))
    return len(server.requests), pauses.taken


def test_a_passing_failure_is_tried_three_more_times(server: ModelServer):
    assert try_it(server, *[fails(503)] * 4) == (4, [0.5, 1, 2])


def test_the_first_success_ends_the_attempts(server: ModelServer):
    assert try_it(server, cut, fails(429), said("Olá")) == (3, [0.5, 1])


def test_the_error_is_that_of_the_last_attempt(server: ModelServer):
    server.answer(fails(503), fails(429))
    error = failure_of(provider(server, retries=1, sleep=Pauses()).generate(call()))
    assert error.status == 429
    assert error.__context__ is None


@pytest.mark.parametrize("retries", [0, 1, 6])
def test_the_number_of_retries_is_the_authors(retries: int, server: ModelServer):
    requests, waits = try_it(server, *[fails(500)] * (retries + 1), retries=retries)
    assert requests == retries + 1
    assert waits == [0.5, 1, 2, 4, 8, 8][:retries]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 499])
def test_what_no_wait_mends_is_not_tried_again(status: int, server: ModelServer):
    assert try_it(server, fails(status)) == (1, [])


def test_neither_is_an_answer_that_makes_no_sense(server: ModelServer):
    assert try_it(server, raw(b"<html>")) == (1, [])


def test_a_silent_model_is_tried_again(server: ModelServer):
    answers = [held(said("x")), said("Olá")]
    assert try_it(server, *answers, timeout=0.3) == (2, [0.5])


def test_the_servers_own_wait_is_honoured(server: ModelServer):
    answers = [fails(429, Retry_After="7"), fails(503, retry_after_ms="250"), said("Olá")]
    assert try_it(server, *answers) == (3, [7, 0.25])


def test_a_wait_of_more_than_a_minute_is_left_to_the_host(server: ModelServer):
    server.answer(fails(429, Retry_After="61"))
    error = failure_of(provider(server, retries=3, sleep=Pauses()).generate(call()))
    assert error.retry_after_ms == 61_000


def test_a_server_that_says_whether_to_retry_is_believed(server: ModelServer):
    answers = [fails(409, x_should_retry="true"), fails(503, x_should_retry="false")]
    assert try_it(server, *answers) == (2, [0.5])


def test_litellm_itself_retries_nothing(server: ModelServer):
    assert try_it(server, fails(503), retries=0, max_retries=5) == (1, [])


def test_every_attempt_sends_the_same(server: ModelServer):
    try_it(server, fails(503), fails(503), said("Olá"), model="anthropic/claude-sonnet-4-5")
    bodies = [request.body for request in server.requests]
    assert bodies == [bodies[0]] * 3


# --- what ends a call at once -----------------------------------------------------------------


def test_a_cancelled_call_is_cancelled(server: ModelServer):
    pauses = Pauses()

    async def cancel() -> None:
        loop, arrived = asyncio.get_running_loop(), asyncio.Event()

        def never(request: Request) -> Response:
            loop.call_soon_threadsafe(arrived.set)
            return held(said("x"))(request)

        server.answer(never)
        task = asyncio.create_task(provider(server, retries=3, sleep=pauses).generate(call()))
        await arrived.wait()
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        wait_for(cancel())
    assert pauses.taken == []


class MissError(ScriptError):
    """What a recording raises that has no answer."""


async def no_answer(*_: Any, **__: Any) -> Any:
    raise MissError("not on the tape: rate limit, maximum context length")


@pytest.mark.parametrize("streamed", [False, True])
def test_a_script_error_below_the_client_comes_out_as_it_is(
    streamed: bool, monkeypatch: pytest.MonkeyPatch, server: ModelServer
):
    from aiohttp import ClientSession

    monkeypatch.setattr(ClientSession, "_request", no_answer)
    pauses = Pauses()
    model = provider(server, retries=3, sleep=pauses)

    async def ask() -> None:
        if not streamed:
            await model.generate(call())
        async for _ in model.stream(call()):
            raise AssertionError("nothing was recorded")

    with pytest.raises(MissError, match="not on the tape"):
        wait_for(ask())
    assert pauses.taken == []


def test_what_was_being_handled_before_a_call_is_none_of_its_failure(server: ModelServer):
    """A host may play a turn from within an `except`."""
    server.answer(fails(503), raw(b"<html>"))
    model = provider(server)

    async def from_within() -> list[ProviderError]:
        errors: list[ProviderError] = []
        for before in (MissError("earlier"), TimeoutError("earlier")):
            try:
                raise before
            except (MissError, TimeoutError):
                try:
                    await model.generate(call())
                except ProviderError as error:
                    errors.append(error)
        return errors

    assert [error.kind for error in wait_for(from_within())] == ["overload", "unknown"]


# --- the rule itself --------------------------------------------------------------------------


def test_a_wait_that_was_asked_for_replaces_the_doubling():
    assert pause_before(3, ProviderError("p", "rate", retry_after_ms=60_000)) == 60
    assert pause_before(1, ProviderError("p", "rate", retry_after_ms=0)) == 0


def test_only_provider_failures_are_waited_for():
    assert pause_before(1, ScriptError("no answer")) is None


def first_then(server: ModelServer, first: Answer, then: Answer) -> None:
    """Fail the first request, whoever sends it, and answer the others."""

    def answer(request: Request) -> Response:
        return (first if len(server.requests) == 1 else then)(request)

    server.answer_by(answer)


def test_one_calls_attempts_are_none_of_anothers(server: ModelServer):
    first_then(server, fails(503), said("Olá"))
    pauses = Pauses()
    model: LiteLLMProvider = provider(server, retries=1, sleep=pauses)

    async def both() -> list[ModelReply]:
        return list(await asyncio.gather(model.generate(call()), model.generate(call())))

    assert [reply.message for reply in wait_for(both())] == ["Olá", "Olá"]
    assert (len(server.requests), pauses.taken) == (3, [0.5])
