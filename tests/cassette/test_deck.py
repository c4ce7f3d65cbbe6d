"""The recorder under real HTTP clients: they are answered from a tape, or reach the server."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import aiohttp
import httpx
import pytest

from simulator.cassette.deck import inserted
from simulator.cassette.miss import CassetteMissError
from simulator.cassette.recorder import Recorder
from simulator.cassette.tape import Tape
from tests.cassette.kit import body_of, no_network, post, recorder, tape_of
from tests.modelserver.answers import Request, Response, events, json_body
from tests.modelserver.server import ModelServer

Ask = Callable[[Recorder, str, Any], tuple[int, str]]


def by_httpx(used: Recorder, url: str, body: Any) -> tuple[int, str]:
    answer = post(used, url, body)
    return answer.status_code, answer.text


def by_async_httpx(used: Recorder, url: str, body: Any) -> tuple[int, str]:
    async def ask() -> tuple[int, str]:
        with inserted(used), used.call("speak"):
            async with httpx.AsyncClient() as client:
                answer = await client.post(url, json=body)
        return answer.status_code, answer.text

    return asyncio.run(ask())


def by_aiohttp(used: Recorder, url: str, body: Any) -> tuple[int, str]:
    async def ask() -> tuple[int, str]:
        with inserted(used), used.call("speak"):
            data, headers = json.dumps(body), {"Content-Type": "application/json"}
            async with (
                aiohttp.ClientSession() as client,
                client.post(url, data=data, headers=headers) as answer,
            ):
                return answer.status, await answer.text()

    return asyncio.run(ask())


each_client = pytest.mark.parametrize("ask", [by_httpx, by_async_httpx, by_aiohttp])


def echo(request: Request) -> Response:
    return json_body({"you said": request.body}, 429, Retry_After="3")


def stream(request: Request) -> Response:
    return events({"delta": "Oi"}, {"delta": "!"}, "[DONE]")


def record(ask: Ask, *bodies: Any, answer: Any = echo) -> Tape:
    used = recorder(mode="once")
    with ModelServer() as server:
        server.answer_by(answer)
        for body in bodies:
            ask(used, f"{server.url}/chat", body)
    return tape_of(*used.taken)


@each_client
@pytest.mark.parametrize("answer", [echo, stream])
def test_what_was_recorded_is_played_without_a_server(ask: Ask, answer: Any):
    tape = record(ask, body_of("a"), body_of("b"), answer=answer)
    with no_network() as tried:
        used = recorder(tape)
        played = [ask(used, "http://127.0.0.1:1/v1/chat", body_of(text)) for text in "ab"]
    assert tried == []
    assert used.leftovers == []
    if answer is echo:
        assert [status for status, _ in played] == [429, 429]
        assert [json.loads(text) for _, text in played] == [{"you said": body_of(t)} for t in "ab"]
    else:
        one = 'data: {"delta":"Oi"}\n\ndata: {"delta":"!"}\n\ndata: [DONE]\n\n'
        assert played == [(200, one)] * 2


@each_client
def test_a_tape_of_one_client_is_the_tape_of_all(ask: Ask):
    assert plain(record(ask, body_of("a"))) == plain(record(by_httpx, body_of("a")))


def plain(tape: Tape) -> list[Any]:
    """The calls without what depends on the machine."""
    return [
        (call.turn, call.purpose, call.request.headers, call.request.body, call.response)
        for call in tape.calls
    ]


@each_client
def test_a_miss_comes_out_of_the_client_and_nothing_is_sent(ask: Ask):
    used = recorder(record(ask, body_of("a")))
    with no_network() as tried, pytest.raises(CassetteMissError, match="no answer to this request"):
        ask(used, "http://127.0.0.1:1/v1/chat", body_of("b"))
    assert tried == []


def test_headers_that_a_client_decides_by_are_played():
    tape = record(by_httpx, body_of("a"))
    answer = post(recorder(tape), "http://127.0.0.1:1/v1/chat", body_of("a"))
    assert answer.headers["retry-after"] == "3"


def test_what_is_sent_outside_of_a_call_passes_by():
    used = recorder(tape_of())
    with ModelServer() as server, inserted(used), httpx.Client() as client:
        server.answer(echo)
        assert client.post(f"{server.url}/other", json={}).status_code == 429
        assert len(server.requests) == 1
    assert used.taken == []


def test_clients_are_as_they_were_when_the_tape_is_out():
    before = (httpx.HTTPTransport.handle_request, aiohttp.ClientSession._request)
    with inserted(recorder()):
        assert httpx.HTTPTransport.handle_request is not before[0]
    assert (httpx.HTTPTransport.handle_request, aiohttp.ClientSession._request) == before


def test_a_redirect_is_followed_on_the_tape_too():
    def move(request: Request) -> Response:
        if request.path.endswith("/new"):
            return json_body({"here": True})
        return Response(status=303, headers={"Location": "/v1/new"}, parts=[b"gone"])

    tape = record(by_aiohttp, {}, answer=move)
    assert [call.request.method for call in tape.calls] == ["POST", "GET"]
    assert by_aiohttp(recorder(tape), "http://127.0.0.1:1/v1/chat", {}) == (200, '{"here":true}')


# --- one at a time ------------------------------------------------------------------------------


def test_a_second_tape_in_the_same_process_is_refused():
    with (
        inserted(recorder()),
        pytest.raises(RuntimeError, match="Another cassette is in use"),
        inserted(recorder()),
    ):
        pass


def test_after_a_failure_there_is_room_for_the_next():
    for _ in range(2):
        with pytest.raises(KeyError), inserted(recorder()):
            raise KeyError


# --- several calls at once ----------------------------------------------------------------------


async def ask_all(used: Recorder, url: str, prompts: list[str]) -> list[str]:
    async def ask(client: httpx.AsyncClient, prompt: str) -> str:
        with used.call("speak"):
            answer = await client.post(url, json=body_of(prompt))
        return answer.json()["said"]

    with inserted(used):
        async with httpx.AsyncClient() as client:
            return await asyncio.gather(*(ask(client, prompt) for prompt in prompts))


def test_equal_calls_on_their_way_together_get_what_each_got_live():
    prompts = ["same", "a", "same", "b", "same", "same"] * 4
    count = iter(range(100))
    live = recorder(mode="once")
    with ModelServer() as server:
        server.answer_by(lambda _: json_body({"said": f"answer {next(count)}"}))
        said = asyncio.run(ask_all(live, f"{server.url}/chat", prompts))
    assert [call.request.body.value["messages"][0]["content"] for call in live.taken] == prompts
    for _ in range(3):
        used = recorder(tape_of(*live.taken))
        assert asyncio.run(ask_all(used, "http://127.0.0.1:1/v1/chat", prompts)) == said
        assert used.leftovers == []
