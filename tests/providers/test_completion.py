"""A completion read whole and read from its pieces comes to the same reply."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import ModelReply, ProviderError, ToolCall, Usage
from falai.providers.completion import Pieces, read_completion
from falai.text.names import Names
from tests.property.profile import checked

NAMES = Names.of(["preço"], "tool")


def whole(message: Mapping[str, Any], finish: str = "stop", **rest: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}], **rest}


def read(completion: Mapping[str, Any]) -> ModelReply:
    return read_completion("p", completion, NAMES)


def gathered(*deltas: Mapping[str, Any], finish: str = "stop", usage: Any = None) -> ModelReply:
    pieces = Pieces()
    for delta in deltas:
        pieces.take({"choices": [{"delta": delta}]})
    pieces.take({"choices": [{"delta": {}, "finish_reason": finish}]})
    pieces.take({"choices": [], "usage": usage})
    return pieces.reply("p", NAMES)


def failure(work: Any, *arguments: Any, **options: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        work(*arguments, **options)
    return caught.value


# --- whole ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "completion", [{}, {"choices": []}, {"choices": None}, {"choices": [{"message": None}]}]
)
def test_a_completion_without_a_message_is_a_failure(completion: Any):
    assert failure(read, completion).kind == "unknown"


def test_a_refusal_is_a_failure_that_quotes_it():
    error = failure(read, whole({"content": None, "refusal": "I will not."}))
    assert (error.kind, error.code) == ("content", "refusal")
    assert str(error) == "p: the model refused: I will not."


def test_text_may_come_in_parts():
    parts = [{"type": "text", "text": "Bom "}, {"type": "x"}, {"type": "text", "text": "dia"}]
    assert read(whole({"content": parts})).message == "Bom dia"


def test_a_tools_alias_is_mapped_back():
    call = {"function": {"name": "tool_1", "arguments": "{}"}}
    assert read(whole({"tool_calls": [call]})).tool_calls == [ToolCall("preço", None)]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1', '{"a": 1'),
        ("[1]", "[1]"),
        ("[" * 100_000, "[" * 100_000),
        ("", None),
        (None, None),
    ],
)
def test_arguments_are_a_mapping_or_the_text_that_came(arguments: Any, kept: Any):
    call = {"function": {"name": "busca", "arguments": arguments}}
    assert read(whole({"tool_calls": [call]})).tool_calls == [ToolCall("busca", kept)]


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 4},
            },
            Usage(prompt_tokens=9, completion_tokens=2, cached_input_tokens=4),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": None, "prompt_tokens_details": None},
            Usage(prompt_tokens=9),
        ),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({}, None),
        (None, None),
    ],
)
def test_usage_is_what_was_counted(usage: Any, counted: Usage | None):
    assert read(whole({"content": "a"}, usage=usage)).usage == counted
    assert gathered({"content": "a"}, usage=usage).usage == counted


# --- in pieces --------------------------------------------------------------------------------


def call_pieces(index: int, call_id: str, name: str, pieces: list[str]) -> list[dict[str, Any]]:
    head = {"index": index, "id": call_id, "function": {"name": name, "arguments": ""}}
    rest = [{"index": index, "id": None, "function": {"arguments": piece}} for piece in pieces]
    return [{"tool_calls": [piece]} for piece in (head, *rest)]


TEXTS = st.lists(st.text(max_size=5), max_size=4)
CALLS = st.lists(st.tuples(st.sampled_from(["busca", "tool_1"]), TEXTS), max_size=3)


@checked
@given(said=TEXTS, thought=TEXTS, calls=CALLS)
def test_a_reply_in_pieces_is_the_whole_reply(
    said: list[str], thought: list[str], calls: list[tuple[str, list[str]]]
):
    message = {
        "content": "".join(said),
        "reasoning_content": "".join(thought),
        "tool_calls": [
            {"id": f"c{index}", "function": {"name": name, "arguments": "".join(pieces)}}
            for index, (name, pieces) in enumerate(calls)
        ],
    }
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in thought]
    deltas += [{"content": piece} for piece in said]
    for index, (name, pieces) in enumerate(calls):
        deltas += call_pieces(index, f"c{index}", name, pieces)
    assert gathered(*deltas) == read(whole(message))


def test_calls_that_share_an_index_are_told_apart_by_their_ids():
    one = call_pieces(0, "a", "busca", ['{"q"', ":1}"])
    two = call_pieces(0, "b", "busca", ['{"q"', ":2}"])
    assert gathered(*one, *two).tool_calls == [
        ToolCall("busca", {"q": 1}),
        ToolCall("busca", {"q": 2}),
    ]


def test_a_name_and_an_id_that_come_with_every_piece_are_taken_once():
    pieces = [
        {"index": 0, "id": "a", "function": {"name": "busca", "arguments": piece}}
        for piece in ('{"q"', ":1}")
    ]
    reply = gathered(*[{"tool_calls": [piece]} for piece in pieces])
    assert reply.tool_calls == [ToolCall("busca", {"q": 1})]


def test_thoughts_are_put_together_up_to_their_signature():
    def thinking(text: str, signature: str | None = None) -> dict[str, Any]:
        block = {"type": "thinking", "thinking": text, "signature": signature}
        return {"thinking_blocks": [block]}

    hidden = {"type": "redacted_thinking", "data": "x"}
    reply = gathered(
        thinking("Hm"),
        thinking("m."),
        thinking("", "s1"),
        {"thinking_blocks": [hidden]},
        thinking("So"),
        thinking("", "s2"),
    )
    assert reply.reasoning == {
        "thinking_blocks": [
            {"type": "thinking", "thinking": "Hmm.", "signature": "s1"},
            hidden,
            {"type": "thinking", "thinking": "So", "signature": "s2"},
        ]
    }


def test_a_mark_on_a_streamed_call_is_kept():
    mark = {"thought_signature": "t"}
    call = {"index": 0, "id": "a", "function": {"name": "busca"}, "provider_specific_fields": mark}
    assert gathered({"tool_calls": [call]}).reasoning == {"tool_calls": [mark]}


def test_a_stream_in_which_nobody_spoke_is_a_failure():
    assert failure(gathered).kind == "unknown"
    assert failure(gathered, {"content": None, "role": None}).kind == "unknown"


def test_a_stream_that_only_began_is_a_blank_reply():
    assert gathered({"role": "assistant", "content": ""}) == ModelReply(tool_calls=[])


def test_a_streamed_refusal_is_put_together():
    error = failure(gathered, {"refusal": "I will "}, {"refusal": "not."})
    assert (error.kind, str(error)) == ("content", "p: the model refused: I will not.")
