"""The page: its numbers are the trace's, nothing leaves it, and nothing in a trace can break it."""

import re
from typing import Any

import pytest
from hypothesis import given, settings

from simulator.report.amounts import numbers_shown, shown, texts_shown
from simulator.report.baseline import compare
from simulator.report.frames import frames_of
from simulator.report.html import html_report
from simulator.report.tables import KEYS, known_columns, rows_of, table_of
from tests.property.profile import checked
from tests.simulator.report.kit import (
    TALK,
    call,
    decoded,
    failed_call,
    line,
    scenario,
    trace,
    traces,
    turn,
)
from tests.simulator.report.pages import Page


def html(document: Any, baseline: Any = None) -> str:
    played = decoded(document)
    frames = frames_of(played)
    before = compare(frames_of(decoded(baseline)), frames, 5) if baseline is not None else None
    return html_report(frames, played, before)


def page(document: Any, baseline: Any = None) -> Page:
    return Page(html(document, baseline))


# --- numbers ------------------------------------------------------------------------------------


def test_the_tables_by_hand():
    tables = page(TALK).tables
    assert tables["by-flow"] == [
        ["flow", "turns", "calls", "failed", "prompt", "completion", "cached", "outcomes"],
        ["triage", "3", "4", "0", "920", "60", "50", "4"],
        ["-", "2", "2", "0", "150", "15", "0", "1"],
        ["nudge", "1", "1", "1", "–", "–", "–", "1"],
    ]
    assert tables["by-scenario"][1:] == [
        ["Triage", "passed", "2", "5", "0", "1020", "70", "50", "3"],
        ["Idle", "failed", "2", "2", "1", "50", "5", "0", "3"],
    ]
    assert tables["by-code"][1:3] == [
        ["-", "", "3", "3", "6", "0"],
        ["already-claimed", "It ran.", "1", "1", "0", "0"],
    ]


@settings(checked, max_examples=25)
@given(document=traces)
def test_the_tables_of_every_trace_hold_its_numbers(document: Any):
    frames = frames_of(decoded(document))
    known = known_columns(frames)
    tables = page(document).tables
    for by in KEYS:
        names = [name for name in texts_shown(by) if name != "file"]
        wanted = [
            [
                *(row[name] or "" for name in names),
                *(shown(n, row[n]) for n in numbers_shown(by, known)),
            ]
            for row in rows_of(table_of(frames, by))
        ]
        assert tables[f"by-{by}"][1:] == wanted


def tiles(made: Page) -> str:
    """The words of the sums, up to the first chart."""
    return made.text.partition("Calls per turn")[0]


def test_the_sums_over_everything_stand_at_the_top():
    told = tiles(page(TALK)).splitlines()
    assert told[3:] == [
        *("scenarios", "2", "1 failed, 1 passed"),
        *("turns", "4", "6 outcomes"),
        *("model calls", "7", "1.75 a turn, 1 failed"),
        *("tokens", "1145", "1070 prompt, 75 completion, 50 cached, counted in 6 of 7 calls"),
    ]


def test_cost_and_latency_appear_when_they_are_known():
    made = [call(costUsd=0.0125, durationMs=ms) for ms in (100, 300)]
    told = tiles(page(trace(scenario(turn(line(llmCalls=2), calls=made)))))
    assert "US dollars\n0.0250" in told
    assert "ms latency at p50\n200\np95 290 ms" in told
    assert "US dollars" not in tiles(page(TALK))


# --- charts -------------------------------------------------------------------------------------


def charts(made: str) -> list[str]:
    """The charts, each as its markup."""
    return re.findall(r'<svg class="chart".*?</svg>', made)


def test_each_chart_says_its_numbers_in_words():
    assert [re.findall("<title>(.*?)</title>", chart)[0] for chart in charts(html(TALK))] == [
        "Calls per turn: 0: 0, 1: 2, 2: 1, 3: 1",
        "Tokens by phase: understand: 230, speak: 915",
        "Outcome codes: already-claimed: 1, bad-value: 1, provider-unavailable: 1",
    ]


def measured(chart: str, side: str) -> list[tuple[str, float]]:
    """The class of each rectangle, and how long it is."""
    found = re.findall(rf'<rect class="(\w+)"[^>]* {side}="([\d.]+)"', chart)
    return [(name, float(length)) for name, length in found]


def test_columns_are_as_high_as_their_numbers():
    heights = [height for _, height in measured(charts(html(TALK))[0], "height")]
    assert [height / max(heights) for height in heights] == [0, 1, 0.5, 0.5]


def test_bars_are_as_long_as_their_numbers():
    widths = measured(charts(html(TALK))[1], "width")
    per_token = 150 / 915
    wanted = [
        *(("prompt", 210), ("completion", 20)),
        *(("cached", 50), ("prompt", 810), ("completion", 55)),
    ]
    assert widths == [(name, pytest.approx(count * per_token, abs=0.06)) for name, count in wanted]


