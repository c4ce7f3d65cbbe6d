"""`falai run`: what it plays, what it prints, how it ends."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

AGENT = """
name: Ana
idle: silent
events: {oi: {}}
flows:
  - {id: f, name: f, on: [{event: oi}], steps: [{id: a, say: Oi!}]}
"""
SECONDS = re.compile(r"\d+\.\d\d s")


def scenario(title: str = "t", expect: str = "replies: [Oi!]", **rest: Any) -> str:
    """A scenario that expects something of one event, in line 5."""
    lines = [f"scenario: {title}", "agent: ana.yaml", "turns:", "  - event: oi"]
    head = [f"{key}: {json.dumps(value)}" for key, value in rest.items()]
    return "\n".join([*lines, f"    expect: {{{expect}}}", *head, ""])


BAD = scenario(expect="replise: []")
FAILS = scenario("falha", "replies: [Olá!]")


@pytest.fixture
def files(write: Write) -> Write:
    """A folder with an agent and a scenario that passes."""
    write("s/ana.yaml", AGENT)
    write("s/a.yaml", scenario("passa"))
    return write


def lines(output: str) -> list[str]:
    return SECONDS.sub("0.00 s", output).splitlines()


def read(file: str) -> Any:
    return json.loads(Path(file).read_text(encoding="utf-8"))


# --- how it ends --------------------------------------------------------------------------------


def test_all_passed(files: Write, falai: Command):
    result = falai("run", "s/a.yaml")
    assert result.exit_code == 0
    assert lines(result.output) == [
        "ok  passa  s/a.yaml, 0 calls",
        "1 passed, 0 failed  (1 turn, 0 model calls, 0.00 s)",
    ]


def test_some_failed(files: Write, falai: Command):
    files("s/b.yaml", FAILS)
    result = falai("run", "s")
    assert result.exit_code == 1
    assert lines(result.output) == [
        "ok  passa  s/a.yaml, 0 calls",
        "FAILED  falha  s/b.yaml, 0 calls",
        "  s/b.yaml:5: replies[0]: it differs",
        '    wanted  "Olá!"',
        '    got     "Oi!"',
        "1 passed, 1 failed  (2 turns, 0 model calls, 0.00 s)",
    ]


def test_a_bad_file_does_not_keep_the_others_from_playing(files: Write, falai: Command):
    files("s/0.yaml", BAD)
    files("s/b.yaml", FAILS)
    result = falai("run", "s")
    assert result.exit_code == 2
    assert [line.split()[0] for line in lines(result.output)[:3:2]] == ["ERROR", "ok"]
    assert '  s/0.yaml:5:14: unknown key "replise". Did you mean "replies"?' in result.output


def test_only_the_first_failures_of_a_scenario_are_shown(files: Write, falai: Command):
    wanted = "replies: [x], floor: f, llmCalls: 1, changed: false, data: {a: 1, b: 2, c: 3}"
    files("s/a.yaml", scenario(expect=wanted))
    output = falai("run", "s").output
    assert output.count("s/a.yaml:5: ") == 5
    assert "  … and 2 more, which may follow from these" in lines(output)


def test_a_failure_that_compares_nothing_shows_no_values(files: Write, falai: Command):
    files("s/a.yaml", scenario().replace("event: oi", "wake: next"))
    result = falai("run", "s/a.yaml")
    assert result.exit_code == 1
    assert lines(result.output)[1:] == [
        "  s/a.yaml:4: wake: there is no wake to fire",
        "0 passed, 1 failed  (0 turns, 0 model calls, 0.00 s)",
    ]


# --- what is played -----------------------------------------------------------------------------


def played(output: str) -> list[str]:
    return [line.split("  ")[1] for line in lines(output) if line.startswith(("ok", "FAILED"))]


def test_a_folder_is_played_in_the_order_of_its_paths(files: Write, falai: Command):
    files("s/b/2.yml", scenario("dois").replace("ana.yaml", "../ana.yaml"))
    files("s/b/1.json", '{"scenario": "um", "agent": "../ana.yaml", "turns": [{"event": "oi"}]}')
    files("s/notas.yaml", "a: 1")
    assert played(falai("run", "s").output) == ["passa", "um", "dois"]


def test_files_are_played_in_the_order_in_which_they_are_named(files: Write, falai: Command):
    files("s/b.yaml", scenario("outra"))
    assert played(falai("run", "s/b.yaml", "s", "s/b.yaml").output) == ["outra", "passa"]


@pytest.mark.parametrize(
    ("keyword", "titles"),
    [
        ("passa", ["passa"]),
        ("PASSA", ["passa"]),
        ("ação", ["Ação [context.x=um]", "Ação [context.x=dois]"]),
        ("x=dois", ["Ação [context.x=dois]"]),
        ("s/b.y", ["Ação [context.x=um]", "Ação [context.x=dois]"]),
        ("", ["passa", "Ação [context.x=um]", "Ação [context.x=dois]"]),
    ],
)
def test_a_keyword_is_looked_for_in_title_and_file(
    files: Write, falai: Command, keyword: str, titles: list[str]
):
    files("s/b.yaml", scenario("Ação", matrix={"context.x": ["um", "dois"]}))
    assert played(falai("run", "s", "-k", keyword).output) == titles


def test_tags_choose_scenarios(files: Write, falai: Command):
    files("s/b.yaml", scenario("b", tags=["x", "y"]))
    files("s/c.yaml", scenario("c", tags=["z"]))
    assert played(falai("run", "s", "--tag", "y").output) == ["b"]
    assert played(falai("run", "s", "--tag", "x", "--tag", "z").output) == ["b", "c"]
    assert played(falai("run", "s", "--tag", "z", "-k", "b").output) == []


@pytest.mark.parametrize("option", [["-k", "nada"], ["--tag", "nada"]])
def test_nothing_that_matches_is_an_error(files: Write, falai: Command, option: list[str]):
    result = falai("run", "s", *option)
    assert result.exit_code == 2
    assert result.output.startswith("No scenario was played: nothing matches.")


@pytest.mark.parametrize(("broken", "code"), [(FAILS, 1), (BAD, 2)])
def test_x_stops_at_the_first_that_does_not_pass(
    files: Write, falai: Command, broken: str, code: int
):
    files("s/b.yaml", broken)
    files("s/c.yaml", scenario("nunca"))
    result = falai("run", "s", "-x")
    assert result.exit_code == code
    assert "nunca" not in result.output
    assert "nunca" in falai("run", "s").output


# --- the trace ----------------------------------------------------------------------------------


def test_a_trace_is_written(files: Write, falai: Command):
    files("s/b.yaml", FAILS)
    files("s/c.yaml", BAD)
    assert falai("run", "s", "--json", "t.json").exit_code == 2
    trace = read("t.json")
    assert (trace["passed"], trace["failed"], trace["errors"]) == (1, 1, 1)
    assert [(one["file"], one["scenario"], one["status"]) for one in trace["scenarios"]] == [
        ("s/a.yaml", "passa", "passed"),
        ("s/b.yaml", "falha", "failed"),
        ("s/c.yaml", "c", "error"),
    ]


def test_a_trace_has_every_key(files: Write, falai: Command):
    files("s/b.yaml", FAILS)
    falai("run", "s/b.yaml", "--json", "t.json")
    trace = read("t.json")
    [one] = trace["scenarios"]
    assert list(trace) == ["version", "passed", "failed", "errors", "scenarios"]
    assert set(one) == {
        *("file", "scenario", "status", "durationMs", "llmCalls", "usage", "failures", "turns")
    }
    assert set(one["turns"][0]) == {
        *("entry", "line", "now", "input", "result", "calls", "actions", "error", "phases")
    }


def test_a_trace_says_what_failed(files: Write, falai: Command):
    files("s/b.yaml", FAILS)
    falai("run", "s/b.yaml", "--json", "t.json")
    assert read("t.json")["scenarios"][0]["failures"] == [
        {"line": 5, "path": "replies[0]", "wanted": "Olá!", "got": "Oi!", "message": "it differs"}
    ]


def test_a_trace_is_written_even_of_nothing(files: Write, falai: Command):
    assert falai("run", "s", "-k", "nada", "--json", "t.json").exit_code == 2
    counts = {"passed": 0, "failed": 0, "errors": 0}
    assert read("t.json") == {"version": 1, **counts, "scenarios": []}


def test_a_trace_that_cannot_be_written_says_so(files: Write, falai: Command):
    result = falai("run", "s/a.yaml", "--json", "nada/t.json")
    assert result.exit_code == 2
    assert result.stderr == (
        "nada/t.json: cannot be written: No such file or directory. Choose another place.\n"
    )


def test_a_trace_is_no_folder(files: Write, falai: Command):
    result = falai("run", "s/a.yaml", "--json", "s")
    assert result.exit_code == 2
    assert "is a directory" in result.stderr


# --- usage --------------------------------------------------------------------------------------


def test_a_path_that_is_not_there(files: Write, falai: Command):
    result = falai("run", "s", "nada.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "nada.yaml:1:1: there is no such file or folder. Check the path.\n"


def test_a_folder_without_scenarios(write: Write, falai: Command):
    write("s/ana.yaml", AGENT)
    result = falai("run", "s")
    assert result.exit_code == 2
    assert result.output.startswith("No scenario was played")


@pytest.mark.parametrize(
    "args", [["run"], ["run", "s", "--nada"], ["nada"], ["run", "s", "-k"], ["--nada"]]
)
def test_wrong_usage(files: Write, falai: Command, args: list[str]):
    result = falai(*args)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


@pytest.mark.parametrize(
    ("args", "example"),
    [
        (["--help"], "falai run scenarios"),
        (["-h"], "check"),
        (["run", "--help"], "falai run scenarios -k silence --json trace.json"),
        (["check", "-h"], "falai check scenarios"),
    ],
)
def test_help_shows_an_example(falai: Command, args: list[str], example: str):
    result = falai(*args)
    assert result.exit_code == 0
    assert example in result.output


def test_the_version_is_told(falai: Command):
    assert re.search(r"\d+\.\d+\.\d+", falai("--version").output)
