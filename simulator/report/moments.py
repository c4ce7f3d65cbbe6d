"""Instants and spans of a conversation in a few signs."""

from datetime import datetime
from itertools import pairwise

from falai.clock import ms_of, to_datetime

_SPANS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms"))


def instant(iso: str | None) -> datetime | None:
    """The instant, unless it is none that can be read."""
    try:
        return to_datetime(iso) if iso else None
    except (ValueError, OverflowError):
        return None


def day(moment: datetime) -> str:
    """The date with its day of the week."""
    return f"{_DAYS[moment.weekday()]} {moment.date().isoformat()}"


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""Spelled here: `strftime` would ask the machine for its language."""


def clock_time(moment: datetime) -> str:
    """Hours and minutes; seconds only where there are any."""
    return moment.strftime("%H:%M:%S" if moment.second else "%H:%M")


def gap(before: datetime | None, after: datetime | None) -> str:
    """How much time has passed, in its two largest units; nothing for none."""
    if before is None or after is None or after <= before:
        return ""
    return span(ms_of(after) - ms_of(before))


def span(ms: int) -> str:
    """A number of milliseconds in its two largest units."""
    parts: list[str] = []
    for size, unit in _SPANS:
        count, ms = divmod(ms, size)
        if count:
            parts.append(f"{count} {unit}")
        elif parts:
            break
    return " ".join(parts[:2])


def gaps(moments: list[datetime | None]) -> list[str]:
    """The time that passed before each moment; before the first, none."""
    return ["", *(gap(before, after) for before, after in pairwise(moments))][: len(moments)]
