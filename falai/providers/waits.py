"""How long a provider asks to wait, and when the limit that was hit resets."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from msgspec import Struct

from falai.clock import ms_of, to_datetime
from falai.shapes import is_list, is_mapping

_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|[smhd]))+")
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhd])")

_EPOCH_S = 1_000_000_000
"""A number from here on is an instant in epoch seconds; a smaller one is a number of seconds."""
_EPOCH_MS = 1_000_000_000_000

_COUNTED = tuple(
    (spelling.format("remaining", limit), spelling.format("reset", limit))
    for spelling in ("x-ratelimit-{0}-{1}", "anthropic-ratelimit-{1}-{0}")
    for limit in ("requests", "tokens", "input-tokens", "output-tokens")
)
"""Limits that stand side by side, as headers: what is left of each, and when it resets."""
_ALONE = (
    ("anthropic-ratelimit-unified-remaining", "anthropic-ratelimit-unified-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
)
"""The same for a limit that is the only one of its kind, where what is left may go unsaid."""
_BODY_RESETS = ("resets_at", "reset_at", "resetsAt", "resetAt", "resets_in_seconds")


class Wait(Struct, frozen=True):
    """What a provider said about trying again."""

    retry_after_ms: int | None = None
    reset_at_ms: int | None = None
    should_retry: bool | None = None


def read_wait(headers: Mapping[str, str], error: Mapping[str, Any], now: datetime) -> Wait:
    """Read an answer's headers, by lower-case name, and the error in its body."""
    now_ms = ms_of(now)
    resets = (_instant_ms(value, now_ms) for value in _stated_resets(headers, error))
    return Wait(
        retry_after_ms=_retry_after_ms(headers, error, now_ms),
        # A reset that has passed says nothing.
        reset_at_ms=max((at for at in resets if at is not None and at > now_ms), default=None),
        should_retry={"true": True, "false": False}.get(headers.get("x-should-retry", "").lower()),
    )


def _retry_after_ms(
    headers: Mapping[str, str], error: Mapping[str, Any], now_ms: int
) -> int | None:
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return round(exact)
    stated = headers.get("retry-after") or _retry_delay(error)
    at_ms = _instant_ms(stated, now_ms) if stated is not None else None
    return max(0, at_ms - now_ms) if at_ms is not None else None


def _retry_delay(error: Mapping[str, Any]) -> object:
    """Google's: `{"details": [{"retryDelay": "34s"}]}`."""
    details = error.get("details")
    for detail in details if is_list(details) else ():
        if is_mapping(detail) and "retryDelay" in detail:
            return detail["retryDelay"]
    return None


def _stated_resets(headers: Mapping[str, str], error: Mapping[str, Any]) -> Iterator[object]:
    """Every reset of a limit that binds: a limit of which something is left does not."""
    yield from (headers.get(reset) for left, reset in _COUNTED if headers.get(left) == "0")
    yield from (headers.get(reset) for left, reset in _ALONE if headers.get(left, "0") == "0")
    yield from (error.get(key) for key in _BODY_RESETS)
    metadata = error.get("metadata")
    within = metadata.get("headers") if is_mapping(metadata) else None
    if is_mapping(within):  # a router hands on what its own provider said
        theirs = {name.lower(): value for name, value in within.items()}
        yield from (theirs.get(reset) for _, reset in _ALONE)


def _instant_ms(value: object, now_ms: int) -> int | None:
    """An instant however it is spelled: a number, a duration from now, ISO 8601, or HTTP's date."""
    number = _number(value)
    if number is not None:
        if number >= _EPOCH_MS:
            return round(number)
        return round(number * 1_000) + (0 if number >= _EPOCH_S else now_ms)
    text = value.strip() if isinstance(value, str) else ""
    if _DURATION.fullmatch(text):
        return now_ms + _duration_ms(text)
    for read in (to_datetime, parsedate_to_datetime):
        try:
            return ms_of(read(text))
        except (ValueError, TypeError, OverflowError):
            continue
    return None


def _duration_ms(text: str) -> int:
    return round(
        sum(float(count) * _UNITS_MS[unit] for count, unit in _DURATION_PART.findall(text))
    )


def _number(value: object) -> float | None:
    """A number of zero or more, also as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
