"""What the host's own code sees of a turn: predicates, actions and tools."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from msgspec import UNSET, UnsetType

from falai.words.data import check_depth
from falai.words.generic import C, D, Typed
from falai.words.session import Run
from falai.words.turn import Silenced


class Ctx(Typed[C, D]):
    """What a predicate or a condition may look at; changing any of it has no effect to rely on.

    `Ctx[Customer, Lead]` has the types of the host's context and of the data; either may be
    left out.
    """

    __slots__ = ("context", "data", "input", "now", "run", "silenced")

    def __init__(
        self,
        *,
        context: C,
        data: D,
        input: Any | UnsetType = UNSET,  # noqa: A002 - the wire's own word
        run: Run | None = None,
        silenced: Silenced | None = None,
        now: datetime,
    ) -> None:
        self.context = context
        """The host's own, as passed to this turn."""
        self.data = data
        self.input = input
        """What the trigger carried; UNSET when it carried nothing."""
        self.run = run
        """None for the idle speaker."""
        self.silenced = silenced
        self.now = now


class ActionCtx(Ctx[C, D]):
    """What an action sees, and the one way in which it may write."""

    __slots__ = ("dedupe_key", "key")

    def __init__(self, *, key: str, dedupe_key: str, **seen: Any) -> None:
        super().__init__(**seen)
        self.key = key
        """The same on every attempt: make the effect idempotent on it."""
        self.dedupe_key = dedupe_key

    def set(self, patch: D | Mapping[str, None]) -> None:
        """Write values into the session's data, unchecked and at once; None forgets a field.

        Raises ValueError for a value that no session could keep, being nested too deeply.
        """
        written = dict(cast("Mapping[str, Any]", patch))
        check_depth(written)
        cast("dict[str, Any]", self.data).update(written)


class ToolCtx(Ctx[C, D]):
    """What a tool sees."""

    __slots__ = ("history", "key")

    def __init__(self, *, key: str, history: Any = (), **seen: Any) -> None:
        super().__init__(**seen)
        self.key = key
        """Key of the step that speaks; not unique per call."""
        self.history = history
