"""How long a provider asks to wait, in every spelling."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.clock import ms_of
from falai.providers.waits import Wait, read_wait
from tests.property.profile import checked

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
NOW_MS = ms_of(NOW)


def wait(error: dict[str, Any] | None = None, **headers: str) -> Wait:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_wait(named, error or {}, NOW)


RETRIES: dict[str, tuple[Wait, int | None]] = {
    "seconds": (wait(retry_after="7"), 7_000),
    "part-of-a-second": (wait(retry_after="0.25"), 250),
    "milliseconds": (wait(retry_after_ms="1500", retry_after="9"), 1_500),
    "none": (wait(retry_after="0"), 0),
    "date": (wait(retry_after="Mon, 05 Jan 2026 09:00:30 GMT"), 30_000),
    "date-in-the-past": (wait(retry_after="Mon, 05 Jan 2026 08:00:00 GMT"), 0),
    "duration": (wait(retry_after="1m30s"), 90_000),
    "googles": (wait({"details": [{"@type": "Help"}, {"retryDelay": "34.5s"}]}), 34_500),
    "negative": (wait(retry_after="-1"), None),
    "not-a-number": (wait(retry_after="nan"), None),
    "endless": (wait(retry_after="inf"), None),
    "nonsense": (wait(retry_after="soon"), None),
    "nothing": (wait(), None),
}


@pytest.mark.parametrize(("read", "ms"), RETRIES.values(), ids=RETRIES.keys())
def test_a_wait_in_every_spelling(read: Wait, ms: int | None):
    assert read.retry_after_ms == ms


IN_AN_HOUR = NOW_MS + 3_600_000
RESETS: dict[str, tuple[Wait, int | None]] = {
    "epoch-seconds": (wait(x_ratelimit_reset=str(IN_AN_HOUR // 1_000)), IN_AN_HOUR),
    "epoch-milliseconds": (wait(x_ratelimit_reset=str(IN_AN_HOUR)), IN_AN_HOUR),
    "seconds-from-now": (wait(ratelimit_reset="3600"), IN_AN_HOUR),
    "unified": (wait(anthropic_ratelimit_unified_reset=str(IN_AN_HOUR // 1_000)), IN_AN_HOUR),
    "used-up": (
        wait(x_ratelimit_remaining_requests="0", x_ratelimit_reset_requests="1h0m0s"),
        IN_AN_HOUR,
    ),
    "used-up-of-two": (
        wait(
            x_ratelimit_remaining_requests="0",
            x_ratelimit_reset_requests="1h",
            x_ratelimit_remaining_tokens="90",
            x_ratelimit_reset_tokens="3h",
        ),
        IN_AN_HOUR,
    ),
    "anthropic-used-up": (
        wait(
            anthropic_ratelimit_input_tokens_remaining="0",
            anthropic_ratelimit_input_tokens_reset="2026-01-05T10:00:00Z",
        ),
        IN_AN_HOUR,
    ),
    "not-used-up": (
        wait(x_ratelimit_remaining_requests="5", x_ratelimit_reset_requests="1h"),
        None,
    ),
    "alone-and-not-used-up": (wait(x_ratelimit_remaining="5", x_ratelimit_reset="3600"), None),
    "in-the-body": (wait({"resets_at": IN_AN_HOUR // 1_000}), IN_AN_HOUR),
    "in-the-body-from-now": (wait({"resets_in_seconds": 3600}), IN_AN_HOUR),
    "in-the-body-as-text": (wait({"reset_at": "2026-01-05T10:00:00+00:00"}), IN_AN_HOUR),
    "handed-on-by-a-router": (
        wait({"metadata": {"headers": {"X-RateLimit-Reset": str(IN_AN_HOUR)}}}),
        IN_AN_HOUR,
    ),
    "the-latest-of-several": (wait({"resets_at": IN_AN_HOUR}, ratelimit_reset="60"), IN_AN_HOUR),
    "passed": (wait(x_ratelimit_reset=str(NOW_MS - 1)), None),
    "nonsense": (wait({"resets_at": ["x"], "metadata": "x"}, x_ratelimit_reset="later"), None),
    "nothing": (wait(), None),
}


@pytest.mark.parametrize(("read", "at_ms"), RESETS.values(), ids=RESETS.keys())
def test_a_reset_in_every_spelling(read: Wait, at_ms: int | None):
    assert read.reset_at_ms == at_ms


@pytest.mark.parametrize(
    ("said", "should_retry"), [("true", True), ("False", False), ("maybe", None)]
)
def test_the_servers_own_word_on_retrying(said: str, should_retry: bool | None):
    assert wait(x_should_retry=said).should_retry is should_retry


@checked
@given(seconds=st.integers(0, 10_000_000))
def test_a_date_says_the_same_as_its_seconds(seconds: int):
    at = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert wait(retry_after=at) == wait(retry_after=str(seconds))


@checked
@given(seconds=st.integers(1, 1_500_000_000))
def test_an_instant_is_the_same_in_every_spelling(seconds: int):
    at = NOW + timedelta(seconds=seconds)
    spellings = (
        str(ms_of(at)),
        str(ms_of(at) // 1_000),
        at.isoformat(),
        format_datetime(at, usegmt=True),
        f"{seconds}s",
    )
    read = {wait(x_ratelimit_reset=spelling).reset_at_ms for spelling in spellings}
    assert read == {ms_of(at)}
