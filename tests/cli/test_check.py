"""`falai check`: what it prints and writes of files that it does not play."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

AGENT = """\
name: Ana
idle: silent
events: {oi: {}}
flows:
  - {id: f, name: f, on: [{event: oi}], steps: [{id: a, say: Oi!}]}
"""
SCENARIO = "scenario: t\nagent: ana.yaml\nturns:\n  - {event: oi, expect: {replies: [outra]}}\n"
WARNS = SCENARIO.replace("{event: oi,", "{event: tchau,")
BAD = SCENARIO.replace("replies", "replise")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def files(write: Write) -> Write:
    """A folder with an agent and a scenario that would fail, and is well written."""
    write("s/ana.yaml", AGENT)
    write("s/a.yaml", SCENARIO)
    return write


def read(file: str) -> Any:
    return json.loads(Path(file).read_text(encoding="utf-8"))


def test_good_files_are_counted(files: Write, falai: Command):
    result = falai("check", "s")
    assert (result.exit_code, result.output) == (0, "2 files checked: 0 errors, 0 warnings\n")


def test_a_mistake_is_shown_at_its_place(files: Write, falai: Command):
    files("s/b.yaml", BAD)
    result = falai("check", "s")
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        's/b.yaml:4:26: error: unknown key "replise". Did you mean "replies"?',
        "3 files checked: 1 error, 0 warnings",
    ]


def test_a_warning_is_no_error(files: Write, falai: Command):
    files("s/b.yaml", WARNS)
    result = falai("check", "s/b.yaml")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        's/b.yaml:4:13: warning: the agent has no event "tchau". Write oi.',
        "1 file checked: 0 errors, 1 warning",
    ]


def test_a_file_of_no_known_kind_is_named(files: Write, falai: Command):
    files("s/notas.yaml", "a: 1\n")
    result = falai("check", "s")
    assert result.exit_code == 0
    assert result.output.startswith("s/notas.yaml:1:1: warning: this is no scenario, agent,")


def test_files_may_be_named_one_by_one(files: Write, falai: Command):
    assert falai("check", "s/a.yaml", "s/ana.yaml").output.startswith("2 files checked")


def test_a_file_that_is_named_twice_is_checked_once(files: Write, falai: Command):
    files("s/b.yaml", BAD)
    assert falai("check", "s", "s/b.yaml").output.count("s/b.yaml") == 1


def test_findings_are_written(files: Write, falai: Command):
    files("s/b.yaml", BAD)
    files("s/c.yaml", WARNS)
    assert falai("check", "s", "--json", "f.json").exit_code == 2
    findings = read("f.json")
    assert [list(finding) for finding in findings] == [
        ["file", "kind", "status", "line", "column", "message"]
    ] * 4
    assert [(one["file"], one["kind"], one["status"]) for one in findings] == [
        ("s/a.yaml", "scenario", "ok"),
        ("s/ana.yaml", "agent", "ok"),
        ("s/b.yaml", "scenario", "error"),
        ("s/c.yaml", "scenario", "warning"),
    ]


def test_findings_say_where_and_what(files: Write, falai: Command):
    files("s/b.yaml", BAD)
    falai("check", "s/b.yaml", "--json", "f.json")
    assert read("f.json") == [
        {
            "file": "s/b.yaml",
            "kind": "scenario",
            "status": "error",
            "line": 4,
            "column": 26,
            "message": 'unknown key "replise". Did you mean "replies"?',
        }
    ]


def test_findings_that_cannot_be_written_say_so(files: Write, falai: Command):
    result = falai("check", "s", "--json", "nada/f.json")
    assert result.exit_code == 2
    assert "nada/f.json: cannot be written: No such file or directory." in result.stderr


def test_a_path_that_is_not_there(falai: Command, tmp_path: Path):
    result = falai("check", str(tmp_path / "nada.yaml"))
    assert result.exit_code == 2
    assert "nada.yaml:1:1: error: there is no such file. Check the path." in result.output


def test_a_folder_without_files(write: Write, falai: Command):
    Path("vazia").mkdir()
    result = falai("check", "vazia")
    assert result.exit_code == 2
    assert result.output == "There is no .yaml, .yml or .json file here. Check the paths.\n"


@pytest.mark.parametrize("args", [["check"], ["check", "s", "--nada"]])
def test_wrong_usage(files: Write, falai: Command, args: list[str]):
    result = falai(*args)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_the_scenarios_of_the_house_are_well_written(
    falai: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    result = falai("check", "scenarios")
    assert result.exit_code == 0
    assert result.output.endswith("files checked: 0 errors, 0 warnings\n")
