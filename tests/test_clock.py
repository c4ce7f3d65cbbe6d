"""Clocks, and how an instant is written and read."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import FakeClock, FlowConfigurationError, SystemClock
from falai.clock import from_ms, iso_from_ms, iso_of, ms_of, to_datetime, to_ms

NINE = "2026-01-05T09:00:00.000Z"


def test_a_fake_clock_stands_still():
    clock = FakeClock(NINE)
    assert clock.now() is clock.now()
    assert iso_of(clock.now()) == NINE


@pytest.mark.parametrize(
    ("by", "now"),
    [
        ("2d", "2026-01-07T09:00:00.000Z"),
        ("1.5h", "2026-01-05T10:30:00.000Z"),
        (timedelta(minutes=-1), "2026-01-05T08:59:00.000Z"),
        (1, "2026-01-05T09:00:00.001Z"),
        (0, NINE),
    ],
)
def test_a_fake_clock_moves_by_a_duration_a_timedelta_or_milliseconds(
    by: str | timedelta | int, now: str
):
    clock = FakeClock(NINE)
    clock.advance(by)
    assert iso_of(clock.now()) == now


def test_a_fake_clock_is_set_forward_and_back():
    clock = FakeClock(NINE)
    clock.set("2027-01-01")
    clock.set("2020-02-29T12:00:00+03:00")
    assert iso_of(clock.now()) == "2020-02-29T09:00:00.000Z"


def test_a_duration_that_is_none_does_not_move_the_clock():
    clock = FakeClock(NINE)
    with pytest.raises(FlowConfigurationError):
        clock.advance("amanhã")
    assert iso_of(clock.now()) == NINE


@pytest.mark.parametrize("text", ["", "ontem", "25:00", "2026-1-5"])
def test_what_is_no_instant_is_refused(text: str):
    with pytest.raises(ValueError, match="Invalid isoformat"):
        FakeClock(text)


def test_the_system_clock_is_in_utc_and_goes_on():
    first, second = SystemClock().now(), SystemClock().now()
    assert first.tzinfo is UTC
    assert first <= second


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-01-05T09:00:00Z", NINE),
        ("2026-01-05T09:00:00", NINE),
        ("2026-01-05T06:00:00-03:00", NINE),
        ("2026-01-05", "2026-01-05T00:00:00.000Z"),
        ("2026-01-05T09:00:00.1239Z", "2026-01-05T09:00:00.123Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ],
)
def test_an_instant_is_written_in_utc_with_milliseconds(written: str, utc: str):
    assert iso_of(to_datetime(written)) == utc
    assert iso_from_ms(to_ms(written)) == utc


@given(st.datetimes(timezones=st.just(UTC)))
def test_milliseconds_lose_nothing_but_what_is_finer(moment: datetime):
    again = from_ms(ms_of(moment))
    assert timedelta() <= moment - again < timedelta(milliseconds=1)
    assert ms_of(again) == ms_of(moment)


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_written_instants_sort_as_the_moments_do(one: datetime, other: datetime):
    assert (iso_of(one) < iso_of(other)) == (ms_of(one) < ms_of(other))
