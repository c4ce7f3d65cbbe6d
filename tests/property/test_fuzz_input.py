"""Whatever comes from outside: it is read, or refused by one of the public errors."""

import contextlib
import copy
import json
import logging
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import (
    Action,
    EventDef,
    Field,
    FlowConfigurationError,
    InvalidSessionError,
    Param,
    Registries,
    assert_session,
    from_spec,
    migrate_session,
    to_spec,
    validate_flow,
)
from falai.stores.rows import read_session
from simulator.agentfile import load_agent
from simulator.check import check_file
from simulator.load import load_document
from simulator.place import ScenarioFileError
from simulator.reading import read_scenario
from tests.property.profile import checked

ROOT = Path(__file__).parents[2]
INTEROP = ROOT / "tests" / "interop"
SCENARIOS = sorted((ROOT / "scenarios").rglob("*.yaml"))
SPEC = json.loads((INTEROP / "spec-everything.json").read_bytes())
SESSION = json.loads((INTEROP / "session-everything.json").read_bytes())
LEGACY = {
    "id": "s2",
    "data": {"nome": "Ana"},
    "currentFlow": {"id": "oi", "enteredAt": "2026-01-05T09:00:00Z"},
    "currentStep": "quem",
    "flowHistory": [{"flowId": "a", "completed": True, "exitedAt": "2026-01-05T09:00:00Z"}],
    "signals": {"triggers": {"b": {"lastTriggeredAt": "2026-01-05T09:00:00Z"}}},
    "metadata": {"x": 1},
}
NAMES = Registries(
    fields={"nome": Field("string"), "porte": Field("string", enum=("P", "G"))},
    actions={"notify": Action(lambda args, ctx: None, {"para": Param("string")})},
    events={"stage_entered": EventDef(), "meeting_booked": EventDef()},
    conditions={"inStage": lambda ctx, argument: True},
)

KEYS = sorted({*SPEC, *SESSION, *LEGACY, *SPEC["steps"][0]})
ODD: list[Any] = ["", "end", "!", "{{", "${", "30s", "1e400d", "2026-01-05T09:00:00Z", "0001-01-01"]
ODD += ["\ud800", "\0", "x" * 5_000, 10**400, -1, 0, math.nan, math.inf]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(ODD)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
ODD_KEYS = st.dictionaries(
    st.integers() | st.none() | st.booleans() | st.tuples(), JSON, max_size=2
)


