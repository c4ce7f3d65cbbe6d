"""Plays to look at: those of the house, written ones, and drawn ones."""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from simulator.find import find_scenarios
from simulator.load import Document, load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord
from tests.simulator.kit import agent, flow, say, text_of
from tui.model.timeline import PHASES, Timeline

ROOT = Path(__file__).parents[3]

ASKER = agent(
    flow(
        "pedido",
        {"id": "quem", "prompt": "Pergunte.", "collect": ["nome"]},
        {"id": "cobra", "do": "cobrar"},
        {"id": "pausa", "wait": "2h"},
        say("Tchau, {{data.nome}}!", "fim"),
        on=[{"message": ["quer"]}],
    ),
    flow("aviso", say("Pronto!")),
    fields={"nome": {"type": "string"}, "visto": {"type": "boolean"}},
    actions={"cobrar": {"set": {"visto": True}}},
    idle={"prompt": "Responda."},
)
"""Asks for a name, charges, waits, and says goodbye; tells what is ready when `oi` is reported."""

TALK = """
- message: quero
  model:
    understand: {flows: {pedido: 90}}
    speak: {message: Quem é?}
- message: Bia
  model:
    understand: {fields: {nome: Bia}}
    speak: {message: "Certo, Bia."}
- event: oi
- advance: 2h
  fired: [{expect: {replies: ["Tchau, Bia!"]}}]
"""

ENTRIES = (
    "- {message: quero, model: {understand: {flows: {pedido: 90}}, speak: {message: Quem é?}}}",
    "- {message: Bia, model: {understand: {fields: {nome: Bia}}, speak: {message: Certo.}}}",
    "- {message: Rui, model: {understand: {fields: {nome: Rui}}}}",
    "- {message: quero, session: b, model: {understand: {flows: {pedido: 90}}, speak: {message: Oi}}}",
    "- {message: Ana, session: b, model: {understand: {fields: {nome: Ana}}}}",
    "- {message: oi, model: {understand: {fail: timeout}}}",
    "- {event: oi}",
    "- {event: oi, expect: {floor: nada}}",
    "- {message: nada}",
    "- {advance: 1h}",
    "- {advance: 3h}",
)
"""Turns that go well, turns that fail or raise, turns of another session, and time."""


def record_of(turns: str, *, phases: bool = True, **head: Any) -> ScenarioRecord:
    text = text_of(turns, **({"agent": ASKER} | head))
    [scenario] = read_scenario(Document(Path("s.yaml"), text))
    return asyncio.run(play(scenario, PlayOptions(phases=phases)))


def timeline(turns: str = TALK, *, phases: bool = True, **head: Any) -> Timeline:
    return Timeline(record_of(turns, phases=phases, **head))


NOTHING = Timeline(record_of("- {advance: 1h}"))
"""A play without turns."""


@lru_cache(maxsize=512)
def _played(entries: tuple[str, ...], phases: bool) -> ScenarioRecord:
    return record_of("\n".join(entries), phases=phases)


def drawn(least: int = 0) -> st.SearchStrategy[Timeline]:
    """Plays of all sorts, with what stood after each phase and without."""
    entries = st.lists(st.sampled_from(ENTRIES), min_size=max(1, least), max_size=7).map(tuple)
    plays = st.builds(_played, entries, st.booleans())
    return plays.map(Timeline).filter(lambda it: len(it.turns) >= least)


@lru_cache(maxsize=1)
def of_the_house() -> Sequence[Timeline]:
    """The scenarios of the project, played."""
    scenarios = [
        scenario
        for file in find_scenarios([ROOT / "scenarios"])
        for scenario in read_scenario(load_document(file))
    ]
    watched = PlayOptions(phases=True)
    return [Timeline(asyncio.run(play(scenario, watched))) for scenario in scenarios]


def new(timeline: Timeline, at: int, what: str) -> Sequence[Any]:
    """What a turn had at a step and did not have before it."""
    done = len(getattr(timeline.step(at - 1), what)) if at % len(PHASES) else 0
    return getattr(timeline.step(at), what)[done:]
