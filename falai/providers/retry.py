"""When a failed call is worth another attempt, and after how long."""

from falai.errors import ProviderError

_FIRST_S = 0.5
_LONGEST_S = 8.0
_PATIENCE_MS = 60_000
"""Whoever asks for more is not waited for: the error says for how long, and the host decides."""


def pause_before(attempt: int, failure: Exception) -> float | None:
    """Seconds to wait before the next attempt, the first being 1; None when none would help.

    The provider's own word on whether and when to try again is believed. Without one the
    waits double: 0.5 s, 1 s, 2 s, up to 8 s. There is no jitter, so that a replay waits the same.
    """
    if not isinstance(failure, ProviderError) or not _may_help(failure):
        return None
    asked = failure.retry_after_ms
    if asked is not None:
        return asked / 1_000 if asked <= _PATIENCE_MS else None
    return min(_FIRST_S * 2 ** (attempt - 1), _LONGEST_S)


def _may_help(failure: ProviderError) -> bool:
    return failure.is_transient if failure.should_retry is None else failure.should_retry
