"""What is kept of a conversation between turns: the session and its live runs."""

import copy
from typing import Any, Generic, Literal, TypeAlias, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from falai.words.data import Data
from falai.words.generic import D
from falai.words.outcome import Outcome

SESSION_VERSION = 4
"""The `v` of every session that this engine writes."""

Status: TypeAlias = Literal["running", "asking", "waiting", "suspended"]
TriggerKind: TypeAlias = Literal["message", "mention", "silence", "event", "start", "flow"]
EndReason: TypeAlias = Literal["end", "flow", "reset", "skipped", "failed", "replaced"]


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """What started a run."""

    kind: TriggerKind
    key: str
    payload: Any | UnsetType = UNSET
    """The value that the trigger carried; `None` counts as carried."""


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What a parked run waits for, and when it gives up."""

    kind: Literal["timer", "event"]
    key: str
    """The key of the wake that ends the wait."""
    until: str
    set_at: str
    event: str | None = None


class Claim(msgspec.Struct, frozen=True):
    """The record that a flow has started, or that a `once` line was said."""

    at: str


class Run(msgspec.Struct, omit_defaults=True, rename="camel", kw_only=True):
    """One live execution of a flow inside a session."""

    id: str
    flow_id: str
    anchor: str
    dedupe_key: str
    step_id: str | None
    """None before the first step."""
    status: Status
    trigger: Cause
    input: Any | UnsetType = UNSET
    hop: int
    """How many chains lie between this run and the input that began them."""
    started_at: str
    suspended_at: str | None = None
    staying: bool | None = None
    """True once the run has reached its end and stays to answer."""
    waiting: Waiting | None = None
    asked: dict[str, int]
    """How often each field was asked by this run."""
    visits: dict[str, int]
    """How often each step was entered."""
    outcomes: list[Outcome]
    """The last 50 lines of this run."""


class Session(msgspec.Struct, Generic[D], omit_defaults=True, rename="camel", kw_only=True):
    """One conversation, as the host saves it. A turn takes one and returns another."""

    id: str
    v: int
    version: int
    """What the store had; 0 for a session that was never saved. A turn never changes it."""
    data: D
    """The collected fields, any of them; see `Data`."""
    runs: list[Run]
    """Live runs only, in the order they started."""
    claims: dict[str, Claim]
    inputs: list[str]
    """The last 50 message ids."""
    metadata: dict[str, Any]
    """The host's own."""
    last_user_at: str | None = None
    last_assistant_at: str | None = None
    history: list[Any] | None = None
    """The host's own; read when a turn's input has none."""

    def __post_init__(self) -> None:
        if type(self.data) is dict:  # as a decoder makes it
            self.data = cast("D", Data(cast("dict[str, Any]", self.data)))


def fresh_session(session_id: str) -> Session:
    """A conversation in which nothing has happened yet."""
    return Session(
        id=session_id,
        v=SESSION_VERSION,
        version=0,
        data={},
        runs=[],
        claims={},
        inputs=[],
        metadata={},
    )


def copy_session(session: Session) -> Session:
    """Copy what a turn or a host's action may write to in place.

    Claims and inputs are replaced when written, so they are shared until then.
    """
    data = {slug: own_copy(value) for slug, value in session.data.items()}
    return replace(session, data=data, runs=[_copy_run(run) for run in session.runs])


def _copy_run(run: Run) -> Run:
    return replace(
        run,
        input=own_copy(run.input),
        asked=dict(run.asked),
        visits=dict(run.visits),
        outcomes=list(run.outcomes),
    )


def own_copy(value: Any) -> Any:
    """A value that may be changed without changing the one that was handed in."""
    if isinstance(value, dict | list):
        shared: Any = value  # pyright: ignore[reportUnknownVariableType] - any JSON value at all
        return copy.deepcopy(shared)
    return value
