"""The model server itself, asked without any client library."""

import http.client
import json
import threading
from typing import Any

import pytest

from tests.modelserver.answers import CUT, InStream, cut, enveloped, fails, held, said
from tests.modelserver.fixtures import server
from tests.modelserver.server import ModelServer

__all__ = ["server"]


def post(server: ModelServer, **body: Any) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    try:
        sent = json.dumps({"model": "m", "messages": [], **body})
        connection.request("POST", "/v1/chat/completions", sent, {"X-Test": "1"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_answers_come_in_order_and_requests_are_kept(server: ModelServer):
    server.answer(said("a"), fails(429, "Slow down."))
    status, body = post(server, n=1)
    assert (status, json.loads(body)["choices"][0]["message"]["content"]) == (200, "a")
    status, body = post(server, n=2)
    assert (status, json.loads(body)["error"]["message"]) == (429, "Slow down.")
    assert [request.body["n"] for request in server.requests] == [1, 2]
    assert server.last.headers["x-test"] == "1"


def test_the_same_answer_streams_when_it_is_asked_to(server: ModelServer):
    server.answer(enveloped(message="Olá", cut_every=4))
    _, body = post(server, stream=True)
    events = [line[6:] for line in body.decode().split("\n\n") if line]
    assert events[-1] == "[DONE]"
    deltas = [json.loads(event)["choices"][0]["delta"] for event in events[:-1]]
    assert "".join(delta.get("content", "") for delta in deltas) == '{"message": "Olá"}'


def test_a_connection_may_be_cut_before_and_inside_of_an_answer(server: ModelServer):
    server.answer(cut, InStream(said("a"), 1, [CUT]))
    with pytest.raises(http.client.RemoteDisconnected):
        post(server)
    with pytest.raises(http.client.IncompleteRead):
        post(server, stream=True)


def test_an_answer_may_be_held(server: ModelServer):
    may_go = threading.Event()
    server.answer(held(said("a"), may_go))
    statuses: list[int] = []
    waiting = threading.Thread(target=lambda: statuses.append(post(server)[0]))
    waiting.start()
    assert statuses == []
    may_go.set()
    waiting.join()
    assert statuses == [200]


def test_a_request_without_an_answer_is_counted():
    with ModelServer() as alone:
        assert post(alone)[0] == 418
        assert alone.surprises == 1


def test_answers_that_nobody_asked_for_are_counted():
    with ModelServer() as alone:
        alone.answer(said("a"), said("b"))
        post(alone)
        assert alone.leftovers == 1


def test_a_server_that_has_stopped_refuses_and_ends_what_is_open():
    with ModelServer() as alone:
        alone.answer(said("a"))
        open_one = http.client.HTTPConnection("127.0.0.1", alone.port)
        open_one.request("POST", "/v1/chat/completions", '{"model": "m"}')
        assert open_one.getresponse().read()
        alone.stop()
        with pytest.raises(ConnectionRefusedError):
            post(alone)
        assert open_one.sock.recv(1) == b""
        open_one.close()
