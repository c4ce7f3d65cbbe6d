"""What cannot be played says why, where and what to do: one message, and never a traceback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

AGENT = """\
name: Ana
idle: silent
flows:
  - ../flows/f.yaml
"""
FLOW = """\
id: f
name: f
on: [{message: []}]
steps:
  - {id: a, say: Oi!, then: b}
  - {id: b, say: Tchau!}
"""
SCENARIO = """\
scenario: t
agent: agents/ana.yaml
turns:
  - message: oi
"""
HEAD = "scenario: t\nagent: {agent}\nturns: [{{message: oi}}]\n"
STORED = {"id": "s1", "v": 4, "version": 1, "runs": [], "inputs": []} | {
    key: {} for key in ("data", "claims", "metadata")
}


class Case(NamedTuple):
    """Files that replace or join the good ones, and where the message must stand."""

    files: dict[str, str]
    place: str
    says: str


def agent(module: str) -> dict[str, str]:
    return {"s.yaml": HEAD.format(agent=module)}


def given(**session: Any) -> dict[str, str]:
    """A scenario that begins with a stored session."""
    silence = "  - {id: n, name: n, on: [{silence: 1h}], steps: [{id: a, say: Oi!}]}\n"
    return {
        "agents/ana.yaml": f"name: Ana\nidle: silent\nflows:\n{silence}",
        "s.yaml": f"{SCENARIO}given:\n  session: {json.dumps(STORED | session)}\n",
    }


CASES = {
    "yaml": Case({"s.yaml": "scenario: t\nturns: [1\n"}, "s.yaml:2:10", "not valid YAML"),
    "tab": Case({"s.yaml": "scenario: t\nturns:\n\t- a: 1\n"}, "s.yaml:3:1", "tab"),
    "empty": Case({"s.yaml": ""}, "s.yaml:1:1", "the file is empty"),
    "no-scenario": Case({"s.yaml": "titulo: t\n"}, "s.yaml:1:1", "no scenario key"),
    "key": Case({"s.yaml": f"{SCENARIO}contxt: {{}}\n"}, "s.yaml:5:1", 'Did you mean "context"?'),
    "key-twice": Case({"s.yaml": f"{SCENARIO}agent: b\n"}, "s.yaml:5:1", "twice"),
    "type": Case({"s.yaml": f"{SCENARIO}tags: um\n"}, "s.yaml:5:7", "tags must be a list"),
    "turns": Case({"s.yaml": "scenario: t\nagent: a\n"}, "s.yaml:1:1", "has no turns"),
    "matcher": Case(
        {"s.yaml": f"{SCENARIO}    expect: {{data: {{a: {{$lenght: 1}}}}}}\n"},
        "s.yaml:5:25",
        'Did you mean "$length"?',
    ),
    "expression": Case(
        {"s.yaml": SCENARIO.replace("oi", '"${nwo}"')}, "s.yaml:4:14", 'unknown name "nwo"'
    ),
    "clock": Case({"s.yaml": f"{SCENARIO}clock: ontem\n"}, "s.yaml:5:8", "clock is no time"),
    "clock-of-now": Case({"s.yaml": f'{SCENARIO}clock: "${{now}}"\n'}, "s.yaml:5:8", "clock"),
    "action": Case(
        {"s.yaml": f"{SCENARIO}    actions: {{agir: {{ok: true}}}}\n"},
        "s.yaml:5:15",
        'the agent has no action "agir"',
    ),
    "given": Case(given(v=3), "s.yaml:6:12", "InvalidSessionError"),
    "given-time": Case(given(lastAssistantAt="ontem"), "s.yaml:6:12", "InvalidSessionError"),
    "given-file": Case(
        {"s.yaml": f"{SCENARIO}given: {{session: nada.json}}\n"}, "s.yaml:5:18", "no file nada.json"
    ),
    "no-agent": Case(agent("nada.yaml"), "s.yaml:2:8", "there is no file nada.yaml"),
    "agent-yaml": Case({"agents/ana.yaml": "name: [\n"}, "agents/ana.yaml:1:8", "not valid YAML"),
    "agent-key": Case(
        {"agents/ana.yaml": f"{AGENT}persna: x\n"}, "agents/ana.yaml:5:1", 'mean "persona"?'
    ),
    "agent-cycle": Case(
        {"agents/ana.yaml": "name: A\nflows: [ana.yaml]\n"}, "agents/ana.yaml:1:1", "flow"
    ),
    "no-flow": Case(
        {"agents/ana.yaml": AGENT.replace("f.yaml", "g.yaml")},
        "agents/ana.yaml:4:5",
        "there is no file",
    ),
    "flow-key": Case(
        {"flows/f.yaml": FLOW.replace("then: b", "them: b")}, "flows/f.yaml:5:", '"them"'
    ),
    "step": Case(
        {"flows/f.yaml": FLOW.replace("then: b", "then: c")},
        "flows/f.yaml:5:",
        'then points at step "c", which does not exist.',
    ),
    "module": Case(agent("nada_disso:agent"), "s.yaml:2:8", "there is no module nada_disso"),
    "module-that-needs-another": Case(
        {"quer.py": "import nada_disso\n"} | agent("quer:agent"),
        "s.yaml:2:8",
        "there is no module nada_disso",
    ),
    "attribute": Case(
        {"mod_a.py": "agnt = 1\n"} | agent("mod_a:agent"), "s.yaml:2:8", 'Did you mean "agnt"?'
    ),
    "module-raises": Case(
        {"mod_b.py": "1 / 0\n"} | agent("mod_b:agent"), "s.yaml:2:8", "ZeroDivisionError"
    ),
    "module-syntax": Case(
        {"mod_c.py": "def f(:\n"} | agent("mod_c:agent"), "s.yaml:2:8", "SyntaxError"
    ),
    "module-exits": Case(
        {"mod_d.py": "import sys\nsys.exit(3)\n"} | agent("mod_d:agent"), "s.yaml:2:8", "SystemExit"
    ),
    "no-agent-object": Case(
        {"mod_e.py": "agent = 3\n"} | agent("mod_e:agent"), "s.yaml:2:8", "is no Agent but a int"
    ),
    "factory-raises": Case(
        {"mod_f.py": "def agent():\n    raise KeyError('x')\n"} | agent("mod_f:agent"),
        "s.yaml:2:8",
        "KeyError",
    ),
    "factory-exits": Case(
        {"mod_g.py": "def agent():\n    raise SystemExit(3)\n"} | agent("mod_g:agent"),
        "s.yaml:2:8",
        "SystemExit",
    ),
}


LayOut = Callable[[Case], None]


@pytest.fixture
def lay_out(write: Write, monkeypatch: pytest.MonkeyPatch) -> LayOut:
    """Write the good files and what a case puts in their place."""
    monkeypatch.syspath_prepend(".")

    def put(case: Case) -> None:
        good = {"s.yaml": SCENARIO, "agents/ana.yaml": AGENT, "flows/f.yaml": FLOW}
        for name, text in (good | case.files).items():
            write(name, text)

    return put


def test_the_good_files_are_good(lay_out: LayOut, falai: Command):
    lay_out(Case({}, "", ""))
    assert falai("run", "s.yaml").exit_code == 0
    assert falai("check", ".").exit_code == 0


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_bad_file_is_not_played(lay_out: LayOut, falai: Command, case: Case):
    lay_out(case)
    result = falai("run", "s.yaml")
    assert result.exit_code == 2
    [told] = [line for line in result.output.splitlines() if case.place in line]
    assert case.says in told


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_bad_file_is_found_without_playing(lay_out: LayOut, falai: Command, case: Case):
    lay_out(case)
    result = falai("check", "s.yaml")
    if case.says == "no scenario key":
        assert "none of their keys" in result.output
        return
    assert result.exit_code == 2
    assert any(
        line.startswith(case.place) and case.says in line for line in result.output.splitlines()
    )


def test_bytes_that_are_no_text(lay_out: LayOut, falai: Command):
    lay_out(Case({}, "", ""))
    Path("s.yaml").write_bytes("scenario: t\nagent: ação".encode("latin-1"))
    for command in ("run", "check"):
        result = falai(command, "s.yaml")
        assert result.exit_code == 2
        assert "s.yaml:2:9: " in result.output
        assert "the file is not UTF-8. Save it as UTF-8." in result.output


@pytest.mark.parametrize(
    "turns",
    ["[{advance: 2d}]", "[{clock: '${start+3d}'}]", "[{message: '${now+2d}'}]"],
    ids=["advance", "clock", "message"],
)
def test_a_time_behind_the_end_of_the_calendar_is_told(lay_out: LayOut, falai: Command, turns: str):
    text = f"scenario: t\nagent: agents/ana.yaml\nclock: 9999-12-30T00:00:00Z\nturns: {turns}\n"
    lay_out(Case({"s.yaml": text}, "", ""))
    result = falai("run", "s.yaml")
    assert result.exit_code in (1, 2)
    assert "s.yaml:4" in result.output
