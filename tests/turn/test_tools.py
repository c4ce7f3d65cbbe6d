"""Tool rounds: which calls run, together or alone, and what the model reads of them."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from falai import (
    Field,
    Flow,
    Idle,
    ModelReply,
    ScriptError,
    Silenced,
    Talk,
    Tool,
    ToolCall,
    ToolCtx,
)
from tests.turn.kit import Chat, calling, flow, said, texts

FIELDS = {"nome": Field("string", extract="asked"), "nota": Field("number", extract="asked")}
ASK = Talk("s", collect=["nome", "nota"])
Handler = Callable[[Mapping[str, Any], ToolCtx[Any]], Any]


def tool(id: str = "busca", handler: Handler | None = None, **options: Any) -> Tool:  # noqa: A002
    """A tool that gives its arguments back, unless it has a handler of its own."""
    parameters = {"type": "object", "properties": {}}
    handler = handler or (lambda args, _: {"value": dict(args)})
    return Tool(id=id, description="", parameters=parameters, handler=handler, **options)


def chat_with(*tools: Tool, on: Flow | None = None, **parts: Any) -> Chat:
    return Chat(on or flow(ASK), fields=FIELDS, tools=tools, **parts)


def call(id: str = "busca", **arguments: Any) -> ToolCall:  # noqa: A002
    return ToolCall(id, arguments)


def results(chat: Chat, number: int = -1) -> list[Any]:
    """What the model read of the tools, in the history of one of its calls."""
    return [item["content"] for item in chat.calls[number].history if item["role"] == "tool"]


def read(made: Tool, *calls: ToolCall) -> Any:
    """Let the model make some calls; give what it read of the last."""
    chat = chat_with(made)
    chat.hear(speak=[calling(*(calls or (call(),))), said()])
    return json.loads(results(chat)[-1])


# --- what the model reads ---------------------------------------------------------------------


def raising(error: Exception) -> Handler:
    def handle(_: Any, __: Any) -> Any:
        raise error

    return handle


def broken(*_: Any) -> str | None:
    raise ValueError("quebrou")


def giving(value: Any) -> Handler:
    return lambda _, __: value


@dataclass(frozen=True)
class Read:
    """A tool, and what the model reads of it."""

    id: str
    tool: Tool
    read: Any


async def later(args: Mapping[str, Any], _: Any) -> Any:
    await asyncio.sleep(0)
    return {"value": dict(args)}


READ = [
    Read("mapping", tool(handler=giving({"value": {"a": [1, None]}})), {"a": [1, None]}),
    Read("number", tool(handler=giving({"value": 1.5})), 1.5),
    Read("nothing", tool(handler=giving({})), None),
    Read("async", tool(handler=later), {}),
    Read("raises", tool(handler=raising(ValueError("sem rede"))), {"error": "sem rede"}),
    Read("validation", tool(validate_input=lambda _: "x falta"), {"error": "x falta"}),
    Read("permission", tool(check_permissions=lambda _, __: "não pode"), {"error": "não pode"}),
    Read(
        "no-mapping",
        tool(handler=giving("texto")),
        {"error": "the tool returned str, not a mapping"},
    ),
]


UNREAD = [
    Read("validation-that-raises", tool(validate_input=broken), {"error": "quebrou"}),
    Read("permission-that-raises", tool(check_permissions=broken), {"error": "quebrou"}),
    Read("no-words", tool(handler=raising(KeyError())), {"error": "KeyError"}),
]


@pytest.mark.parametrize("case", UNREAD, ids=lambda case: case.id)
def test_the_model_reads_what_went_wrong_before_or_in_a_call(case: Read):
    assert read(case.tool) == case.read


@pytest.mark.parametrize("data", [[1], "x", 5])
def test_data_that_is_no_mapping_is_an_error_for_the_model(data: Any):
    assert "data" in read(tool(handler=giving({"data": data})))["error"]


@pytest.mark.parametrize("case", READ, ids=lambda case: case.id)
def test_the_model_reads_what_came_of_a_call(case: Read):
    assert read(case.tool) == case.read


def test_text_is_read_as_it_is():
    chat = chat_with(tool(handler=giving({"value": "livre às 10h"})))
    chat.hear(speak=[calling(call()), said()])
    assert results(chat) == ["livre às 10h"]


@pytest.mark.parametrize("name", ["agenda", "", 'a"b'])
def test_a_tool_that_is_not_there_is_an_error_for_the_model(name: str):
    assert read(tool(), call(name)) == {"error": f"unknown tool {json.dumps(name)}"}


def test_a_tool_that_is_not_on_offer_is_unknown():
    step = Talk("s", collect=["nome"], tools=["busca"])
    chat = chat_with(tool(), tool("grava"), on=flow(step))
    chat.hear(speak=[calling(call("grava")), said()])
    assert json.loads(results(chat)[0]) == {"error": 'unknown tool "grava"'}


def test_what_is_refused_never_reaches_the_handler():
    guarded = tool(handler=raising(AssertionError("it ran")), validate_input=lambda _: "não")
    assert read(guarded) == {"error": "não"}


def test_validation_comes_before_permission():
    both = tool(validate_input=lambda _: "primeiro", check_permissions=lambda _, __: "segundo")
    assert read(both) == {"error": "primeiro"}


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        (None, {}),
        ("", {}),
        ('{"dia": 3}', {"dia": 3}),
        ('{"dia": 3, "hora": "10', {"dia": 3}),
        ("lixo", {}),
        ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
    ],
)
def test_arguments_are_read_as_tolerantly_as_replies(written: Any, arguments: dict[str, Any]):
    assert read(tool(), ToolCall("busca", written)) == arguments


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (None, "x" * 20),
        (20, "x" * 20),
        (19, f"{'x' * 19}… [cut: the full result has 20 characters]"),
    ],
)
def test_a_long_result_is_cut_with_a_notice_of_its_length(limit: int | None, text: str):
    chat = chat_with(tool(handler=giving({"value": "x" * 20}), max_result_chars=limit))
    chat.hear(speak=[calling(call()), said()])
    assert results(chat) == [text]


# --- rounds -----------------------------------------------------------------------------------


def test_a_round_goes_into_the_history_as_the_model_made_it():
    chat = chat_with(tool())
    preamble = ModelReply(
        structured={"message": "Um momento."},
        tool_calls=[call(dia=1), call(dia=2)],
        reasoning={"sig": "x"},
    )
    chat.hear(speak=[preamble, said()], history=[{"role": "user", "content": "oi"}])
    _, asked, first, second = chat.calls[-1].history
    assert asked == {
        "role": "assistant",
        "content": "Um momento.",
        "toolCalls": [
            {"id": "call-0-0", "name": "busca", "arguments": {"dia": 1}},
            {"id": "call-0-1", "name": "busca", "arguments": {"dia": 2}},
        ],
        "reasoning": {"sig": "x"},
    }
    assert (first["toolCallId"], second["toolCallId"]) == ("call-0-0", "call-0-1")
    assert json.loads(second["content"]) == {"dia": 2}


def test_a_round_without_reasoning_has_none_in_the_history():
    chat = chat_with(tool())
    chat.hear(speak=[calling(call()), said()])
    asked = next(item for item in chat.calls[-1].history if item["role"] == "assistant")
    assert "reasoning" not in asked


def test_the_ids_of_a_later_round_are_its_own():
    chat = chat_with(tool())
    chat.hear(speak=[calling(call()), calling(call()), said()])
    ids = [item["toolCallId"] for item in chat.calls[-1].history if item["role"] == "tool"]
    assert ids == ["call-0-0", "call-1-0"]


def test_a_history_that_ends_with_the_customer_is_left_as_it_is():
    chat, history = chat_with(tool()), [{"role": "user", "content": "oi"}]
    chat.hear(speak=[calling(call()), said()], history=history)
    assert [item["role"] for item in chat.calls[-1].history] == ["user", "assistant", "tool"]


@pytest.mark.parametrize("history", [[], [{"role": "assistant", "content": "Olá"}]])
def test_the_customer_s_message_comes_before_the_first_round(history: list[Any]):
    chat = chat_with(tool())
    chat.hear("quanto custa?", speak=[calling(call()), said()], history=history)
    first = chat.calls[-1].history[len(history)]
    assert first == {"role": "user", "content": "quanto custa?"}


def test_without_a_message_the_prompt_comes_before_the_first_round():
    chat = chat_with(tool(), on=flow(ASK, on=None))
    chat.take(start={"flow": "a", "key": "k1"}, speak=[calling(call()), said()])
    opening, made = chat.calls
    assert made.history[0] == {"role": "user", "content": opening.prompt}


def test_the_customer_s_message_is_put_there_once():
    chat = chat_with(tool())
    chat.hear(speak=[calling(call()), calling(call()), said()])
    assert [item["role"] for item in chat.calls[-1].history].count("user") == 1


def test_the_last_call_offers_no_tools():
    chat = chat_with(tool(), max_tool_loops=1)
    chat.hear(speak=[calling(call()), said()])
    assert [len(made.tools) for made in chat.calls] == [1, 0]


def test_a_call_made_where_none_was_offered_is_not_run():
    guarded = tool(handler=raising(AssertionError("it ran")))
    chat = chat_with(guarded, max_tool_loops=0)
    reply = ModelReply(structured={"message": "Certo."}, tool_calls=[call()])
    assert texts(chat.hear(speak=reply)) == ["Certo."]


def test_fields_of_all_rounds_are_merged_and_the_last_one_wins():
    chat = chat_with(tool())
    rounds = [
        calling(call(), structured={"message": None, "nome": "Ana", "nota": 1}),
        calling(call(), structured={"nota": 2}),
        said(nota=None),
    ]
    chat.hear(speak=rounds)
    assert chat.data == {"nome": "Ana", "nota": 2}


def test_every_call_of_the_rounds_stands_on_the_step_s_line():
    result = chat_with(tool()).hear(speak=[calling(call()), calling(call()), said()])
    assert (result.outcomes[-1].llm_calls, result.llm_calls) == (3, 3)


# --- the data that tools write ----------------------------------------------------------------


def test_data_is_written_unchecked_and_after_the_fields():
    writes = giving({"data": {"nota": "livre", "outro": [1], "nome": None}})
    chat = chat_with(tool(handler=writes))
    chat.hear(speak=[calling(call()), said(nome="Ana", nota=2)])
    assert chat.data == {"nome": None, "nota": "livre", "outro": [1]}


def test_data_is_merged_in_the_order_of_the_calls():
    echo = tool(handler=lambda args, _: {"data": dict(args)}, is_read_only=True)
    chat = chat_with(echo)
    chat.hear(speak=[calling(call(x=1, y=1), call(y=2), call(z=3)), said()])
    assert chat.data == {"x": 1, "y": 2, "z": 3}


def test_data_of_a_failed_round_is_dropped():
    chat = chat_with(tool(handler=giving({"data": {"nome": "Ana"}})))
    chat.hear(speak=[calling(call()), said(" ")])
    assert not chat.data


def test_a_tool_of_the_idle_speaker_writes_too():
    writes = tool(handler=giving({"data": {"nome": "Ana"}}))
    chat = Chat(fields=FIELDS, tools=[writes], idle=Idle(tools=("busca",)))
    chat.hear(speak=[calling(call()), said()])
    assert chat.data == {"nome": "Ana"}


# --- together or alone ------------------------------------------------------------------------


class Diary:
    """Tools that write down when they begin and end."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    async def handle(self, args: Mapping[str, Any], _: ToolCtx[Any]) -> Any:
        self.entries.append(f"+{args['n']}")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.entries.append(f"-{args['n']}")
        return {"value": args["n"]}


