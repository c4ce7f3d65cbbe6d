"""Opens what somebody names: a scenario is played, a trace is read, a folder lists its scenarios."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from falai.providers.scripted import ScriptedProvider
from simulator.agentfile import AgentSource, load_agent
from simulator.check import kind_of
from simulator.find import find_scenarios
from simulator.load import SUFFIXES, load_document
from simulator.options import PlayOptions
from simulator.place import ScenarioFileError
from simulator.play import play
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import TRACE_VERSION, ScenarioRecord, Trace, file_error_record
from tui.model.subject import Subject
from tui.model.timeline import Timeline

_WATCHED = PlayOptions(phases=True)


class OpenError(Exception):
    """Something cannot be opened: `file: what. how to fix.`"""


def open_path(path: Path, options: PlayOptions = _WATCHED) -> list[Subject]:
    """Everything that can be looked at in a scenario file, a trace, or a folder of scenarios.

    A scenario that a bad file keeps from playing is a subject with no turns and that error.
    Raises OpenError for a path that is not there and a file of another kind.
    """
    if path.is_dir():
        return _of_folder(path, options)
    if not path.exists():
        raise OpenError(f"{path}: there is no such file or folder. Check the path.")
    trace = _trace(path)
    if trace is not None:
        return [_of_trace(record, path) for record in trace.scenarios]
    return _of_scenario(path, options)


def open_agent(reference: str) -> AgentSource | None:
    """The agent that a path or `module:attribute` names; None when it names something else.

    Raises ScenarioFileError for an agent that is broken.
    """
    if ":" in reference and not reference.lower().endswith(SUFFIXES):
        return load_agent(reference)
    path = Path(reference)
    if not path.is_file() or kind_of(load_document(path)) != "agent":
        return None
    return load_agent(reference)


def play_again(subject: Subject, options: PlayOptions = _WATCHED) -> Subject:
    """Play the scenario of a subject from the top; raises OpenError when there is none."""
    if subject.scenario is None:
        what = f"{subject.name}: the scenario of this trace is not there"
        raise OpenError(f"{what}. Open the trace where the file {subject.play.file} is.")
    return _played(subject.scenario, options)


# --- scenarios ----------------------------------------------------------------------------------


def _of_folder(path: Path, options: PlayOptions) -> list[Subject]:
    files = find_scenarios([path])
    if not files:
        raise OpenError(f"{path}: no scenario lies here. Name a folder that holds one.")
    return [subject for file in files for subject in _of_scenario(file, options)]


def _of_scenario(path: Path, options: PlayOptions) -> list[Subject]:
    try:
        document = load_document(path)
        if kind_of(document) not in ("scenario", "unknown"):
            what = f"{path}: this is a file of the kind {kind_of(document)}"
            raise OpenError(f"{what}. Open a scenario, a trace or an agent.")
        scenarios = read_scenario(document)
    except ScenarioFileError as error:
        return [_broken(path, error)]
    return [_played(scenario, options) for scenario in scenarios]


def _played(scenario: Scenario, options: PlayOptions) -> Subject:
    path = scenario.spot.source.path
    try:
        record = asyncio.run(play(scenario, replace(options, phases=True)))
    except ScenarioFileError as error:
        return _broken(path, error, scenario.title)
    return subject_of(record, scenario)


def _broken(path: Path, error: ScenarioFileError, title: str | None = None) -> Subject:
    record = file_error_record(path, error, title)
    return Subject(name=path.name, timeline=Timeline(record))


def subject_of(
    record: ScenarioRecord, scenario: Scenario | None, *, name: str | None = None
) -> Subject:
    """A play together with the agent of its scenario, as far as that can be read."""
    agent = _agent_of(scenario)
    built = agent.build(provider=ScriptedProvider()).agent if agent else None
    return Subject(
        name=name or Path(record.file).name,
        timeline=Timeline(record),
        scenario=scenario,
        agent=agent,
        flows=built.flows if built else (),
        fields=tuple(built.fields) if built else (),
    )


def _agent_of(scenario: Scenario | None) -> AgentSource | None:
    if scenario is None:
        return None
    try:
        return load_agent(scenario.agent, stubs=scenario.stubs)
    except ScenarioFileError:
        return None


# --- traces -------------------------------------------------------------------------------------


class _Head(msgspec.Struct):
    """As much of a trace as tells that it is one, and how new."""

    version: int
    scenarios: msgspec.Raw


def _trace(path: Path) -> Trace | None:
    """The trace that a file holds; None when it means to be something else."""
    if path.suffix.lower() != ".json":
        return None
    try:
        text = path.read_bytes()
    except OSError as error:
        raise OpenError(f"{path}: cannot be read: {error.strerror}. Check the path.") from None
    try:
        trace = msgspec.json.decode(text, type=Trace)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        _refuse(path, text, error)
        return None
    if trace.version > TRACE_VERSION:
        _refuse_newer(path, trace.version)
    return trace


def _refuse(path: Path, text: bytes, misfit: Exception) -> None:
    """Raise OpenError for what means to be a trace and cannot be read as one."""
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    if head.version > TRACE_VERSION:
        _refuse_newer(path, head.version)
    raise OpenError(
        f"{path}: not a trace that can be read: {misfit}. Write it anew: falai run --json."
    )


def _refuse_newer(path: Path, version: int) -> None:
    what = f"{path}: a trace of version {version}, and version {TRACE_VERSION} is known"
    raise OpenError(f"{what}. Open it with a newer falai.")


def _of_trace(record: ScenarioRecord, trace: Path) -> Subject:
    return subject_of(record, _scenario_of(record, trace))


def _scenario_of(record: ScenarioRecord, trace: Path) -> Scenario | None:
    """The scenario that a trace was made of, where its file is still there and can be read."""
    for file in _places(record, trace):
        try:
            scenarios = read_scenario(load_document(file))
        except ScenarioFileError:
            continue
        return next((it for it in scenarios if it.title == record.scenario), None)
    return None


def _places(record: ScenarioRecord, trace: Path) -> Sequence[Path]:
    """Where the file may lie: as the trace names it, from here or from beside the trace."""
    places = (Path(record.file), trace.parent / record.file)
    return [place for place in places if place.is_file()]
