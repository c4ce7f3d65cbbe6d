"""The parts of an agent that a conversation may reach: steps, branches, triggers and fields."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from falai.agent import Agent
from falai.turn.move import target_text
from falai.words.flow import (
    Do,
    Event,
    Flow,
    If,
    Mention,
    Message,
    Silence,
    Step,
    Talk,
    Trigger,
    Wait,
    WaitEvent,
)

Sort: TypeAlias = Literal["step", "branch", "trigger", "field"]
SORTS: tuple[Sort, ...] = ("step", "branch", "trigger", "field")
_TRIGGERS: Mapping[type[Trigger], str] = {
    Message: "message",
    Mention: "mention",
    Silence: "silence",
    Event: "event",
}

NEXT = "the next step"
"""Where a step leads that names no target; its line names none either."""


class Part(msgspec.Struct, frozen=True):
    """Something of an agent that a conversation may reach."""

    agent: str
    """The agent's file, `module:attribute`, or the scenario that it stands in."""
    sort: Sort
    flow: str
    """Its flow; empty for a field."""
    name: str
    """A step id, `step -> target`, the kind of a trigger, a slug."""


def parts_of(name: str, agent: Agent) -> Iterator[Part]:
    """Everything that can be reached in an agent, flow by flow."""
    for flow in agent.flows:
        for kind in dict.fromkeys(_TRIGGERS[type(trigger)] for trigger in flow.on or ()):
            yield Part(name, "trigger", flow.id, kind)
        for step in flow.steps:
            yield Part(name, "step", flow.id, step.id)
            for target in dict.fromkeys(_forks(step)):
                yield Part(name, "branch", flow.id, f"{step.id} -> {target}")
    collected = {slug for flow in agent.flows for slug in _collected(flow)}
    for slug in agent.fields:
        if slug in collected:
            yield Part(name, "field", "", slug)


def _collected(flow: Flow) -> Iterator[str]:
    yield from flow.collect or ()
    for step in flow.steps:
        if isinstance(step, Talk):
            yield from step.collect or ()


def _forks(step: Step) -> Iterator[str]:
    """Where a step may lead, of those that lead to more than one place."""
    if isinstance(step, Talk | Wait) and step.branches:
        yield from (_written(branch.then) for branch in step.branches)
    if isinstance(step, If):
        yield NEXT if step.then is None else _written(step.then)
        yield _written(step.else_) if step.else_ is not None else "end"
    if isinstance(step, Wait | WaitEvent) and step.else_ is not None:
        yield _written(step.else_)
    if isinstance(step, Do) and step.on_fail is not None:
        yield _written(step.on_fail)


def _written(target: Any) -> str:
    return target_text(target) or "end"