def test_neighbours_that_are_safe_run_together_and_others_alone():
    diary = Diary()
    tools = [
        tool("le", diary.handle, is_read_only=True),
        tool("soma", diary.handle, is_concurrency_safe=True),
        tool("grava", diary.handle),
    ]
    order = ["le", "soma", "grava", "grava", "le"]
    chat = chat_with(*tools)
    chat.hear(speak=[calling(*(call(name, n=n) for n, name in enumerate(order))), said()])
    assert diary.entries == ["+0", "+1", "-0", "-1", "+2", "-2", "+3", "-3", "+4", "-4"]
    assert results(chat) == ["0", "1", "2", "3", "4"]


def test_a_refused_call_keeps_its_place_among_the_results():
    diary = Diary()
    chat = chat_with(tool("le", diary.handle, is_read_only=True))
    chat.hear(speak=[calling(call("le", n=0), call("nada"), call("le", n=1)), said()])
    assert results(chat) == ["0", '{"error":"unknown tool \\"nada\\""}', "1"]


def test_a_tool_that_raises_does_not_stop_its_neighbours():
    def choose(args: Mapping[str, Any], _: ToolCtx[Any]) -> Any:
        return {"value": 10 // args["n"]}

    chat = chat_with(tool(handler=choose, is_read_only=True))
    chat.hear(speak=[calling(call(n=0), call(n=5)), said()])
    assert results(chat)[1] == "2"


# --- what a tool sees -------------------------------------------------------------------------


def test_a_tool_sees_the_turn():
    seen: list[ToolCtx[Any]] = []

    def look(_: Any, ctx: ToolCtx[Any]) -> Any:
        seen.append(ctx)
        return {}

    chat = chat_with(tool(handler=look))
    chat.hear(id="m1", speak=[calling(call()), said()], context={"vip": 1})
    (ctx,) = seen
    assert (ctx.key, ctx.context, ctx.silenced) == ("a#m1:s:1", {"vip": 1}, None)
    assert ctx.now == chat.clock.now()
    assert ctx.run is not None


def test_a_tool_of_the_idle_speaker_has_no_run():
    seen: list[ToolCtx[Any]] = []

    def look(_: Any, ctx: ToolCtx[Any]) -> Any:
        seen.append(ctx)
        return {}

    chat = Chat(tools=[tool(handler=look)], idle=None)
    chat.hear(id="m1", speak=[calling(call()), said()])
    assert (seen[0].run, seen[0].key) == (None, "idle:m1")


def test_a_stand_in_without_an_answer_is_no_tool_error():
    with pytest.raises(ScriptError, match="no take"):
        read(tool(handler=raising(ScriptError("no take"))))


# --- what is on offer -------------------------------------------------------------------------


@dataclass(frozen=True)
class Offer:
    """The tools that a flow and its step name, and those that the model is offered."""

    id: str
    offered: list[str]
    step: list[str] | None = None
    flow: list[str] | None = None


OFFERS = [
    Offer("all", ["busca", "grava"]),
    Offer("the-flow-s", ["grava"], flow=["grava"]),
    Offer("the-step-s", ["busca"], step=["busca"], flow=["grava"]),
    Offer("none-of-the-flow", [], flow=[]),
    Offer("none-of-the-step", [], step=[], flow=["grava"]),
]


@pytest.mark.parametrize("case", OFFERS, ids=lambda case: case.id)
def test_the_nearest_list_of_tools_is_offered(case: Offer):
    step = Talk("s", collect=["nome"], tools=case.step)
    chat = chat_with(tool(), tool("grava"), on=flow(step, tools=case.flow))
    chat.hear(speak=said())
    assert [offer.id for offer in chat.calls[0].tools] == case.offered


def test_the_idle_speaker_is_offered_what_it_names():
    chat = Chat(tools=[tool(), tool("grava")], idle=Idle(tools=("grava",)))
    chat.hear(speak=said())
    assert [offer.id for offer in chat.calls[0].tools] == ["grava"]


def test_a_silenced_turn_offers_nothing_to_anybody():
    chat = chat_with(tool())
    result = chat.hear(silenced=Silenced("pausa"))
    assert (chat.calls, result.llm_calls) == ([], 0)
