"""Reads the parts of a declarative agent: fields, events, conditions, actions, tools and rules."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args

import msgspec

from falai.errors import FlowConfigurationError
from falai.hours import BusinessHours
from falai.spec.part import Part
from falai.spec.pieces import read_instruction, read_params
from falai.spec.plain import without_nulls
from falai.words.field import Field, ScalarType
from falai.words.flow import Instruction
from falai.words.registry import Condition, EventDef, Idle
from simulator.place import ScenarioFileError
from simulator.reply import read_results
from simulator.spot import Spot
from simulator.stubs import OPS, ROOTS, ActionStub, ToolStub, condition

T = TypeVar("T")

_TYPES: tuple[ScalarType, ...] = get_args(ScalarType)
_FIELD_KEYS = ("type", "enum", "description", "label", "ask", "extract")
_ACTION_KEYS = ("parameters", "returns", "set")
_TOOL_FLAGS = {
    "isReadOnly": "is_read_only",
    "isConcurrencySafe": "is_concurrency_safe",
    "isDestructive": "is_destructive",
    "maxResultChars": "max_result_chars",
}
_TOOL_KEYS = ("id", "description", "parameters", "returns", *_TOOL_FLAGS)


class StubSet(msgspec.Struct, frozen=True, kw_only=True):
    """Stand-ins by name."""

    actions: Mapping[str, ActionStub] = {}
    tools: tuple[ToolStub, ...] = ()
    conditions: Mapping[str, Condition] = {}


def placed(spot: Spot, read: Callable[[], T]) -> T:
    """Let the engine read something; its refusal gets this place."""
    try:
        return read()
    except FlowConfigurationError as exc:
        raise refusal(spot, exc) from exc


def refusal(spot: Spot, exc: FlowConfigurationError) -> ScenarioFileError:
    """The engine's own words, at their place in the file."""
    return spot.error(str(exc))


def read_stub_set(spot: Spot) -> StubSet:
    """Read `actions`, `tools` and `conditions`, of an agent or of a scenario's `stubs`."""
    return StubSet(
        actions=_named(spot, "actions", _action),
        tools=_tools(spot),
        conditions=_named(spot, "conditions", _condition),
    )


def _named(spot: Spot, key: str, read: Callable[[Spot], T]) -> dict[str, T]:
    """Read a mapping of names; null is empty, for the whole and for each of them."""
    found = spot.get(key)
    if found is None:
        return {}
    return {name: read(_or_empty(item)) for name, item in found.entries()}


def _or_empty(spot: Spot) -> Spot:
    return Spot({}, spot.source, spot.path) if spot.value is None else spot


def _text(spot: Spot, key: str) -> str | None:
    found = spot.get(key)
    return None if found is None else found.text()


# --- what fields and events are -----------------------------------------------------------------


def read_fields(spot: Spot) -> dict[str, Field]:
    """Read `fields` of an agent."""
    return _named(spot, "fields", _field)


def _field(spot: Spot) -> Field:
    spot.mapping(_FIELD_KEYS)
    kind = spot.need("type").word(_TYPES)
    enum, extract = spot.get("enum"), spot.get("extract")
    return Field(
        type=next(scalar for scalar in _TYPES if scalar == kind),
        enum=_options(enum) if enum else None,
        description=_text(spot, "description"),
        label=_text(spot, "label"),
        ask=_text(spot, "ask"),
        extract=_extract(extract) if extract else None,
    )


def _options(spot: Spot) -> tuple[str | int | float, ...]:
    for item in spot.items():
        if item.value is None or item.is_mapping or item.is_list:
            raise item.wanted("text or a number")
    return tuple(spot.value)


def _extract(spot: Spot) -> Literal["anywhere", "asked"]:
    return "asked" if spot.word(("anywhere", "asked")) == "asked" else "anywhere"


def read_events(spot: Spot) -> dict[str, EventDef]:
    """Read `events` of an agent."""
    return _named(spot, "events", _event)


def _event(spot: Spot) -> EventDef:
    spot.mapping(("direction",))
    direction = spot.get("direction")
    if direction is None:
        return EventDef()
    word = direction.word(("inbound", "outbound"))
    return EventDef("inbound" if word == "inbound" else "outbound")


# --- stand-ins for code -------------------------------------------------------------------------


def _action(spot: Spot) -> ActionStub:
    value = spot.mapping(_ACTION_KEYS)
    parts: dict[str, Any] = {}
    if "returns" in value:  # a null there is a result, too
        parts["results"] = read_results(spot.at("returns"))
    writes = spot.get("set")
    if writes is not None:
        parts["writes"] = writes.mapping()
    parameters = spot.get("parameters")
    if parameters is not None:
        part = Part({"parameters": without_nulls(parameters.mapping())}, "action")
        parts["parameters"] = placed(parameters, lambda: read_params(part, "parameters"))
    return ActionStub(**parts)


def _tools(spot: Spot) -> tuple[ToolStub, ...]:
    found = spot.get("tools")
    return tuple(_tool(item) for item in found.items()) if found else ()


def _tool(spot: Spot) -> ToolStub:
    spot.mapping(_TOOL_KEYS)
    parts: dict[str, Any] = {"description": _text(spot, "description")}
    # A name that is no text, and parameters that are no schema, are for the agent to refuse.
    parts["id"] = spot.need("id").value
    parts["parameters"] = spot.value.get("parameters")
    if spot.get("returns") is not None:
        parts["results"] = _tool_results(spot.at("returns"))
    parts["flags"] = {
        name: found.whole(1) if key == "maxResultChars" else found.flag()
        for key, name in _TOOL_FLAGS.items()
        if (found := spot.get(key)) is not None
    }
    return ToolStub(**parts)


def _tool_results(spot: Spot) -> tuple[Any, ...]:
    results = read_results(spot)
    for item in spot.items() if spot.is_list else [spot]:
        if item.is_mapping and item.has("throw"):
            continue
        item.mapping(("value", "data"), "Write {value: …, data: {…}}.")
        data = item.get("data")
        if data is not None:
            data.mapping()
    return results


def _condition(spot: Spot) -> Condition:
    spot.mapping(("path", "op"))
    path = spot.need("path")
    root = path.text().split(".")[0]
    if root not in ROOTS:
        raise path.error(f'path cannot begin with "{root}"', f"Begin it with {', '.join(ROOTS)}.")
    return condition(path.text(), spot.need("op").word(OPS))


# --- who speaks, and how ------------------------------------------------------------------------


def read_instructions(spot: Spot) -> tuple[Instruction, ...]:
    """Read `instructions` of an agent or of its idle speaker."""
    found = spot.get("instructions")
    return tuple(_instruction(item) for item in found.items()) if found else ()


def _instruction(spot: Spot) -> Instruction:
    raw = without_nulls(spot.mapping())
    return placed(spot, lambda: read_instruction(Part(raw, "agent", spot.name)))


def read_idle(spot: Spot) -> Idle | Literal["silent"] | None:
    """Read `idle`: who answers when no run does."""
    found = spot.get("idle")
    if found is None:
        return None
    if found.value == "silent":
        return "silent"
    found.mapping(("prompt", "tools", "instructions"), "Write {prompt: …}, or silent.")
    tools = found.get("tools")
    return Idle(
        prompt=_text(found, "prompt"),
        tools=tools.texts() if tools else None,
        instructions=read_instructions(found) or None,
    )


def read_hours(spot: Spot) -> BusinessHours | None:
    """Read `businessHours` of an agent."""
    found = spot.get("businessHours")
    if found is None:
        return None
    return placed(found, lambda: BusinessHours.from_mapping(without_nulls(found.mapping())))
