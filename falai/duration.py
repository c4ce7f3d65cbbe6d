"""Durations as authors write them (`30s`, `1.5h`), read into milliseconds."""

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

import msgspec

from falai.errors import FlowConfigurationError

DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd])", re.ASCII)
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_LONGEST_MS = 1_000_000 * 86_400_000
"""A million days: beyond that, adding to a date leaves the calendar."""

_FIX = 'Write it like "30s", "5m", "1.5h" or "2d".'


def parse_duration(text: str) -> int:
    """Read a duration into whole milliseconds; raises FlowConfigurationError for anything else."""
    # What reaches here may come from a spec or from an action, whatever the annotation says.
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise FlowConfigurationError.at(_where(text), "is not a number and a unit", _FIX)
    return _parse(text)


@lru_cache(maxsize=4096)
def _parse(text: str) -> int:
    match = DURATION.fullmatch(text)
    if match is None:
        raise FlowConfigurationError.at(_where(text), "is not a number and a unit", _FIX)
    number, unit = match.groups()
    exact = Decimal(number) * _UNIT_MS[unit]
    if exact > _LONGEST_MS:
        raise FlowConfigurationError.at(_where(text), "is longer than a million days", _FIX)
    return int(exact.to_integral_value(ROUND_HALF_UP))


def _where(value: object) -> str:
    return f"duration {msgspec.json.encode(value, enc_hook=repr).decode()}"