def test_what_failed_or_was_deferred_has_a_colour_of_its_own():
    lines = [line(code="z", status=status) for status in ("ok", "failed", "failed", "deferred")]
    widths = measured(charts(html(trace(scenario(turn(*lines)))))[-1], "width")
    assert [name for name, _ in widths] == ["main", "deferred", "failed"]
    assert [width for _, width in widths] == [37.5, 37.5, 75]


def test_turns_with_very_many_calls_stand_in_one_column():
    document = trace(scenario(*(turn(calls=[call()] * count) for count in (1, 9, 12, 12))))
    [title, *_] = re.findall("<title>(Calls per turn: .*?)</title>", html(document))
    assert title.endswith(" 7: 0, 8: 0, 9+: 3")
    [chart, *_] = re.findall("<figure>.*?</figure>", html(document))
    assert '<td>12</td><td class="number">2</td>' in chart


def test_behind_each_chart_is_a_table():
    behind = [
        re.findall("<td[^>]*>(.*?)</td>", each)
        for each in re.findall("<figure>.*?</figure>", html(TALK))
    ]
    assert behind == [
        ["0", "0", "1", "2", "2", "1", "3", "1"],
        ["understand", "210", "0", "20", "speak", "860", "50", "55"],
        [
            *("already-claimed", "1", "It ran."),
            *("bad-value", "1", "It does not fit."),
            *("provider-unavailable", "1", "Away."),
        ],
    ]


def test_charts_of_nothing_say_so():
    told = page(trace(scenario(turn(calls=[call()])))).texts
    assert "No model call of this trace counted its tokens." in told
    assert "No line has a code." in told


def test_an_empty_trace_has_a_page():
    assert page(trace()).tables["by-flow"] == [["flow", "turns", "calls", "failed", "outcomes"]]


# --- conversations ------------------------------------------------------------------------------


def told(*turns: Any, **rest: Any) -> str:
    """The words of a conversation."""
    return page(trace(scenario(*turns, **rest))).text.partition("Conversations")[2]


def test_a_conversation_says_when_and_what_was_said_and_what_it_took():
    said = turn(
        line("f", "a", llmCalls=1),
        line("f", "b", "bad-value", status="skipped", detail="age"),
        calls=[call("understand", (10, 2, 0)), call(tokens=(20, 3, 0), costUsd=0.5, durationMs=9)],
        skipped=[{"flowId": "g", "code": "cooldown"}],
    )
    said["result"]["messages"] = [
        {"text": "Olá!", "kind": "ai", "afterMs": 0},
        {"text": "Tudo bem?", "kind": "verbatim", "afterMs": 3000},
    ]
    assert told(said, status="failed").splitlines()[2:] == [
        *("failed", "t", "s/t.yaml", "Model calls in each turn: 2", "2 calls"),
        *("Mon 2026-01-05", "09:00", "turn 1, line 3", "2"),
        *("customer", "oi", "assistant", "Olá!", "assistant, verbatim, after 3 s", "Tudo bem?"),
        "understand · 12 tokens",
        "speak · f/a · 23 tokens · 0.5000 USD · 9 ms",
        "f/b · collect · bad-value · age",
        "g not started: cooldown",
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"event": "paid", "payload": {"sum": 3}}, 'event\npaid {"sum":3}'),
        ({"event": "paid"}, "event\npaid"),
        ({"wake": "f#1:a:1"}, "wake\nf#1:a:1"),
        ({"start": {"flow": "f", "key": "k"}}, "start\nf"),
        ({"start": {"flow": "f", "input": None}}, "start\nf null"),
        ({}, "no input"),
        ({"message": 3}, "customer\n3"),
    ],
)
def test_what_happened_is_told(given: dict[str, Any], words: str):
    assert f"\n{words}" in told(turn(input=given))


def test_the_time_that_passed_is_told():
    times = [
        "2026-01-05T09:00:00Z",
        "2026-01-05T09:00:00Z",
        "2026-01-06T10:30:05Z",
        "2026-01-06T10:00:00Z",
    ]
    words = told(*(turn(now=now) for now in times)).splitlines()
    assert [one for one in words if one.startswith("+")] == ["+1 d 1 h"]
    assert [one for one in words if re.match(r"\d\d:|\w{3} 2", one)] == [
        *("Mon 2026-01-05", "09:00", "09:00"),
        *("Tue 2026-01-06", "10:30:05", "10:00"),
    ]


@pytest.mark.parametrize("now", ["soon", "", None, "0001-01-01T00:00:00+14:00"])
def test_a_time_that_cannot_be_read_is_shown_as_it_is(now: str | None):
    assert f"{now or ''}turn 1" in told(turn(now=now)).replace("\n", "")


def test_a_turn_that_raised_says_what():
    raised = turn(
        calls=[failed_call()], result=None, error={"class": "ProviderError", "message": "no"}
    )
    assert "ProviderError: no\nspeak · failed: rate" in told(raised)


