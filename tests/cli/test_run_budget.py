"""Budgets over a whole run: in total, for a flow, for every turn."""

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

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
    ["llmCalls=6", "promptTokens=80", "flow.oi.llmCalls=2", "flow.none.llmCalls=0", "perTurn=2"],
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
        ("flow.oi.perTurn=1", "perTurn holds for every turn"),
        ("zebra=1", "There is llmCalls, perTurn"),
    ],
)
def test_a_text_that_is_no_budget_is_refused(budget: str, told: str, falai: Command):
    result = falai("run", "oi.yaml", "--budget", budget)
    assert (result.exit_code, told in result.stderr) == (2, True)
