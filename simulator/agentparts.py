"""Reads the parts of a declarative agent that have names: fields, events, actions and the like."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from falai.hours import BusinessHours
from falai.spec.agent_parts import read_event, read_field, read_parameters
from falai.spec.plain import without_nulls
from falai.words.field import Field
from falai.words.registry import Condition, EventDef
from simulator.reply import read_results
from simulator.spot import Spot
from simulator.stubs import OPS, ROOTS, ActionStub, ToolStub, condition

ACTION_KEYS = ("parameters", "returns", "set")
_TOOL_FLAGS = {
    "isReadOnly": "is_read_only",
    "isConcurrencySafe": "is_concurrency_safe",
    "isDestructive": "is_destructive",
    "maxResultChars": "max_result_chars",
}
TOOL_KEYS = ("id", "description", "parameters", "returns", *_TOOL_FLAGS)


class StubSet(msgspec.Struct, frozen=True, kw_only=True):
    """Stand-ins by name."""

    actions: Mapping[str, ActionStub] = {}
    tools: tuple[ToolStub, ...] = ()
    conditions: Mapping[str, Condition] = {}


def read_stub_set(spot: Spot) -> StubSet:
    """Read `actions`, `tools` and `conditions`, of an agent or of a scenario's `stubs`.

    Raises FlowConfigurationError, beside ScenarioFileError, where falai.spec judges a shape.
    """
    return StubSet(
        actions={name: _action(name, item) for name, item in _named(spot, "actions")},
        tools=_tools(spot),
        conditions={name: _condition(item) for name, item in _named(spot, "conditions")},
    )


def _named(spot: Spot, key: str) -> Iterator[tuple[str, Spot]]:
    """What a mapping of names holds; null is empty, for the whole and for each of them."""
    found = spot.get(key)
    for name, item in found.entries() if found else ():
        yield name, Spot({}, item.source, item.path) if item.value is None else item


def read_fields(agent: Spot) -> dict[str, Field]:
    """Read `fields`; raises FlowConfigurationError for a wrong shape."""
    return {name: read_field(name, item.value) for name, item in _named(agent, "fields")}


def read_events(agent: Spot) -> dict[str, EventDef]:
    """Read `events`; raises FlowConfigurationError for a wrong shape."""
    return {name: read_event(name, item.value) for name, item in _named(agent, "events")}


def read_hours(agent: Spot) -> BusinessHours | None:
    """Read `businessHours`; raises FlowConfigurationError for hours that cannot be."""
    found = agent.get("businessHours")
    return BusinessHours.from_mapping(without_nulls(found.mapping())) if found else None


# --- stand-ins for code -------------------------------------------------------------------------


def _action(name: str, spot: Spot) -> ActionStub:
    value = spot.mapping(ACTION_KEYS)
    parts: dict[str, Any] = {"parameters": read_parameters(name, value.get("parameters"))}
    if "returns" in value:  # a null there is a result, too
        parts["results"] = read_results(spot.at("returns"))
    writes = spot.get("set")
    if writes is not None:
        parts["writes"] = writes.mapping()
    return ActionStub(**parts)


def _tools(spot: Spot) -> tuple[ToolStub, ...]:
    found = spot.get("tools")
    return tuple(_tool(item) for item in found.items()) if found else ()


def _tool(spot: Spot) -> ToolStub:
    spot.mapping(TOOL_KEYS)
    parts: dict[str, Any] = {"description": spot.optional("description", Spot.text)}
    # A number for a name, and parameters that are no schema, are for the agent to refuse.
    name = spot.need("id")
    parts["id"] = name.text() if name.is_mapping or name.is_list else name.value
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
