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
