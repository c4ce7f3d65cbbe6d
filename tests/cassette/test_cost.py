"""What recorded calls cost, and a budget for it."""

import asyncio
import shutil
from pathlib import Path

import pytest

from falai import LiteLLMProvider, Usage
from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord

ROOT = Path(__file__).parents[2]
USAGE = Usage(prompt_tokens=1730, completion_tokens=79, cached_input_tokens=512)


def test_cached_tokens_are_cheaper():
    # 1,218 tokens at 0.4, 512 at 0.1 and 79 at 1.6 US dollars a million
    assert LiteLLMProvider("openai/gpt-4.1-mini").cost_of(USAGE) == pytest.approx(0.0006648)


def test_a_model_that_is_on_no_list_has_no_price():
    assert LiteLLMProvider("openai/a-model-of-ours").cost_of(USAGE) is None


@pytest.fixture
def taped(tmp_path: Path) -> Path:
    """A recorded scenario of the project, to be changed."""
    for folder in ("scenarios", "cassettes"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path / "scenarios" / "taped" / "31-first-words.yaml"


def played(file: Path, old: str, new: str) -> ScenarioRecord:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return asyncio.run(play(read_scenario(load_document(file))[0]))


def test_a_trace_has_what_each_call_cost(taped: Path):
    record = played(taped, "costUsd: 0.002", "costUsd: 0.0014")
    costs = [call.cost_usd for turn in record.turns for call in turn.calls]
    assert record.failures == []
    prices = [LiteLLMProvider("openai/gpt-4.1-mini").cost_of(usage) for usage in usages(record)]
    assert costs == prices
    assert sum(filter(None, costs)) == pytest.approx(0.0013, abs=0.0001)


def usages(record: ScenarioRecord) -> list[Usage]:
    return [call.usage for turn in record.turns for call in turn.calls if call.usage is not None]


def test_a_budget_that_is_overspent_is_a_failure(taped: Path):
    record = played(taped, "costUsd: 0.002", "costUsd: 0.001")
    [failure] = record.failures
    assert (failure.path, failure.wanted) == ("budget.costUsd", 0.001)
    assert failure.message.endswith(" costUsd, its budget allows 0.001")
    assert failure.got == pytest.approx(0.0013, abs=0.0001)


def test_a_budget_for_a_model_without_a_price_is_a_failure(taped: Path):
    tape = taped.parents[2] / "cassettes" / "31-first-words.yaml"
    renamed = tape.read_text(encoding="utf-8").replace("gpt-4.1-mini", "model-of-ours")
    tape.write_text(renamed, encoding="utf-8")
    record = played(taped, "openai/gpt-4.1-mini", "openai/model-of-ours, json_schema: true")
    [failure] = record.failures
    assert failure.path == "budget.costUsd"
    assert failure.message == "no price is known for the model, so its cost cannot be told"
