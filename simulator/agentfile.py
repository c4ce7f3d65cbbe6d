"""Loads the agent that a scenario or a command names: declared as data, or built in Python."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from falai.agent import Agent
from falai.clock import Clock
from falai.errors import FlowConfigurationError
from falai.providers.base import Provider
from falai.spec.agent_parts import read_idle, read_instructions
from falai.spec.convert import from_spec
from falai.words.flow import Flow
from simulator.agentparts import read_events, read_fields, read_hours, read_stub_set
from simulator.blame import blamed, placing, spoken_of
from simulator.built import AgentSource, Built
from simulator.load import SUFFIXES, Document, load_beside
from simulator.place import KeyPath, Place, tidied
from simulator.pythonagent import PythonAgent
from simulator.reading import read_provider
from simulator.spot import Spot
from simulator.standins import Code, StandIns
from simulator.stubs import Stubs

AGENT_KEYS = (
    "name",
    "persona",
    "goal",
    "knowledgeBase",
    "instructions",
    "maxToolLoops",
    "compaction",
    "fields",
    "events",
    "conditions",
    "actions",
    "tools",
    "businessHours",
    "idle",
    "provider",
    "flows",
)
_FLOW_FILE = "The path of a file ends in .yaml, .yml or .json."
_OBJECT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def load_agent(
    reference: Spot | str | Mapping[str, Any],
    *,
    base: Path | None = None,
    stubs: Spot | None = None,
) -> AgentSource:
    """Read an agent: a file, `module:attribute`, or the mapping of a declarative agent.

    A spot's path is read from the folder of its file; anything else has no file, and a path in
    it is read from `base`, by default the current folder. `stubs` are a scenario's: they
    replace actions, tools and conditions by name. Raises ScenarioFileError.
    """
    if not isinstance(reference, Spot):
        reference = outside_of_files(reference, base or Path())
    stand_ins = StandIns(stubs)
    if not isinstance(reference.value, str):
        return _DeclaredAgent(reference, stand_ins)
    if _OBJECT.fullmatch(reference.value):
        return PythonAgent(reference, stand_ins)
    return _DeclaredAgent(load_beside(reference).spot, stand_ins)


def outside_of_files(reference: str | Mapping[str, Any], base: Path = Path()) -> Spot:
    """What somebody wrote on a command line or in Python, as a value with a place."""
    name = str(tidied(Path(reference))) if isinstance(reference, str) else "(agent)"
    return Spot(reference, _NoFile(base / "agent", name))


class _NoFile:
    """The source of what somebody wrote on a command line or in Python."""

    has_matchers = True
    has_expressions = True

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self._place = Place(name, 1, 1)

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        return self._place

    def is_left_out(self, path: KeyPath) -> bool:
        return False

    def check_bare_keys(self) -> None: ...


# --- declared agents ----------------------------------------------------------------------------


class _DeclaredAgent:
    """An agent written as data."""

    def __init__(self, spot: Spot, stand_ins: StandIns) -> None:
        spot.mapping(AGENT_KEYS, "Write a declarative agent, a path, or module:attribute.")
        self.spot = spot
        self.provider: Mapping[str, Any] | None = spot.optional("provider", _model)
        with placing(spot):
            self._settings = _settings(spot)
            self._own = read_stub_set(spot)
        self._flows = _flows(spot)
        self._stand_ins = stand_ins
        for read in (spot, *(flow for flow, _ in self._flows)):
            read.source.check_bare_keys()

    def build(self, *, provider: Provider | None = None, clock: Clock | None = None) -> Built:
        stubs = Stubs(self._own.actions)
        code = Code(
            {name: stub.action(name, stubs) for name, stub in self._own.actions.items()},
            [stub.tool(stubs) for stub in self._own.tools],
            self._own.conditions,
        )
        code = self._stand_ins.over(code, stubs)
        with placing(self.spot, [spot for spot, _ in self._flows]):
            agent = Agent(
                **self._settings,
                **code._asdict(),
                flows=[flow for _, flow in self._flows],
                provider=provider,
                clock=clock,
            )
        return Built(agent, stubs)

    def place_of(self, warning: str) -> Spot:
        return spoken_of(warning, self.spot, [spot for spot, _ in self._flows])


def _model(spot: Spot) -> Mapping[str, Any]:
    spot.mapping()
    return read_provider(spot)


def _settings(spot: Spot) -> dict[str, Any]:
    """The keyword arguments of an Agent that are plain data; what is not set is left out."""
    found = {
        "name": spot.need("name").text(),
        "persona": spot.optional("persona", Spot.text),
        "goal": spot.optional("goal", Spot.text),
        "knowledge_base": spot.optional("knowledgeBase", Spot.mapping),
        "max_tool_loops": spot.optional("maxToolLoops", Spot.whole),
        "compaction": spot.optional("compaction", Spot.mapping),
        "instructions": read_instructions(spot.value.get("instructions")),
        "fields": read_fields(spot),
        "events": read_events(spot),
        "idle": read_idle(spot.value.get("idle")),
        "business_hours": read_hours(spot),
    }
    return {key: value for key, value in found.items() if value is not None}


def _flows(spot: Spot) -> list[tuple[Spot, Flow]]:
    """Every flow with its place, those in files of their own included."""
    found = spot.get("flows")
    specs = [spec for item in found.items() for spec in _specs(item)] if found else []
    return [(spec, read_flow(spec)) for spec in specs]


def _specs(spot: Spot) -> list[Spot]:
    """One flow, or all that are in the file that a text names."""
    if not isinstance(spot.value, str) or not spot.value.lower().endswith(SUFFIXES):
        return [spot]
    return specs_of(load_beside(spot))


def specs_of(document: Document) -> list[Spot]:
    """The flows of a file that holds one or a list of them."""
    spot = document.spot
    return spot.items() if spot.is_list else [spot]


def read_flow(spot: Spot) -> Flow:
    """Read a flow; raises ScenarioFileError for a wrong shape, in the engine's words."""
    try:
        return from_spec(spot.value)
    except FlowConfigurationError as exc:
        if isinstance(spot.value, str):
            raise spot.error(str(exc), _FLOW_FILE) from exc
        raise blamed(exc, spot, [spot]) from exc
