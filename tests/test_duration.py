"""Durations: what is one, what is none, and what is said about it."""

import pytest

from falai.duration import parse_duration
from falai.errors import FlowConfigurationError


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("30s", 30_000),
        ("5m", 300_000),
        ("1.5h", 5_400_000),
        ("2d", 172_800_000),
        ("0s", 0),
        ("0.0004s", 0),
        ("0.0005s", 1),
        ("0.1s", 100),
        ("1000000d", 86_400_000_000_000),
    ],
)
def test_a_number_and_a_unit_are_milliseconds(text: str, ms: int):
    assert parse_duration(text) == ms


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "3x", "3", "s", "-3s", "+3s", "3 s", " 3s", "3s ", "3s\n", ".5h", "5.h"),
        *("1e3s", "1,5h", "nans", "infs", "3S", "1h30m", "٣s", 3, 3.5, None, True),
        ["3s"],
        {"s": 3},
    ],
)
def test_anything_else_is_refused(value: object):
    with pytest.raises(FlowConfigurationError):
        parse_duration(value)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("value", "where"),
    [("3x", '"3x"'), ('a"b', '"a\\"b"'), (3, "3"), (None, "null"), (["3s"], '["3s"]')],
)
def test_the_message_quotes_the_value_as_json(value: object, where: str):
    with pytest.raises(FlowConfigurationError) as caught:
        parse_duration(value)  # pyright: ignore[reportArgumentType]
    assert str(caught.value) == (
        f"[FlowConfigurationError] duration {where}: is not a number and a unit. "
        'Write it like "30s", "5m", "1.5h" or "2d".'
    )


def test_a_value_that_json_cannot_spell_is_quoted_all_the_same():
    with pytest.raises(FlowConfigurationError, match="complex"):
        parse_duration(complex)  # pyright: ignore[reportArgumentType]


def test_a_duration_beyond_the_calendar_is_refused():
    with pytest.raises(FlowConfigurationError, match=r"longer than a million days"):
        parse_duration("1000001d")
