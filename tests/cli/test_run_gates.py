"""What `falai run` holds a run to besides its expectations, and the files that it keeps."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

SCENARIO = """\
scenario: {title}
agent: {{name: Ana, fields: {{nome: {{type: string}}}}, flows: [{{id: f, name: F, steps: [{{id: x, say: X}}]}}]}}
turns:
  - message: oi
    model: {{speak: {{message: "Oi!"}}}}
    expect: {{replies: ["{reply}"]}}
  - message: e?
    model: {{speak: {{message: "Sim."}}}}
"""
LOCK = """\
# Model calls of each turn. A turn that spends more fails; accept it with --update-lock.
lock: 1
scenarios:
  "a.yaml":
    "It greets": [1, 1]
  "b.yaml":
    "It greets again": [1, 1]
"""


@pytest.fixture(autouse=True)
def _scenarios(write: Write) -> None:
    write("a.yaml", SCENARIO.format(title="It greets", reply="Oi!"))
    write("b.yaml", SCENARIO.format(title="It greets again", reply="Oi!"))


# --- the lock ---------------------------------------------------------------------------------


def test_a_lock_is_written_sorted_and_read_again(falai: Command):
    written = falai("run", "b.yaml", "a.yaml", "--lock", "calls.yaml", "--update-lock")
    assert (written.exit_code, "calls.yaml written" in written.output) == (0, True)
    assert Path("calls.yaml").read_text(encoding="utf-8") == LOCK
    held = falai("run", "a.yaml", "b.yaml", "--lock", "calls.yaml")
    assert (held.exit_code, "note" in held.output) == (0, False)


def test_scenarios_that_were_not_played_keep_their_lines(write: Write, falai: Command):
    write("calls.yaml", LOCK)
    falai("run", "a.yaml", "--lock", "calls.yaml", "--update-lock")
    assert Path("calls.yaml").read_text(encoding="utf-8") == LOCK


def test_a_turn_that_spends_more_fails_with_what_it_spent_before(write: Write, falai: Command):
    write("calls.yaml", LOCK.replace('greets": [1, 1]', 'greets": [1, 0]'))
    result = falai("run", "a.yaml", "b.yaml", "--lock", "calls.yaml")
    assert result.exit_code == 1
    assert "1 passed, 1 failed" in result.output
    told = "  a.yaml:7: lock: turn 2 made more model calls than the lock has\n"
    assert f"{told}    wanted  0\n    got     1\n" in result.output


@pytest.mark.parametrize(
    ("calls", "note"),
    [
        ("[2, 1]", "spends less than calls.yaml, or has other turns"),
        ("[1]", "spends less than calls.yaml, or has other turns"),
        ("[1, 1, 1]", "spends less than calls.yaml, or has other turns"),
    ],
)
def test_what_differs_and_is_not_more_is_a_note(
    write: Write, falai: Command, calls: str, note: str
):
    write("calls.yaml", LOCK.replace('greets": [1, 1]', f'greets": {calls}'))
    result = falai("run", "a.yaml", "--lock", "calls.yaml")
    assert (result.exit_code, f"  note: {note}\n" in result.output) == (0, True)


def test_a_scenario_that_is_not_in_it_is_a_note(write: Write, falai: Command):
    write("calls.yaml", "lock: 1\nscenarios: {}\n")
    result = falai("run", "a.yaml", "--lock", "calls.yaml")
    assert result.exit_code == 0
    assert "  note: not in calls.yaml: --update-lock adds it\n" in result.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scenario: x\n", "calls.yaml:1:1: this is no lock of calls. Write it anew with falai run"),
        ("lock: 1\nscenarios: {a: {b: [x]}}\n", "calls.yaml:2:21: b[0] must be a whole number"),
        ("lock: 1\nscenarios: [", "calls.yaml:"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--update-lock",)])
def test_another_file_is_no_lock_and_is_left_alone(
    write: Write, falai: Command, text: str, said: str, more: tuple[str, ...]
):
    write("calls.yaml", text)
    result = falai("run", "a.yaml", "--lock", "calls.yaml", *more)
    assert result.exit_code == 2
    assert said in result.stderr
    assert Path("calls.yaml").read_text(encoding="utf-8") == text


def test_an_update_needs_a_lock(falai: Command):
    result = falai("run", "a.yaml", "--update-lock")
    assert result.exit_code == 2
    assert "--update-lock needs --lock FILE" in result.stderr


# --- JUnit ------------------------------------------------------------------------------------


def test_junit_has_a_case_for_each_scenario(write: Write, falai: Command):
    write("b.yaml", SCENARIO.format(title="It greets <again>", reply="Olá!"))
    write("c.yaml", "scenario: C\nagnt: x\nturns: []\n")
    assert falai("run", ".", "--junit", "j.xml").exit_code == 2
    suite = ElementTree.parse("j.xml").getroot()[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    good, wrong, bad = suite
    assert (good.get("classname"), good.get("name"), list(good)) == ("a.yaml", "It greets", [])
    assert (wrong.get("name"), wrong.get("line"), wrong[0].tag) == (
        "It greets <again>",
        "6",
        "failure",
    )
    told = 'b.yaml:6: replies[0]: it differs\n  wanted  "Olá!"\n  got     "Oi!"'
    assert (wrong[0].text, wrong[0].get("message")) == (told, "b.yaml:6: replies[0]: it differs")
    assert (bad[0].tag, (bad[0].text or "").startswith("c.yaml:2:1: unknown key")) == (
        "error",
        True,
    )


def test_junit_holds_any_title(write: Write, falai: Command):
    write("a.json", '{"scenario": "\\u0000\\u001b[1m", "agent": {"name": "A"}, "turns": []}')
    falai("run", "a.json", "--junit", "j.xml")
    assert ElementTree.parse("j.xml").getroot()[0].get("tests") == "1"


# --- coverage ---------------------------------------------------------------------------------


def test_coverage_says_what_was_not_reached(falai: Command):
    result = falai("run", "a.yaml", "--coverage")
    assert result.exit_code == 0
    assert "reached: 0 of 1 steps, 0 of 0 branches, 0 of 0 triggers, 0 of 0 fields" in result.output
    assert "  never reached  a.yaml: f: step x\n" in result.output


@pytest.mark.parametrize(("least", "exit_code"), [("0", 0), ("0.1", 1), ("100", 1)])
def test_too_little_reached_is_a_failure(falai: Command, least: str, exit_code: int):
    result = falai("run", "a.yaml", "--min-coverage", least)
    assert result.exit_code == exit_code
    told = f"reached 0.0 %, and at least {least} % are asked for\n"
    assert (told in result.output) == bool(exit_code)


# --- workers ----------------------------------------------------------------------------------


def test_two_workers_tell_the_same_in_the_same_order(
    write: Write, falai: Command, capfd: pytest.CaptureFixture[str]
):
    for number in range(6):
        reply = "Oi!" if number % 2 else "Olá!"
        write(f"{number}.yaml", SCENARIO.format(title=f"Number {number}", reply=reply))
    write("7.yaml", "scenario: Bad\nagnt: x\nturns: []\n")
    one = falai("run", ".", "--json", "one.json")
    two = falai("run", ".", "--json", "two.json", "-n", "2")
    assert (one.exit_code, two.exit_code) == (2, 2)
    assert timeless(one.output) == timeless(two.output)
    assert timeless(text_of("one.json")) == timeless(text_of("two.json"))
    assert capfd.readouterr().err == ""


def test_workers_stop_at_the_first_failure(write: Write, falai: Command):
    write("a.yaml", SCENARIO.format(title="It greets", reply="Olá!"))
    result = falai("run", "a.yaml", "b.yaml", "-x", "-n", "auto")
    assert (result.exit_code, "0 passed, 1 failed" in result.output) == (1, True)


@pytest.mark.parametrize("workers", ["0", "-1", "two", "1.5"])
def test_workers_are_a_number(falai: Command, workers: str):
    result = falai("run", "a.yaml", "-n", workers)
    assert result.exit_code == 2
    assert f'-n is "{workers}". Write a whole number of 1 or more, or auto.' in result.stderr


def timeless(text: str) -> str:
    return re.sub(r'\d+\.\d\d s|"durationMs":\d+', "", text)


def text_of(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")
