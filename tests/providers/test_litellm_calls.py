"""What a real model is sent, and what is read of its answer."""

import asyncio
from typing import Any

import jsonschema
import pytest

from falai import Chunk, Message, ModelReply, Talk, Tool, ToolCall, Usage
from falai.providers.litellm import LiteLLMProvider
from tests.modelserver.answers import Request, Response, called, enveloped, gzipped, said
from tests.modelserver.server import ModelServer
from tests.providers.kit import (
    KEY,
    MODEL,
    OFFER,
    SCHEMA,
    call,
    chunks_of,
    provider,
    speaker,
    wait_for,
)
from tests.turn.kit import flow

ENFORCING = "openai/gpt-4.1-mini"
"""A model of which litellm knows that it enforces a schema."""


def body_of(server: ModelServer, model: LiteLLMProvider, **asked: Any) -> dict[str, Any]:
    """Make a call; give what the server got."""
    server.answer(said("{}"))
    wait_for(model.generate(call(**asked)))
    return server.last.body


# --- the request ------------------------------------------------------------------------------


def test_a_call_is_the_system_text_the_history_and_the_prompt(server: ModelServer):
    history = [
        {"role": "user", "content": "Oi"},
        {"role": "assistant", "content": "Olá!", "at": "2026-01-05"},
        {"role": "system", "content": "[Conversation Summary]\nAna said hello."},
    ]
    body = body_of(server, provider(server), history=history)
    assert body == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You are Ana."},
            {"role": "user", "content": "Oi"},
            {"role": "assistant", "content": "Olá!"},
            {"role": "system", "content": "[Conversation Summary]\nAna said hello."},
            {"role": "user", "content": "Oi!"},
        ],
    }
    assert server.last.path == "/v1/chat/completions"
    assert server.last.headers["authorization"] == f"Bearer {KEY}"


def test_options_go_to_litellm_as_they_are(server: ModelServer):
    model = provider(server, temperature=0.2, max_tokens=50, extra_headers={"x-shop": "Spoke"})
    body = body_of(server, model)
    assert (body["temperature"], body["max_tokens"]) == (0.2, 50)
    assert server.last.headers["x-shop"] == "Spoke"


def test_a_model_that_enforces_a_schema_gets_it_as_the_format(server: ModelServer):
    body = body_of(server, provider(server, ENFORCING), schema=SCHEMA)
    form = body["response_format"]
    assert form["type"] == "json_schema"
    assert (form["json_schema"]["name"], form["json_schema"]["strict"]) == ("speak", True)
    assert body["messages"][-1]["content"] == "Oi!"


