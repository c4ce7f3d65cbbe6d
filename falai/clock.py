"""Where a turn's time comes from, and how an instant is written."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol

from falai.duration import parse_duration

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


class Clock(Protocol):
    """Tells the time; a turn asks once."""

    def now(self) -> datetime: ...


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the one place that may look at the machine's clock


class FakeClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, iso: str) -> None:
        self._now = to_datetime(iso)

    def now(self) -> datetime:
        return self._now

    def advance(self, by: str | timedelta | int) -> None:
        """Move by a duration (`"2d"`), a timedelta or a number of milliseconds."""
        if isinstance(by, str):
            by = parse_duration(by)
        self._now += by if isinstance(by, timedelta) else timedelta(milliseconds=by)

    def set(self, iso: str) -> None:
        """Move to an instant, also back."""
        self._now = to_datetime(iso)


def to_datetime(iso: str) -> datetime:
    """Read an ISO 8601 instant; one without a zone is UTC. Raises ValueError."""
    moment = datetime.fromisoformat(iso)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@lru_cache(maxsize=4096)
def to_ms(iso: str) -> int:
    """Epoch milliseconds of an ISO 8601 instant."""
    return ms_of(to_datetime(iso))


def ms_of(moment: datetime) -> int:
    """Epoch milliseconds, exactly; anything finer is cut."""
    return (moment - EPOCH) // _MS


def from_ms(ms: int) -> datetime:
    """The instant at some epoch milliseconds."""
    return EPOCH + timedelta(milliseconds=ms)


def iso_of(moment: datetime) -> str:
    """UTC ISO 8601 text with milliseconds and `Z`, as the wire has it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


@lru_cache(maxsize=4096)
def iso_from_ms(ms: int) -> str:
    """The wire's text for some epoch milliseconds."""
    return iso_of(from_ms(ms))
