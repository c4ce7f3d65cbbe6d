"""Traces as rows: whose call it was, what it spent, and how it ended."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.report.tables import rows_of
from simulator.trace import trace_of
from tests.simulator.report.kit import (
    TALK,
    asking,
    call,
    failed_call,
    frames,
    line,
    scenario,
    trace,
    turn,
)

ROOT = Path(__file__).parents[3]


def calls_of(folder: Path, *turns: Any) -> list[dict[str, Any]]:
    return rows_of(frames(folder, trace(scenario(*turns))).calls)


def owners(folder: Path, *turns: Any) -> list[tuple[str, str]]:
    return [(row["flow"], row["step"]) for row in calls_of(folder, *turns)]


# --- rows ---------------------------------------------------------------------------------------


def test_a_call_is_a_row_with_its_place_its_owner_and_what_it_spent(tmp_path: Path):
    first, *_ = rows_of(frames(tmp_path, TALK).calls)[1:]
    assert first == {
        "play": 1,
        "file": "s/triage.yaml",
        "scenario": "Triage",
        "turn": 1,
        "entry": "1",
        "line": 3,
        "flow": "triage",
        "step": "who",
        "phase": "speak",
        "code": "-",
        "promptTokens": 200,
        "completionTokens": 20,
        "cachedTokens": 50,
        "costUsd": None,
        "durationMs": None,
        "failed": False,
        "error": None,
    }


def test_cost_and_latency_stand_where_they_are_known(tmp_path: Path):
    made = [call(costUsd=0.25, durationMs=812), call()]
    rows = calls_of(tmp_path, turn(line(llmCalls=2), calls=made))
    assert [(row["costUsd"], row["durationMs"]) for row in rows] == [(0.25, 812), (None, None)]


def test_a_call_that_failed_says_how(tmp_path: Path):
    rows = calls_of(tmp_path, turn(calls=[failed_call(kind="quota"), failed_call(kind=None)]))
    assert [(row["failed"], row["error"]) for row in rows] == [
        (True, "quota"),
        (True, "ProviderError"),
    ]


def test_a_turn_is_a_row(tmp_path: Path):
    raised = turn(calls=[call()], result=None, error={"class": "ProviderError", "message": "no"})
    rows = rows_of(frames(tmp_path, trace(scenario(turn(), raised))).turns)
    assert [(row["turn"], row["input"], row["calls"], row["error"]) for row in rows] == [
        (1, "message", 0, None),
        (2, "message", 1, "ProviderError"),
    ]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"message": "oi"}, "message"),
        ({"wake": "f#1:a:1"}, "wake"),
        ({"event": "paid", "key": "e1"}, "event"),
        ({"start": {"flow": "f"}}, "start"),
        ({}, "-"),
    ],
)
def test_the_kind_of_input_is_told(tmp_path: Path, given: dict[str, Any], kind: str):
    [row] = rows_of(frames(tmp_path, trace(scenario(turn(input=given)))).turns)
    assert row["input"] == kind


def test_an_outcome_line_is_a_row_and_so_is_a_start_that_was_refused(tmp_path: Path):
    rows = rows_of(frames(tmp_path, TALK).outcomes)
    told = [
        (row["flow"], row["step"], row["kind"], row["status"], row["code"], row["message"])
        for row in rows
    ]
    assert told == [
        ("triage", "who", "collect", "ok", "-", None),
        ("triage", "who", "collect", "skipped", "bad-value", "It does not fit."),
        ("triage", "who", "collect", "ok", "-", None),
        ("-", "idle", "idle", "ok", "-", None),
        ("nudge", "touch", "collect", "deferred", "provider-unavailable", "Away."),
        ("triage", "-", "start", "skipped", "already-claimed", "It ran."),
    ]


def test_a_scenario_that_could_not_be_played_is_a_row_too(tmp_path: Path):
    rows = rows_of(frames(tmp_path, trace(scenario(status="error"))).scenarios)
    assert rows == [{"play": 1, "file": "s/t.yaml", "scenario": "t", "status": "error"}]


# --- whose call it was --------------------------------------------------------------------------


def test_the_step_whose_line_counts_the_calls_has_spoken(tmp_path: Path):
    lines = [line("f", "a"), line("g", "b", llmCalls=2), line("f", "c")]
    assert owners(tmp_path, turn(*lines, calls=[call(), call()])) == [("g", "b")] * 2


def test_a_step_that_could_not_speak_has_tried(tmp_path: Path):
    lines = [line("f", "a"), line("g", "b", "provider-quota", status="failed")]
    [row] = calls_of(tmp_path, turn(*lines, calls=[failed_call()]))
    assert (row["flow"], row["step"], row["code"]) == ("g", "b", "provider-quota")


def test_the_idle_speaker_belongs_to_no_flow(tmp_path: Path):
    spoke = line(None, None, kind="idle", llmCalls=1)
    assert owners(tmp_path, turn(spoke, calls=[call()])) == [("-", "idle")]


def test_a_message_is_read_for_the_flow_that_holds_the_floor(tmp_path: Path):
    talk = [
        turn(calls=[call("understand")], runs=[asking("f", "a")]),
        turn(calls=[call("understand")], runs=[asking("g", "b")], version=1),
        turn(calls=[call("understand")], version=2),
        turn(calls=[call("understand")], version=3),
    ]
    assert owners(tmp_path, *talk) == [("-", "-"), ("f", "a"), ("g", "b"), ("-", "-")]


def test_a_suspended_run_does_not_hold_the_floor(tmp_path: Path):
    suspended = asking("f", "a") | {"status": "suspended"}
    talk = [turn(runs=[suspended, asking("g", "b")]), turn(calls=[call("understand")], version=1)]
    assert owners(tmp_path, *talk) == [("g", "b")]


def test_the_reply_that_a_wait_was_for_is_read_for_its_flow(tmp_path: Path):
    lines = [line("f", "w", "replied", kind="wait"), line("f", "x", kind="say")]
    assert owners(tmp_path, turn(*lines, calls=[call("understand")])) == [("f", "w")]


def test_sessions_have_a_floor_each(tmp_path: Path):
    other = {"sessionId": "s2", "message": "oi"}
    talk = [
        turn(runs=[asking("f", "a")]),
        turn(runs=[asking("g", "b")], input=other),
        turn(calls=[call("understand")], version=1),
        turn(calls=[call("understand")], version=1, input=other),
    ]
    assert owners(tmp_path, *talk) == [("f", "a"), ("g", "b")]


def test_scenarios_have_a_floor_each(tmp_path: Path):
    first = scenario(turn(runs=[asking("f", "a")]))
    second = scenario(turn(calls=[call("understand")], version=1))
    [row] = rows_of(frames(tmp_path, trace(first, second)).calls)
    assert (row["flow"], row["step"]) == ("-", "-")


def test_an_attempt_that_lost_its_race_leaves_no_floor(tmp_path: Path):
    talk = [
        turn(runs=[asking("f", "a")], entry="1a"),
        turn(runs=[asking("g", "b")], entry="1b lost"),
        turn(calls=[call("understand")], version=1, entry="1b"),
    ]
    assert owners(tmp_path, *talk) == [("f", "a")]


def test_a_repeated_attempt_counts_in_place_of_the_one_that_crashed(tmp_path: Path):
    talk = [
        turn(runs=[asking("f", "a")], entry="1"),
        turn(runs=[asking("g", "b")], entry="1 again"),
        turn(calls=[call("understand")], version=1, entry="2"),
    ]
    assert owners(tmp_path, *talk) == [("g", "b")]


def test_a_turn_that_changed_nothing_leaves_the_floor_alone(tmp_path: Path):
    ignored = turn(version=1)
    ignored["result"]["changed"] = False
    talk = [turn(runs=[asking("f", "a")]), ignored, turn(calls=[call("understand")], version=1)]
    assert owners(tmp_path, *talk) == [("f", "a")]


def test_a_turn_that_raised_read_its_message_for_the_floor(tmp_path: Path):
    raised = turn(calls=[failed_call("understand")], result=None, error={"class": "ProviderError"})
    assert owners(tmp_path, turn(runs=[asking("f", "a")]), raised) == [("f", "a")]


@pytest.mark.parametrize("purpose", ["summary", "another"])
def test_a_call_for_anything_else_belongs_to_nobody(tmp_path: Path, purpose: str):
    talk = [
        turn(runs=[asking("f", "a")]),
        turn(line("f", "a", llmCalls=1), calls=[call(purpose), call()], version=1),
    ]
    assert owners(tmp_path, *talk) == [("-", "-"), ("f", "a")]


# --- what is really played ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Every model call of the scenarios of the project."""
    records = [
        asyncio.run(play(one))
        for file in sorted((ROOT / "scenarios").glob("*.yaml"))
        for one in read_scenario(load_document(file))
    ]
    document = msgspec.json.decode(msgspec.json.encode(trace_of(records), enc_hook=repr))
    rows = rows_of(frames(tmp_path_factory.mktemp("played"), document).calls)
    assert len(rows) == sum(record.llm_calls for record in records)
    return rows


def test_every_call_that_speaks_has_an_owner(played: list[dict[str, Any]]):
    spoken = [row for row in played if row["phase"] == "speak"]
    assert len(spoken) > 50
    assert [row for row in spoken if (row["flow"], row["step"]) == ("-", "-")] == []


def test_the_calls_of_a_conversation_belong_where_it_stood(played: list[dict[str, Any]]):
    triage = [row for row in played if row["file"].endswith("03-triage-asks-again.yaml")]
    assert [(row["turn"], row["phase"], row["flow"], row["step"]) for row in triage] == [
        (1, "understand", "-", "-"),
        (1, "speak", "triagem", "conhecer"),
        (2, "understand", "triagem", "conhecer"),
        (3, "understand", "triagem", "confirmar"),
        (3, "speak", "triagem", "confirmar"),
        (4, "understand", "triagem", "conhecer"),
        (5, "understand", "triagem", "confirmar"),
        (5, "speak", "triagem", "confirmar"),
    ]
