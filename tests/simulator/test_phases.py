"""What stood after each phase: the last of it is what the turn returned."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from falai.turn.needs import Phase
from simulator.find import find_scenarios
from simulator.load import Document, load_document
from simulator.options import PlayOptions
from simulator.phases import PhaseRecord
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord, Trace, TurnRecord, trace_of
from tests.simulator.kit import HELLO, agent, flow, played, say, text_of

ROOT = Path(__file__).parents[2]
WATCHED = PlayOptions(phases=True)

TALK = agent(
    flow(
        "f",
        {"id": "quem", "prompt": "Pergunte.", "collect": ["nome"]},
        say("Tchau, {{data.nome}}!", "fim"),
        on=[{"message": ["quer"]}],
    ),
    fields={"nome": {"type": "string"}},
)


def watched(turns: str, **head: Any) -> ScenarioRecord:
    [scenario] = read_scenario(Document(Path("s.yaml"), text_of(turns, **head)))
    return asyncio.run(play(scenario, WATCHED))


def phases(turn: TurnRecord) -> list[PhaseRecord]:
    assert turn.phases is not UNSET
    return list(turn.phases)


def last(records: list[PhaseRecord], name: str) -> Any:
    return [part for it in records if (part := getattr(it, name)) is not None][-1]


def test_a_turn_tells_what_each_phase_brought():
    record = watched(
        """
        - message: quero, sou a Bia
          model:
            understand: {flows: {f: 90}, fields: {nome: Bia}}
        """,
        agent=TALK,
    )
    [turn] = record.turns
    told = phases(turn)
    assert [it.phase for it in told] == list(Phase)
    assert [it.calls for it in told] == [0, 0, 1, 1, 1, 1, 1, 1]
    assert [it.started for it in told] == [0, 0, 0, 1, 1, 1, 1, 1]
    assert [(it.phase, it.data) for it in told if it.data is not None] == [
        (Phase.LOAD, {}),
        (Phase.DECIDE, {"nome": "Bia"}),
    ]
    assert [it.phase for it in told if it.inputs is not None] == [Phase.LOAD, Phase.INGEST]


def test_a_turn_that_raises_tells_the_phases_it_came_to():
    record = watched(
        """
        - message: quero
          model: {understand: {fail: timeout}}
          expect: {error: {kind: timeout}}
        """,
        agent=TALK,
    )
    [turn] = record.turns
    assert [it.phase for it in phases(turn)] == [Phase.LOAD, Phase.INGEST, Phase.UNDERSTAND]


def test_nobody_asked_and_nothing_is_told():
    record = played("- {event: oi}")
    assert record.turns[0].phases is UNSET
    assert b"phases" not in msgspec.json.encode(record)


@pytest.mark.parametrize("file", find_scenarios([ROOT / "scenarios"]), ids=lambda file: file.stem)
def test_what_stands_at_the_end_is_what_was_returned(file: Path):
    for scenario in read_scenario(load_document(file)):
        record = asyncio.run(play(scenario, WATCHED))
        assert record.status == "passed"
        for turn in record.turns:
            if turn.result is None:
                continue
            told = phases(turn)
            session = turn.result.session
            assert last(told, "data") == session.data
            assert last(told, "claims") == session.claims
            assert last(told, "inputs") == session.inputs
            assert [run.id for run in last(told, "runs")] == [run.id for run in session.runs]
            assert told[-1].calls == len(turn.calls)
            assert told[-1].actions == len(turn.actions)
            assert told[-1].outcomes == len(turn.result.outcomes)
            assert told[-1].messages == len(turn.result.messages)
            assert told[-1].schedule == len(turn.result.schedule)


def test_a_trace_keeps_them():
    record = watched("- {event: oi}", agent=HELLO)
    trace = msgspec.json.decode(msgspec.json.encode(trace_of([record])), type=Trace)
    assert trace.scenarios[0].turns[0].phases == record.turns[0].phases
