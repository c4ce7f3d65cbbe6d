"""What a play leaves behind, in the names of the wire."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from falai import ProviderError, Usage
from simulator.place import Place, ScenarioFileError
from simulator.schema import trace_schema
from simulator.trace import TRACE_VERSION, error_of, file_error_record, total_usage, trace_of
from tests.simulator.kit import HELLO, START, TALKER, agent, do, flow, played, say

FULL = agent(
    flow(
        "f",
        do() | {"with": {"a": "x"}},
        say("Oi!", "b"),
        {"id": "c", "prompt": "Fale."},
        on=[{"message": ["quer"]}],
        anchor="lead",
    ),
    actions={"agir": {"parameters": {"a": {"type": "string"}}}},
    tools=[{"id": "t", "description": "", "parameters": {"type": "object", "properties": {}}}],
    idle={"prompt": "Responda."},
)
REFUSED = ScenarioFileError(Place("a.yaml", 1, 1), "this is wrong", "Mend it.")
TURN = """
- message: quero
  context: {nome_do_lead: Ana}
  anchors: {lead: {key: l1, lastInboundAt: 2026-01-05T08:00:00Z}}
  claims: {active: ["x:y"]}
  silenced: null
  model:
    understand: {flows: {f: 90}, usage: {promptTokens: 7, completionTokens: 1}}
    speak: [{toolCalls: [{tool: t, arguments: {q: 1}}], message: Vejo}, {message: Pronto}]
