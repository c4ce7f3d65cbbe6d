"""Checking files without playing them: what each one is, and what is wrong with it."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from falai.agent import Agent
from falai.clock import Clock, SystemClock
from simulator.agentfile import load_agent, read_flow, specs_of
from simulator.cassette.tape import is_tape
from simulator.find import files_in
from simulator.given import read_given_session
from simulator.load import Document, load_document
from simulator.place import Place, ScenarioFileError, suggestion
from simulator.playable import check_playable
from simulator.reading import is_scenario, read_scenario
from simulator.scenario import (
    AdvanceEntry,
    Entry,
    EventEntry,
    InputEntry,
    RaceEntry,
    Scenario,
    StartEntry,
    WakeEntry,
)
from simulator.spot import Spot
from simulator.tapes import Shelf

Kind: TypeAlias = Literal["scenario", "agent", "flow", "session", "cassette", "unknown"]
Level: TypeAlias = Literal["ok", "warning", "error"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What checking says of a file; one that has nothing wrong gets one that is ok."""

    file: str
    kind: Kind
    status: Level
    line: int
    column: int
    message: str


_MACHINE = SystemClock()


def check_paths(
    paths: Iterable[Path], *, cassettes: Path | None = None, clock: Clock = _MACHINE
) -> Iterator[Finding]:
    """Check every file that is named or lies in a named folder, and the tapes of its scenarios.

    `cassettes` is where these lie, `clock` tells how old they are.
    """
    said: set[Finding] = set()
    files = [file for path in paths for file in (files_in(path) if path.is_dir() else [path])]
    for finding in _findings(files, cassettes, clock):
        # What is wrong in an agent is found again with each scenario that uses it.
        if finding.status == "ok" or finding not in said:
            yield finding
        said.add(finding)


def _findings(files: Sequence[Path], cassettes: Path | None, clock: Clock) -> Iterator[Finding]:
    scenarios: list[Path] = []
    tapes: list[Path] = []
    for file in files:
        found = check_file(file, clock=clock)
        yield from found
        kind = next(finding.kind for finding in found if finding.file == str(file))
        if kind == "cassette":
            tapes.append(file)
        elif kind == "scenario" and all(finding.status != "error" for finding in found):
            scenarios.append(file)
    if scenarios:
        yield from _about_tapes(Shelf(scenarios, cassettes), tapes, clock)


def _about_tapes(shelf: Shelf, tapes: Sequence[Path], clock: Clock) -> Iterator[Finding]:
    """What scenarios and tapes say of each other; tapes that nobody named are checked too."""
    checked = {tape.resolve() for tape in tapes}
    for tape in shelf.tapes:
        if tape.resolve() not in checked:
            yield from check_file(tape, clock=clock)
    for place, text in (*shelf.missing(), *shelf.unnamed(tapes), *shelf.unplayed()):
        yield _finding(Path(place.file), _kind_of_file(place.file), "warning", place, text)


def check_file(path: Path, *, clock: Clock = _MACHINE) -> list[Finding]:
    """Check one file: its shape, the names in it, and the files that it names."""
    kind: Kind = "unknown"
    found: list[Finding] = []
    try:
        document = load_document(path)
        kind = kind_of(document)
        if kind == "cassette":
            return _of_tape(path, document, clock)
        for spot, text in _CHECKS[kind](document):
            found.append(_finding(path, kind, "warning", spot.place(), text))
    except ScenarioFileError as error:
        text = str(error).removeprefix(f"{error.place}: ")
        found.append(_finding(path, kind, "error", error.place, text))
    if not any(finding.file == str(path) for finding in found):
        found.append(_finding(path, kind, "ok", Place(str(path), 1, 1), ""))
    return found


def _of_tape(path: Path, document: Document, clock: Clock) -> list[Finding]:
    from simulator.cassette.hygiene import tape_findings  # not needed where there is no tape

    today = clock.now().date()
    return [
        _finding(path, "cassette", status, place, text)
        for status, place, text in tape_findings(document, today, os.environ)
    ]


def kind_of(document: Document) -> Kind:
    """What a file means to be, judged by the keys that it has."""
    spot = document.spot
    if is_scenario(document):
        return "scenario"
    if is_tape(document):
        return "cassette"
    first = spot.items()[0] if spot.is_list and spot.value else spot
    if first.is_mapping and first.has("steps"):
        return "flow"
    if not spot.is_mapping:
        return "unknown"
    if spot.has("runs"):
        return "session"
    return "agent" if spot.has("flows") or spot.has("name") else "unknown"


def _finding(path: Path, kind: Kind, status: Level, place: Place, message: str) -> Finding:
    """A finding stands in the file that it speaks of, which the checked one may only name."""
    return Finding(
        file=place.file,
        kind=kind if place.file == str(path) else _kind_of_file(place.file),
        status=status,
        line=place.line,
        column=place.column,
        message=message,
    )


def _kind_of_file(name: str) -> Kind:
    try:
        return kind_of(load_document(name))
    except ScenarioFileError:
        return "unknown"


Warnings: TypeAlias = Iterable[tuple[Spot, str]]
"""What is worth saying of a file that can be used."""


def _scenario(document: Document) -> Warnings:
    scenarios = read_scenario(document)
    checked: set[str] = set()
    for scenario in scenarios:
        check_playable(scenario)
        deployed = [entry.agent for entry in scenario.turns if entry.agent is not None]
        for agent in (scenario.agent, *deployed):
            if repr(agent.value) not in checked:
                checked.add(repr(agent.value))
                yield from _agent_warnings(agent, stubs=scenario.stubs)
    yield from _slips(scenarios[0])


def _slips(scenario: Scenario) -> Warnings:
    """Names that the engine lives with, and that an author seldom means."""
    built = load_agent(scenario.agent, stubs=scenario.stubs).build()
    for entry in _flat(scenario.turns):
        if entry.agent is not None:
            built = load_agent(entry.agent, stubs=scenario.stubs).build()
        if isinstance(entry, InputEntry) and entry.actions:
            built.stubs.override(entry.actions, entry.spot.at("actions"))
        yield from _unknown_names(entry, built.agent)


def _flat(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Every entry, those inside of others too."""
    for entry in entries:
        yield entry
        if isinstance(entry, RaceEntry):
            yield from (entry.first, entry.second)
        elif isinstance(entry, AdvanceEntry):
            yield from entry.fired or ()


def _unknown_names(entry: Entry, agent: Agent) -> Warnings:
    flows = agent.plan.by_id
    if isinstance(entry, EventEntry) and entry.name not in agent.events:
        yield entry.spot.at("event"), _no_such("event", entry.name, agent.events)
    if isinstance(entry, StartEntry) and entry.flow not in flows:
        yield entry.spot.at("start"), _no_such("flow", entry.flow, flows)
    if isinstance(entry, WakeEntry) and entry.flow is not None and entry.flow not in flows:
        yield entry.spot.at("wake"), _no_such("flow", entry.flow, flows)


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
