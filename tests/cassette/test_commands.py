"""`falai record`, and the options of `falai run` for recorded calls."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cassette.kit import BOB, HELLO, ROSA, SCENARIO, model_server, no_network, recorded
from tests.cli.conftest import Command
from tests.cli.test_process import simulator
from tests.modelserver.answers import fails
from tests.modelserver.server import ModelServer
from tests.simulator.conftest import Write

TAPE = Path("cassettes/s.yaml")
SCRIPTED = """\
scenario: scripted
agent: otto.yaml
turns:
  - message: hello
    model: {speak: {message: "Hi! What is your name?"}}
    expect: {replies: ["Hi! What is your name?"]}
"""
OTTO = """\
name: Otto
fields: {name: {type: string, ask: Ask for the name.}}
provider: {model: openai/gpt-4.1-nano, cassette: mine}
flows:
  - {id: welcome, name: Welcome, on: [{message: []}], steps: [{id: who, collect: [name]}]}
"""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def lines(output: str) -> list[str]:
    return re.sub(r"\d+\.\d\d s", "0.00 s", output).splitlines()


# --- falai record -------------------------------------------------------------------------------


def test_it_says_what_it_wrote(scenario: Path, falai: Command, server: ModelServer):
    server.answer(HELLO, ROSA)
    result = falai("record", "s.yaml")
    assert result.exit_code == 0
    assert lines(result.output) == [
        "ok  Otto asks for the name  s.yaml, 2 calls",
        "  note: wrote cassettes/s.yaml: 2 calls, 240 tokens",
        "1 passed, 0 failed  (2 turns, 2 model calls, 0.00 s)",
    ]


def test_what_has_a_tape_is_played_from_it(scenario: Path, falai: Command, server: ModelServer):
    recorded(HELLO, ROSA)
    result = falai("record", "s.yaml")
    assert (result.exit_code, server.requests) == (0, [])
    assert "1 scenario had a tape and played from it: see --update" in lines(result.output)


def test_update_records_again(scenario: Path, falai: Command, server: ModelServer):
    recorded(HELLO, ROSA)
    Path("s.yaml").write_text(SCENARIO.replace("Say hello", "Say hi"), encoding="utf-8")
    server.answer(HELLO, ROSA)
    assert falai("record", "--update", "s.yaml").exit_code == 0
    assert "Say hi" in TAPE.read_text(encoding="utf-8")
    assert falai("run", "s.yaml").exit_code == 0


def test_what_fails_ends_it_with_1(scenario: Path, falai: Command, server: ModelServer):
    recorded(HELLO, ROSA)
    before = TAPE.read_bytes()
    server.answer(HELLO, BOB)
    result = falai("record", "--update", "s.yaml")
    assert result.exit_code == 1
    assert "left as it was: the scenario failed" in result.output
    assert TAPE.read_bytes() == before


def test_a_scripted_scenario_is_recorded_with_the_model_of_its_agent(
    write: Write, falai: Command, server: ModelServer
):
    write("otto.yaml", OTTO)
    write("s.yaml", SCRIPTED)
    server.answer(HELLO)
    result = falai("record", "s.yaml")
    assert result.exit_code == 0
    assert [request.body["model"] for request in server.requests] == ["gpt-4.1-nano"]
    assert "wrote cassettes/s.yaml: 1 call, 120 tokens" in result.output
    live = SCRIPTED.replace("agent:", "provider: {model: openai/gpt-4.1-nano}\nagent:")
    live = live.replace('    model: {speak: {message: "Hi! What is your name?"}}\n', "")
    write("s.yaml", live)
    assert falai("run", "s.yaml").exit_code == 0


def test_replies_that_are_scripted_beside_a_model_are_not_asked_for(
    write: Write, falai: Command, server: ModelServer
):
    scripted = '  - message: hello\n    model: {speak: {message: "Hi! What is your name?"}}\n'
    write("s.yaml", SCENARIO.replace("  - message: hello\n", scripted))
    server.answer(ROSA)
    assert falai("record", "s.yaml").exit_code == 0
    assert len(server.requests) == 1


def test_what_has_no_model_is_refused_by_name_and_passed_over_in_a_folder(
    write: Write, falai: Command, server: ModelServer
):
    write(
        "a/otto.yaml", OTTO.replace("provider: {model: openai/gpt-4.1-nano, cassette: mine}\n", "")
    )
    write("a/plain.yaml", SCRIPTED)
    result = falai("record", "a/plain.yaml")
    assert result.exit_code == 2
    assert (
        "a/plain.yaml:1:1: there is no model to record. Add provider: {model: …}" in result.output
    )
    result = falai("record", "a")
    assert result.exit_code == 2
    assert "passed over, without a model: 1" in lines(result.output)
    write("a/s.yaml", SCENARIO)
    server.answer(HELLO, ROSA)
    assert falai("record", "a").exit_code == 0
    assert Path("a/cassettes/s.yaml").exists()


def test_it_takes_what_is_wanted(write: Write, falai: Command, server: ModelServer):
    write(
        "a.yaml", SCENARIO.replace("Otto asks", "Other").replace("agent:", "tags: [x]\nagent:", 1)
    )
    write("b.yaml", SCENARIO)
    server.answer(HELLO, ROSA, HELLO, ROSA)
    assert falai("record", ".", "-k", "otto asks", "--cassettes", "tapes").exit_code == 0
    assert [path.name for path in Path("tapes").iterdir()] == ["b.yaml"]
    assert falai("record", ".", "--tag", "x").exit_code == 0
    assert [path.name for path in Path("cassettes").iterdir()] == ["a.yaml"]


def test_a_key_that_is_missing_or_refused_is_told_without_a_traceback(write: Write):
    write("s.yaml", SCENARIO)
    ended = simulator("record", "s.yaml")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "OPENAI_API_KEY" in ended.stdout
    with model_server(*[fails(401, "Incorrect API key provided: sk-abc***5678.")] * 2) as server:
        ended = simulator("record", "s.yaml", OPENAI_BASE_URL=server.url, OPENAI_API_KEY="sk-x")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "nothing was recorded: the model refused the key" in ended.stdout
    assert not TAPE.exists()


# --- falai run ----------------------------------------------------------------------------------


def test_run_records_and_plays(scenario: Path, falai: Command, server: ModelServer):
    server.answer(HELLO, ROSA)
    options = ("--cassettes", "tapes")
    assert falai("run", "s.yaml", "--record", "once", *options).exit_code == 0
    with no_network() as tried:
        assert falai("run", "s.yaml", *options, "--strict").exit_code == 0
    assert tried == []


def test_run_shows_a_miss(scenario: Path, falai: Command):
    recorded(HELLO, ROSA)
    Path("s.yaml").write_text(SCENARIO.replace("Say hello", "Say hi"), encoding="utf-8")
    result = falai("run", "s.yaml")
    assert result.exit_code == 1
    assert lines(result.output) == [
        "FAILED  Otto asks for the name  s.yaml, 1 call",
        "  s.yaml:14: model: speak call of turn 1 (line 14): cassettes/s.yaml has no answer to this request",
        "      The nearest on it is the speak call of turn 1 (- recorded, + asked now):",
        "        the prompt:",
        "          …",
        "",
        "            ## Guideline",
        "          - Say hello and ask for the name.",
        "          + Say hi and ask for the name.",
        "",
        "            ## Still to collect",
        "    To record it again: falai record --update s.yaml",
        "0 passed, 1 failed  (1 turn, 1 model call, 0.00 s)",
    ]


@pytest.mark.parametrize(("strict", "code"), [([], 0), (["--strict"], 1)])
def test_run_tells_of_calls_that_were_not_made(
    scenario: Path, falai: Command, strict: list[str], code: int
):
    recorded(HELLO, ROSA)
    shorter = SCENARIO[: SCENARIO.index("  - message: I am")]
    Path("s.yaml").write_text(shorter, encoding="utf-8")
    result = falai("run", "s.yaml", *strict)
    assert result.exit_code == code
    label = "s.yaml:12: provider" if strict else "note"
    left = "cassettes/s.yaml has calls that were not made: understand call of turn 2"
    assert f"  {label}: {left}" in lines(result.output)


def test_another_hash_seed_writes_the_same_tape(scenario: Path):
    def written(seed: str) -> str:
        with model_server(HELLO, ROSA) as server:
            more: dict[str, Any] = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-planted-1"}
            assert simulator("record", "--update", "s.yaml", seed=seed, **more).returncode == 0
            text = TAPE.read_text(encoding="utf-8").replace(f":{server.port}/", "/")
        return re.sub(r"durationMs: \d+|recorded: .*", "", text)

    assert written("1") == written("2")


def test_a_scenario_without_a_model_loads_no_recorder(write: Write):
    code = (
        "import sys\nfrom simulator.cli import main\n"
        "try: main([sys.argv[1], 's.yaml'])\n"
        "except SystemExit as end: pass\n"
        "print(sorted({'vcr', 'litellm', 'httpx', 'aiohttp'} & set(sys.modules)))"
    )
    write("otto.yaml", OTTO)
    write("s.yaml", SCRIPTED)
    for command in ("run", "check"):
        ended = subprocess.run(
            [sys.executable, "-c", code, command], capture_output=True, text=True, check=True
        )
        assert ended.stdout.splitlines()[-1] == "[]"