def deep(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def cyclic() -> Any:
    value: dict[str, Any] = {"id": "a", "name": "A"}
    value["steps"] = [{"id": "s", "say": "x", "ui": value}]
    return value


@st.composite
def mutated(draw: st.DrawFn, whole: Any) -> Any:
    """A good document in which a few nodes were replaced, dropped, doubled or renamed."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        value = draw(_mutation(value))
    return value


def _mutation(value: Any) -> st.SearchStrategy[Any]:
    replaced = JSON | ODD_KEYS | st.just(value).map(lambda it: [it]) | st.sampled_from([deep(900)])
    if isinstance(value, dict) and value:
        return st.sampled_from(sorted(value, key=str)).flatmap(lambda key: _in_mapping(value, key))
    if isinstance(value, list) and value:
        return st.integers(0, len(value) - 1).flatmap(lambda index: _in_list(value, index))
    return replaced


def _in_mapping(value: dict[Any, Any], key: Any) -> st.SearchStrategy[Any]:
    without = {k: v for k, v in value.items() if k != key}
    return st.one_of(
        st.just(without),
        (st.sampled_from(KEYS) | st.text(max_size=4)).map(lambda new: {**without, new: value[key]}),
        JSON.map(lambda new: {**value, key: new}),
        _mutation(value[key]).map(lambda new: {**value, key: new}),
        _mutation(value[key]).map(lambda new: {**value, key: new}),
    )


def _in_list(value: list[Any], index: int) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.just(value[:index] + value[index + 1 :]),
        st.just([*value, value[index]]),
        JSON.map(lambda new: [*value[:index], new, *value[index + 1 :]]),
        _mutation(value[index]).map(lambda new: [*value[:index], new, *value[index + 1 :]]),
        _mutation(value[index]).map(lambda new: [*value[:index], new, *value[index + 1 :]]),
    )


def refuses(error: type[Exception], read: Callable[[], Any]) -> Any:
    """What was read; None when it was refused as it should be."""
    try:
        return read()
    except error as refused:
        if str(refused).startswith(f"[{error.__name__}] "):
            return None
        raise


BEYOND_REASON: dict[str, Any] = {
    "deep": deep(100_000),
    "deep inside": {"id": "a", "name": "A", "steps": [{"id": "s", "say": "x", "ui": deep(5_000)}]},
    "holds itself": cyclic(),
}


@pytest.mark.parametrize("name", BEYOND_REASON)
def test_what_is_nested_beyond_reason_is_refused(name: str):
    value = BEYOND_REASON[name]
    for read in (from_spec, lambda it: validate_flow(it, NAMES)):
        with pytest.raises(FlowConfigurationError, match="is nested more than 100 levels deep"):
            read(value)
    for blob in (value, {**SESSION, "data": {"x": value}}, {"data": {}, "metadata": {"x": value}}):
        with pytest.raises(InvalidSessionError, match="is no JSON"):
            migrate_session(blob, "s2", str, "2026-01-05T09:00:00Z")


# --- flows --------------------------------------------------------------------------------------


@checked
@given(JSON | ODD_KEYS | mutated(SPEC))
def test_a_spec_is_read_or_refused(spec: Any):
    flow = refuses(FlowConfigurationError, lambda: from_spec(spec))
    if flow is not None:
        again = to_spec(flow)
        assert to_spec(from_spec(again)) == again or "nan" in repr(again)


@checked
@given(JSON | ODD_KEYS | mutated(SPEC))
def test_a_flow_is_validated_or_refused(spec: Any):
    warnings = refuses(FlowConfigurationError, lambda: validate_flow(spec, NAMES))
    assert warnings is None or all(isinstance(warning, str) for warning in warnings)


# --- sessions -----------------------------------------------------------------------------------


@checked
@given(JSON | ODD_KEYS | mutated(SESSION))
def test_a_session_is_read_or_refused(blob: Any):
    session = refuses(InvalidSessionError, lambda: assert_session(blob, "s2"))
    if session is not None:
        assert assert_session(session, "s2") == session or "nan" in repr(session)


@checked
@given(JSON | ODD_KEYS | mutated(LEGACY) | mutated(SESSION))
def test_an_old_session_is_moved_on_or_refused(blob: Any):
    now = "2026-01-05T09:00:00Z"
    session = refuses(InvalidSessionError, lambda: migrate_session(blob, "s2", str, now))
    assert session is None or session.v == 4


@checked
@given(
    st.binary(max_size=60) | mutated(SESSION).map(lambda it: repr(it).encode("utf-8", "replace"))
)
def test_a_row_is_read_or_refused(row: bytes):
    assert refuses(InvalidSessionError, lambda: read_session(row, "s2")) is None


# --- files --------------------------------------------------------------------------------------


@st.composite
def edited(draw: st.DrawFn) -> str:
    """A file of the project in which some characters were dropped, doubled or put in."""
    text = draw(st.sampled_from(SCENARIOS)).read_text(encoding="utf-8")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.integers(0, 12)))
        new = draw(
            st.sampled_from([*"{}[]:,-\n\t \"'#&*!|>%@`?0\0\ufeff", "<<: ", "- - ", "${", "🙂"])
        )
        text = text[:at] + draw(st.sampled_from(["", new, text[at:until] * 2])) + text[until:]
    return text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logging.getLogger("falai").setLevel(logging.CRITICAL)
    return tmp_path_factory.mktemp("fuzz")


@checked
@given(text=edited() | st.text(max_size=80), name=st.sampled_from(["f.yaml", "f.json", "f.yml"]))
def test_a_text_is_a_file_that_is_read_or_refused_with_its_place(
    text: str, name: str, folder: Path
):
    file = folder / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    read_all(file)


@checked
@given(value=JSON | mutated(SPEC), name=st.sampled_from(["g.json", "g.yaml"]))
def test_a_value_is_a_file_that_is_read_or_refused_with_its_place(
    value: Any, name: str, folder: Path
):
    file = folder / name
    file.write_text(json.dumps(value, skipkeys=True), encoding="utf-8")
    read_all(file)


@pytest.mark.parametrize("text", ["[" * 50_000, "{a: " * 5_000, "- " * 20_000, "&a [*a, *a]" * 9])
def test_a_file_that_is_nested_beyond_reason_is_refused(text: str, tmp_path: Path):
    file = tmp_path / "deep.yaml"
    file.write_text(text, encoding="utf-8")
    read_all(file)


def read_all(file: Path) -> None:
    """Read a file as each thing that it may be."""
    for finding in check_file(file):
        assert finding.status in ("ok", "warning", "error")
    with contextlib.suppress(ScenarioFileError):
        read_scenario(load_document(file))
    with contextlib.suppress(ScenarioFileError):
        load_agent(str(file)).build()
