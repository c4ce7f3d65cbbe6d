"""Predicates: functions, condition mappings, and equality as JSON sees it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.errors import FlowConfigurationError
from falai.predicate import holds, same_json
from falai.words.context import Ctx
from falai.words.turn import Silenced

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def ctx(data: dict[str, Any] | None = None, silenced: Silenced | None = None) -> Ctx[Any]:
    return Ctx(context={"vip": True}, data=data or {}, silenced=silenced, now=NOW)


def test_no_predicate_holds():
    assert holds(None, ctx(), {})


@pytest.mark.parametrize("returned", [True, False, 1, 0, "x", "", None])
def test_a_function_is_called_with_the_context(returned: Any):
    seen: list[Any] = []

    def predicate(given: Any) -> Any:
        seen.append(given)
        return returned

    here = ctx()
    assert holds(predicate, here, {}) is bool(returned)
    assert seen == [here]


@pytest.mark.parametrize(
    ("data", "wanted", "held"),
    [
        ({"x": 30}, {"x": 30.0}, True),
        ({"x": 1}, {"x": True}, False),
        ({"x": "30"}, {"x": 30}, False),
        ({"x": "{{data.y}}", "y": 1}, {"x": 1}, False),
        ({"x": {"a": [1, {"b": 2}]}}, {"x": {"a": [1.0, {"b": 2}]}}, True),
        ({"x": {"a": [1, {"b": True}]}}, {"x": {"a": [1, {"b": 1}]}}, False),
        ({"x": 1, "y": 2}, {"x": 1, "y": 2}, True),
        ({"x": 1, "y": 2}, {"x": 1, "y": 3}, False),
        ({}, {"x": None}, True),
        ({"x": None}, {"x": None}, True),
        ({"x": ""}, {"x": None}, False),
        ({}, {"x": ""}, False),
        ({}, {}, True),
    ],
)
def test_equals_compares_every_field(data: dict[str, Any], wanted: dict[str, Any], held: bool):
    assert holds({"equals": wanted}, ctx(data), {}) is held


@pytest.mark.parametrize(
    ("data", "held"),
    [
        ({"a": 1, "b": False}, True),
        ({"a": 0, "b": "  "}, True),
        ({"a": 1}, False),
        ({"a": 1, "b": ""}, False),
        ({"a": 1, "b": None}, False),
    ],
)
def test_known_needs_every_field(data: dict[str, Any], held: bool):
    assert holds({"known": ["a", "b"]}, ctx(data), {}) is held


def test_silenced_asks_whether_there_is_a_reason():
    quiet = ctx(silenced=Silenced("human"))
    assert holds({"silenced": True}, quiet, {})
    assert not holds({"silenced": False}, quiet, {})
    assert holds({"silenced": False}, ctx(), {})
    assert not holds({"silenced": True}, ctx(), {})


def test_another_key_calls_the_condition_with_its_argument():
    def stage(given: Ctx[Any], argument: Any) -> Any:
        return given.context["vip"] and argument

    assert holds({"stage": "new"}, ctx(), {"stage": stage}) is True
    assert holds({"stage": ""}, ctx(), {"stage": stage}) is False


def test_every_entry_must_hold():
    def never(_: Ctx[Any], __: Any) -> bool:
        return False

    assert not holds({"known": ["a"], "never": 1}, ctx({"a": 1}), {"never": never})
    assert not holds({"known": ["a"], "unknown": 1}, ctx(), {})
    assert holds({}, ctx(), {})


def test_an_unregistered_condition_is_a_mistake_of_the_author():
    with pytest.raises(FlowConfigurationError) as caught:
        holds({"stage": 1}, ctx(), {})
    assert str(caught.value) == (
        '[FlowConfigurationError] condition "stage": is not registered. '
        "Register it in the agent's conditions or fix the name."
    )


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ([1, 2], (1.0, 2), True),
        ([1], [1, 2], False),
        ([1], "1", False),
        ("1", [1], False),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": 1}, [["a", 1]], False),
        ({"a": {}}, {"a": []}, False),
        ("", None, False),
        (0, None, False),
        (False, 0, False),
        (False, None, False),
    ],
)
def test_same_json(left: object, right: object, same: bool):
    assert same_json(left, right) is same
    assert same_json(right, left) is same


@given(JSON)
def test_every_value_is_the_same_as_itself(value: object):
    assert same_json(value, value)


@given(JSON)
def test_no_value_is_the_same_inside_a_list(value: object):
    assert not same_json(value, [value])
