"""When a business is open, and the next moment that it is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from typing import Any

from falai.errors import FlowConfigurationError
from falai.shapes import compact, is_list

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)|24:00", re.ASCII)
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
_KEYS = ("days", "open", "close", "timezone", "holidays")


@dataclass(frozen=True)
class BusinessHours:
    """Weekly opening hours in one zone, less some holidays.

    Raises FlowConfigurationError for a day, time, zone or date that is none, and for a week
    that never opens.
    """

    days: Sequence[str]
    """Any of `mon tue wed thu fri sat sun`."""
    open: str
    """`HH:MM`, the first minute that is open."""
    close: str
    """`HH:MM` or `24:00`, the first minute that is closed again.

    At or before `open` it lies on the next day, and the hours belong to the day they open.
    """
    timezone: str = "UTC"
    """An IANA name such as `America/Sao_Paulo`."""
    holidays: Sequence[str] = ()
    """ISO dates on which nothing opens."""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> "BusinessHours":
        """Read `{days, open, close, timezone?, holidays?}`, as an agent file has it."""
        for key in mapping:
            if key not in _KEYS:
                raise _problem(f"has no key {compact(key)}", f"Use {', '.join(_KEYS)}.")
        for key in _KEYS[:3]:
            if key not in mapping:
                raise _problem(f"lacks {key}", "Give days, open and close.")
        return cls(**mapping)

    def __post_init__(self) -> None:
        """Read every part once, so that a mistake shows when the agent is built."""
        _ = (self._week, self._zone, self._closed, self._opens, self._lasts)

    def __call__(self, moment: datetime) -> datetime:
        """Move a moment forward to the next open minute, in UTC; an open one stays."""
        day = moment.astimezone(self._zone).date() - _DAY
        while True:
            opens, closes = self._shift(day)
            if moment < closes and opens < closes:
                return max(moment, opens).astimezone(UTC)
            day += _DAY

    def _shift(self, day: date) -> tuple[datetime, datetime]:
        """The moments between which the hours of a day lie; twice the same when it never opens."""
        start = datetime.combine(day, time()) + self._opens
        opens = self._instant(start)
        if day.weekday() not in self._week or day in self._closed:
            return opens, opens
        return opens, self._instant(start + self._lasts)

    def _instant(self, wall: datetime) -> datetime:
        """The first moment at which the clock on the wall shows this time or later."""
        moment = wall.replace(tzinfo=self._zone).astimezone(UTC)
        # A time that the clocks skip is read as one after the jump; the jump itself is the first.
        while self._wall(moment - _MINUTE) >= wall:
            moment -= _MINUTE
        return moment

    def _wall(self, moment: datetime) -> datetime:
        return moment.astimezone(self._zone).replace(tzinfo=None)

    @cached_property
    def _week(self) -> frozenset[int]:
        if not is_list(self.days):
            raise _problem("has days that are no list", _FIX_DAYS)
        for day in self.days:
            if day not in DAYS:
                raise _problem(f"names the day {compact(day)}", _FIX_DAYS)
        if not self.days:
            raise _problem("has no open day", _FIX_DAYS)
        return frozenset(map(DAYS.index, self.days))

    @cached_property
    def _zone(self) -> tzinfo:
        if self.timezone == "UTC":
            return UTC
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # slow to load; UTC needs none of it

        try:
            return ZoneInfo(self.timezone)
        # A name of a folder, of a file outside the database, or of no text at all.
        except (ZoneInfoNotFoundError, ValueError, OSError, TypeError):
            raise _problem(
                f"names the timezone {compact(self.timezone)}",
                'Use an IANA name such as "America/Sao_Paulo", or "UTC".',
            ) from None

    @cached_property
    def _closed(self) -> frozenset[date]:
        if not is_list(self.holidays):
            raise _problem("has holidays that are no list", _FIX_DATES)
        return frozenset(map(_date, self.holidays))

    @cached_property
    def _opens(self) -> timedelta:
        if self.open == "24:00":
            raise _problem('opens at "24:00"', 'Write "00:00" and the next day.')
        return _time("open", self.open)

    @cached_property
    def _lasts(self) -> timedelta:
        lasts = _time("close", self.close) - self._opens
        return lasts if lasts > timedelta() else lasts + _DAY


_FIX_DAYS = f"List at least one of {', '.join(DAYS)}."
_FIX_DATES = 'List ISO dates such as "2026-12-25".'


def _time(key: str, text: object) -> timedelta:
    if not isinstance(text, str) or not TIME.fullmatch(text):
        raise _problem(f"has {key} {compact(text)}", 'Write a time of day like "09:00".')
    hours, minutes = text.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))


def _date(text: object) -> date:
    try:
        return date.fromisoformat(text)  # pyright: ignore[reportArgumentType]
    except (ValueError, TypeError):
        raise _problem(f"has the holiday {compact(text)}", _FIX_DATES) from None


def _problem(what: str, fix: str) -> FlowConfigurationError:
    return FlowConfigurationError.at("agent", f"businessHours {what}", fix)
