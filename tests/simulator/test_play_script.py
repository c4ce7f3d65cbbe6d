"""The script of a turn and the turn must fit; turns that raise; what may be spent."""

from typing import Any

import pytest

from tests.simulator.kit import (
    TALKER,
    agent,
    do,
    failures,
    flow,
    played,
    said,
    say,
    shown,
)

# --- calls without a reply ----------------------------------------------------------------------

ASKER = agent(
    flow(
        "f",
        {"id": "a", "collect": ["nome"], "question": "Qual é o seu nome?"},
        on=[{"message": ["x"]}],
    ),
    idle={"prompt": "Responda."},
    fields={"nome": {"type": "string", "ask": "Pergunte."}},
)


def test_a_call_without_a_reply_fails_the_turn_and_its_line():
    turns = "[{expect: {}}, {message: oi}]"
    assert failures(turns, agent=TALKER) == [
        (3, "model", "turn 2 (line 3): unscripted speak call, of the idle speaker")
    ]


def test_an_understand_call_without_a_reply_fails_too():
    turns = "- message: oi\n- message: de novo"
    assert failures(turns, agent=ASKER) == [
        (3, "model", "turn 1 (line 3): unscripted understand call"),
        (4, "model", "turn 2 (line 4): unscripted understand call"),
    ]


def test_the_step_that_wanted_to_speak_is_named():
    turns = "- {message: oi, model: {understand: {flows: {f: 90}, asks: true}}}"
    [(_, _, message)] = failures(turns, agent=ASKER)
    assert 'unscripted speak call, of flow "f", step "a"' in message


def test_a_call_without_a_reply_is_no_failure_of_a_provider():
    turns = "- {message: oi, expect: {error: {$any: true}}}"
    record = played(turns, agent=TALKER)
    assert [failure.path for failure in record.failures] == ["model"]
    assert record.turns[0].result is None


def test_nothing_of_a_turn_without_its_reply_is_saved():
    assert len(failures("[{message: oi}, {expect: {stored: null, sent: []}}]", agent=TALKER)) == 1


def test_a_second_round_without_a_reply_fails():
    tools = [{"id": "t", "description": "", "parameters": {"type": "object", "properties": {}}}]
    turns = "- {message: oi, model: {speak: [{toolCalls: [{tool: t}]}]}}"
    [(_, _, message)] = failures(turns, agent=TALKER | {"tools": tools})
    assert "unscripted speak call" in message


def test_a_summary_without_a_reply_fails():
    compact = {"maxTokens": 4, "preserveRecentCount": 2}
    history = "[" + ", ".join("{role: user, content: bastante}" for _ in range(4)) + "]"
    turns = f"- {{message: oi, history: {history}, model: {{speak: {{message: Oi}}}}}}"
    assert failures(turns, agent=TALKER | {"compaction": compact}) == [
        (3, "model", "turn 1 (line 3): unscripted summary call")
    ]
    assert not failures(
        turns.replace("model: {", "model: {summary: {raw: resumo}, "),
        agent=TALKER | {"compaction": compact},
    )


# --- replies without a call ---------------------------------------------------------------------


def test_a_reply_that_no_call_asked_for_fails():
    turns = "- {event: oi, model: {speak: {message: sobra}}}"
    assert failures(turns) == [
        (3, "model", "turn 1 (line 3): scripted replies that no call asked for: 1 speak")
    ]


def test_all_that_is_left_over_is_counted():
    turns = "- {message: oi, model: {understand: {}, speak: [{raw: a}, {raw: b}, {raw: c}]}}"
    [(_, _, message)] = failures(turns, agent=TALKER)
    assert message.endswith("no call asked for: 1 understand and 2 speak")


def test_what_is_left_over_is_not_used_by_the_next_turn():
    turns = "[{event: oi, model: {speak: {raw: a}}}, {message: oi, model: {speak: {raw: b}}}]"
    assert said(played(turns, agent=TALKER | {"events": {"oi": {}}}))[-1] == ["b"]


def test_expectations_are_judged_beside_a_reply_that_is_left_over():
    turns = "- {event: oi, model: {speak: {raw: a}}, expect: {replies: []}}"
    assert [path for path, _, _ in shown(turns)] == ["model", "replies[0]"]


# --- turns that raise ---------------------------------------------------------------------------

RATE = "model: {understand: {fail: {kind: rate, status: 429, body: devagar}}}"


def test_a_turn_that_raises_fails_unless_an_error_is_expected():
    turns = f"- {{message: oi, {RATE}, expect: {{replies: [x]}}}}"
    assert failures(turns, agent=ASKER) == [
        (3, "error", "the turn raised ProviderError: scripted 429: devagar")
    ]


@pytest.mark.parametrize(
    "error",
    [
        "{class: ProviderError}",
        "{kind: rate}",
        '{message: "scripted 429: devagar"}',
        "{$any: true}",
        "{$not: {kind: quota}}",
    ],
)
def test_an_error_is_expected_by_any_part_of_it(error: str):
    assert not failures(f"- {{message: oi, {RATE}, expect: {{error: {error}}}}}", agent=ASKER)
    exact = f"- {{message: oi, {RATE}, exactly: {{error: {{class: ProviderError, kind: rate}}}}}}"
    assert not failures(exact, agent=ASKER)


def test_another_error_than_the_expected_one_fails():
    turns = f"- {{message: oi, {RATE}, expect: {{error: {{class: TypeError, kind: quota}}}}}}"
    assert shown(turns, agent=ASKER) == [
        ("error.class", "TypeError", "ProviderError"),
        ("error.kind", "quota", "rate"),
    ]


