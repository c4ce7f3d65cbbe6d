"""`falai run --twice`: what another process makes of the same scenarios."""

from pathlib import Path

import pytest

from simulator.twice import first_difference
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

ROOT = Path(__file__).parents[2]
AGENT = """\
from falai import ActionCtx, Event, Do, Fields, Silence, ask, falai


class Words(Fields):
    words: str = ask()


f = falai(Words)


@f.action
def join(ctx: ActionCtx[None, Words]) -> None:
    ctx.set(Words(words=" ".join({"one", "two", "three", "four", "five", "six", "seven"})))


f.event("go")
f.flow("joins", "Joins", on=[Event("go")], steps=[Do("join", "join")])
ana = f.agent("Ana")
"""
"""A set has an order of its own in every process."""
SCENARIO = """\
scenario: Words are joined
agent: hashed_agent:ana
turns:
  - message: hello
    model: {speak: {message: Hi.}}
  - event: go
    expect: {data: {words: {$any: true}}}
"""


def test_scenarios_are_the_same_in_another_process(falai: Command):
    files = [str(file) for file in sorted((ROOT / "scenarios").glob("0*.yaml"))]
    result = falai("run", *files, "--twice")
    assert (result.exit_code, "FAILED" in result.output) == (0, False)


def test_what_hangs_on_a_hash_is_named_by_turn_and_field(write: Write, falai: Command):
    write("hashed_agent.py", AGENT)
    write("words.yaml", SCENARIO)
    assert falai("run", "words.yaml").exit_code == 0
    result = falai("run", "words.yaml", "--twice")
    assert result.exit_code == 1
    [told] = [line for line in result.output.splitlines() if "another process" in line]
    assert told.strip().startswith("words.yaml:6: twice.turns[1].result.session.data.words: turn 2")


def test_a_second_process_that_dies_is_told(write: Write, falai: Command):
    write(
        "hashed_agent.py",
        AGENT + "import os\nif os.environ.get('PYTHONHASHSEED') in ('1', '2'): os._exit(7)\n",
    )
    write("words.yaml", SCENARIO)
    result = falai("run", "words.yaml", "--twice")
    assert result.exit_code == 2
    assert "--twice: the second process ended with code 7" in result.stderr


def test_a_run_that_records_is_not_played_twice(write: Write, falai: Command):
    write("words.yaml", SCENARIO)
    result = falai("run", "words.yaml", "--twice", "--record", "once")
    assert (result.exit_code, "--twice" in result.stderr) == (2, True)


def test_a_field_of_the_agent_counts_whatever_it_is_called(write: Write, falai: Command):
    write("agent_of_phases.py", AGENT.replace("words", "phases"))
    scenario = SCENARIO.replace("hashed_agent", "agent_of_phases").replace("{words:", "{phases:")
    write("words.yaml", scenario)
    result = falai("run", "words.yaml", "--twice")
    assert "twice.turns[1].result.session.data.phases: turn 2" in result.output


PLAIN = """\
scenario: One turn
agent: {name: Ana, flows: [], idle: {prompt: Responda.}}
turns:
  - message: "%s"
    model: {speak: {message: Oi}}
"""


def test_a_secret_is_no_difference(write: Write, falai: Command):
    write("a.yaml", PLAIN % "my key: sk-abcdefgh12345678")
    result = falai("run", "a.yaml", "--twice", "--json", "t.json")
    assert (result.exit_code, "1 passed" in result.output) == (0, True)


def test_the_same_is_chosen_for_the_second_time(write: Write, falai: Command):
    write("-a.yaml", PLAIN.replace("One turn", "-x") % "oi")
    write("b.yaml", PLAIN % "oi")
    result = falai("run", "-k", "-x", "--twice", "--", "-a.yaml", "b.yaml")
    assert (result.exit_code, "1 passed, 0 failed" in result.output) == (0, True)


def test_under_ci_only_the_first_process_keeps_traces(
    write: Write, falai: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CI", "true")
    write("a.yaml", PLAIN % "oi" + "    expect: {replies: [Tchau]}\n")
    assert falai("run", "a.yaml", "--twice", "--trace", "out").exit_code == 1
    assert sorted(path.name for path in Path().iterdir()) == ["a.yaml", "out"]


def test_wrong_usage_is_said_before_anything_is_played(write: Write, falai: Command):
    write("agent_that_tells.py", AGENT + "open('loaded', 'w').close()\n")
    write("words.yaml", SCENARIO.replace("hashed_agent", "agent_that_tells"))
    for more in (["--record", "all"], ["-n", "0"], ["nothing-there.yaml"]):
        assert falai("run", "words.yaml", "--twice", *more).exit_code == 2
    assert not Path("loaded").exists()


@pytest.mark.parametrize(
    ("first", "second", "path"),
    [
        ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}, "a[1].b"),
        ({"a": [1]}, {"a": [1, 2]}, "a"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ""),
        ({"a": 1}, {"a": True}, "a"),
        ({"a": None}, {}, "a"),
        ({"a": 1}, {"a": 1, "b": 2}, "b"),
        ({"a": 1, "b": [{}]}, {"a": 1, "b": [{}]}, None),
    ],
)
def test_the_first_difference(first: object, second: object, path: str | None):
    found = first_difference(first, second)
    assert (found.path if found else None) == path
