"""What a flow is: triggers that start it, and the steps that it runs in order.

Everything optional is None until it is set, so that a flow goes back to JSON as it came.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

Predicate: TypeAlias = Callable[[Any], bool] | Mapping[str, Any]
"""A function of the context, or a condition mapping whose entries must all hold."""

Repeat: TypeAlias = Literal["once", "always"] | Mapping[str, str]
"""How often a trigger may start its flow; a mapping is `{"cooldown": duration}`."""

InstructionKind: TypeAlias = Literal["must", "never", "should"]
OnEnd: TypeAlias = Literal["end", "stay", "reset"]


class Goto(msgspec.Struct, frozen=True):
    """A jump to a step of the same flow that forgets some fields on the way."""

    step: str
    clear: Sequence[str] | None = None


class Chain(msgspec.Struct, frozen=True):
    """The end of this run and the start of another flow."""

    flow: str
    """The flow's id; a template."""
    input: Any | UnsetType = UNSET
    """What the new run gets; UNSET hands on the parent's input."""


Target: TypeAlias = str | Goto | Chain
"""Where a run goes next: a step id, `"end"`, a jump that clears, or a chain."""


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """One fork of a talk or wait step: `when` for the model to judge, `if_` for code."""

    then: Target
    when: str | None = None
    if_: Predicate | None = None


class Instruction(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that the speak prompt carries while it applies."""

    prompt: str
    kind: InstructionKind | None = None
    """None means `should`."""
    when: str | Sequence[str] | None = None
    if_: Predicate | None = None
    id: str | None = None


class Param(msgspec.Struct, frozen=True, omit_defaults=True):
    """One named value that an action or a mention carries."""

    type: Literal["string", "number", "integer", "boolean", "array"]
    description: str | None = None
    enum: Sequence[str | int | float] | None = None
    optional: bool | None = None
    items: "Param | None" = None


class Message(msgspec.Struct, frozen=True):
    """Start when the customer's message means one of the phrases; no phrases takes any message."""

    phrases: Sequence[str] = ()
    if_: Predicate | None = None
    repeat: Repeat | None = None


class Mention(msgspec.Struct, frozen=True):
    """Start beside whatever else happens when the message brings something up."""

    phrases: Sequence[str] = ()
    extract: Mapping[str, Param] | None = None
    if_: Predicate | None = None
    repeat: Repeat | None = None


class Silence(msgspec.Struct, frozen=True):
    """Start when the customer has not written for a while after the assistant's last words."""

    after: str
    if_: Predicate | None = None
    business_hours: bool | None = None
    repeat: Repeat | None = None


class Event(msgspec.Struct, frozen=True):
    """Start when the host reports an event, at once or after a delay."""

    name: str
    if_: Predicate | None = None
    after: str | None = None
    business_hours: bool | None = None
    repeat: Repeat | None = None


Trigger: TypeAlias = Message | Mention | Silence | Event


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    """What every step may say."""

    then: Target | None = None
    """Where it leads; None goes to the next step of the list."""
    label: str | None = None
    """A name for people."""
    ui: Any | UnsetType = UNSET
    """A form's own; the engine keeps it as it is."""


class Talk(_Step, frozen=True):
    """Let the model speak, guided by `prompt`, until every field of `collect` is settled."""

    id: str
    prompt: str | None = None
    collect: Sequence[str] | None = None
    question: str | None = None
    """Sent word for word as the first ask, while all of its fields are still open."""
    ask: Mapping[str, str] | None = None
    max_asks: int | None = None
    branches: Sequence[Branch] | None = None
    tools: Sequence[str] | None = None
    instructions: Sequence[Instruction] | None = None

    @property
    def kind(self) -> Literal["prompt", "collect"]:
        return "prompt" if self.collect is None else "collect"


class Say(_Step, frozen=True):
    """Send a text as written, its placeholders filled."""

    id: str
    say: str
    media: str | None = None
    """Slug of a medium that the host attaches."""
    once: bool | None = None
    kind: ClassVar[Literal["say"]] = "say"


class Do(_Step, frozen=True):
    """Run an action of the host."""

    id: str
    do: str
    with_: Mapping[str, Any] | None = None
    on_fail: Target | None = None
    kind: ClassVar[Literal["do"]] = "do"


class Wait(_Step, frozen=True):
    """Park for a while; with `else_`, a message of the customer ends it early."""

    id: str
    wait: str
    business_hours: bool | None = None
    else_: Target | None = None
    branches: Sequence[Branch] | None = None
    kind: ClassVar[Literal["wait"]] = "wait"


class WaitEvent(_Step, frozen=True):
    """Park until an event comes, or until `up_to` has passed."""

    id: str
    event: str
    up_to: str | None = None
    else_: Target | None = None
    kind: ClassVar[Literal["wait"]] = "wait"


class If(_Step, frozen=True):
    """Fork by code: `then` (or the next step) when it holds, else `else_` (or the end)."""

    id: str
    if_: Predicate
    else_: Target | None = None
    kind: ClassVar[Literal["if"]] = "if"


Step: TypeAlias = Talk | Say | Do | Wait | WaitEvent | If


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """Triggers plus an ordered list of steps."""

    id: str
    name: str
    description: str | None = None
    on: Sequence[Trigger] | None = None
    anchor: str | None = None
    """Name of the host's key that identifies a run; None means the session."""
    while_: Predicate | None = None
    """The premise of a run, judged each time it moves."""
    collect: Sequence[str] | None = None
    clear_on_start: Sequence[str] | None = None
    steps: Sequence[Step] = ()
    on_end: OnEnd | None = None
    """None means `end`."""
    instructions: Sequence[Instruction] | None = None
    tools: Sequence[str] | None = None
