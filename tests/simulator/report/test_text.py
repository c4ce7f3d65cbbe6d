"""The report for a terminal."""

from pathlib import Path
from typing import Any

import pytest

from simulator.report.amounts import shown
from simulator.report.tables import KEYS, By
from simulator.report.text import text_report
from tests.simulator.report.kit import TALK, call, frames, line, scenario, trace, turn


def report(folder: Path, document: Any, *tables: By) -> list[str]:
    return text_report(frames(folder, document), tables).splitlines()


def test_numbers_stand_below_each_other_and_names_behind_them(tmp_path: Path):
    assert report(tmp_path, TALK, "flow") == [
        "By flow",
        "  turns  calls  failed  prompt  completion  cached  outcomes  flow",
        "      3      4       0     920          60      50         4  triage",
        "      2      2       0     150          15       0         1  -",
        "      1      1       1       –           –       –         1  nudge",
        "",
        "2 scenarios, 4 turns, 7 model calls (1 failed); tokens: 1070 prompt, 75 completion, "
        "50 cached, counted in 6 of 7 calls",
    ]


def test_columns_that_nothing_is_known_of_are_left_out(tmp_path: Path):
    document = trace(scenario(turn(line("f", "a", llmCalls=1), calls=[call()])))
    assert report(tmp_path, document, "step") == [
        "By step",
        "  turns  calls  failed  outcomes  flow  step",
        "      1      1       0         1  f     a",
        "",
        "1 scenario, 1 turn, 1 model call; tokens: nobody counted",
    ]


def test_cost_and_latency_appear_when_they_are_known(tmp_path: Path):
    made = [call(costUsd=0.0125, durationMs=800), call()]
    document = trace(scenario(turn(line("f", "a", llmCalls=2), calls=made)))
    assert report(tmp_path, document, "phase") == [
        "By phase",
        "  turns  calls  failed  cost USD  p50 ms  p95 ms  phase",
        "      1      2       0    0.0125     800     800  speak",
        "",
        "1 scenario, 1 turn, 2 model calls; tokens: nobody counted; cost: 0.0125 USD; "
        "latency: p50 800 ms, p95 800 ms",
    ]


def test_codes_are_told_with_their_meaning(tmp_path: Path):
    assert report(tmp_path, TALK, "code")[:4] == [
        "By code",
        "  outcomes  turns  calls  failed  code                  meaning",
        "         3      3      6       0  -",
        "         1      1      0       0  already-claimed       It ran.",
    ]


def test_scenarios_are_told_with_file_and_verdict(tmp_path: Path):
    assert report(tmp_path, TALK, "scenario")[1:4] == [
        "  turns  calls  failed  prompt  completion  cached  outcomes  file           scenario  status",
        "      2      5       0    1020          70      50         3  s/triage.yaml  Triage    passed",
        "      2      2       1      50           5       0         3  s/idle.yaml    Idle      failed",
    ]


def test_tables_come_one_after_the_other(tmp_path: Path):
    heads = [row for row in report(tmp_path, TALK, *KEYS) if row.startswith("By ")]
    assert heads == ["By scenario", "By flow", "By step", "By phase", "By code"]


def test_a_name_cannot_colour_the_terminal_or_break_the_table(tmp_path: Path):
    document = trace(scenario(turn(line("\x1b[31mred", "a\nb"))))
    assert report(tmp_path, document, "step")[2].endswith(r"  \x1b[31mred  a\nb")


def test_an_empty_trace(tmp_path: Path):
    assert report(tmp_path, trace())[-1] == (
        "0 scenarios, 0 turns, 0 model calls; tokens: nobody counted"
    )


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("calls", None, "–"),
        ("calls", 0, "0"),
        ("calls", 9999, "9999"),
        ("calls", 10_000, "10,000"),
        ("promptTokens", 1_234_567, "1,234,567"),
        ("costUsd", None, "–"),
        ("costUsd", 0, "0.0000"),
        ("costUsd", 1234.5, "1,234.5000"),
        ("latencyP50Ms", 812.4, "812"),
    ],
)
def test_how_a_number_is_written(column: str, value: Any, text: str):
    assert shown(column, value) == text
