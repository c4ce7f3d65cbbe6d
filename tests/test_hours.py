"""Business hours: the next open moment, over nights, holidays and clock changes."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.errors import FlowConfigurationError
from falai.hours import BusinessHours

WEEK = ["mon", "tue", "wed", "thu", "fri"]
ALL = [*WEEK, "sat", "sun"]
OFFICE = BusinessHours(days=WEEK, open="09:00", close="18:00")
NIGHT = BusinessHours(days=["fri"], open="22:00", close="02:00")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def moved(hours: BusinessHours, text: str) -> str:
    return hours(utc(text)).isoformat().removesuffix("+00:00")


@pytest.mark.parametrize(
    ("moment", "opens"),
    [
        ("2026-01-09T08:59:59.999", "2026-01-09T09:00:00"),
        ("2026-01-09T09:00:00", "2026-01-09T09:00:00"),
        ("2026-01-09T12:34:56.789000", "2026-01-09T12:34:56.789000"),
        ("2026-01-09T17:59:59.999000", "2026-01-09T17:59:59.999000"),
        ("2026-01-09T18:00:00", "2026-01-12T09:00:00"),
        ("2026-01-10T12:00:00", "2026-01-12T09:00:00"),
        ("2026-01-12T00:00:30", "2026-01-12T09:00:00"),
    ],
)
def test_a_closed_moment_moves_to_the_next_opening(moment: str, opens: str):
    assert moved(OFFICE, moment) == opens


@pytest.mark.parametrize(
    ("moment", "opens"),
    [
        ("2026-01-09T21:00:00", "2026-01-09T22:00:00"),
        ("2026-01-09T23:30:00", "2026-01-09T23:30:00"),
        ("2026-01-10T01:59:00", "2026-01-10T01:59:00"),
        ("2026-01-10T02:00:00", "2026-01-16T22:00:00"),
        ("2026-01-09T01:00:00", "2026-01-09T22:00:00"),
    ],
)
def test_hours_over_midnight_belong_to_the_day_they_open(moment: str, opens: str):
    assert moved(NIGHT, moment) == opens


def test_a_night_goes_on_into_a_holiday_but_none_begins_there():
    hours = BusinessHours(days=ALL, open="22:00", close="02:00", holidays=["2026-01-10"])
    assert moved(hours, "2026-01-10T01:00:00") == "2026-01-10T01:00:00"
    assert moved(hours, "2026-01-10T23:00:00") == "2026-01-11T22:00:00"


def test_holidays_stay_closed():
    hours = BusinessHours(
        days=WEEK, open="09:00", close="18:00", holidays=["2026-12-25", "2026-12-28"]
    )
    assert moved(hours, "2026-12-24T19:00:00") == "2026-12-29T09:00:00"


def test_more_than_a_year_of_holidays_ends_somewhere():
    first = datetime(2026, 1, 1, tzinfo=UTC)
    days = [(first + timedelta(days=n)).date().isoformat() for n in range(400)]
    hours = BusinessHours(days=["mon"], open="09:00", close="10:00", holidays=days)
    assert moved(hours, "2026-01-01T00:00:00") == "2027-02-08T09:00:00"


def test_the_same_time_for_both_is_a_whole_day_from_its_opening():
    hours = BusinessHours(days=["mon"], open="09:00", close="09:00")
    assert moved(hours, "2026-01-12T08:59:00") == "2026-01-12T09:00:00"
    assert moved(hours, "2026-01-13T08:59:00") == "2026-01-13T08:59:00"
    assert moved(hours, "2026-01-13T09:00:00") == "2026-01-19T09:00:00"


def test_24_00_closes_at_the_end_of_the_day():
    hours = BusinessHours(days=["mon"], open="00:00", close="24:00")
    assert moved(hours, "2026-01-12T23:59:00") == "2026-01-12T23:59:00"
    assert moved(hours, "2026-01-13T00:00:00") == "2026-01-19T00:00:00"


def test_the_zone_decides_what_time_it_is():
    hours = BusinessHours(days=WEEK, open="09:00", close="18:00", timezone="America/Sao_Paulo")
    assert moved(hours, "2026-01-09T11:00:00") == "2026-01-09T12:00:00"
    assert moved(hours, "2026-01-09T20:59:00") == "2026-01-09T20:59:00"
    assert moved(hours, "2026-01-09T21:00:00") == "2026-01-12T12:00:00"


def test_a_moment_in_any_zone_comes_back_in_utc():
    local = datetime(2026, 1, 9, 12, tzinfo=ZoneInfo("America/Sao_Paulo"))
    assert OFFICE(local) == utc("2026-01-09T15:00:00")
    assert OFFICE(local).tzinfo is UTC


@pytest.mark.parametrize(
    ("moment", "opens"),
    [
        ("2026-03-06T23:00:00", "2026-03-09T13:00:00"),
        ("2026-03-05T03:00:00", "2026-03-05T14:00:00"),
        ("2026-10-30T23:00:00", "2026-11-02T14:00:00"),
    ],
)
def test_opening_keeps_to_the_wall_clock_over_a_change(moment: str, opens: str):
    hours = BusinessHours(days=WEEK, open="09:00", close="18:00", timezone="America/New_York")
    assert moved(hours, moment) == opens


def test_an_opening_that_the_clocks_skip_is_the_jump_itself():
    hours = BusinessHours(days=ALL, open="02:30", close="05:00", timezone="America/New_York")
    assert moved(hours, "2026-03-08T06:00:00") == "2026-03-08T07:00:00"
    assert moved(hours, "2026-03-08T07:10:00") == "2026-03-08T07:10:00"


def test_hours_that_lie_in_the_skipped_ones_do_not_open():
    hours = BusinessHours(days=ALL, open="02:10", close="02:50", timezone="America/New_York")
    assert moved(hours, "2026-03-08T06:00:00") == "2026-03-09T06:10:00"


def test_a_day_that_the_calendar_skips_does_not_open():
    hours = BusinessHours(days=["fri"], open="09:00", close="18:00", timezone="Pacific/Apia")
    assert hours(utc("2011-12-30T09:30:00")) == utc("2012-01-05T19:00:00")


@given(
    days=st.sets(st.sampled_from(ALL), min_size=1),
    opens=st.times(),
    closes=st.times(),
    zone=st.sampled_from(["UTC", "America/Sao_Paulo", "America/New_York", "Asia/Kathmandu"]),
    seconds=st.integers(min_value=0, max_value=40 * 365 * 86_400),
)
def test_the_moved_moment_is_open_and_never_earlier(
    days: set[str], opens: time, closes: time, zone: str, seconds: int
):
    moment = utc("2000-01-01") + timedelta(seconds=seconds)
    hours = BusinessHours(
        days=sorted(days), open=f"{opens:%H:%M}", close=f"{closes:%H:%M}", timezone=zone
    )
    after = hours(moment)
    assert after >= moment
    assert hours(after) == after
    assert after - moment <= timedelta(days=9)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"days": ["seg"]}, 'names the day "seg". List at least one of mon, tue'),
        ({"days": [1]}, "names the day 1"),
        ({"days": "mon"}, "has days that are no list"),
        ({"days": []}, "has no open day"),
        ({"open": "9:00"}, 'has open "9:00". Write a time of day like "09:00".'),
        ({"open": "24:00"}, 'opens at "24:00". Write "00:00" and the next day.'),
        ({"close": "24:01"}, 'has close "24:01"'),
        ({"close": 18}, "has close 18"),
        ({"timezone": "Mars/Olympus"}, 'names the timezone "Mars/Olympus". Use an IANA name'),
        ({"timezone": "America"}, 'names the timezone "America"'),
        ({"timezone": "/etc/passwd"}, 'names the timezone "/etc/passwd"'),
        ({"timezone": None}, "names the timezone null"),
        ({"holidays": ["25/12/2026"]}, 'has the holiday "25/12/2026". List ISO dates'),
        ({"holidays": [20261225]}, "has the holiday 20261225"),
        ({"holidays": "2026-12-25"}, "has holidays that are no list"),
        ({"hollidays": []}, 'has no key "hollidays". Use days, open, close, timezone, holidays.'),
    ],
)
def test_a_mistake_is_named_when_the_hours_are_read(changes: dict[str, Any], said: str):
    mapping = {"days": WEEK, "open": "09:00", "close": "18:00"} | changes
    with pytest.raises(FlowConfigurationError) as caught:
        BusinessHours.from_mapping(mapping)
    assert f"[FlowConfigurationError] agent: businessHours {said}" in str(caught.value)


@pytest.mark.parametrize("missing", ["days", "open", "close"])
def test_days_open_and_close_must_be_given(missing: str):
    mapping: dict[str, Any] = {"days": WEEK, "open": "09:00", "close": "18:00"}
    del mapping[missing]
    with pytest.raises(FlowConfigurationError, match=f"businessHours lacks {missing}"):
        BusinessHours.from_mapping(mapping)


def test_a_mapping_gives_the_same_hours():
    mapping = {"days": WEEK, "open": "09:00", "close": "18:00", "timezone": "UTC", "holidays": ()}
    assert BusinessHours.from_mapping(mapping) == OFFICE
