"""The agent: immutable configuration that serves every session, and the door to its turns."""

import copy
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from falai.clock import Clock, SystemClock
from falai.compaction import Compaction
from falai.errors import FlowConfigurationError
from falai.limits import TOOL_ROUNDS
from falai.plan import Plan
from falai.providers.base import Provider, ToolOffer
from falai.spec.agent import validate_agent
from falai.spec.registries import Registries
from falai.text.profile import Profile
from falai.turn.decide import decide
from falai.turn.finish import finish
from falai.turn.given import TurnArgs, read_input
from falai.turn.ingest import ingest
from falai.turn.load import load
from falai.turn.needs import Steps
from falai.turn.run import run
from falai.turn.settle import settle
from falai.turn.silence import wakes
from falai.turn.speak import speak
from falai.turn.state import Turn
from falai.turn.stepping import Delta, Stepper, stream
from falai.turn.understand import understand
from falai.words.field import Field
from falai.words.flow import Flow, Instruction
from falai.words.registry import Action, Condition, EventDef, Idle, Tool
from falai.words.session import Session
from falai.words.turn import Anchor, HeldClaims, TurnResult, Wake

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


class Agent:
    """What a conversation may do: fields, flows, registries and the model behind them.

    Build it once and keep it: one instance serves every session and holds no state of any.
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
        tools = options.get("tools", ())
        flows = tuple(options.get("flows", ()))
        registries = Registries(
            fields=dict(options.get("fields", {})),
            actions=dict(options.get("actions", {})),
            events=dict(options.get("events", {})),
            conditions=dict(options.get("conditions", {})),
            tools={tool.id: tool for tool in tools},
        )
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
            max_tool_loops=options.get("max_tool_loops", TOOL_ROUNDS),
            business_hours=options.get("business_hours"),
            compaction=Compaction.read(options.get("compaction")),
            clock=options.get("clock") or SystemClock(),
            warnings=tuple(warnings),
            plan=Plan(flows, registries.fields),
            profile=Profile(
                name=options["name"],
                persona=options.get("persona"),
                goal=options.get("goal"),
                knowledge_base=options.get("knowledge_base"),
                fields=registries.fields,
                flows=flows,
            ),
            offers={t.id: ToolOffer(t.id, t.description, t.parameters) for t in tools},
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"An agent is immutable: use replace() to change its {name}.")

    def replace(self, **changes: Unpack[AgentChanges]) -> "Agent":
        """Make a changed copy; it is validated anew unless only provider or clock change."""
        options = self._options.copy()
        options.update(changes)
        if not changes.keys() <= {"provider", "clock"}:
            return Agent(**options)
        twin = copy.copy(self)
        vars(twin).update(changes, _options=options)
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
                "Pass provider= when building it, or use agent.replace(provider=…)",
            )
        return self.provider

    # --- turns --------------------------------------------------------------------------------

    async def turn(self, **given: Unpack[TurnArgs]) -> TurnResult:
        """Take one input and return what to save, send and schedule.

        Raises ProviderError or EmptyReplyError when the understand call fails: nothing ran and
        nothing changed, so the same input can be played again. Raises TypeError unless exactly
        one of message, wake, event and start is given.
        """
        return await self.steps(**given).run()

    def turn_sync(self, **given: Unpack[TurnArgs]) -> TurnResult:
        """Take one input outside of any event loop, for scripts."""
        import asyncio  # slow to load; a host's own loop has loaded it already

        return asyncio.run(self.turn(**given))

    def turn_stream(self, **given: Unpack[TurnArgs]) -> AsyncIterator[Delta]:
        """Take one input and yield the reply's text as it arrives, then the result."""
        return stream(self.steps(**given))

    def steps(self, **given: Unpack[TurnArgs]) -> Stepper:
        """Take one input and hand out the turn, to be driven step by step."""
        turn = Turn.of(self, read_input(given))
        return Stepper(turn, _phases(turn))

    def pending_wakes(
        self,
        session: Session,
        *,
        context: Any = None,
        anchors: Mapping[str, Mapping[str, Any] | Anchor] | None = None,
        claims: Mapping[str, Any] | HeldClaims | None = None,
    ) -> list[Wake]:
        """Every wake that a saved session waits on; rebuilds a queue that was lost.

        Each parked run's wake first, then each silence flow's. Spends no call, changes nothing.
        """
        turn = Turn.of(
            self,
            read_input(
                {
                    "session_id": session.id,
                    "session": session,
                    "context": context,
                    "anchors": anchors,
                    "claims": claims,
                    "wake": "",
                }
            ),
        )
        parked = [
            Wake(key=run.waiting.key, at=run.waiting.until)
            for run in turn.session.runs
            if run.waiting is not None
        ]
        return [*parked, *(wake for _, wake in wakes(turn))]


def _phases(turn: Turn) -> Steps[TurnResult]:
    """The eight phases of every turn; two may call the model."""
    yield from load(turn)
    yield from ingest(turn)
    yield from understand(turn)
    yield from decide(turn)
    yield from run(turn)
    yield from speak(turn)
    yield from settle(turn)
    return (yield from finish(turn))
