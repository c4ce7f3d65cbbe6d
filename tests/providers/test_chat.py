"""A call as chat messages: what goes on the wire, and what must not."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import ModelCall, ToolOffer
from falai.providers.chat import Format, chat_request, reasoning_of
from tests.property.profile import checked

CALL: dict[str, Any] = {"id": "call-0-0", "name": "busca", "arguments": {"q": "pneu"}}
RESULT: dict[str, Any] = {
    "role": "tool",
    "toolCallId": "call-0-0",
    "name": "busca",
    "content": "9 euros",
}


def calling(*calls: Any, **rest: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "toolCalls": list(calls), **rest}


def asked(history: Any = (), form: Format = "prompt", **rest: Any) -> dict[str, Any]:
    call = ModelCall(
        **({"purpose": "speak", "system": None, "prompt": "Oi!", "schema": None} | rest),
        history=history,
    )
    return chat_request(call, form)


def messages(*history: Any) -> list[dict[str, Any]]:
    """The history as it is sent, without the prompt behind it."""
    sent = asked(history)["messages"]
    assert sent[-1] == {"role": "user", "content": "Oi!"}
    return sent[:-1]


# --- history ----------------------------------------------------------------------------------


def test_a_tool_round_is_a_call_and_its_result():
    function = {"name": "busca", "arguments": '{"q":"pneu"}'}
    assert messages(calling(CALL, reasoning=None), RESULT) == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call-0-0", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call-0-0", "content": "9 euros"},
    ]


def test_a_preamble_goes_along_with_its_call():
    assert messages(calling(CALL, content="Um momento."), RESULT)[0]["content"] == "Um momento."


def test_results_follow_their_calls_in_the_order_of_the_calls():
    second, other = CALL | {"id": "call-0-1"}, RESULT | {"toolCallId": "call-0-1"}
    sent = messages(calling(CALL, second), other, RESULT)
    assert [message.get("tool_call_id") for message in sent] == [None, "call-0-0", "call-0-1"]


def test_a_call_without_its_result_is_left_out_and_its_words_stay():
    assert messages(calling(CALL, content="Um momento.")) == [
        {"role": "assistant", "content": "Um momento."}
    ]
    assert messages(calling(CALL)) == []


def test_a_result_without_its_call_is_left_out():
    assert messages({"role": "user", "content": "Oi"}, RESULT) == [
        {"role": "user", "content": "Oi"}
    ]
    elsewhere = [calling(CALL), {"role": "user", "content": "Oi"}, RESULT]
    assert messages(*elsewhere) == [{"role": "user", "content": "Oi"}]


def test_the_same_id_in_another_round_is_another_call():
    again = RESULT | {"content": "8 euros"}
    sent = messages(calling(CALL), RESULT, calling(CALL), again)
    assert [message["content"] for message in sent] == [None, "9 euros", None, "8 euros"]


def test_arguments_that_are_text_already_go_as_they_are():
    sent = messages(calling(CALL | {"arguments": '{"q": "pn'}), RESULT)
    assert sent[0]["tool_calls"][0]["function"]["arguments"] == '{"q": "pn'
    sent = messages(calling({"id": "call-0-0", "name": "busca"}), RESULT)
    assert sent[0]["tool_calls"][0]["function"]["arguments"] == "{}"


PART = {"type": "image_url", "image_url": {"url": "https://x/y.png"}}


@pytest.mark.parametrize(
    ("content", "sent"),
    [([PART], [PART]), ({"a": 1.0}, '{"a":1}'), ([1, 2], "[1,2]"), (30, "30")],
)
def test_content_that_is_no_text(content: Any, sent: Any):
    assert messages({"role": "user", "content": content}) == [{"role": "user", "content": sent}]


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_a_message_that_says_nothing_is_left_out(content: Any):
    assert messages({"role": "assistant", "content": content}) == []


ITEMS = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "system", "tool"]),
        "content": st.none() | st.text(max_size=5) | st.integers() | st.lists(st.just(PART)),
    },
    optional={
        "toolCalls": st.none()
        | st.lists(st.just(CALL) | st.just(CALL | {"id": "call-0-1"}) | st.just({"name": "x"})),
        "toolCallId": st.sampled_from(["call-0-0", "call-0-1", None]),
        "reasoning": st.just({"reasoning_content": "Hmm.", "x": 1}) | st.just("opaque"),
        "name": st.text(max_size=3),
        "id": st.integers(),
        "at": st.text(max_size=3),
        "metadata": st.just({"secret": 1}),
    },
)
KNOWN = {"role", "content", "tool_calls", "tool_call_id", "reasoning_content", "thinking_blocks"}


@checked
@given(history=st.lists(ITEMS, max_size=6))
def test_every_history_becomes_messages_that_providers_take(history: list[dict[str, Any]]):
    before = copy.deepcopy(history)
    sent = messages(*history)
    assert history == before
    json.dumps(sent)
    waiting: list[str] = []
    for message in sent:
        assert message.keys() <= KNOWN
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        # A call's results stand right behind it, and every call has one.
        assert not waiting
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        assert message["content"] or waiting
    assert not waiting


# --- reasoning --------------------------------------------------------------------------------


def test_reasoning_comes_back_where_it_came_from():
    thinking = [{"type": "thinking", "thinking": "Hmm.", "signature": "s"}]
    mark = {"thought_signature": "t"}
    came = {
        "reasoning_content": "Hmm.",
        "thinking_blocks": thinking,
        "tool_calls": [{"id": "x"}, {"id": "y", "provider_specific_fields": mark}],
    }
    reasoning = reasoning_of(came)
    second, other = CALL | {"id": "call-0-1"}, RESULT | {"toolCallId": "call-0-1"}
    sent = messages(calling(CALL, second, reasoning=reasoning), RESULT, other)[0]
    assert (sent["reasoning_content"], sent["thinking_blocks"]) == ("Hmm.", thinking)
    marks = [call.get("provider_specific_fields") for call in sent["tool_calls"]]
    assert marks == [None, mark]


def test_a_message_without_reasoning_has_none():
    assert reasoning_of({"content": "x", "reasoning_content": "", "tool_calls": [{}]}) is None


def test_reasoning_of_another_provider_is_not_sent():
    sent = messages(calling(CALL, reasoning={"opaque": "x"}), RESULT)[0]
    assert sent.keys() == {"role", "content", "tool_calls"}


# --- tools and schemas ------------------------------------------------------------------------


def test_what_is_sent_is_not_shared_with_the_call():
    parameters = {"type": "object", "properties": {"q": {"type": "string"}}}
    schema = {"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}}
    history = [{"role": "user", "content": [PART]}]
    offer = ToolOffer("busca", "", parameters)
    sent = asked(history, "schema", schema=schema, tools=[offer])
    sent["tools"][0]["function"]["parameters"]["properties"].clear()
    sent["response_format"]["json_schema"]["schema"]["properties"]["a"]["enum"].append("y")
    sent["messages"][0]["content"][0]["image_url"].clear()
    assert parameters["properties"] == {"q": {"type": "string"}}
    assert schema["properties"]["a"]["enum"] == ["x"]
    assert history[0]["content"][0]["image_url"] == {"url": "https://x/y.png"}


def test_only_a_list_of_options_that_may_be_null_gets_one():
    options = {
        "open": {"type": ["string", "null"], "enum": ["a"]},
        "closed": {"type": "string", "enum": ["a"]},
        "said": {"type": ["integer", "null"], "enum": [1, None]},
        "items": {"type": ["array", "null"], "items": {"type": "string", "enum": ["a"]}},
        "enum": {"type": ["boolean", "null"]},
    }
    schema = {"type": "object", "properties": options}
    sent = asked(form="schema", schema=schema)["response_format"]["json_schema"]["schema"]
    changed = {"open": {"type": ["string", "null"], "enum": ["a", None]}}
    assert sent == {"type": "object", "properties": options | changed}


def test_a_model_with_no_format_at_all_reads_the_schema_in_the_prompt():
    sent = asked(form="prompt", schema={"type": "object"})
    assert sent.keys() == {"messages"}
    assert sent["messages"][-1]["content"].endswith('{"type":"object"}')


def test_aliases_leave_the_names_of_other_tools_alone():
    offers = [ToolOffer(name, "", {"type": "object"}) for name in ("preço", "tool_1", "busca")]
    names = [tool["function"]["name"] for tool in asked(tools=offers)["tools"]]
    assert names == ["tool_2", "tool_1", "busca"]
