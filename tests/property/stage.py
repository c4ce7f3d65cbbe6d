"""Plays a drawn story: the clock, the model and the host's code all answer from its data."""

import copy
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from falai.agent import Agent
from falai.clock import FakeClock, to_datetime
from falai.errors import EmptyReplyError, ProviderError
from falai.hours import BusinessHours
from falai.providers.base import Chunk, ModelCall, ModelReply
from falai.spec.convert import from_spec
from falai.turn.needs import ActionCall, Need, Phase
from falai.turn.stepping import Stepper
from falai.words.field import Field
from falai.words.flow import Param
from falai.words.registry import Action, EventDef, Idle, Tool
from falai.words.session import Session
from falai.words.turn import TurnResult, Wake
from tests.property.answers import Act, Fail
from tests.property.strategies import START, Moment, Scheduled, Story

SESSION_ID = "s1"
_OFFICE = BusinessHours(days=["mon", "tue", "wed", "thu", "fri"], open="09:00", close="18:00")
_TYPES: Mapping[str, dict[str, Any]] = {
    "nome": {"type": "string"},
    "porte": {"type": "string", "enum": ("P", "M", "G")},
    "nota": {"type": "number"},
    "idade": {"type": "integer"},
    "ok": {"type": "boolean"},
    "quer": {"type": "boolean"},
    "grau": {"type": "integer", "enum": (1, 2, 3)},
}
_SPOKEN = ModelReply(message='{"message": "Pois não?"}')


class World:
    """Everything outside of the engine, while one input is handled."""

    def __init__(self) -> None:
        self.enter(Moment("0s", {}))

    def enter(self, moment: Moment) -> None:
        """Answer from this moment on, from its start."""
        self._replies = {
            "understand": iter(moment.understand),
            "speak": iter(moment.speak),
            "summary": iter(()),
        }
        self._acts = iter(moment.acts)
        self.calls: list[ModelCall] = []
        self.action_keys: list[str] = []

    def reply(self, call: ModelCall) -> ModelReply | Fail:
        self.calls.append(call)
        return next(self._replies[call.purpose], _SPOKEN)

    def act(self) -> Act:
        return next(self._acts, Act({"ok": True}))

    def handle(self, _: Any, ctx: Any) -> Any:
        """The handler of every action."""
        act = self.act()
        ctx.set(copy.deepcopy(act.sets))
        return _come_of(act)

    def use(self, _: Any, _ctx: Any) -> Any:
        """The handler of every tool."""
        return _come_of(self.act())


def _come_of(act: Act) -> Any:
    if act.raises:
        raise ValueError("quebrou")
    return copy.deepcopy(act.returns)


def build(spec: Mapping[str, Any], world: World, clock: FakeClock) -> Agent:
    """Make the agent that a story describes."""
    idle = spec["idle"]
    return Agent(
        name="Ana",
        fields={
            slug: Field(extract=spec["extract"][slug], **kind) for slug, kind in _TYPES.items()
        },
        flows=[from_spec(flow) for flow in spec["flows"]],
        actions={"agir": Action(world.handle, {"texto": Param("string")})},
        events={
            "pago": EventDef(),
            "ping": EventDef("inbound"),
            "humano": EventDef("outbound"),
        },
        conditions={"vip": _is_vip},
        tools=_tools(world),
        idle=idle if idle in (None, "silent") else Idle(prompt=idle),
        max_tool_loops=spec["max_tool_loops"],
        business_hours=_OFFICE if spec["office"] else None,
        clock=clock,
        provider=Model(world),
    )


def _is_vip(ctx: Any, wanted: Any) -> bool:
    return bool((ctx.context or {}).get("vip")) is wanted


def _tools(world: World) -> list[Tool]:
    parameters = {"type": "object", "properties": {"x": {"type": "integer"}}}
    common: dict[str, Any] = {"description": "", "parameters": parameters, "handler": world.use}
    return [
        Tool(id="busca", is_read_only=True, max_result_chars=50, **common),
        Tool(id="grava", validate_input=_missing_x, **common),
        Tool(id="alta", is_destructive=True, check_permissions=_vip_only, **common),
    ]


def _missing_x(args: Mapping[str, Any]) -> str | None:
    return None if "x" in args else "x is missing"


def _vip_only(_: Any, ctx: Any) -> str | None:
    return None if _is_vip(ctx, True) else "not allowed"


class Model:
    """The world's model behind the seam that a real provider has."""

    name = "drawn"

    def __init__(self, world: World) -> None:
        self._world = world

    async def generate(self, call: ModelCall) -> ModelReply:
        reply = self._world.reply(call)
        if isinstance(reply, Fail):
            raise reply.error()
        return reply

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        reply = await self.generate(call)
        for at in range(0, len(reply.message), 3):
            yield Chunk(text=reply.message[at : at + 3])
        yield Chunk(reply=reply)


