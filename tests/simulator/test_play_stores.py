"""A scenario on a real store: what it is given, what it leaves, and what cannot be used."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import redis

from simulator.load import Document
from simulator.options import PlayOptions
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord
from tests.cli.conftest import Command
from tests.cli.conftest import falai as falai
from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.simulator.kit import HELLO, text_of
from tests.stores.servers import MARIADB, POSTGRESQL, REDIS, need

STORED = {
    "id": "rosa",
    "v": 4,
    "version": 7,
    "data": {"nome": "Rosa"},
    "runs": [],
    "claims": {},
    "inputs": [],
    "metadata": {"tenant": 3},
}
TURNS = """
- race:
    - {event: oi, key: a, expect: {session: {version: 7}}}
    - {event: oi, key: b, expect: {session: {version: 8}}}
- {event: oi, session: dies, crash: before-save}
- {event: oi, session: late, crash: before-send}
- {event: oi, session: again, deliver: twice, expect: {stored: {version: 1}}}
- expect: {stored: {version: 9, data: {nome: Rosa}, metadata: {tenant: 3}}}
"""
EVERY = ["memory", "sqlite", POSTGRESQL, MARIADB, REDIS]


def played(on: str, turns: str = TURNS, **head: Any) -> ScenarioRecord:
    document = Document(Path("s.yaml"), text_of(turns, **({"agent": HELLO} | head)))
    [scenario] = read_scenario(document)
    return asyncio.run(play(scenario, PlayOptions(store=on or None)))


@pytest.mark.parametrize("store", EVERY)
def test_a_given_session_keeps_its_version_wherever_it_is_put(store: str):
    if "://" in store:
        need(store)
    record = played(store, given={"session": STORED})
    assert [it.message for it in record.failures] == []


@pytest.mark.parametrize("store", EVERY[1:])
def test_the_results_are_those_of_the_memory_store(store: str):
    if "://" in store:
        need(store)
    kept, remembered = (played(it, given={"session": STORED}).turns for it in (store, "memory"))
    assert kept == remembered


def test_a_play_removes_what_it_left_even_when_it_fails():
    server: Any = redis.Redis.from_url(need(REDIS))
    before = set(server.scan_iter("*play-*"))
    assert played(REDIS, "- {event: oi, expect: {floor: nobody}}").status == "failed"
    assert set(server.scan_iter("*play-*")) == before
    server.close()


def test_a_scenario_names_its_own_store_and_the_option_is_stronger(write: Write, falai: Command):
    write("s.yaml", text_of("- event: oi", agent=HELLO, store="redis://127.0.0.1:1/0"))
    assert falai("run", "s.yaml", "--store", "sqlite").exit_code == 0
    result = falai("run", "s.yaml")
    assert result.exit_code == 2
    assert "s.yaml:5" in result.output


@pytest.mark.parametrize(
    "url", ["postgresql://app:geheim-geheim@127.0.0.1:1/shop", "nosuch://x", "sqlite:nowhere"]
)
def test_a_store_that_cannot_be_used_is_told_at_its_place_without_its_password(url: str):
    with pytest.raises(ScenarioFileError) as refused:
        played("", "- event: oi", store=url)
    assert str(refused.value).startswith("s.yaml:5:")
    assert "geheim" not in str(refused.value)


def test_under_pytest_the_setting_names_the_store(pytester: pytest.Pytester):
    pytester.makefile(".yaml", s=text_of("- event: oi", agent=HELLO))
    pytester.makeini("[pytest]\nfalai_store = sqlite\n")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    result = pytester.runpytest_subprocess("--falai-store", "redis://127.0.0.1:1/0")
    result.assert_outcomes(failed=1)
