"""Scenario files under pytest, as somebody has them who only installed falai."""

from collections.abc import Callable
from pathlib import Path

import pytest

# Loaded here, since a run inside of this process forgets the modules that it was first to load.
import simulator.find  # noqa: F401
import simulator.play  # noqa: F401
import simulator.told  # noqa: F401
from falai import FakeClock, ScriptedProvider, falai
from simulator.pytest_plugin import assert_budget

SCENARIO = """\
scenario: {title}
tags: [triage, pt-br]
agent: {{name: Ana, idle: {{prompt: Responda.}}}}
turns:
  - message: oi
    model: {{speak: {{message: "Oi!"}}}}
    expect: {{replies: ["{reply}"]}}
"""

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest over a project with a good scenario, a failing one and a test in Python."""
    pytester.makefile(".yaml", good=SCENARIO.format(title="It greets", reply="Oi!"))
    pytester.makefile(".yaml", wrong=SCENARIO.format(title="It greets well", reply="Oi?"))
    pytester.makefile(".yaml", agent="name: Ana\nflows: []\n")
    pytester.makepyfile(test_one="def test_one(): pass")
    return pytester.runpytest_inprocess


def test_scenarios_are_collected_beside_python_tests(run: Run):
    result = run("--collect-only", "-q")
    assert result.outlines[:3] == [
        "good.yaml::It greets",
        "test_one.py::test_one",
        "wrong.yaml::It greets well",
    ]


def test_a_failure_says_what_differs_and_shows_no_traceback(run: Run):
    result = run()
    result.assert_outcomes(passed=2, failed=1)
    at = result.outlines.index("wrong.yaml:7: replies[0]: it differs")
    assert result.outlines[at + 1 : at + 3] == ['  wanted  "Oi?"', '  got     "Oi!"']
    assert "Traceback" not in result.stdout.str()
    result.stdout.fnmatch_lines(["FAILED wrong.yaml::It greets well*"])
    assert result.ret == 1


@pytest.mark.parametrize(
    ("args", "passed", "failed"),
    [
        (("-m", "triage"), 1, 1),
        (("-m", "pt_br", "--strict-markers"), 1, 1),
        (("-m", "other"), 0, 0),
        (("-k", "well"), 0, 1),
        (("wrong.yaml",), 0, 1),
        (("good.yaml::It greets",), 1, 0),
        (("-o", "falai_collect=false"), 1, 0),
        (("-n", "2"), 2, 1),
    ],
)
def test_what_is_wanted_is_run(run: Run, args: tuple[str, ...], passed: int, failed: int):
    run(*args).assert_outcomes(passed=passed, failed=failed, deselected=None)


def test_the_first_failure_may_end_it_and_the_last_ones_run_again(run: Run):
    run("wrong.yaml", "test_one.py", "-x").assert_outcomes(failed=1)
    run("--lf").assert_outcomes(failed=1)


def test_a_report_for_ci_has_the_same_words(run: Run, pytester: pytest.Pytester):
    run("--junitxml", "junit.xml")
    report = (pytester.path / "junit.xml").read_text(encoding="utf-8")
    assert 'name="It greets well"' in report
    assert "wrong.yaml:7: replies[0]: it differs" in report


def test_a_bad_file_is_an_error_with_its_place(run: Run, pytester: pytest.Pytester):
    pytester.makefile(".yaml", bad="scenario: Bad\nagnt: x\nturns: []\n")
    result = run("bad.yaml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['bad.yaml:2:1: unknown key "agnt". Did you mean "agent"?*'])
    assert "Traceback" not in result.stdout.str()


def test_an_agent_that_cannot_be_built_is_a_failure_with_its_place(
    run: Run, pytester: pytest.Pytester
):
    text = SCENARIO.format(title="Bad", reply="Oi!").replace("Responda.}", "Responda., tools: [x]}")
    pytester.makefile(".yaml", bad=text)
    result = run("bad.yaml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['bad.yaml:3:*unknown tool "x"*'])


def test_each_combination_of_a_matrix_is_a_test(run: Run, pytester: pytest.Pytester):
    text = SCENARIO.format(title="Twice", reply="Oi!") + "matrix: {context.a: [1, 2]}\n"
    pytester.makefile(".yaml", twice=text)
    result = run("twice.yaml", "--collect-only", "-q")
    assert result.outlines[:2] == [
        "twice.yaml::Twice [context.a=1]",
        "twice.yaml::Twice [context.a=2]",
    ]


def test_a_model_without_a_tape_fails(run: Run, pytester: pytest.Pytester):
    text = SCENARIO.format(title="Taped", reply="Oi!")
    text = text.replace("turns:", "provider: {model: openai/x}\nturns:")
    pytester.makefile(".yaml", taped=text.replace('    model: {speak: {message: "Oi!"}}\n', ""))
    result = pytester.runpytest_subprocess("taped.yaml", "--falai-cassettes", "tapes")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no tape*tapes*taped.yaml*"])


def test_a_mode_that_there_is_not_is_told(run: Run):
    result = run("good.yaml", "-o", "falai_record=twice")
    result.stdout.fnmatch_lines(['*"twice" is no record mode. Use one of none, once, *'])


def test_fixtures_serve_tests_in_python(run: Run, pytester: pytest.Pytester):
    pytester.makepyfile(
        test_two="""
        from falai import falai
        from simulator.pytest_plugin import assert_budget

        def test_turn(falai_clock, falai_scripted):
            falai_scripted.load({"speak": ["Oi!"]})
            agent = falai().agent("Ana", provider=falai_scripted, clock=falai_clock)
            result = agent.turn_sync(session_id="s1", message="oi")
            assert result.messages[0].text == "Oi!"
            assert_budget(result, llm_calls=1)

        def test_leftovers(falai_scripted):
            falai_scripted.load({"speak": ["Oi!"]})

        def test_file(falai_simulator):
            [record] = falai_simulator.play("good.yaml")
            assert record.status == "passed" and record.llm_calls == 1
        """
    )
    result = pytester.runpytest_subprocess("test_two.py")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*scripted replies that no call asked for: {'speak': 1}*"])


def test_a_budget_names_what_was_overspent():
    model = ScriptedProvider(speak=["Oi!"])
    agent = falai().agent("Ana", provider=model, clock=FakeClock("2026-01-05T09:00:00Z"))
    result = agent.turn_sync(session_id="s1", message="oi")
    assert_budget(result, llm_calls=1, prompt_tokens=0)
    with pytest.raises(AssertionError, match="the turn spent 1 model calls, its budget is 0"):
        assert_budget(result, llm_calls=0)


def test_a_run_without_scenarios_loads_nothing_of_the_workbench(pytester: pytest.Pytester):
    pytester.makepyfile(
        """
        import sys

        def test_loaded():
            heavy = {"litellm", "pandas", "textual", "vcr", "yaml", "msgspec"}
            assert not heavy & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess("-p", "no:hypothesispytest").assert_outcomes(passed=1)


def test_without_a_yaml_parser_a_scenario_says_what_it_needs(pytester: pytest.Pytester):
    pytester.makefile(".yaml", good=SCENARIO.format(title="It greets", reply="Oi!"))
    pytester.makefile(".json", other='{"name": "no scenario here"}')
    # A module that is None cannot be imported: as if PyYAML were not installed.
    pytester.makeconftest("import sys; sys.modules['yaml'] = None")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*scenarios need yaml. Install it: pip install 'falai?run?'*"])
    assert "Traceback" not in result.stdout.str()


def test_a_failure_in_a_report_for_ci_has_the_line_of_its_scenario(
    run: Run, pytester: pytest.Pytester
):
    pytester.makefile(".yaml", low="# one\n# two\n" + SCENARIO.format(title="Low", reply="Oi!"))
    run("low.yaml", "-o", "junit_family=xunit1", "--junitxml", "junit.xml")
    assert 'line="2"' in (pytester.path / "junit.xml").read_text(encoding="utf-8")


def test_the_scenarios_of_the_project_are_not_collected_twice():
    root = Path(__file__).parents[2]
    assert "falai_collect = false" in (root / "pyproject.toml").read_text(encoding="utf-8")
