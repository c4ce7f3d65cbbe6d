"""Scripted replies in every form, and what is wrong with them."""

from pathlib import Path

import pytest

from falai.errors import ProviderError
from falai.providers.base import ToolCall
from falai.words.turn import Usage
from simulator.load import Document, ScenarioFileError
from simulator.reply import read_script
from simulator.scenario import Failure, ModelScript, Reply


def script(text: str) -> ModelScript:
    return read_script(Document(Path("s.yaml"), text).spot)


def speak(text: str) -> Reply:
    [reply] = script(f"speak: {text}").speak
    return reply


def test_one_reply_or_a_list_for_each_purpose():
    made = script("{understand: {flows: {a: 90}}, speak: [{message: a}, {message: b}]}")
    assert [reply.envelope for reply in made.of("understand")] == [{"flows": {"a": 90}}]
    assert [reply.envelope for reply in made.of("speak")] == [{"message": "a"}, {"message": "b"}]
    assert made.of("summary") == ()


def test_an_envelope_with_tool_calls_and_usage():
    reply = speak(
        "{message: um momento, nome: Ana, toolCalls: [{tool: a}, {tool: b, arguments: {c: 1}}, "
        "{tool: d, arguments: '{\"e\"'}], "
        "usage: {promptTokens: 5, completionTokens: 2, cachedInputTokens: 1}}"
    )
    assert reply.envelope == {"message": "um momento", "nome": "Ana"}
    assert reply.tool_calls == (ToolCall("a"), ToolCall("b", {"c": 1}), ToolCall("d", '{"e"'))
    assert reply.usage == Usage(5, 2, 1)
    assert speak("{toolCalls: [{tool: a}]}").envelope == {}


def test_replies_without_an_envelope():
    assert speak("{raw: texto, usage: {promptTokens: 1}}").raw == "texto"
    assert speak("{raw: texto}").envelope is None
    assert speak("{empty: true}").empty
    assert speak("{fail: quota}").fail == Failure(kind="quota")


def test_a_failure_in_full_becomes_the_providers_error():
    failure = speak(
        "{fail: {kind: rate, status: 429, retryAfterMs: 10, resetAtMs: 20, shouldRetry: false, "
        "body: cheio}}"
    ).fail
    assert failure is not None
    error = failure.to_error("scripted")
    assert isinstance(error, ProviderError)
    assert (error.provider, error.kind, error.status) == ("scripted", "rate", 429)
    assert (error.retry_after_ms, error.reset_at_ms) == (10, 20)
    assert (error.should_retry, error.body) == (False, "cheio")


def test_a_reset_may_be_an_expression():
    failure = speak("{fail: {kind: quota, resetAtMs: '${ms(now+2d)}'}}").fail
    assert failure is not None
    assert failure.reset_at_ms == "${ms(now+2d)}"


def test_a_judgement_may_hold_keys_that_mean_nothing():
    [reply] = script("understand: {message: oi, flows: null, qqq: 3, asks: maybe}").understand
    assert reply.envelope == {"message": "oi", "flows": None, "qqq": 3, "asks": "maybe"}


def test_a_speak_reply_may_hold_fields_of_any_name():
    assert speak("{mensagem: oi}").envelope == {"mensagem": "oi"}
    assert speak("{message: oi, mesage: a, messages: b}").envelope is not None
    assert speak("{toolCalls: [{tool: a}], mesage: b}").envelope == {"mesage": "b"}
    assert speak("{empresa: null, row: 1}").envelope == {"empresa": None, "row": 1}


_MESSAGE = "Write {message: …}, or {raw: …} for a text with no structure."

MISTAKES = [
    ("speek: {message: a}", '1: unknown key "speek". Did you mean "speak"?'),
    ("speak: oi", f'8: speak must be a mapping, not the text "oi". {_MESSAGE}'),
    ("speak: [oi]", f'9: speak[0] must be a mapping, not the text "oi". {_MESSAGE}'),
    ("speak:", f"7: speak must be a mapping, not null. {_MESSAGE}"),
    (
        "speak: {message: 3}",
        "18: message must be text, not the number 3. Put it in quotes.",
    ),
    ("speak: {mesage: oi}", '9: unknown key "mesage". Did you mean "message"?'),
    ("speak: {empresa: a, Message: oi}", '21: unknown key "Message". Did you mean "message"?'),
    ("speak: [{message: a}, {mesasge: oi}]", '24: unknown key "mesasge". Did you mean "message"?'),
    ("summary: {messge: oi}", '11: unknown key "messge". Did you mean "message"?'),
    ("speak: {emty: true}", '9: unknown key "emty". Did you mean "empty"?'),
    (
        "speak: {message: a, toolCall: [{tool: a}]}",
        '21: unknown key "toolCall". Did you mean "toolCalls"?',
    ),
    (
        "speak: {message: a, usge: {promptTokens: 3}}",
        '21: unknown key "usge". Did you mean "usage"?',
    ),
    (
        "speak: {raw: Oi, tudo bem}",
        "18: tudo bem cannot stand beside raw. A reply with raw has nothing else. "
        "If it belongs to the text before it, put that text in quotes.",
    ),
    ("understand: {flow: {a: 3}}", '14: unknown key "flow". Did you mean "flows"?'),
    ("understand: {flows: a}", '21: flows must be a mapping, not the text "a".'),
    ("speak: {fail: quotta}", '15: fail cannot be the text "quotta". Did you mean "quota"?'),
    (
        "speak: {fail: 3}",
        "15: fail cannot be the number 3. Write one of: aborted, timeout, network, overload, "
        "rate, quota, entitlement, auth, model, context, content, invalid, unknown.",
    ),
    ("speak: {fail: {status: 3}}", "15: fail has no kind. Add kind."),
    (
        "speak: {fail: {kind: rate, resetAtMs: '3'}}",
        '39: resetAtMs must be a whole number, 0 or more, not the text "3".',
    ),
    (
        "speak: {fail: {kind: rate, shouldRetry: 1}}",
        "41: shouldRetry must be true or false, not the number 1.",
    ),
    (
        "speak: {fail: {kind: rate, retryAfter: 1}}",
        '28: unknown key "retryAfter". Did you mean "retryAfterMs"?',
    ),
    (
        "speak: {fail: rate, message: a}",
        "21: message cannot stand beside fail. A reply with fail has nothing else.",
    ),
    (
        "speak: {empty: false}",
        "16: empty must be true, not false. Leave it out for a reply that is not empty.",
    ),
    ("speak: {raw: 3}", "14: raw must be text, not the number 3. Put it in quotes."),
    ("speak: {toolCalls: {tool: a}}", "20: toolCalls must be a list, not a mapping."),
    ("speak: {toolCalls: [{tol: a}]}", '22: unknown key "tol". Did you mean "tool"?'),
    ("speak: {toolCalls: [{arguments: {}}]}", "21: toolCalls[0] has no tool. Add tool."),
    (
        "speak: {toolCalls: [{tool: a, arguments: 3}]}",
        "42: arguments must be a mapping, or the text that a model sent for one, not the number 3.",
    ),
    (
        "speak: {message: a, usage: {promptToken: 3}}",
        '29: unknown key "promptToken". Did you mean "promptTokens"?',
    ),
    (
        "speak: {message: a, usage: {promptTokens: -3}}",
        "43: promptTokens must be a whole number, 0 or more, not the number -3.",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes(text: str, message: str):
    with pytest.raises(ScenarioFileError) as caught:
        script(text)
    assert str(caught.value) == f"s.yaml:1:{message}"
