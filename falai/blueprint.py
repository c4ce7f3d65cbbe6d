"""What an agent is made of: its parts, checked and worked out once when it is built."""

import copy
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Self, TypeAlias, TypedDict, Unpack

from falai.clock import Clock, SystemClock
from falai.compaction import Compaction
from falai.errors import FlowConfigurationError
from falai.limits import TOOL_ROUNDS
from falai.plan import Plan
from falai.providers.base import Provider, ToolOffer
from falai.shapes import compact
from falai.spec.agent import validate_agent
from falai.spec.registries import Registries
from falai.spec.whole import check_whole
from falai.text.profile import Profile
from falai.words.field import Field
from falai.words.flow import Flow, Instruction
from falai.words.registry import Action, Condition, EventDef, Idle, Tool

BusinessHoursRule: TypeAlias = Callable[[datetime], datetime]
"""Moves an instant forward to the next open minute; see `BusinessHours`."""

_log = logging.getLogger("falai")


class AgentParts(TypedDict, total=False):
    """The parts of an agent beside its name; each may be left out."""

    provider: Provider | None
    persona: str | None
    goal: str | None
    knowledge_base: Mapping[str, Any] | None
    fields: Mapping[str, Field]
    flows: Sequence[Flow]
    actions: Mapping[str, Action]
    events: Mapping[str, EventDef]
    conditions: Mapping[str, Condition]
    tools: Sequence[Tool]
    instructions: Sequence[Instruction]
    idle: Idle | Literal["silent"] | None
    """Who speaks when no run does; `silent` for nobody."""
    max_tool_loops: int
    business_hours: BusinessHoursRule | None
    compaction: Compaction | Mapping[str, Any] | None
    """How much history a turn's calls may carry; everything, when left out."""
    clock: Clock | None


class AgentOptions(AgentParts):
    """Everything that an agent is built from."""

    name: str


class AgentChanges(AgentParts, total=False):
    """What may be changed in a copy of an agent."""

    name: str


_PARTS = ("name", *AgentParts.__annotations__)


class Blueprint:
    """Everything that an agent is configured with; phases read it, and nothing ever writes it.

    Raises FlowConfigurationError for whatever would break at run time.
    """

    name: str
    provider: Provider | None
    fields: Mapping[str, Field]
    flows: Sequence[Flow]
    actions: Mapping[str, Action]
    events: Mapping[str, EventDef]
    conditions: Mapping[str, Condition]
    tools: Mapping[str, Tool]
    """By id."""
    instructions: Sequence[Instruction]
    idle: Idle | Literal["silent"] | None
    max_tool_loops: int
    business_hours: BusinessHoursRule | None
    compaction: Compaction | None
    clock: Clock
    warnings: Sequence[str]
    """What validation found worth saying without refusing it."""
    plan: Plan
    profile: Profile
    offers: Mapping[str, ToolOffer]
    """The tools as the model is told of them, by id."""
    _options: AgentOptions

    def __init__(self, **options: Unpack[AgentOptions]) -> None:
        _check_parts(options)
        # The lists are taken over, so that a copy is made of what this agent was made of.
        tools = options["tools"] = tuple(options.get("tools", ()))
        flows = options["flows"] = tuple(options.get("flows", ()))
        registries, loops = _registries(options), _loops(options)
        _check_profile(options)
        instructions, idle = tuple(options.get("instructions", ())), options.get("idle")
        warnings = validate_agent(
            flows, registries, instructions=instructions, idle=idle, tools=tools
        )
        for warning in warnings:
            _log.warning(warning)
        vars(self).update(
            _options=options,
            name=options["name"],
            provider=options.get("provider"),
            fields=registries.fields,
            flows=flows,
            actions=registries.actions,
            events=registries.events,
            conditions=registries.conditions,
            tools=registries.tools,
            instructions=instructions,
            idle=idle,
            max_tool_loops=loops,
            business_hours=options.get("business_hours"),
            compaction=Compaction.read(options.get("compaction")),
            clock=options.get("clock") or SystemClock(),
            warnings=tuple(warnings),
            plan=Plan(flows, registries.fields),
            profile=_profile(options, registries, flows),
            offers={t.id: ToolOffer(t.id, t.description, t.parameters) for t in tools},
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"An agent is immutable: use replace() to change its {name}.")

    def replace(self, **changes: Unpack[AgentChanges]) -> Self:
        """Make a changed copy; it is validated anew unless only provider or clock change."""
        options = self._options.copy()
        options.update(changes)
        if not changes.keys() <= {"provider", "clock"}:
            return type(self)(**options)
        twin = copy.copy(self)
        vars(twin).update(
            _options=options,
            provider=options.get("provider"),
            clock=options.get("clock") or SystemClock(),
        )
        return twin

    @property
    def provider_name(self) -> str:
        return self.provider.name if self.provider is not None else "provider"

    @property
    def model(self) -> Provider:
        """The provider; raises FlowConfigurationError when the agent has none."""
        if self.provider is None:
            raise FlowConfigurationError.at(
                "agent",
                "a turn needs the model, but no provider is set",
                "Pass provider= when building it, or use agent.replace(provider=…).",
            )
        return self.provider


def _check_parts(options: AgentOptions) -> None:
    unknown = [part for part in options if part not in _PARTS]
    if unknown:
        raise TypeError(f"An agent has no {unknown[0]}: its parts are {', '.join(_PARTS)}.")
    if "name" not in options:
        raise TypeError("An agent needs a name: the model is told who it is.")


def _registries(options: AgentOptions) -> Registries:
    """What flows may name."""
    return Registries(
        fields=dict(options.get("fields", {})),
        actions=dict(options.get("actions", {})),
        events=dict(options.get("events", {})),
        conditions=dict(options.get("conditions", {})),
        tools={tool.id: tool for tool in options.get("tools", ())},
    )


def _loops(options: AgentOptions) -> int:
    """How many rounds of tools a speak call may take."""
    loops = options.get("max_tool_loops", TOOL_ROUNDS)
    if type(loops) is not int or loops < 0:
        what = f"maxToolLoops is {compact(loops)}"
        raise FlowConfigurationError.at("agent", what, "Use a whole number, at least 0.")
    return loops


def _profile(options: AgentOptions, registries: Registries, flows: Sequence[Flow]) -> Profile:
    return Profile(
        name=options["name"],
        persona=options.get("persona"),
        goal=options.get("goal"),
        knowledge_base=options.get("knowledge_base"),
        fields=registries.fields,
        flows=flows,
    )


def _check_profile(options: AgentOptions) -> None:
    """Refuse what the model is told of the agent itself where no prompt could hold it."""
    told = {part: options.get(part) for part in ("name", "persona", "goal")}
    check_whole("agent", {**told, "knowledgeBase": options.get("knowledge_base")})
