"""Understand: when the model is asked, and what a call that fails leaves behind."""

import pytest

from falai import (
    EmptyReplyError,
    ErrorKind,
    Field,
    Message,
    ModelReply,
    ProviderError,
    Say,
    ScriptError,
    Talk,
    ToolCall,
)
from tests.turn.kit import Chat, calling, flow, judged, said, texts

BLANK = [ModelReply(), ModelReply(message=" \n\t"), ModelReply(reasoning={"sig": 1})]
PHRASED = [Message(["quero isso"])]


def shop() -> Chat:
    """A conversation with two flows that are scored."""
    return Chat(
        flow(Say("s", say="Vendas!"), id="venda", on=PHRASED),
        flow(Say("s", say="Trocas!"), id="troca", on=PHRASED),
    )


@pytest.mark.parametrize("reply", BLANK)
def test_a_blank_reply_raises_a_plain_error(reply: ModelReply):
    with pytest.raises(EmptyReplyError, match=r"^No response from scripted$"):
        shop().hear(understand=reply)


@pytest.mark.parametrize("kind", ["timeout", "auth", "context"])
def test_a_failing_provider_is_the_host_s_to_handle(kind: ErrorKind):
    with pytest.raises(ProviderError) as caught:
        shop().hear(understand=ProviderError("scripted", kind))
    assert caught.value.kind == kind


def test_after_a_failed_call_the_same_input_can_be_played_again():
    chat = shop()
    with pytest.raises(ProviderError):
        chat.hear(id="m1", understand=ProviderError("scripted", "rate"))
    result = chat.hear(id="m1", understand=judged(flows={"troca": 90}))
    assert (texts(result), result.session.version) == (["Trocas!"], 0)


def test_a_call_without_a_scripted_reply_is_no_provider_failure():
    with pytest.raises(ScriptError, match="unscripted understand call"):
        shop().hear()


@pytest.mark.parametrize("text", ["Não sei.", "[1, 2]", "42", '"flows"', "{bem}", "{}"])
def test_a_reply_without_a_judgement_routes_to_nobody(text: str):
    result = shop().hear(understand=ModelReply(message=text))
    assert (result.messages, result.started, result.llm_calls) == ([], [], 1)


def test_a_reply_that_only_calls_tools_judges_nothing():
    result = shop().hear(understand=calling(ToolCall("busca", {})))
    assert (result.messages, result.llm_calls) == ([], 1)


def test_an_understand_call_offers_no_tools():
    chat = shop()
    chat.hear(understand=judged())
    (call,) = chat.calls
    assert (call.purpose, call.tools) == ("understand", ())


def test_a_call_carries_the_host_s_context_and_history():
    chat, history = shop(), [{"role": "assistant", "content": "Olá"}]
    chat.hear(understand=judged(), context={"tenant": 7}, history=history)
    (call,) = chat.calls
    assert (call.context, list(call.history)) == ({"tenant": 7}, history)


def test_an_empty_history_is_one_and_hides_the_session_s():
    chat = shop()
    chat.hear(understand=judged())
    assert chat.session is not None
    chat.session.history = [{"role": "user", "content": "antes"}]
    chat.hear(understand=judged())
    assert [len(call.history) for call in chat.calls] == [1]
    chat.hear(understand=judged(), history=[])
    assert [len(call.history) for call in chat.calls] == [0]


def test_both_calls_of_a_turn_get_the_same_history():
    chat = Chat(
        flow(Talk("s", prompt="Ajude."), id="venda", on=PHRASED),
        flow(Talk("s", prompt="Ajude."), id="troca", on=PHRASED),
    )
    chat.hear(
        understand=judged(flows={"venda": 80}),
        speak=said(),
        history=[{"role": "user", "content": "a"}],
    )
    first, second = chat.calls
    assert list(first.history) == list(second.history) == [{"role": "user", "content": "a"}]


def test_nothing_is_asked_when_nothing_is_to_judge():
    fields = {"ok": Field("boolean")}
    chat = Chat(flow(Talk("s", collect=["ok"])), fields=fields)
    chat.hear(speak=said())
    chat.hear(speak=said())
    assert [call.purpose for call in chat.calls] == ["speak"]


def test_a_blank_text_is_a_message_like_any_other():
    chat = Chat(flow(Talk("s", collect=["nome"])), fields={"nome": Field("string")})
    chat.hear("", speak=said("Seu nome?"))
    assert texts(chat.hear("", understand=judged(), speak=said("E o nome?"))) == ["E o nome?"]


