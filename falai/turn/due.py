"""When a wait is over: its duration from an instant, moved to business hours, within the calendar."""

from datetime import datetime
from typing import Any

from falai.clock import from_ms, ms_of
from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from falai.limits import LAST_MS
from falai.shapes import compact
from falai.turn.state import Turn


def due_ms(
    turn: Turn, where: str, since_ms: int, duration: str | None, *, in_hours: bool | None = None
) -> int:
    """The instant some time after another, with `in_hours` the first open minute from there.

    Raises FlowConfigurationError naming the place (`where`), or the agent's business hours, when
    that is no instant that a wake can have.
    """
    at_ms = since_ms + (0 if duration is None else parse_duration(duration))
    if at_ms <= LAST_MS and in_hours and turn.agent.business_hours is not None:
        at_ms = _opening_ms(turn.agent.business_hours, at_ms)
    if at_ms > LAST_MS:
        what = f"waits until after the year 9999, from {turn.now_iso}"
        raise FlowConfigurationError.at(where, what, "Wait less, and check the agent's clock.")
    return at_ms


def _opening_ms(hours: Any, at_ms: int) -> int:
    """The opening that the agent's function gives, whatever it returns."""
    at = from_ms(at_ms)
    try:
        opens = hours(at)
    except OverflowError:
        return LAST_MS + 1
    if not isinstance(opens, datetime) or opens.utcoffset() is None:
        name = getattr(hours, "__name__", type(hours).__name__)
        raise FlowConfigurationError.at(
            "agent",
            f"businessHours {name} returned {compact(opens)}, which is no time with a timezone",
            "Return a datetime with one, such as UTC.",
        )
    return ms_of(opens)