def test_an_enforced_schema_lets_the_model_leave_an_option_open(server: ModelServer):
    body = body_of(server, provider(server, ENFORCING), schema=SCHEMA)
    sent = body["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["nome"] == {"type": ["string", "null"], "enum": ["Ana", "Bia", None]}
    jsonschema.validate({"message": "Oi", "nome": None}, sent)
    assert SCHEMA["properties"]["nome"]["enum"] == ["Ana", "Bia"]


def test_another_model_gets_json_mode_and_the_schema_in_the_prompt(server: ModelServer):
    body = body_of(server, provider(server), schema=SCHEMA)
    assert body["response_format"] == {"type": "json_object"}
    prompt = body["messages"][-1]["content"]
    assert prompt.startswith("Oi!\n\n")
    assert '"enum":["Ana","Bia"]' in prompt


@pytest.mark.parametrize(("enforces", "form"), [(True, "json_schema"), (False, "json_object")])
def test_an_author_may_say_what_the_model_enforces(enforces: bool, form: str, server: ModelServer):
    for model in (MODEL, ENFORCING):
        body = body_of(server, provider(server, model, json_schema=enforces), schema=SCHEMA)
        assert body["response_format"]["type"] == form


def test_a_model_of_any_name_may_be_given_its_maker(server: ModelServer):
    model = provider(server, "our-own", custom_llm_provider="openai")
    body = body_of(server, model, schema=SCHEMA)
    assert (body["model"], body["response_format"]) == ("our-own", {"type": "json_object"})


def test_free_text_has_no_format(server: ModelServer):
    assert "response_format" not in body_of(server, provider(server, ENFORCING))


def test_tools_are_offered_as_functions(server: ModelServer):
    body = body_of(server, provider(server), tools=[OFFER])
    function = {
        "name": "busca",
        "description": "Searches.",
        "parameters": {"type": "object", "properties": {}},
    }
    assert body["tools"] == [{"type": "function", "function": function}]


def test_a_schema_is_enforced_beside_tools_where_both_work(server: ModelServer):
    asked: dict[str, Any] = {"schema": SCHEMA, "tools": [OFFER]}
    assert "response_format" in body_of(server, provider(server, ENFORCING), **asked)
    other_maker = "mistral/mistral-large-latest"
    assert "response_format" in body_of(server, provider(server, other_maker), schema=SCHEMA)
    for model in (MODEL, other_maker):
        body = body_of(server, provider(server, model), **asked)
        assert "response_format" not in body
        assert '"enum":["Ana","Bia"]' in body["messages"][-1]["content"]


def test_a_tool_id_that_is_no_function_name_has_an_alias_on_the_way(server: ModelServer):
    tool = Tool(
        id="preço.atual",
        description="",
        parameters={"type": "object", "properties": {}},
        handler=lambda *_: {"value": "9"},
    )
    server.answer(called("tool_1", "{}"), enveloped(message="Nove."))
    result = speaker(provider(server), tools=[tool]).turn_sync(session_id="s1", message="oi")
    assert [message.text for message in result.messages] == ["Nove."]
    assert server.requests[0].body["tools"][0]["function"]["name"] == "tool_1"
    assert server.requests[1].messages[-3]["tool_calls"][0]["function"]["name"] == "tool_1"
    assert server.requests[1].messages[-2]["content"] == "9"


# --- the reply --------------------------------------------------------------------------------


def reply_to(server: ModelServer, answer: Any, **options: Any) -> ModelReply:
    server.answer(answer)
    return wait_for(provider(server, **options).generate(call()))


def test_a_reply_is_its_text_and_its_usage(server: ModelServer):
    details = {"cached_tokens": 64}
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": details,
    }
    assert reply_to(server, said("Bom dia, ", "você!", usage=usage)) == ModelReply(
        message="Bom dia, você!",
        tool_calls=[],
        usage=Usage(prompt_tokens=100, completion_tokens=20, cached_input_tokens=64),
    )


def test_a_compressed_reply_is_read(server: ModelServer):
    assert reply_to(server, gzipped(said("Olá"))).message == "Olá"


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 0, "completion_tokens": 0}])
def test_there_is_no_usage_when_nobody_counted(usage: Any, server: ModelServer):
    assert reply_to(server, said("Olá", usage=usage)).usage is None


def test_a_tool_call_has_its_arguments_as_a_mapping(server: ModelServer):
    reply = reply_to(server, called("busca", '{"q": "pneu"', ', "n": 2}'))
    assert reply.tool_calls == [ToolCall("busca", {"q": "pneu", "n": 2})]


def test_arguments_that_were_cut_off_are_kept_as_text(server: ModelServer):
    reply = reply_to(server, called("busca", '{"q": "pneu", "n'))
    assert reply.tool_calls == [ToolCall("busca", '{"q": "pneu", "n')]


def test_reasoning_is_kept_for_the_round_that_it_belongs_to(server: ModelServer):
    reply = reply_to(server, called("busca", extra={"reasoning_content": "Look it up."}))
    assert reply.reasoning == {"reasoning_content": "Look it up."}


# --- whole turns ------------------------------------------------------------------------------


def search() -> Tool:
    return Tool(
        id="busca",
        description="Searches.",
        parameters={"type": "object", "properties": {"q": {"type": "string"}}},
        handler=lambda args, _: {"value": f"{args['q']}: 9 euros"},
    )