# --- what is asked ----------------------------------------------------------------------------


def asked(chat: Chat, section: str) -> list[str]:
    """What a section of the understand call's envelope asks for."""
    schema = chat.calls[0].schema or {}
    return list(schema["properties"].get(section, {}).get("properties", {}))


FIELDS = {
    "nome": Field("string"),
    "porte": Field("string"),
    "ok": Field("boolean"),
    "quer": Field("boolean", extract="anywhere"),
}


def test_flows_are_scored_in_their_order_and_the_one_on_the_floor_first():
    flows = [flow(Say("s", say=name), id=name, on=PHRASED) for name in ("a", "b")]
    chat = Chat(*flows, flow(Talk("t", collect=["ok"]), id="z", on=None), fields=FIELDS)
    chat.take(start={"flow": "z", "key": "k"}, speak=said())
    chat.hear(understand=judged(), speak=said())
    assert asked(chat, "flows") == ["z", "a", "b"]


def test_a_flow_that_may_not_start_is_not_offered():
    flows = [
        flow(Say("s", say="x"), id="once", on=PHRASED),
        flow(Say("s", say="x"), id="never", on=[Message(["oi"], if_={"known": ["nome"]})]),
        flow(Say("s", say="x"), id="a", on=[Message(["oi"], repeat="always")]),
        flow(Say("s", say="x"), id="c", on=[Message(["oi"], if_={"silenced": False})]),
        flow(Say("s", say="x"), id="b", on=[Message(["oi"], repeat={"cooldown": "1h"})]),
    ]
    chat = Chat(*flows, fields=FIELDS)
    chat.hear(id="m1", understand=judged(flows={"once": 90}))
    chat.hear(id="m2", understand=judged(flows={"b": 90}))
    chat.hear(id="m3", understand=judged())
    assert asked(chat, "flows") == ["a", "c"]


def test_fields_are_those_that_any_message_may_give_and_nobody_knows():
    steps = [Talk("s", collect=["ok", "nome"]), Talk("t", collect=["quer", "nome"])]
    chat = Chat(flow(*steps, collect=["porte"], on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    chat.know(porte="")
    chat.hear(understand=judged(), speak=said())
    assert asked(chat, "fields") == ["porte", "nome", "quer"]
    chat.know(porte="G")
    chat.hear(understand=judged(), speak=said())
    assert asked(chat, "fields") == ["nome", "quer"]


def test_a_catch_all_s_fields_are_read_beside_something_else():
    catch_all = flow(Talk("t", collect=["nome"]), id="c", on=[Message()])
    chat = Chat(catch_all, *shop().agent.flows, fields=FIELDS)
    chat.hear(understand=judged(), speak=said())
    assert asked(chat, "fields") == ["nome"]


def test_a_catch_all_s_fields_are_not_read_while_somebody_asks():
    catch_all = flow(Say("s", say="Oi"), Talk("t", collect=["nome"]), id="c", on=[Message()])
    asker = flow(Talk("t", collect=["ok"]), id="z", on=None)
    chat = Chat(catch_all, asker, *shop().agent.flows, fields=FIELDS)
    chat.take(start={"flow": "z", "key": "k"}, speak=said())
    chat.hear(understand=judged(), speak=said())
    assert asked(chat, "fields") == []


@pytest.mark.parametrize(
    ("first", "is_read"),
    [
        (Talk("t", collect=["nome", "porte"]), False),
        (Talk("t", collect=["nome"]), True),
        (Talk("t", collect=["nome", "porte"], question="Quem?"), True),
        (Say("t", say="Oi"), True),
    ],
)
def test_a_lone_catch_all_is_read_where_its_first_step_does_not(first: Talk | Say, is_read: bool):
    chat = Chat(flow(first, Talk("u", collect=["nome", "porte"])), fields=FIELDS)
    chat.hear(understand=[judged(asks=True)] * is_read, speak=said())
    assert ("fields" in (chat.calls[0].schema or {})["properties"]) == is_read


def test_a_message_is_judged_to_ask_something_only_where_a_fixed_question_depends_on_it():
    plain, fixed = shop(), flow(Talk("t", collect=["ok"], question="Ok?"), id="q", on=None)
    asking = Chat(*plain.agent.flows, fixed, fields=FIELDS)
    for chat in (plain, asking):
        chat.hear(understand=judged())
    assert "asks" not in (plain.calls[0].schema or {})["properties"]
    assert "asks" in (asking.calls[0].schema or {})["properties"]
