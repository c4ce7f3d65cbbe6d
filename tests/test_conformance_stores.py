"""The conformance files on every store: the results are the same wherever sessions are kept."""

import asyncio
from pathlib import Path

import pytest

from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from tests.stores.servers import MARIADB, POSTGRESQL, REDIS, need

FILES = find_scenarios([Path(__file__).parent / "conformance"])


@pytest.mark.parametrize("url", ["sqlite", POSTGRESQL, MARIADB, REDIS])
def test_every_file_passes(url: str):
    store = url if url == "sqlite" else need(url)

    async def failures() -> list[str]:
        found: list[str] = []
        for file in FILES:
            for scenario in read_scenario(load_document(file)):
                record = await play(scenario, PlayOptions(store=store))
                found += [f"{file.name}:{it.line}: {it.message}" for it in record.failures]
        return found

    assert asyncio.run(failures()) == []
