"""Every conformance file can be read, and its agents built."""

import logging
from pathlib import Path

import pytest

from simulator.agentfile import load_agent
from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.reading import read_scenario

FOLDER = Path(__file__).parents[1] / "conformance"
FILES = find_scenarios([FOLDER])


def test_all_of_them_are_found():
    names = {path.name for path in FOLDER.rglob("*.yaml")} | {
        path.name for path in FOLDER.rglob("*.json")
    }
    assert {path.name for path in FILES} == names - {"specs.yaml"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_read(path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL, "falai")
    [scenario] = read_scenario(load_document(path))
    assert scenario.turns
    agents = [scenario.agent, *(entry.agent for entry in scenario.turns if entry.agent)]
    for agent in agents:
        assert load_agent(agent).build().agent.name == agent.value["name"]
