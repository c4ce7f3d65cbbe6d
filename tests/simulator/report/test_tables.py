"""Grouped tables: numbers added up by hand, and rules that hold for every trace."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

from simulator.report.frames import frames_of
from simulator.report.tables import (
    KEYS,
    SUMS,
    By,
    known_columns,
    rows_of,
    table_of,
    totals_of,
)
from tests.property.profile import checked
from tests.simulator.report.kit import (
    TALK,
    call,
    decoded,
    frames,
    line,
    scenario,
    trace,
    traces,
    turn,
)

COUNTS = (
    "turns",
    "calls",
    "failed",
    "promptTokens",
    "completionTokens",
    "cachedTokens",
    "outcomes",
)


def table(folder: Path, document: Any, by: By, *columns: str) -> list[tuple[Any, ...]]:
    rows = rows_of(table_of(frames(folder, document), by))
    return [tuple(row[column] for column in (*KEYS[by], *columns)) for row in rows]


# --- by hand ------------------------------------------------------------------------------------


def test_by_scenario(tmp_path: Path):
    assert table(tmp_path, TALK, "scenario", *COUNTS, "status") == [
        ("s/triage.yaml", "Triage", 2, 5, 0, 1020, 70, 50, 3, "passed"),
        ("s/idle.yaml", "Idle", 2, 2, 1, 50, 5, 0, 3, "failed"),
    ]


def test_by_flow(tmp_path: Path):
    assert table(tmp_path, TALK, "flow", *COUNTS) == [
        ("triage", 3, 4, 0, 920, 60, 50, 4),
        ("-", 2, 2, 0, 150, 15, 0, 1),
        ("nudge", 1, 1, 1, None, None, None, 1),
    ]


def test_by_step(tmp_path: Path):
    assert table(tmp_path, TALK, "step", *COUNTS) == [
        ("triage", "who", 2, 4, 0, 920, 60, 50, 3),
        ("-", "idle", 1, 1, 0, 50, 5, 0, 1),
        ("nudge", "touch", 1, 1, 1, None, None, None, 1),
        ("-", "-", 1, 1, 0, 100, 10, 0, 0),
        ("triage", "-", 1, 0, 0, None, None, None, 1),
    ]


def test_by_phase(tmp_path: Path):
    assert table(tmp_path, TALK, "phase", *COUNTS[:-1]) == [
        ("understand", 2, 2, 0, 210, 20, 0),
        ("speak", 4, 5, 1, 860, 55, 50),
    ]
    assert "outcomes" not in table_of(frames(tmp_path, TALK), "phase")


def test_by_code(tmp_path: Path):
    assert table(tmp_path, TALK, "code", *COUNTS, "meaning") == [
        ("-", 3, 6, 0, 1070, 75, 50, 3, None),
        ("already-claimed", 1, 0, 0, None, None, None, 1, "It ran."),
        ("bad-value", 1, 0, 0, None, None, None, 1, "It does not fit."),
        ("provider-unavailable", 1, 1, 1, None, None, None, 1, "Away."),
    ]


def test_the_sums_over_everything(tmp_path: Path):
    totals = totals_of(frames(tmp_path, TALK))
    assert (totals.scenarios, totals.turns, totals.calls, totals.failed) == (2, 4, 7, 1)
    assert (totals.outcomes, totals.counted, totals.tokens) == (6, 6, 1145)
    assert totals.sums == {
        "promptTokens": 1070,
        "completionTokens": 75,
        "cachedTokens": 50,
        "costUsd": None,
    }
    assert totals.latency is None


def test_cost_is_added_up_and_latency_is_not(tmp_path: Path):
    made = [call(costUsd=0.25, durationMs=ms) for ms in (400, 100, 300, 200)]
    document = trace(scenario(turn(line(llmCalls=5), calls=[*made, call()])))
    known = ("calls", "costUsd", "latencyP50Ms", "latencyP95Ms")
    assert table(tmp_path, document, "flow", *known) == [("f", 5, 1.0, 250, 385)]
    assert totals_of(frames(tmp_path, document)).latency == pytest.approx((250, 385))


def test_columns_that_nothing_is_known_of_are_told(tmp_path: Path):
    def known(*calls: Any) -> set[str]:
        return known_columns(frames(tmp_path, trace(scenario(turn(calls=calls)))))

    assert known() == known(call()) == set()
    assert known(call(), call(costUsd=0)) == {"costUsd"}
    assert known(call(durationMs=1)) == {"latencyP50Ms", "latencyP95Ms"}
    assert known(call(tokens=(0, 0, 0))) == {"promptTokens", "completionTokens", "cachedTokens"}


def test_a_scenario_that_was_played_twice_is_one_row_with_the_worse_verdict(tmp_path: Path):
    played = [scenario(turn(calls=[call()]), status=status) for status in ("passed", "failed")]
    document = trace(*played, scenario(title="z"))
    assert table(tmp_path, document, "scenario", "turns", "calls", "status") == [
        ("s/t.yaml", "t", 2, 2, "failed"),
        ("s/t.yaml", "z", 0, 0, "passed"),
    ]


def test_phases_come_in_the_order_of_a_turn_and_others_after_them(tmp_path: Path):
    names = ["z", "summary", "a", "speak", "understand"]
    document = trace(scenario(turn(calls=[call(name) for name in names])))
    order = [name for (name,) in table(tmp_path, document, "phase")]
    assert order == ["understand", "speak", "summary", "a", "z"]


def test_what_spends_the_same_comes_in_the_order_of_its_name(tmp_path: Path):
    lines = [line(flow, "a") for flow in ("c", "a", "b")]
    assert table(tmp_path, trace(scenario(turn(*lines))), "flow") == [("a",), ("b",), ("c",)]


@pytest.mark.parametrize("by", KEYS)
def test_an_empty_trace_has_empty_tables(tmp_path: Path, by: By):
    assert table(tmp_path, trace(), by, "calls") == []
    assert totals_of(frames(tmp_path, trace())).tokens is None


@pytest.mark.parametrize("by", KEYS)
def test_the_columns_are_the_same_for_every_trace(tmp_path: Path, by: By):
    known = trace(scenario(turn(line(), calls=[call(tokens=(1, 1, 1), costUsd=1, durationMs=1)])))
    columns = list(table_of(frames(tmp_path, known), by))
    for document in (trace(), TALK):
        assert list(table_of(frames(tmp_path, document), by)) == columns


# --- for every trace ----------------------------------------------------------------------------


def total(values: "pd.Series[Any]") -> Any:
    """The sum of what is known; None when nothing is."""
    known = [value for value in values.tolist() if not pd.isna(value)]
    return sum(known) if known else None


def counted_by_hand(document: Any) -> dict[str, Any]:
    """The sums of a trace, straight from its document."""
    turns = [turn for played in document["scenarios"] for turn in played["turns"]]
    calls = [call for turn in turns for call in turn["calls"]]
    results = [turn["result"] for turn in turns if turn["result"]]
    names = {
        "promptTokens": "promptTokens",
        "completionTokens": "completionTokens",
        "cachedTokens": "cachedInputTokens",
    }
    usages = [call["usage"] for call in calls if call["usage"]]
    sums = {
        column: [usage[name] for usage in usages if usage[name] is not None]
        for column, name in names.items()
    }
    sums["costUsd"] = [call["costUsd"] for call in calls if call["costUsd"] is not None]
    return {
        "turns": len(turns),
        "calls": len(calls),
        "failed": sum("error" in call["reply"] for call in calls),
        "outcomes": sum(len(each["outcomes"]) + len(each["skipped"]) for each in results),
        **{column: sum(known) if known else None for column, known in sums.items()},
    }


@checked
@given(document=traces)
def test_the_groups_add_up_to_the_totals_of_the_trace(document: Any):
    made = frames_of(decoded(document))
    wanted = counted_by_hand(document)
    totals = totals_of(made)
    counts = ("turns", "calls", "failed", "outcomes")
    assert [getattr(totals, name) for name in counts] == [wanted[name] for name in counts]
    assert totals.sums == {name: wanted[name] for name in SUMS}
    for by in KEYS:
        grouped = table_of(made, by)
        columns = [name for name in wanted if name in grouped and (name, by) not in OVERLAP]
        assert {name: total(grouped[name]) or 0 for name in columns} == {
            name: wanted[name] or 0 for name in columns
        }
        assert len(grouped) == len(grouped[list(KEYS[by])].drop_duplicates())


OVERLAP = {("turns", by) for by in KEYS if by != "scenario"}
"""A turn may have calls of several groups."""
