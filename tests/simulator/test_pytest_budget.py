"""The budget of a pytest run: all scenarios together, whichever process played them."""

from collections.abc import Callable
from pathlib import Path

import pytest

SCENARIO = """\
scenario: {title}
agent: {{name: Ana, flows: [], idle: {{prompt: Responda.}}}}
turns:
  - message: oi
    model: {{speak: {{message: "Oi!"}}}}
    expect: {{replies: ["{reply}"]}}
"""
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    for name in ("a", "b"):
        pytester.makefile(".yaml", **{name: SCENARIO.format(title=name, reply="Oi!")})
    return lambda *args: pytester.runpytest_subprocess(*args)


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "with workers"])
def test_a_run_that_spends_too_much_fails_though_all_pass(run: Run, workers: tuple[str, ...]):
    result = run("--falai-budget", "llmCalls=1", *workers)
    result.assert_outcomes(passed=2)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*budget llmCalls=1: the run spent 2 llmCalls, passed at turn 1*"])


def test_a_run_within_its_budget_says_nothing(run: Run):
    result = run("--falai-budget", "llmCalls=2")
    assert (result.ret, "falai budget" in result.stdout.str()) == (0, False)


def test_a_report_for_other_tools_says_nothing_of_it(run: Run):
    assert run("--falai-budget", "llmCalls=2", "--junitxml", "junit.xml").ret == 0
    assert "spent" not in Path("junit.xml").read_text(encoding="utf-8")


def test_settings_hold_a_budget_too(run: Run, pytester: pytest.Pytester):
    pytester.makeini("[pytest]\nfalai_budget =\n    llmCalls=9\n    perTurn=0\n")
    result = run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*budget perTurn=0: turn 1 (a.yaml:4) made 1 model calls*"])


def test_a_text_that_is_no_budget_is_told(run: Run):
    result = run("--falai-budget", "llmCall=1")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*nothing is called llmCall. Did you mean llmCalls?*"])


def test_under_ci_the_trace_of_a_failure_is_kept(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
):
    pytester.makefile(".yaml", c=SCENARIO.format(title="c", reply="Tchau!"))
    monkeypatch.setenv("CI", "true")
    assert run().ret == 1
    assert [file.name for file in Path("falai-traces").iterdir()] == ["c.json"]


def test_a_flow_that_nothing_was_spent_for_is_noted(run: Run):
    result = run("--falai-budget", "flow.triagem.llmCalls=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["note: budget flow.triagem*: no call was made for flow triagem."])
