"""Loads the agent that a scenario or a command names: declared as data, or built in Python."""

import inspect
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from msgspec.structs import replace

from falai.agent import Agent
from falai.blueprint import AgentChanges
from falai.clock import Clock
from falai.errors import FlowConfigurationError
from falai.providers.base import Provider
from falai.spec.agent_parts import read_idle, read_instructions
from falai.spec.convert import from_spec
from falai.words.flow import Flow
from falai.words.registry import Action, Condition, Tool
from simulator.agentparts import StubSet, read_events, read_fields, read_hours, read_stub_set
from simulator.blame import blamed, placing, spoken_of
from simulator.imported import failed, imported
from simulator.load import SUFFIXES, Document, load_beside
from simulator.place import KeyPath, Place, nearest, tidied
from simulator.reading import read_provider
from simulator.spot import Spot
from simulator.stubs import ActionStub, Stubs, ToolStub, overridable

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
STUB_KEYS = ("actions", "tools", "conditions")
_FLOW_FILE = "The path of a file ends in .yaml, .yml or .json."
_OBJECT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class Built(NamedTuple):
    """An agent ready to play, with the results that its stand-ins will give."""

    agent: Agent
    stubs: Stubs


class AgentSource(Protocol):
    """An agent that was read and can be built, as often as it is played."""

    spot: Spot
    """The agent's mapping, or the text that names a Python object."""

    @property
    def provider(self) -> Mapping[str, Any] | None:
        """`{model, …}` as the agent file has it."""
        ...

    def build(self, *, provider: Provider | None = None, clock: Clock | None = None) -> Built:
        """Make the agent anew, every list of results at its start.

        Raises ScenarioFileError for what the engine refuses, its words and their place in it.
        """
        ...

    def place_of(self, warning: str) -> Spot:
        """Where the thing stands of which a warning of the built agent speaks."""
        ...


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
    stand_ins = _StandIns(stubs)
    if not isinstance(reference.value, str):
        return _DeclaredAgent(reference, stand_ins)
    if _OBJECT.fullmatch(reference.value):
        return _PythonAgent(reference, stand_ins)
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


# --- stand-ins of a scenario --------------------------------------------------------------------


class _Code(NamedTuple):
    """The parts of an agent that are code."""

    actions: Mapping[str, Action]
    tools: Sequence[Tool]
    conditions: Mapping[str, Condition]


class _StandIns:
    """A scenario's `stubs`, to be put in the place of an agent's code."""

    def __init__(self, spot: Spot | None) -> None:
        self._spot = spot
        self._set = StubSet()
        if spot is not None:
            spot.mapping(STUB_KEYS)
            with placing(spot):
                self._set = read_stub_set(spot)

    def over(self, code: _Code, stubs: Stubs) -> _Code:
        """The code with every stand-in in place; raises ScenarioFileError for an unknown name."""
        own_tools = {tool.id: tool for tool in code.tools}
        stand_ins = {stub.id: stub for stub in self._set.tools}
        self._check("action", "actions", self._set.actions, code.actions)
        self._check("condition", "conditions", self._set.conditions, code.conditions)
        self._check("tool", "tools", stand_ins, own_tools)
        actions = {
            name: _stand_in_action(name, stub, code.actions[name], stubs)
            for name, stub in self._set.actions.items()
        }
        tools = [
            _stand_in_tool(stand_ins[tool.id], tool, stubs) if tool.id in stand_ins else tool
            for tool in code.tools
        ]
        conditions = {**code.conditions, **self._set.conditions}
        return _Code({**code.actions, **actions}, tools, conditions)

    def _check(
        self, kind: str, key: str, names: Mapping[str, Any], known: Mapping[str, Any]
    ) -> None:
        for index, name in enumerate(names):
            if name not in known and self._spot is not None:
                close = nearest(name, known)
                fix = f'Did you mean "{close}"?' if close else "A stub replaces what is there."
                spot = self._spot.at(key).at(index if key == "tools" else name)
                raise spot.error(f'the agent has no {kind} "{name}"', fix, key=True)


def _stand_in_action(name: str, stub: ActionStub, own: Action, stubs: Stubs) -> Action:
    action = stub.action(name, stubs)
    return action if stub.parameters is not None else replace(action, parameters=own.parameters)


def _stand_in_tool(stub: ToolStub, own: Tool, stubs: Stubs) -> Tool:
    tool = stub.tool(stubs)
    return replace(
        own,
        handler=tool.handler,
        description=own.description if stub.description is None else tool.description,
        parameters=own.parameters if stub.parameters is None else tool.parameters,
        **stub.flags,
    )


# --- declared agents ----------------------------------------------------------------------------


class _DeclaredAgent:
    """An agent written as data."""

    def __init__(self, spot: Spot, stand_ins: _StandIns) -> None:
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
        code = _Code(
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


# --- agents built in Python ---------------------------------------------------------------------


class _PythonAgent:
    """An `Agent`, or what a callable returns, under `module:attribute`."""

    provider: Mapping[str, Any] | None = None

    def __init__(self, spot: Spot, stand_ins: _StandIns) -> None:
        self.spot = spot
        self._stand_ins = stand_ins
        self._found = imported(spot)

    def build(self, *, provider: Provider | None = None, clock: Clock | None = None) -> Built:
        agent = self._agent()
        stubs = Stubs(agent.actions)
        actions = {name: overridable(name, action, stubs) for name, action in agent.actions.items()}
        own = _Code(actions, list(agent.tools.values()), agent.conditions)
        code = self._stand_ins.over(own, stubs)
        changes: AgentChanges = {
            "actions": code.actions,
            "tools": code.tools,
            "conditions": code.conditions,
        }
        if provider is not None:
            changes["provider"] = provider
        if clock is not None:
            changes["clock"] = clock
        with placing(self.spot):
            return Built(agent.replace(**changes), stubs)

    def place_of(self, warning: str) -> Spot:
        return self.spot

    def _agent(self) -> Agent:
        found = self._found
        if not isinstance(found, Agent) and callable(found):
            try:
                found = _settled(found())
            except (Exception, SystemExit) as exc:
                raise failed(self.spot, exc) from exc
        if isinstance(found, Agent):
            return cast("Agent", found)  # of whichever types
        what = f"{self.spot.value} is no Agent but a {type(found).__name__}"
        raise self.spot.error(what, "Name an Agent, or a callable that returns one.")


def _settled(value: Any) -> Any:
    """The value, waited for if it has to be, inside or outside of an event loop."""
    if not inspect.isawaitable(value):
        return value

    # Slow to load, and few agents are made by a coroutine.
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    async def wait() -> Any:
        return await value

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, wait()).result()