def test_an_error_that_does_not_come_fails():
    assert shown("- {event: oi, expect: {error: {class: ProviderError}}}") == [
        ("error", {"class": "ProviderError"}, None)
    ]


@pytest.mark.parametrize("nothing", ["null", "{$absent: true}"])
def test_that_there_is_no_error_may_be_expected(nothing: str):
    assert not failures(f"- {{event: oi, expect: {{error: {nothing}}}}}")
    turns = f"- {{message: oi, {RATE}, expect: {{error: {nothing}}}}}"
    assert [path for path, _, _ in shown(turns, agent=ASKER)] == ["error"]


def test_an_understand_call_that_comes_back_blank_raises():
    assert not failures(
        """
        - message: oi
          model: {understand: {empty: true}}
          expect: {error: {class: EmptyReplyError, kind: null, message: {$contains: No response}}}
        """,
        agent=ASKER,
    )


def test_a_turn_that_raised_shows_its_calls_and_actions():
    turns = f"- {{message: oi, {RATE}, exactly: {{error: {{$any: true}}, CALLS}}}}"
    assert not failures(turns.replace("CALLS", "calls: [understand], actions: []"), agent=ASKER)
    assert failures(turns.replace("CALLS", "calls: []"), agent=ASKER) == [
        (3, "calls[0]", "not expected: the list has 1 element, not 0")
    ]


@pytest.mark.parametrize(
    "key",
    [
        *("replies", "data", "runs", "floor", "prompts", "tools", "sent", "pending", "stored"),
        *("session", "changed", "messages", "schedule", "outcomes", "started", "ended", "skipped"),
        *("llmCalls", "usage"),
    ],
)
def test_a_turn_that_raised_has_nothing_else(key: str):
    turns = f"""
        - {{event: oi}}
        - {{message: oi, {RATE}, expect: {{error: {{$any: true}}, {key}: {{$any: true}}}}}}
        """
    waits = flow("g", say("Oi!"), {"id": "b", "wait": "1h"})
    agents = {**ASKER, "flows": [*ASKER["flows"], waits]}
    assert [path for path, _, _ in shown(turns, agent=agents)] == [key]


def test_a_turn_that_raised_changed_nothing():
    assert not failures(
        f"""
        - event: oi
          session: s2
        - {{message: oi, {RATE}, expect: {{error: {{kind: rate}}}}}}
        - expect: {{stored: null, pending: [], runs: [], sent: []}}
        - message: oi
          id: m2
          model: {{understand: {{flows: {{f: 90}}, asks: false}}}}
          expect: {{changed: true, stored: {{version: 1, inputs: [m2]}}}}
        """,
        agent=ASKER,
    )


# --- budgets ------------------------------------------------------------------------------------

COUNTED = """
- message: um
  model: {speak: {message: a, usage: {promptTokens: 60, completionTokens: 5}}}
- message: dois
  model: {speak: {message: b, usage: {promptTokens: 40, completionTokens: 5}}}
"""


def budget(**bounds: Any) -> list[tuple[str, Any, Any]]:
    return shown(COUNTED, agent=TALKER, budget=bounds)


def test_what_is_spent_may_come_up_to_the_budget():
    assert not budget(llmCalls=2, perTurn=1, promptTokens=100, completionTokens=10)


@pytest.mark.parametrize(
    ("bound", "most", "spent"),
    [("llmCalls", 1, 2), ("promptTokens", 99, 100), ("completionTokens", 9, 10)],
)
def test_what_is_spent_beyond_the_budget_fails(bound: str, most: int, spent: int):
    assert budget(**{bound: most}) == [(f"budget.{bound}", most, spent)]


def test_each_turn_that_spends_too_much_fails():
    record = played(COUNTED, agent=TALKER, budget={"perTurn": 0})
    assert [(failure.line, failure.path) for failure in record.failures] == [
        (3, "budget.perTurn"),
        (5, "budget.perTurn"),
    ]


def test_a_budget_that_is_exceeded_is_shown_where_it_stands():
    [(line, path, message)] = failures(COUNTED, agent=TALKER, budget={"llmCalls": 0})
    assert (line, path) == (8, "budget.llmCalls")
    assert message == "the scenario spent 2 llmCalls, its budget allows 0"


def test_what_nobody_counted_costs_nothing():
    turns = "- {message: um, model: {speak: {message: a}}}"
    assert not failures(turns, agent=TALKER, budget={"promptTokens": 0, "completionTokens": 0})


def test_calls_that_failed_are_spent_too():
    turns = f"- {{message: oi, {RATE}, expect: {{error: {{kind: rate}}}}}}"
    assert shown(turns, agent=ASKER, budget={"llmCalls": 0}) == [("budget.llmCalls", 0, 1)]


def test_what_a_crash_lost_was_spent():
    turns = "- {message: um, crash: before-save, model: {speak: {message: a}}}"
    assert shown(turns, agent=TALKER, budget={"llmCalls": 1}) == [("budget.llmCalls", 1, 2)]


def test_a_fired_wake_keeps_to_the_budget_of_a_turn():
    nudge = flow("n", {"id": "a", "prompt": "Cutuque."}, on=[{"silence": "1h"}])
    turns = """
        - event: oi
        - advance: 1h
          fired: [{model: {speak: {message: Oi}}}]
        """
    talks = agent(flow("f", do(), say("Oi!", "b")), nudge, actions={"agir": {}})
    assert [line for line, _, _ in failures(turns, agent=talks, budget={"perTurn": 0})] == [5]
