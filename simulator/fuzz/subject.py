"""What is fuzzed: an agent, or the agent of a scenario with all that its host knows."""

import os.path
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from falai.agent import Agent
from simulator.agentfile import AgentSource, load_agent
from simulator.find import holds_scenario
from simulator.load import SUFFIXES, Document, load_document
from simulator.promised import ALL, SIZE
from simulator.reading import read_scenario
from simulator.scenario import Scenario

Raw = dict[str, Any]

_LEFT_OUT = ("scenario", "description", "tags", "turns", "matrix", "provider", "store", "budget")
"""Keys of a scenario that hold for its own conversation, or for a model that is not asked."""
_NOTHING: Raw = {"expect": {}}


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """An agent to talk to."""

    name: str
    """Its path, or `module:attribute`."""
    head: Raw
    """The scenario that is played, without title and turns."""
    folder: Path
    """The folder from which its paths are read."""
    opening: Sequence[Raw] = ()
    """Entries of a scenario that a conversation may begin with."""
    source: AgentSource
    """Read once; each conversation builds its own."""
    agent: Agent
    """Built once, to look at."""

    def raw(self, turns: Sequence[Raw], title: str = "Fuzz") -> Raw:
        """A scenario of these entries."""
        return {"scenario": title, **self.head, "turns": list(turns) or [_NOTHING]}

    def scenario(self, turns: Sequence[Raw]) -> Scenario:
        """The same, read; raises ScenarioFileError for what no file may hold."""
        return read_raw(self.raw(turns), self.folder)


def read_raw(raw: Mapping[str, Any], folder: Path) -> Scenario:
    """Read a scenario that is nowhere yet, its paths from a folder."""
    text = msgspec.json.encode(raw).decode()
    [scenario] = read_scenario(Document(folder / "fuzz.json", text))
    return scenario


def subject_of(
    path: str, *, checks: Sequence[str] = (), size: int = SIZE, per_turn: int | None = None
) -> Subject:
    """Take an agent file, a scenario file or `module:attribute`; raises ScenarioFileError.

    `checks` are functions to hold every turn to, `size` the bytes of a session, `per_turn` the
    model calls of a turn.
    """
    promises = [ALL, *([{"size": size}] if size != SIZE else []), *checks]
    rules: Raw = {"script": "loose", "promises": promises if promises != [ALL] else ALL}
    if per_turn is not None:
        rules["budget"] = {"perTurn": per_turn}
    file = Path(path)
    if path.lower().endswith(SUFFIXES) and os.path.isfile(file) and holds_scenario(file):
        return _of_scenario(path, load_document(file), rules)
    base = file.parent if path.lower().endswith(SUFFIXES) else Path()
    source = load_agent(path)
    agent = source.build().agent
    named = {"agent": file.name if base != Path() else path}
    return Subject(
        name=path,
        head={**named, **_anchors(agent), **rules},
        folder=base,
        source=source,
        agent=agent,
    )


def _anchors(agent: Agent) -> Raw:
    """A key for whatever the flows are anchored to, the same in every turn, as a host has it."""
    names = dict.fromkeys(flow.anchor for flow in agent.flows if flow.anchor)
    return {"anchors": {name: {"key": "c1"} for name in names}} if names else {}


def _of_scenario(path: str, document: Document, rules: Raw) -> Subject:
    scenario = read_scenario(document)[0]
    raw: Mapping[str, Any] = scenario.spot.value
    head = {key: value for key, value in raw.items() if key not in _LEFT_OUT}
    if scenario.budget.per_turn is not None:
        head["budget"] = {"perTurn": scenario.budget.per_turn}
    source = load_agent(scenario.agent, stubs=scenario.stubs)
    agent = source.build().agent
    return Subject(
        name=path,
        head={**_anchors(agent), **head, **rules},
        folder=document.path.parent,
        opening=[_unjudged(entry) for entry in raw["turns"]],
        source=source,
        agent=agent,
    )


def _unjudged(entry: Raw) -> Raw:
    """An entry without what is expected of it."""
    kept = {key: value for key, value in entry.items() if key not in ("expect", "exactly", "fired")}
    if "race" in kept:
        kept["race"] = [_unjudged(racer) for racer in kept["race"]]
        kept.pop("lost", None)
    return kept if set(kept) - {"note", "session"} else {**kept, **_NOTHING}
