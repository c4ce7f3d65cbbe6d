"""What a promise looks at: one turn that was kept, and what the play had seen before it."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec

from falai.agent import Agent
from falai.words.session import Session
from falai.words.turn import TurnResult
from simulator.trace import TurnRecord


class Memory(msgspec.Struct):
    """What the turns of one session have left behind so far."""

    honoured: set[str] = msgspec.field(default_factory=set[str])
    """Keys of wakes that did something and were not scheduled again."""
    done: set[str] = msgspec.field(default_factory=set[str])
    """Keys of actions that ran and were not put off."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One turn that was kept."""

    agent: Agent
    before: Session[Any] | None
    """The session as it was loaded; None for a new conversation."""
    result: TurnResult
    record: TurnRecord
    memory: Memory
    size: int
    """Bytes that the session may take."""


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """A promise that did not hold."""

    what: str
    """The same for every turn that breaks it in the same way."""
    wanted: Any = None
    got: Any = None


Promise: TypeAlias = Callable[[Moment], Iterator[Broken]]
"""Says what is broken at a moment; it changes nothing."""
