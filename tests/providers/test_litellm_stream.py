"""Streamed replies: the words as they come, and the same reply in the end."""

import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest

from falai import Chunk, Delta, ModelReply, Tool, ToolCall, TurnResult, Usage
from tests.modelserver.answers import (
    CUT,
    Completion,
    InStream,
    called,
    cut,
    enveloped,
    fails,
    said,
)
from tests.modelserver.server import ModelServer
from tests.providers.kit import (
    SCHEMA,
    Pauses,
    call,
    chunks_of,
    failure_of,
    provider,
    speaker,
    wait_for,
)

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 64},
}


def test_text_comes_in_the_servers_pieces_and_the_whole_reply_comes_last(server: ModelServer):
    server.answer(said("Bom ", "dia", ", você!", usage=USAGE))
    assert wait_for(chunks_of(provider(server), call())) == [
        Chunk(text="Bom "),
        Chunk(text="dia"),
        Chunk(text=", você!"),
        Chunk(
            reply=ModelReply(
                message="Bom dia, você!",
                tool_calls=[],
                usage=Usage(prompt_tokens=100, completion_tokens=20, cached_input_tokens=64),
            )
        ),
    ]


THINKING: dict[str, Any] = {"extra": {"reasoning_content": "Hmm."}}
COMPLETIONS: dict[str, Completion] = {
    "text": said("a", "b", usage=USAGE),
    "blank": said(),
    "one-call": called("busca", '{"q":', '"x"}', **THINKING),
    "cut-off-call": called("busca", '{"q":', '"x'),
    "two-calls": Completion(calls=[("busca", ["{}"]), ("soma", ['{"a"', ":1}"])]),
    "text-and-call": Completion(pieces=["Um ", "momento"], calls=[("busca", ["{}"])]),
    "nobody-counted": said("a", usage=None),
}


@pytest.mark.parametrize("completion", COMPLETIONS.values(), ids=COMPLETIONS.keys())
def test_a_streamed_reply_is_the_one_that_is_not_streamed(
    completion: Completion, server: ModelServer
):
    server.answer(completion, completion)
    model = provider(server)
    whole = wait_for(model.generate(call()))
    chunks = wait_for(chunks_of(model, call()))
    assert chunks[-1] == Chunk(reply=whole)
    assert "".join(chunk.text for chunk in chunks) == whole.message


def test_words_are_out_before_the_reply_is_complete(server: ModelServer):
    may_go_on = threading.Event()
    whole = said("Bom ", "dia")

    def in_two_parts(request: Any) -> Any:
        rest = [*whole.events(request.body)[2:], "[DONE]"]
        return InStream(whole, 2, [may_go_on, *rest])(request)

    server.answer(in_two_parts)

    async def listen() -> list[str]:
        texts: list[str] = []
        async for chunk in provider(server).stream(call()):
            texts.append(chunk.text)
            may_go_on.set()
        return texts

    assert wait_for(listen()) == ["Bom ", "dia", ""]


async def deltas_of(turn: AsyncIterator[Delta[Any]]) -> tuple[list[str], TurnResult[Any]]:
    deltas = [delta async for delta in turn]
    assert deltas[-1].result is not None
    return [delta.text for delta in deltas[:-1]], deltas[-1].result


def test_a_turn_streams_the_message_and_no_json(server: ModelServer):
    answer = enveloped(message='Olá, "Ana"!\nTudo bem?', nome="Ana", cut_every=5)
    server.answer(answer, answer)
    agent = speaker(provider(server))
    texts, result = wait_for(deltas_of(agent.turn_stream(session_id="s1", message="oi", id="m1")))
    assert "".join(texts) == 'Olá, "Ana"!\nTudo bem?'
    assert len(texts) > 3
    assert result == agent.turn_sync(session_id="s1", message="oi", id="m1")


def test_tool_calls_may_come_in_pieces(server: ModelServer):
    tool = Tool(
        id="busca",
        description="",
        parameters={"type": "object", "properties": {"q": {"type": "string"}}},
        handler=lambda args, _: {"value": args["q"]},
    )
    server.answer(called("busca", '{"', 'q": "pn', 'eu"}'), enveloped(message="Temos."))
    agent = speaker(provider(server), tools=[tool])
    texts, result = wait_for(deltas_of(agent.turn_stream(session_id="s1", message="oi", id="m1")))
    assert "".join(texts) == "Temos."
    assert server.last.messages[-2]["content"] == "pneu"
    assert result.usage == Usage(prompt_tokens=200, completion_tokens=40)


def test_usage_is_asked_for(server: ModelServer):
    server.answer(said("a"))
    wait_for(chunks_of(provider(server), call(schema=SCHEMA)))
    assert server.last.body["stream_options"] == {"include_usage": True}


# --- trying again -----------------------------------------------------------------------------


def test_a_stream_that_never_began_is_tried_again(server: ModelServer):
    pauses = Pauses()
    server.answer(fails(503), cut, InStream(said("a"), 1, [CUT]), said("Olá"))
    model = provider(server, retries=3, sleep=pauses)
    chunks = wait_for(chunks_of(model, call()))
    assert [chunk.text for chunk in chunks] == ["Olá", ""]
    assert pauses.taken == [0.5, 1, 2]


def test_a_stream_that_broke_off_is_not_begun_anew(server: ModelServer):
    pauses = Pauses()
    server.answer(InStream(said("Bom ", "dia"), 2, [CUT]))
    model = provider(server, retries=3, sleep=pauses)
    assert failure_of(chunks_of(model, call())).kind == "network"
    assert pauses.taken == []


def test_a_listener_may_leave_early(server: ModelServer):
    server.answer(said("a", "b", "c"), said("d"))
    model = provider(server)

    async def leave() -> str:
        async for chunk in model.stream(call()):
            return chunk.text
        return ""

    assert wait_for(leave()) == "a"
    assert wait_for(model.generate(call())).message == "d"


def test_a_call_that_is_cut_off_is_kept_as_text(server: ModelServer):
    server.answer(called("busca", '{"q": "pn'))
    reply = wait_for(chunks_of(provider(server), call()))[-1].reply
    assert reply is not None
    assert reply.tool_calls == [ToolCall("busca", '{"q": "pn')]
