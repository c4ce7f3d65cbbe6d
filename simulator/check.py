"""Checking files without playing them: what each one is, and what is wrong with it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from falai.agent import Agent
from simulator.agentfile import load_agent, read_flow, specs_of
from simulator.find import files_in
from simulator.given import read_given_session
from simulator.load import Document, load_document
from simulator.place import Place, ScenarioFileError, suggestion
from simulator.reading import is_scenario, read_scenario
from simulator.scenario import EventEntry, InputEntry, Scenario, StartEntry, WakeEntry
from simulator.spot import Spot

Kind: TypeAlias = Literal["scenario", "agent", "flow", "session", "unknown"]
Level: TypeAlias = Literal["ok", "warning", "error"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What checking says of a file; one that has nothing wrong gets one that is ok."""

    file: str
    kind: Kind
    status: Level
    line: int
    column: int
    message: str


def check_paths(paths: Iterable[Path]) -> Iterator[Finding]:
    """Check every file that is named or lies in a named folder."""
    said: set[Finding] = set()
    for path in paths:
        for file in files_in(path) if path.is_dir() else [path]:
            for finding in check_file(file):
                # What is wrong in an agent is found again with each scenario that uses it.
                if finding.status == "ok" or finding not in said:
                    yield finding
                said.add(finding)


def check_file(path: Path) -> list[Finding]:
    """Check one file: its shape, the names in it, and the files that it names."""
    kind: Kind = "unknown"
    try:
        document = load_document(path)
        kind = kind_of(document)
        warnings = _CHECKS[kind](document)
    except ScenarioFileError as error:
        return [_finding(kind, "error", error.place, str(error).partition(": ")[2])]
    found = [_finding(kind, "warning", spot.place(), text) for spot, text in warnings]
    return found or [_finding(kind, "ok", Place(str(path), 1, 1), "")]


def kind_of(document: Document) -> Kind:
    """What a file means to be, judged by the keys that it has."""
    spot = document.spot
    if is_scenario(document):
        return "scenario"
    first = spot.items()[0] if spot.is_list and spot.value else spot
    if first.is_mapping and first.has("steps"):
        return "flow"
    if not spot.is_mapping:
        return "unknown"
    if spot.has("runs"):
        return "session"
    return "agent" if spot.has("flows") or spot.has("name") else "unknown"


def _finding(kind: Kind, status: Level, place: Place, message: str) -> Finding:
    """A finding stands in the file that it speaks of, which the checked one may only name."""
    return Finding(
        file=place.file,
        kind=kind,
        status=status,
        line=place.line,
        column=place.column,
        message=message,
    )


Warnings: TypeAlias = Iterable[tuple[Spot, str]]
"""What is worth saying of a file that can be used."""


def _scenario(document: Document) -> Warnings:
    scenario = read_scenario(document)[0]
    deployed = [entry.agent for entry in scenario.turns if entry.agent is not None]
    found = [
        warning
        for agent in (scenario.agent, *deployed)
        for warning in _agent_warnings(agent, stubs=scenario.stubs)
    ]
    if not deployed:
        found += _slips(scenario, load_agent(scenario.agent).build().agent)
    return found


def _slips(scenario: Scenario, agent: Agent) -> Iterator[tuple[Spot, str]]:
    """Names that the engine lives with, and that an author seldom means."""
    flows = agent.plan.by_id
    for entry in scenario.turns:
        if isinstance(entry, EventEntry) and entry.name not in agent.events:
            yield entry.spot.at("event"), _no_such("event", entry.name, agent.events)
        if isinstance(entry, StartEntry) and entry.flow not in flows:
            yield entry.spot.at("start"), _no_such("flow", entry.flow, flows)
        if isinstance(entry, WakeEntry) and entry.flow is not None and entry.flow not in flows:
            yield entry.spot.at("wake"), _no_such("flow", entry.flow, flows)
        if isinstance(entry, InputEntry):
            for name in entry.actions:
                if name not in agent.actions:
                    spot = entry.spot.at("actions").at(name)
                    yield spot, _no_such("action", name, agent.actions)


def _no_such(kind: str, name: str, known: Mapping[str, object]) -> str:
    fix = suggestion(name, known) if known else f"Add it to the agent's {kind}s."
    return f'the agent has no {kind} "{name}". {fix}'


def _agent(document: Document) -> Warnings:
    return _agent_warnings(document.spot)


def _agent_warnings(agent: Spot, *, stubs: Spot | None = None) -> list[tuple[Spot, str]]:
    source = load_agent(agent, stubs=stubs)
    return [(source.place_of(warning), warning) for warning in source.build().agent.warnings]


def _flow(document: Document) -> Warnings:
    """The shape of a spec; the names in it are the agent's to check."""
    for spec in specs_of(document):
        read_flow(spec)
    document.check_bare_keys()
    return []


def _session(document: Document) -> Warnings:
    read_given_session(document.spot)
    return []


def _unknown(document: Document) -> Warnings:
    what = "this is no scenario, agent, flow or session: it has none of their keys"
    return [
        (
            document.spot,
            f"{what}. Add one of scenario, flows, steps and runs, or move it elsewhere.",
        )
    ]


_CHECKS: Mapping[Kind, Callable[[Document], Warnings]] = {
    "scenario": _scenario,
    "agent": _agent,
    "flow": _flow,
    "session": _session,
    "unknown": _unknown,
}