def test_expectations_that_did_not_hold_are_told():
    failures = [{"line": 7, "path": "floor", "wanted": 1, "got": 2, "message": "it differs"}]
    assert "line 7: floor: it differs" in told(turn(), failures=failures).splitlines()


def test_sessions_are_told_where_there_are_several():
    two = [turn(), turn(input={"sessionId": "s2", "message": "oi"})]
    assert [one for one in told(*two).splitlines() if one.startswith("session")] == [
        *("session s1", "session s2"),
    ]
    assert "session" not in told(turn(), turn())


def test_an_attempt_that_lost_its_race_is_marked():
    made = page(trace(scenario(turn(entry="1a"), turn(entry="1b lost"), turn(entry="1b"))))
    assert len(made.of("li", "turn")) == 3
    assert len(made.of("li", "lost")) == 1


# --- the comparison -----------------------------------------------------------------------------


def test_the_comparison_stands_on_the_page():
    after = trace(*TALK["scenarios"], scenario(title="new"))
    after["scenarios"][0] = scenario(
        *TALK["scenarios"][0]["turns"],
        turn(line("triage", "who", llmCalls=1), calls=[call()], version=2),
        title="Triage",
        file="s/triage.yaml",
    )
    made = page(after, TALK).text.partition("Compared with the baseline")[2]
    assert made.partition("Calls per turn")[0].strip().splitlines() == [
        "1 step grew by more than 5% in 2 scenarios. In all: calls 7 -> 8 (+14.3%), tokens 1145.",
        *("flow triage, step who", "calls 4 -> 5 (+25.0%)", "s/triage.yaml: Triage"),
        "New: s/t.yaml: new",
    ]
    assert "Compared" not in page(TALK).text


# --- nothing leaves it, nothing breaks it -------------------------------------------------------

HOSTILE = """</span></script><script>alert(1)</script><img src=http://x.example/a.png onerror=alert(1)>"'&<!--"""


def hostile() -> Any:
    """A trace with markup wherever a text may stand."""
    said = turn(
        line(
            HOSTILE,
            HOSTILE,
            HOSTILE,
            kind=HOSTILE,
            status="failed",
            message=HOSTILE,
            detail=HOSTILE,
        ),
        calls=[call(HOSTILE), failed_call(kind=HOSTILE)],
        runs=[asking_of(HOSTILE)],
        skipped=[{"flowId": HOSTILE, "code": HOSTILE, "message": HOSTILE}],
        entry=HOSTILE,
        now=HOSTILE,
        input={"sessionId": HOSTILE, "message": HOSTILE},
    )
    said["result"]["messages"] = [{"text": HOSTILE, "kind": HOSTILE, "afterMs": 1}]
    raised = turn(
        result=None,
        error={"class": HOSTILE, "message": HOSTILE},
        input={"sessionId": "s2", "start": {"flow": HOSTILE, "input": {HOSTILE: HOSTILE}}},
    )
    event = turn(input={"event": HOSTILE, "payload": [HOSTILE]})
    failures = [{"line": 1, "path": HOSTILE, "message": HOSTILE}]
    names = {"title": HOSTILE, "file": HOSTILE, "status": HOSTILE}
    return trace(scenario(said, raised, event, failures=failures, **names))


def asking_of(name: str) -> Any:
    return {"id": name, "flowId": name, "stepId": name, "status": "asking"}


def test_markup_in_a_trace_is_text():
    plain, other = page(TALK), page(hostile(), trace(*hostile()["scenarios"], scenario()))
    assert len(other.of("script")) == len(plain.of("script")) == 1
    assert other.of("img") == []
    assert other.references == plain.references == ["data:,"]
    assert other.text.count(HOSTILE) > 30


def test_the_page_needs_nothing_from_outside():
    made = html(TALK)
    assert page(TALK).references == ["data:,"]
    assert re.findall(r"https?:|//[a-z]|url\(|@import|@font-face|src=", made) == []


def test_nothing_but_its_own_script_may_run_and_nothing_may_be_fetched():
    [policy] = [named["content"] for named in page(TALK).of("meta") if "http-equiv" in named]
    parts = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["img-src"] == "data:"
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", parts["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", parts["style-src"])


def test_the_same_trace_gives_the_same_page():
    assert html(hostile()) == html(hostile())


def test_whoever_cannot_see_the_page_can_read_it():
    made = page(TALK)
    assert made.of("html") == [{"lang": "en"}]
    assert all(
        named.get("role") == "img" or named.get("class") == "share" for named in made.of("svg")
    )
    assert all(named.get("scope") in ("col", "row") for named in made.of("th"))
    assert all(named["aria-label"] for named in made.of("div", "scroll") if "tabindex" in named)
    assert {"width=device-width, initial-scale=1", "light dark"} <= {
        named.get("content") for named in made.of("meta")
    }
