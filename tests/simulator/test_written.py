"""What happened, written as a scenario: it plays, and the same comes of it."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import ModelReply, ProviderError, ScriptedProvider, ToolCall, Usage
from simulator.agentfile import load_agent
from simulator.live import Live
from simulator.load import load_document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import DEFAULT_CLOCK
from simulator.stage import Stage
from simulator.trace import ScenarioRecord
from simulator.written import scenario_text

AGENT: dict[str, Any] = {
    "name": "Ana",
    "fields": {"nome": {"type": "string"}, "on": {"type": "string"}},
    "events": {"pronto": {}},
    "tools": [
        {
            "id": "agenda",
            "description": "Horários.",
            "parameters": {"type": "object", "properties": {}},
            "returns": {"value": [9, 10]},
        }
    ],
    "flows": [
        {
            "id": "oi",
            "name": "Oi",
            "on": [{"message": ["quer algo"], "repeat": "always"}],
            "steps": [
                {
                    "id": "quem",
                    "prompt": "Pergunte.",
                    "collect": ["nome", "on"],
                    "maxAsks": 1,
                    "tools": ["agenda"],
                },
                {"id": "pausa", "wait": "2h"},
                {"id": "tchau", "say": "Tchau, {{data.nome}}! {{input.x}}"},
            ],
        },
        {
            "id": "avisa",
            "name": "Avisa",
            "on": [{"event": "pronto"}],
            "steps": [{"id": "diz", "say": "Pronto: {{input.o}}"}],
        },
    ],
}


def played(folder: Path, text: str) -> list[ScenarioRecord]:
    file = folder / "saved.yaml"
    file.write_text(text, encoding="utf-8")
    return [asyncio.run(play(scenario)) for scenario in read_scenario(load_document(file))]


async def live_with(
    model: ScriptedProvider, *said: str, clock: str = DEFAULT_CLOCK, **options: Any
) -> Live:
    live = Live(Stage(load_agent(AGENT), clock, model), **options)
    for text in said:
        await live.say(text)
    return live


def written(live: Live, folder: Path) -> str:
    (folder / "ana.json").write_bytes(msgspec.json.encode(AGENT))
    return scenario_text(live, title="T", agent="ana.json")


def results(records: Any) -> list[Any]:
    return [(turn.result, turn.error) for turn in records]


def test_a_conversation_is_written_as_people_write_one(tmp_path: Path):
    model = ScriptedProvider(
        understand=[{"flows": {"oi": 90}, "fields": {"nome": "Bia"}}],
        speak=[{"message": "Oi, Bia!\nTudo?", "on": "no"}],
    )
    live = asyncio.run(live_with(model, "oi, sou a Bia", context={"lead": {"dono": "ia"}}))
    asyncio.run(live.wait("2h"))
    asyncio.run(live.report("pronto", {"o": "bolo"}))
    assert (
        written(live, tmp_path)
        == """\
scenario: T
agent: ana.json
context: {lead: {dono: ia}}

turns:
  - message: "oi, sou a Bia"
    model:
      understand: {flows: {oi: 90}, fields: {nome: Bia}}
      speak:
        message: |-
          Oi, Bia!
          Tudo?
        on: no
    expect:
      llmCalls: 2
      replies:
        - |-
          Oi, Bia!
          Tudo?
      floor: null
      data: {nome: Bia, on: no}

  - advance: 2h
    fired: [{expect: {llmCalls: 0, replies: ["Tchau, Bia! {{input.x}}"], floor: null}}]

  - event: pronto
    payload: {o: bolo}
    expect: {llmCalls: 0, replies: ["Pronto: bolo"], floor: null}
"""
    )
    [record] = played(tmp_path, written(live, tmp_path))
    assert record.failures == []


REPLIES: dict[str, Any] = {
    "tool calls": [
        ModelReply(message="vejo", tool_calls=[ToolCall("agenda", {}), ToolCall("x", "{")]),
        {"message": "Às 9."},
    ],
    "text": [ModelReply(message="Só texto: ${now}")],
    "prose": [ModelReply(message='Claro! {"message": "Oi"}')],
    "blank": [ModelReply()],
    "usage": [ModelReply(message='{"message": "Oi"}', usage=Usage(3, 4, 5))],
    "failure": [ProviderError("scripted", "quota")],
    "a list": [ModelReply(message="[1, 2]")],
    "a field": [{"message": "Oi", "nome": "on", "on": "no"}],
}


@pytest.mark.parametrize("name", REPLIES)
def test_every_sort_of_reply_comes_back(name: str, tmp_path: Path):
    model = ScriptedProvider(understand=[{"flows": {"oi": 90}}], speak=REPLIES[name])
    live = asyncio.run(live_with(model, "oi"))
    [record] = played(tmp_path, written(live, tmp_path))
    assert record.failures == []
    assert results(record.turns) == results(t for h in live.happenings for t in h.turns)


def test_a_turn_that_raised_is_expected_to_raise(tmp_path: Path):
    model = ScriptedProvider(understand=[ProviderError("scripted", "auth")])
    live = asyncio.run(live_with(model, "oi"))
    assert "error: {class: ProviderError, kind: auth}" in written(live, tmp_path)
    [record] = played(tmp_path, written(live, tmp_path))
    assert record.failures == []


def test_a_clock_and_a_session_of_its_own_are_written(tmp_path: Path):
    clock, session = "2026-03-29T00:30:00.000Z", "rosa"
    model = ScriptedProvider(understand=[{}], speak=["oi"])
    live = asyncio.run(live_with(model, "oi", clock=clock, session_id=session))
    text = written(live, tmp_path)
    assert f'clock: "{clock}"\nsession: rosa\n' in text
    [record] = played(tmp_path, text)
    assert (record.failures, record.turns[0].now) == ([], clock)


TEXT = st.text(max_size=30) | st.sampled_from(
    [
        "no",
        "2026-01-05",
        "12:30",
        "012",
        "~",
        "a: b",
        "- x",
        "# y",
        "${now}",
        "$${",
        "{{data.nome}}",
    ]
)


@given(
    said=st.lists(TEXT, min_size=1, max_size=3),
    speak=st.lists(TEXT | st.fixed_dictionaries({"message": TEXT, "nome": TEXT}), max_size=3),
    payload=st.none() | TEXT | st.dictionaries(TEXT, TEXT | st.integers() | st.none(), max_size=2),
)
def test_whatever_happened_happens_again(
    tmp_path_factory: pytest.TempPathFactory, said: list[str], speak: list[Any], payload: Any
):
    folder = tmp_path_factory.mktemp("saved")
    model = ScriptedProvider(understand=[{"flows": {"oi": 90}}] * 3, speak=[*speak, *(["fim"] * 6)])

    async def happen() -> Live:
        live = await live_with(model, *said)
        await live.wait("3h")
        await live.report("pronto", payload)
        await live.begin("avisa", payload)
        return live

    live = asyncio.run(happen())
    [record] = played(folder, written(live, folder))
    assert record.failures == []
    assert results(record.turns) == results(t for h in live.happenings for t in h.turns)
