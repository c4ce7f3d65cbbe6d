"""What of an agent a run has reached, and what each step cost."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from simulator.coverage import SORTS, Coverage, Part, coverage_lines, coverage_of
from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import trace_of
from tests.simulator.conftest import Write

AGENT: dict[str, Any] = {
    "name": "Ana",
    "idle": "silent",
    "fields": {"nome": {"type": "string"}, "livre": {"type": "string"}},
    "actions": {"avisar": {}},
    "events": {"pronto": {}},
    "flows": [
        {
            "id": "oi",
            "name": "Oi",
            "on": [{"message": ["quer algo"], "repeat": "always"}, {"event": "pronto"}],
            "steps": [
                {
                    "id": "quem",
                    "prompt": "Pergunte.",
                    "collect": ["nome"],
                    "branches": [
                        {"when": "desiste", "then": "end"},
                        {"if": {"equals": {"nome": "Bia"}}, "then": "fim"},
                    ],
                },
                {"id": "vale", "if": {"equals": {"nome": "Ana"}}, "else": "fim"},
                {"id": "avisa", "do": "avisar", "onFail": "fim"},
                {"id": "espera", "wait": "2h", "else": {"flow": "outro"}},
                {"id": "fim", "say": "Tchau!"},
            ],
        },
        {"id": "outro", "name": "Outro", "steps": [{"id": "a", "say": "A"}]},
    ],
}
JUDGED = {"flows": {"oi": 90}}


def played(write: Write, *turns: dict[str, Any], agent: Any = "ana.json") -> Coverage:
    write("ana.json", json.dumps(AGENT))
    write("s.json", json.dumps({"scenario": "S", "agent": agent, "turns": list(turns)}))
    scenarios = read_scenario(load_document(Path("s.json")))
    records = [asyncio.run(play(scenario)) for scenario in scenarios]
    assert [failure for record in records for failure in record.failures] == []
    return coverage_of(msgspec.json.decode(msgspec.json.encode(trace_of(records))))


def names(parts: list[Part]) -> list[tuple[str, str, str]]:
    return [(part.sort, part.flow, part.name) for part in parts]


@pytest.fixture
def write(write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Write:
    monkeypatch.chdir(tmp_path)
    return write


def test_an_agent_has_steps_branches_triggers_and_fields(write: Write):
    coverage = played(write, {"expect": {"runs": []}})
    assert (
        names(coverage.missed)
        == names(list(coverage.parts))
        == [
            ("trigger", "oi", "message"),
            ("trigger", "oi", "event"),
            ("step", "oi", "quem"),
            ("branch", "oi", "quem -> end"),
            ("branch", "oi", "quem -> fim"),
            ("step", "oi", "vale"),
            ("branch", "oi", "vale -> the next step"),
            ("branch", "oi", "vale -> fim"),
            ("step", "oi", "avisa"),
            ("branch", "oi", "avisa -> fim"),
            ("step", "oi", "espera"),
            ("branch", "oi", "espera -> flow:outro"),
            ("step", "oi", "fim"),
            ("step", "outro", "a"),
            ("field", "", "nome"),
        ]
    )
    assert coverage.percent == 0


def test_what_a_conversation_touches_is_reached(write: Write):
    coverage = played(
        write,
        {"message": "oi", "model": {"speak": {"message": "Quem?"}, "understand": JUDGED}},
        {"message": "sou a Ana", "model": {"understand": {"fields": {"nome": "Ana"}}}},
        {"message": "voltei", "model": {"understand": JUDGED}},
    )
    reached = names([part for part in coverage.parts if part in coverage.reached])
    assert reached == [
        ("trigger", "oi", "message"),
        ("step", "oi", "quem"),
        ("step", "oi", "vale"),
        ("branch", "oi", "vale -> the next step"),
        ("step", "oi", "avisa"),
        ("step", "oi", "espera"),
        ("branch", "oi", "espera -> flow:outro"),
        ("step", "outro", "a"),
        ("field", "", "nome"),
    ]
    assert [coverage.of(sort) for sort in SORTS] == [
        (5, 6),
        (2, 6),
        (1, 2),
        (1, 1),
    ]
    assert coverage.percent == pytest.approx(100 * 9 / 15)


def test_each_branch_is_told_from_the_others(write: Write):
    coverage = played(
        write,
        {"message": "oi", "model": {"speak": {"message": "Quem?"}, "understand": JUDGED}},
        {"message": "Bia", "model": {"understand": {"fields": {"nome": "Bia"}}}},
    )
    assert ("branch", "oi", "quem -> fim") not in names(coverage.missed)
    assert ("branch", "oi", "quem -> end") in names(coverage.missed)


def test_a_step_is_joined_with_its_calls(write: Write):
    asks = {"speak": {"message": "Quem?"}, "understand": JUDGED}
    again = {"speak": {"message": "Quem mesmo?"}, "understand": {}}
    coverage = played(write, {"message": "oi", "model": asks}, {"message": "?", "model": again})
    step = Part("ana.json", "step", "oi", "quem")
    assert coverage.calls[step] == 2
    lines = list(coverage_lines(coverage))
    assert lines[0].startswith("reached: 1 of 6 steps, 0 of 6 branches, 1 of 2 triggers, ")
    assert "  never reached  ana.json: oi: branch quem -> end" in lines
    assert "  never reached  ana.json: field nome" in lines
    assert lines[-1] == "      2 calls    ana.json: oi: step quem"


def test_agents_that_take_over_and_inline_ones_count(write: Write):
    small = {"name": "B", "flows": [{"id": "b", "name": "B", "steps": [{"id": "x", "say": "X"}]}]}
    coverage = played(write, {"start": "b", "agent": small}, agent="ana.json")
    assert Part("s.json", "step", "b", "x") in coverage.reached
    assert Part("ana.json", "step", "oi", "quem") in coverage.parts


def test_nothing_to_reach_is_all_reached(write: Write):
    assert played(write, {"message": "oi"}, agent={"name": "B", "idle": "silent"}).percent == 100


def test_a_file_that_could_not_be_played_is_passed_over():
    record = {"file": "nowhere.yaml", "scenario": "x", "status": "error", "turns": []}
    assert coverage_of({"scenarios": [record]}).parts == ()
