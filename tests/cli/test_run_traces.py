"""The traces that `falai run` keeps: for each file, by themselves under CI, and without secrets."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simulator.schema import trace_schema
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

SCENARIO = """\
scenario: {title}
agent: {{name: Ana, flows: [], idle: {{prompt: Responda.}}}}
matrix: {{session: [a, b]}}
turns:
  - message: oi
    model: {{speak: {{message: "Oi!"}}}}
    expect: {{replies: ["{reply}"]}}
"""


@pytest.fixture(autouse=True)
def _scenarios(write: Write) -> None:
    write("good.yaml", SCENARIO.format(title="It greets", reply="Oi!"))
    write("more/good.yaml", SCENARIO.format(title="It greets too", reply="Oi!"))
    write("bad.yaml", SCENARIO.format(title="It does not", reply="Tchau!"))


def files(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_each_file_has_a_trace_by_its_name(falai: Command):
    result = falai("run", ".", "--trace", "out/traces")
    assert result.exit_code == 1
    assert files("out/traces") == ["bad.json", "good.json", "more-good.json"]
    trace = json.loads(Path("out/traces/bad.json").read_bytes())
    Draft202012Validator(trace_schema()).validate(trace)
    assert (trace["failed"], len(trace["scenarios"])) == (2, 2)
    assert trace["scenarios"][0]["turns"][0]["phases"][0]["phase"] == "load"


def test_files_whose_names_meet_get_names_of_their_own(write: Write, falai: Command):
    write("more-good.yaml", SCENARIO.format(title="It greets again", reply="Oi!"))
    falai("run", "more/good.yaml", "more-good.yaml", "--trace", "out")
    assert files("out") == ["more-good-2.json", "more-good.json"]


@pytest.mark.parametrize("ci", ["true", "1", "yes"])
def test_under_ci_what_did_not_pass_is_kept(
    ci: str, falai: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CI", ci)
    result = falai("run", ".")
    assert files("falai-traces") == ["bad.json"]
    assert "1 trace of what did not pass in falai-traces" in result.output


@pytest.mark.parametrize("ci", ["", "0", "false", "False"])
def test_anywhere_else_nothing_is_kept_unasked(
    ci: str, falai: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CI", ci)
    falai("run", ".")
    assert not Path("falai-traces").exists()


def test_under_ci_a_run_that_passes_keeps_nothing(falai: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CI", "true")
    result = falai("run", "good.yaml")
    assert (result.exit_code, Path("falai-traces").exists()) == (0, False)
    assert "trace" not in result.output


def test_a_place_that_cannot_be_made_is_told(write: Write, falai: Command):
    write("taken", "a file")
    result = falai("run", "good.yaml", "--trace", "taken/traces")
    assert result.exit_code == 2
    assert "taken/traces: cannot be written: Not a directory." in result.stderr


def test_no_secret_reaches_a_trace(write: Write, falai: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VENDAS_API_KEY", 'segredo-"9f3a"-muito')
    key = "sk-proj-abcdefgh12345678"
    write(
        "leaky.yaml",
        SCENARIO.format(title="It leaks", reply="Oi!").replace(
            "message: oi", f'message: "minha chave:\\n{key} e segredo-\\"9f3a\\"-muito"'
        ),
    )
    falai("run", "leaky.yaml", "--trace", "out", "--json", "all.json")
    for file in ("out/leaky.json", "all.json"):
        text = Path(file).read_text(encoding="utf-8")
        assert key not in text
        assert "9f3a" not in text
        assert "SCRUBBED" in text
