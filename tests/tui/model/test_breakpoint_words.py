"""What can be written as a breakpoint, and what is said to anything else."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.profile import checked
from tests.tui.model.kit import timeline
from tui.model.breakpoints import (
    NAMES,
    BreakpointError,
    Breakpoints,
    read_breakpoint,
    read_breakpoints,
)

TALK = timeline()


@pytest.mark.parametrize("text", NAMES)
def test_every_example_can_be_written(text: str):
    assert read_breakpoint(text).text == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"turn": 6}, "turn:6"),
        ({"code": "max-asks"}, "code:max-asks"),
        ({"calls": 2}, "calls>2"),
        ({"llmCalls": 2}, "llmCalls>2"),
        ({"failed": None}, "failed"),
        ({"wake": True}, "wake"),
        ({"wake": "retomar"}, "wake:retomar"),
        ("failed", "failed"),
    ],
)
def test_a_mapping_says_the_same(value: Any, text: str):
    assert read_breakpoint(value).text == text


def test_a_list_is_several():
    points = read_breakpoints(["failed", {"turn": 6}])
    assert [point.text for point in points] == ["failed", "turn:6"]
    assert [point.text for point in read_breakpoints({"turn": 6})] == ["turn:6"]


ALL = f"Write one of: {', '.join(NAMES)}."


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("cod:x", '"cod:x" is no breakpoint. Did you mean code:max-asks?'),
        ("fail", '"fail" is no breakpoint. Did you mean failed?'),
        ("call>2", '"call>2" is no breakpoint. Did you mean calls>2?'),
        ("calls>x", '"calls>x" is no breakpoint. Did you mean calls>2?'),
        ("zzz", f'"zzz" is no breakpoint. {ALL}'),
        ("", f'"" is no breakpoint. {ALL}'),
        ("code:", '"code:" lacks what it is to look for. Write code:max-asks.'),
        ("turn", '"turn" lacks what it is to look for. Write turn:6.'),
        ("wake:", '"wake:" lacks what it is to look for. Write wake:KEY.'),
        ("failed:x", '"failed:x" has too much behind its name. Write failed.'),
        ("turn:0", '"turn:0": "0" is no turn. Write its number, from 1: turn:6.'),
        ("at:0.load", '"at:0.load": "0.load" is no place. Write at:6.decide or at:#53.'),
        ("at:09:30", '"at:09:30": "09:30" is no place. Write at:6.decide or at:#53.'),
        (
            "phase:think",
            '"phase:think": there is no phase "think". There is load, ingest, understand, decide, '
            "run, speak, settle, return.",
        ),
        (
            "path:[0]",
            '"path:[0]": write a path that begins with data, runs, claims, inputs, floor, clock. '
            "data.name.",
        ),
        ({"turn": 6, "code": "x"}, None),
        ({}, None),
    ],
)
def test_anything_else_is_refused_with_what_to_write(value: Any, told: str | None):
    with pytest.raises(BreakpointError) as refused:
        Breakpoints().add(value)
    expected = f"{value} is no breakpoint. Write one name each: {{turn: 6}}."
    assert str(refused.value) == (told or expected)


@checked
@given(
    st.sampled_from(["", "turn:", "at:", "path:", "wake:", "calls>", "text:"]), st.text(max_size=9)
)
def test_any_text_is_a_breakpoint_or_is_refused(name: str, rest: str):
    with suppress(BreakpointError):
        assert set(read_breakpoint(name + rest).stops(TALK)) <= set(range(len(TALK)))