def test_a_tool_round_goes_out_and_comes_back(server: ModelServer):
    server.answer(
        called("busca", '{"q": "pneu"}', extra={"reasoning_content": "Look it up."}),
        enveloped(message="Nove euros, Ana.", nome="Ana"),
    )
    agent = speaker(provider(server), tools=[search()])
    result = agent.turn_sync(session_id="s1", message="quanto custa?", id="m1")

    assert [message.text for message in result.messages] == ["Nove euros, Ana."]
    assert result.session.data == {"nome": "Ana"}
    assert result.llm_calls == 2
    assert result.usage == Usage(prompt_tokens=200, completion_tokens=40)
    assert server.last.messages[1:-1] == [
        {"role": "user", "content": "quanto custa?"},
        {
            "role": "assistant",
            "reasoning_content": "Look it up.",
            "tool_calls": [
                {
                    "id": "call-0-0",
                    "type": "function",
                    "function": {"name": "busca", "arguments": '{"q":"pneu"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call-0-0", "content": "pneu: 9 euros"},
    ]


def test_the_last_round_offers_no_tools_and_keeps_the_earlier_ones(server: ModelServer):
    server.answer(called("busca", '{"q": "a"}'), enveloped(message="Pronto."))
    agent = speaker(provider(server, ENFORCING), tools=[search()], max_tool_loops=1)
    result = agent.turn_sync(session_id="s1", message="oi", id="m1")
    assert [message.text for message in result.messages] == ["Pronto."]
    assert "tools" not in server.last.body
    assert [message["role"] for message in server.last.messages][-2:] == ["tool", "user"]


def test_a_judgement_routes_a_message(server: ModelServer):
    server.answer(enveloped(flows={"a": 10, "b": 90}), enveloped(message="Aqui é o b."))
    names = ("a", "b")
    flows = [
        flow(Talk("s", prompt="Responda."), id=name, on=[Message([f"fala de {name}"])])
        for name in names
    ]
    agent = speaker(provider(server, ENFORCING)).replace(flows=flows)
    result = agent.turn_sync(session_id="s1", message="b?", id="m1")
    assert [message.text for message in result.messages] == ["Aqui é o b."]
    schema = server.requests[0].body["response_format"]["json_schema"]
    assert schema["name"] == "understand"
    assert sorted(schema["schema"]["properties"]["flows"]["properties"]) == ["a", "b"]


# --- many at once -----------------------------------------------------------------------------


def echo(request: Request) -> Response:
    return said(*request.messages[0]["content"].split("|"))(request)


def test_one_provider_serves_calls_that_run_at_once(server: ModelServer):
    server.answer_by(echo)
    model = provider(server)

    async def all_at_once() -> list[ModelReply]:
        calls = [model.generate(call(system=f"nº|{number}")) for number in range(20)]
        return await asyncio.gather(*calls)

    replies = wait_for(all_at_once())
    assert [reply.message for reply in replies] == [f"nº{number}" for number in range(20)]


def test_one_provider_serves_one_loop_after_another(server: ModelServer):
    server.answer_by(echo)
    model = provider(server)
    assert [wait_for(model.generate(call(system="a|b"))).message for _ in range(3)] == ["ab"] * 3
    streamed = [wait_for(chunks_of(model, call(system="a|b"))) for _ in range(3)]
    assert all(chunks[:2] == [Chunk(text="a"), Chunk(text="b")] for chunks in streamed)


# --- construction -----------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["", "  ", None])
def test_a_provider_needs_a_model(model: Any):
    with pytest.raises(ValueError, match=r"^Model is required\. Example: LiteLLMProvider\("):
        LiteLLMProvider(model)


def test_a_provider_without_any_argument_says_the_same():
    with pytest.raises(ValueError, match=r"^Model is required\. Example: "):
        LiteLLMProvider()


@pytest.mark.parametrize(
    ("given", "said"),
    [({"timeout": 0}, "timeout is 0: "), ({"retries": -1}, "retries is -1: ")],
)
def test_numbers_out_of_range_are_refused(given: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=f"^{said}"):
        LiteLLMProvider(MODEL, **given)


def test_a_provider_is_called_by_its_model_or_by_a_name_of_its_own():
    assert LiteLLMProvider(MODEL).name == MODEL
    assert LiteLLMProvider(MODEL, name="spare").name == "spare"
