"""Every file of the conformance folder, played as `falai run` plays it."""

import asyncio
from pathlib import Path

import pytest

from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario

FOLDER = Path(__file__).parent / "conformance"
FILES = find_scenarios([FOLDER])


def test_the_folder_is_whole():
    assert len(FILES) == 269


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_conformance(file: Path):
    for scenario in read_scenario(load_document(file)):
        record = asyncio.run(play(scenario))
        assert record.failures == []
        assert record.turns