"""


def wire(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


@pytest.fixture(scope="module")
def document() -> Any:
    """The trace of one full turn."""
    return wire(trace_of([played(TURN, agent=FULL)]))


def turn_of(document: Any) -> Any:
    return document["scenarios"][0]["turns"][0]


# --- the document -------------------------------------------------------------------------------


def test_the_keys_of_the_document(document: Any):
    assert list(document) == ["version", "passed", "failed", "errors", "scenarios"]
    [scenario] = document["scenarios"]
    assert list(scenario) == [
        *("file", "scenario", "status", "durationMs", "llmCalls", "usage", "failures", "turns")
    ]


def test_the_keys_of_a_turn(document: Any):
    turn = turn_of(document)
    assert list(turn) == [*("entry", "line", "now", "input", "result", "calls", "actions", "error")]
    assert (turn["entry"], turn["line"], turn["now"], turn["error"]) == ("1", 3, START, None)


def test_a_failure_names_line_path_and_both_sides():
    record = played("- {event: oi, expect: {replies: [Olá!]}}")
    assert wire(record.failures) == [
        {
            "line": 3,
            "path": "replies[0]",
            "wanted": "Olá!",
            "got": "Oi!",
            "message": "it differs",
        }
    ]


def test_the_input_of_a_turn_says_what_happened_and_what_the_host_knew(document: Any):
    assert turn_of(document)["input"] == {
        "sessionId": "s1",
        "context": {"nome_do_lead": "Ana"},
        "anchors": {"lead": {"key": "l1", "lastInboundAt": "2026-01-05T08:00:00Z"}},
        "claims": {"active": ["x:y"]},
        "message": "quero",
        "id": "m1",
    }


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{event: oi, payload: null}", {"event": "oi", "key": "e1", "hop": 0}),
        ("{start: f, input: 3}", {"start": {"flow": "f", "key": "k1", "hop": 0, "input": 3}}),
        ("{wake: x#1:a:1}", {"wake": "x#1:a:1"}),
        ("{message: oi, silenced: humano}", {"silenced": {"reason": "humano"}}),
    ],
)
def test_every_kind_of_input_is_told(entry: str, said: dict[str, Any]):
    [turn] = wire(played(f"- {entry}").turns)
    assert said.items() <= turn["input"].items()


def test_the_result_is_the_wires_in_full(document: Any):
    result = turn_of(document)["result"]
    assert list(result) == [
        *("session", "changed", "messages", "schedule", "outcomes", "started", "ended"),
        *("skipped", "llmCalls", "usage"),
    ]
    assert result["usage"] == {"promptTokens": 7, "completionTokens": 1, "cachedInputTokens": 0}
    assert result["messages"][0] == {
        "text": "Oi!",
        "kind": "verbatim",
        "afterMs": 0,
        "key": "f#m1:b:1",
        "runId": "f#m1",
        "stepId": "b",
    }


def test_calls_are_told_with_what_came_back(document: Any):
    calls = turn_of(document)["calls"]
    assert [list(call) for call in calls] == [
        ["purpose", "prompt", "system", "tools", "reply", "usage"]
    ] * 3
    assert [call["purpose"] for call in calls] == ["understand", "speak", "speak"]
    assert [call["tools"] for call in calls] == [[], ["t"], ["t"]]


def test_a_reply_is_told_as_the_model_gave_it(document: Any):
    judged, tools, spoken = (call["reply"] for call in turn_of(document)["calls"])
    assert judged["structured"] == {"flows": {"f": 90}}
    assert tools["toolCalls"] == [{"tool": "t", "arguments": {"q": 1}}]
    assert spoken == {"message": '{"message":"Pronto"}', "structured": {"message": "Pronto"}}


def test_actions_are_told_with_what_they_returned(document: Any):
    assert turn_of(document)["actions"] == [
        {"do": "agir", "with": {"a": "x"}, "key": "f#m1:a:1", "result": {"ok": True}}
    ]


HOSTS_OWN = {"nome_do_lead"}
SNAKE = re.compile(r"[a-z]_[a-z]")


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from keys_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys_of(item)


def test_no_key_has_a_name_of_python(document: Any):
    assert {key for key in keys_of(document) if SNAKE.search(key)} == HOSTS_OWN


# --- what went wrong ----------------------------------------------------------------------------


def test_an_action_that_raised_is_told():
    acts = agent(flow("f", do()), actions={"agir": {"returns": {"throw": "caiu"}}})
    [turn] = played("- event: oi", agent=acts).turns
    assert turn.actions[0].result == {"failed": "caiu"}


def test_a_call_that_failed_is_told():
    [turn] = played("- {message: oi, model: {speak: {fail: rate}}}", agent=TALKER).turns
    error = turn.calls[0].reply["error"]
    assert (error["class"], error["kind"]) == ("ProviderError", "rate")
    assert turn.calls[0].usage is None


def test_a_turn_that_raised_has_no_result_but_an_error():
    [turn] = played("- {message: oi}", agent=TALKER).turns
    assert turn.result is None
    assert turn.error == {"class": "UnscriptedCallError", "message": "unscripted speak call"}


def test_an_error_is_told_by_class_kind_and_message():
    assert error_of(None) is None
    assert error_of(ValueError("x")) == {"class": "ValueError", "message": "x"}
    error = error_of(ProviderError("m", "quota", "acabou"))
    assert error == {"class": "ProviderError", "kind": "quota", "message": "acabou"}


def test_a_file_that_cannot_be_played_has_a_record_too():
    error = ScenarioFileError(Place("a.yaml", 7, 3), "broken", "Mend it.")
    record = wire(file_error_record(Path("s.yaml"), error))
    assert (record["file"], record["scenario"], record["status"]) == ("s.yaml", "s", "error")
    assert record["failures"][0]["message"] == "a.yaml:7:3: broken. Mend it."
    assert file_error_record(Path("s.yaml"), error, "título").scenario == "título"


def test_verdicts_are_counted():
    passed = played("- event: oi", agent=HELLO)
    failed = played("- {event: oi, expect: {replies: []}}")
    error = file_error_record(Path("s"), ScenarioFileError(Place("s", 1, 1), "x"))
    trace = trace_of([passed, failed, error, failed])
    assert (trace.passed, trace.failed, trace.errors) == (1, 2, 1)
    assert trace_of([]).passed == 0


def test_usage_is_added_where_anybody_counted():
    assert total_usage([]) is None
    assert total_usage([None, None]) is None
    total = total_usage([Usage(prompt_tokens=1, cached_input_tokens=2), None, Usage(3, 4)])
    assert total == Usage(prompt_tokens=4, completion_tokens=4, cached_input_tokens=2)


def test_a_trace_is_what_its_schema_says():
    trace = trace_of([played(TURN, agent=FULL), file_error_record(Path("a.yaml"), REFUSED)])
    document = msgspec.json.decode(msgspec.json.encode(trace))
    schema = trace_schema()
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)
    assert document["version"] == TRACE_VERSION == 1
    del document["scenarios"][0]["turns"][0]["calls"][0]["purpose"]
    assert not Draft202012Validator(schema).is_valid(document)


def test_a_call_that_a_model_answered_names_it():
    record = played("- {message: oi}", agent=TALKER, provider="offline")
    [call] = wire(record.turns)[0]["calls"]
    assert call["model"] == "offline"
    scripted = played("- {message: oi, model: {speak: {message: Oi}}}", agent=TALKER)
    assert "model" not in wire(scripted.turns)[0]["calls"][0]