# --- driving ----------------------------------------------------------------------------------


def drive(stepper: Stepper, world: World) -> TurnResult:
    """Run a turn to its end without a loop; raises what it raised."""
    while (pending := stepper.pending) is not None:
        if isinstance(pending, Phase):
            stepper.answer()
        else:
            _meet(stepper, pending, world)
    if stepper.result is None:
        raise stepper.error or AssertionError("the turn has neither result nor error")
    return stepper.result


def _meet(stepper: Stepper, need: Need, world: World) -> None:
    if isinstance(need, ModelCall):
        reply = world.reply(need)
        stepper.fail(reply.error()) if isinstance(reply, Fail) else stepper.answer(reply)
    elif isinstance(need, ActionCall):
        world.action_keys.append(need.key)
        _perform(stepper, lambda: need.action.handler(need.args, need.ctx))
    else:
        stepper.answer([_caught(run.tool.handler, run.args, run.ctx) for run in need.runs])


def _perform(stepper: Stepper, action: Callable[[], Any]) -> None:
    try:
        returned = action()
    except ValueError as error:
        stepper.fail(error)
    else:
        stepper.answer(returned)


def _caught(handler: Callable[..., Any], args: Any, ctx: Any) -> Any:
    try:
        return handler(args, ctx)
    except ValueError as error:
        return error


# --- playing ----------------------------------------------------------------------------------


@dataclass
class Stage:
    """An agent with its world, and the wakes that were scheduled so far."""

    agent: Agent
    world: World
    clock: FakeClock
    wakes: list[Wake] = field(default_factory=list)

    @classmethod
    def of(cls, story: Story) -> "Stage":
        world, clock = World(), FakeClock(START)
        return cls(build(story.agent, world, clock), world, clock)

    def arrive(self, moment: Moment) -> dict[str, Any]:
        """Let time pass and an input come; gives the turn's arguments without the session."""
        self.clock.advance(moment.after)
        given = copy.deepcopy(dict(moment.given))
        wake = given.get("wake")
        if isinstance(wake, Scheduled):
            given["wake"] = self._key_of(wake)
        return {"session_id": SESSION_ID, **given}

    def _key_of(self, wake: Scheduled) -> str:
        if not self.wakes:
            return "nobody"
        found = self.wakes[wake.place % len(self.wakes)]
        if wake.on_time and to_datetime(found.at) > self.clock.now():
            self.clock.set(found.at)
        return found.key

    def turn(
        self, moment: Moment, given: Mapping[str, Any], session: Session | None
    ) -> TurnResult | None:
        """Handle an input with a moment's answers; None when the understand call failed."""
        self.world.enter(moment)
        try:
            return drive(self.agent.steps(**given, session=session), self.world)
        except (ProviderError, EmptyReplyError):
            return None

    def deploy(self, story: Story) -> None:
        """Let the agent of another story take over."""
        self.agent = build(story.agent, self.world, self.clock)

    def play(self, moment: Moment, session: Session | None) -> "Played":
        """Let a moment happen to a stored session, and store what comes of it."""
        given = self.arrive(moment)
        result = self.turn(moment, given, session)
        after = session
        if result is not None and result.changed:
            self.wakes += result.schedule
            after = msgspec.structs.replace(result.session, version=result.session.version + 1)
        return Played(
            stage=self,
            moment=moment,
            before=session,
            given=given,
            result=result,
            calls=self.world.calls,
            action_keys=self.world.action_keys,
            after=after,
        )


@dataclass(frozen=True)
class Played:
    """One input that was handled."""

    stage: Stage
    moment: Moment
    before: Session | None
    given: Mapping[str, Any]
    """The turn's arguments without the session."""
    result: TurnResult | None
    """None when the understand call failed, the one failure that leaves a turn."""
    calls: list[ModelCall]
    action_keys: list[str]
    after: Session | None
    """What a host has stored then."""

    def again(self, session: Session | None) -> "Played":
        """Handle the same input once more, with the same answers, before time goes on."""
        still = replace(self.moment, after="0s", given=self.given)
        return self.stage.play(still, session)


def play(story: Story) -> Iterator[Played]:
    """Play a story from its beginning, the session going through JSON after every turn."""
    stage = Stage.of(story)
    session: Session | None = None
    for moment in story.moments:
        played = stage.play(moment, session)
        yield played
        session = copied(played.after)


def results(story: Story) -> Iterator[tuple[Played, TurnResult]]:
    """Every input of a story that came to a result."""
    return ((played, played.result) for played in play(story) if played.result is not None)


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def copied(session: Session | None) -> Session | None:
    """The session as it comes back from a store."""
    return msgspec.json.decode(encoded(session), type=Session | None)
