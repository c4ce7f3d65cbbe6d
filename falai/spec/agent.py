"""The checks of a whole agent: what it registers, who answers when idle, then every flow."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping
from falai.spec.agent_parts import (
    read_event,
    read_field,
    read_idle,
    read_instructions,
    read_parameters,
)
from falai.spec.built import check_built
from falai.spec.names import BUILT_IN, check_predicate_names, check_tools
from falai.spec.plain import plain
from falai.spec.registries import Registries
from falai.spec.validate import validate_flow
from falai.spec.values import check_predicate_values
from falai.spec.walk import instruction_predicates
from falai.spec.whole import check_whole
from falai.spec.wording import quote
from falai.words.flow import Flow, Instruction
from falai.words.registry import Idle, Tool


def validate_agent(
    flows: Sequence[Flow],
    registries: Registries,
    *,
    instructions: Sequence[Instruction] | None = None,
    idle: Idle | Literal["silent"] | None = None,
    tools: Sequence[Tool] | None = None,
) -> list[str]:
    """Return the warnings of every flow; raise FlowConfigurationError on the first problem.

    `tools` is the list that the registry was made of, where two may have had one id. The
    registries need no `flow_ids`: they are taken from the flows.
    """
    _check_names(registries)
    _check_registered(registries)
    _refuse_twins("tool", [tool.id for tool in tools or ()])
    ids = _flow_ids(flows)
    _check_instructions(instructions, registries)
    _check_idle(idle, registries)
    complete = msgspec.structs.replace(registries, flow_ids=ids)
    return [warning for flow in flows for warning in _validate(flow, complete)]


def _validate(flow: Any, registries: Registries) -> list[str]:
    warnings = validate_flow(flow, registries)
    if isinstance(flow, Flow):
        return warnings
    raise FlowConfigurationError.at(
        f"flow {quote(flow['id'])}", "is no Flow, but a mapping", "Read it with from_spec."
    )


def _check_names(registries: Registries) -> None:
    named: dict[str, Iterable[object]] = {
        "a field": registries.fields,
        "an action": registries.actions,
        "an event": registries.events,
        "a condition": registries.conditions,
        "a tool": registries.tools,
    }
    for kind, names in named.items():
        for name in names:
            _check_name(f"the name of {kind}", name)


def _check_name(what: str, name: object) -> None:
    if not isinstance(name, str):
        raise FlowConfigurationError.at(
            "agent", f"{what} is not text, got {quote(name)}", "Write it as text."
        )
    if not name:
        raise FlowConfigurationError.at("agent", f"{what} is empty", "Give it one.")
    check_whole("agent", name, what)


def _check_registered(registries: Registries) -> None:
    for slug, field in registries.fields.items():
        check_built("agent", read_field(slug, field), field, f"fields.{slug}")
        check_whole("agent", plain(field), f"fields.{slug}")
    for name, action in registries.actions.items():
        params = read_parameters(name, action.parameters)
        check_built("agent", params, action.parameters, f"actions.{name}.parameters")
        check_whole("agent", plain(action.parameters), f"actions.{name}.parameters")
    for name, event in registries.events.items():
        check_built("agent", read_event(name, event), event, f"events.{name}")
    for name in registries.conditions:
        if name in BUILT_IN:
            raise FlowConfigurationError.at(
                f"condition {quote(name)}", "every agent has that one built in", "Rename yours."
            )
    for name, tool in registries.tools.items():
        _check_parameters(f"tool {quote(name)}", tool.parameters)
        said = {"description": tool.description, "parameters": tool.parameters}
        check_whole(f"tool {quote(name)}", said)


def _check_parameters(where: str, schema: object) -> None:
    if not _is_object_schema(schema):
        raise FlowConfigurationError.at(
            where,
            f"parameters is no JSON Schema object, got {quote(plain(schema))}",
            'Write {"type": "object", "properties": {…}}.',
        )


def _is_object_schema(schema: object) -> bool:
    if not is_mapping(schema) or schema.get("type") != "object":
        return False
    return is_mapping(schema.get("properties", {}))


def _flow_ids(flows: object) -> frozenset[str]:
    """Ids of the flows, each once; flows of a wrong shape are refused at their own place."""
    if not is_list(flows):
        raise FlowConfigurationError.at(
            "agent", f"flows is not a list, got {quote(plain(flows))}", "Write it as a list."
        )
    ids = [_flow_id(flow) for flow in flows]
    found = [flow_id for flow_id in ids if flow_id]
    _refuse_twins("flow", found)
    return frozenset(found)


def _refuse_twins(kind: str, ids: Sequence[str]) -> None:
    for name, count in Counter(ids).items():
        if count > 1:
            raise FlowConfigurationError(
                f"{kind} {quote(name)} is declared twice: {kind} ids must be unique. "
                "Rename one of them."
            )


def _flow_id(flow: object) -> str | None:
    raw = plain(flow)
    found = raw.get("id") if is_mapping(raw) else None
    return found if isinstance(found, str) else None


def _check_idle(given: object, registries: Registries) -> None:
    idle = read_idle(given)
    if isinstance(idle, Idle):
        check_built("idle", idle, given)
        check_whole("idle", plain(idle))
        _check_predicates("idle", idle.instructions or (), registries)
        check_tools("idle", idle.tools or (), registries)


def _check_instructions(given: object, registries: Registries) -> None:
    instructions = read_instructions(given)
    check_built("agent", instructions, given, "instructions")
    check_whole("agent", plain(instructions), "instructions")
    _check_predicates("agent", instructions, registries)


def _check_predicates(
    where: str, instructions: Sequence[Instruction], registries: Registries
) -> None:
    found = list(instruction_predicates(instructions))
    check_predicate_names(where, found, registries)
    check_predicate_values(where, found, registries)
