"""Budgets over a whole run: in total, for a flow, for every turn."""

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

ROOT = Path(__file__).parents[2]

SCENARIO = """\
scenario: It asks for the name
agent:
  name: Ana
  fields: {nome: {type: string}}
  flows:
    - {id: oi, name: Oi, on: [{message: [quer]}], steps: [{id: quem, collect: [nome]}]}
turns:
  - message: bom dia
    model:
      understand: {flows: {}, usage: {promptTokens: 10, completionTokens: 1}}
      speak: {message: Bom dia!, usage: {promptTokens: 20, completionTokens: 2}}
  - message: quero
    model:
      understand: {flows: {oi: 90}, usage: {promptTokens: 10, completionTokens: 1}}
      speak: {message: Quem é?, usage: {promptTokens: 30, completionTokens: 3}}
  - message: Bia
    model:
      understand: {fields: {nome: Bia}, usage: {promptTokens: 10, completionTokens: 1}}
      speak: {message: "Obrigada, Bia!"}
"""


@pytest.fixture(autouse=True)
def _scenario(write: Write) -> None:
    write("oi.yaml", SCENARIO)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ("llmCalls=5", "the run spent 6 llmCalls, passed at turn 3 (oi.yaml:16)"),
        ("promptTokens=79", "the run spent 80 promptTokens, passed at turn 3 (oi.yaml:16)"),
        ("completionTokens=2", "the run spent 8 completionTokens, passed at turn 1 (oi.yaml:8)"),
        ("flow.oi.llmCalls=1", "flow oi spent 2 llmCalls, passed at turn 3 (oi.yaml:16)"),
        ("flow.oi.promptTokens=39", "flow oi spent 40 promptTokens, passed at turn 3 (oi.yaml:16)"),
        ("perTurn=1", "turn 1 (oi.yaml:8) made 2 model calls"),
    ],
)
def test_a_budget_that_is_passed_fails_the_run_and_says_where(
    budget: str, told: str, falai: Command
):
    result = falai("run", "oi.yaml", "--budget", budget)
    assert result.exit_code == 1
    assert f"budget {budget}: {told}" in result.output.splitlines()
    assert "1 passed, 0 failed" in result.output


@pytest.mark.parametrize(
    "budget",
    ["llmCalls=6", "promptTokens=80", "flow.oi.llmCalls=2", "perTurn=2"],
)
def test_a_budget_that_is_kept_says_nothing(budget: str, falai: Command):
    result = falai("run", "oi.yaml", "--budget", budget, "--budget", "costUsd=0")
    assert (result.exit_code, "budget" in result.output) == (0, False)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ("llmcalls=4", "Did you mean llmCalls?"),
        ("llmCalls", "is no budget. Write llmCalls=120"),
        ("llmCalls=many", "many is no number"),
        ("llmCalls=nan", "nan is no bound. Write a number of 0 or more"),
        ("llmCalls=-1", "-1 is no bound"),
        ("flow.oi.perTurn=1", "perTurn holds for every turn"),
        ("zebra=1", "There is llmCalls, perTurn"),
    ],
)
def test_a_text_that_is_no_budget_is_refused(budget: str, told: str, falai: Command):
    result = falai("run", "oi.yaml", "--budget", budget)
    assert (result.exit_code, told in result.stderr) == (2, True)


def test_a_flow_that_nothing_was_spent_for_is_noted(falai: Command):
    result = falai("run", "oi.yaml", "--budget", "flow.ola.llmCalls=9")
    assert result.exit_code == 0
    assert "budget flow.ola.llmCalls=9: no call was made for flow ola." in result.output
    result = falai("run", "oi.yaml", "--budget", "flow.oii.llmCalls=9")
    assert "no call was made for flow oii. Did you mean oi?" in result.output


def test_a_large_sum_is_told_in_full(write: Write, falai: Command):
    write("oi.yaml", SCENARIO.replace("promptTokens: 30", "promptTokens: 1234567"))
    result = falai("run", "oi.yaml", "--budget", "promptTokens=1000000")
    assert "the run spent 1234617 promptTokens, passed at turn 2 (oi.yaml:12)" in result.output


def test_what_several_files_spend_is_one_sum_whoever_plays_them(write: Write, falai: Command):
    write("zwei.yaml", SCENARIO)
    told = "budget llmCalls=11: the run spent 12 llmCalls, passed at turn 3 (zwei.yaml:16)"
    for workers in ("1", "2"):
        result = falai("run", ".", "-n", workers, "--budget", "llmCalls=11")
        assert (result.exit_code, told in result.output) == (1, True)


@pytest.fixture
def taped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recorded scenario of the project, beside its tape."""
    for folder in ("scenarios", "cassettes"):
        shutil.copytree(ROOT / folder, tmp_path / "taped" / folder)
    monkeypatch.chdir(tmp_path / "taped")
    return Path("scenarios/taped/31-first-words.yaml")


def test_the_cost_of_a_run_is_bound(taped: Path, falai: Command):
    result = falai("run", str(taped), "--budget", "costUsd=0.001")
    assert result.exit_code == 1
    assert re.search(
        rf"^budget costUsd=0.001: the run spent 0\.001\d+ costUsd, passed at turn \d+ \({taped}:\d+\)$",
        result.output,
        re.MULTILINE,
    )


def test_a_cost_that_nobody_knows_is_not_within_a_budget(taped: Path, falai: Command):
    tape = Path("cassettes/31-first-words.yaml")
    for file, name in ((tape, "model-of-ours"), (taped, "model-of-ours, json_schema: true")):
        file.write_text(file.read_text("utf-8").replace("gpt-4.1-mini", name), encoding="utf-8")
    result = falai("run", str(taped), "--budget", "costUsd=1")
    assert result.exit_code == 1
    assert "budget costUsd=1: no price is known for the model of turn 1" in result.output
