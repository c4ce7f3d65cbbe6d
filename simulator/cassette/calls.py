"""Which model call is being made: HTTP that goes out meanwhile is that call's."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec

from falai.errors import ScriptError
from falai.providers.base import Purpose
from falai.words.turn import Usage


class TurnPlace(msgspec.Struct, frozen=True):
    """The turn that is being played."""

    entry: str
    """Number of the entry, as in a trace."""
    line: int


class OpenCall(msgspec.Struct, kw_only=True, eq=False):
    """A model call on its way, and what became of it so far."""

    number: int
    """From 1, in the order in which the calls were begun."""
    turn: TurnPlace
    purpose: Purpose
    rank: int
    """From 0: how many calls of this purpose the turn had made before."""
    sent_at: float = 0
    """When the last request that is not on the tape went out, in seconds."""
    duration_ms: int = 0
    """What its answers took, now or when they were recorded."""
    answers: int = 0
    """How many HTTP answers it got."""
    recorded: bool = False
    """Whether it was answered from the tape."""
    miss: ScriptError | None = None
    """Why the tape could not answer it."""
    usage: Usage | None = None
    error: Exception | None = None
    """What the client raised."""

    @property
    def name(self) -> str:
        """The call for people: `speak call of turn 2 (line 14)`."""
        return f"{self.purpose} call of turn {self.turn.entry} (line {self.turn.line})"


CALL: ContextVar[OpenCall | None] = ContextVar("call", default=None)
"""The model call that this code runs for; None when it runs for none."""

_FIRST = TurnPlace("1", 1)
_TURN: ContextVar[TurnPlace | None] = ContextVar("turn", default=None)


@contextmanager
def playing(entry: str, line: int) -> Generator[None]:
    """Let the model calls made inside belong to a turn."""
    token = _TURN.set(TurnPlace(entry, line))
    try:
        yield
    finally:
        _TURN.reset(token)


@contextmanager
def making(call: OpenCall) -> Generator[OpenCall]:
    """Let the HTTP that goes out inside belong to a call."""
    token = CALL.set(call)
    try:
        yield call
    finally:
        CALL.reset(token)


def this_turn() -> TurnPlace:
    """The turn that is being played; the first one where nobody plays turns."""
    return _TURN.get() or _FIRST
