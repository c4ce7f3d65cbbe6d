"""The checks of a whole agent: what it registers, who answers when idle, then every flow."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from falai.errors import FlowConfigurationError
from falai.spec.names import BUILT_IN, check_predicate_names, check_tools
from falai.spec.part import Part
from falai.spec.pieces import SCALARS, read_instruction, read_params
from falai.spec.plain import plain, without_nulls
from falai.spec.registries import Registries
from falai.spec.validate import validate_flow
from falai.spec.values import check_predicate_values
from falai.spec.walk import instruction_predicates
from falai.spec.wording import listed, quote
from falai.text.shapes import is_list, is_mapping
from falai.words.flow import Flow, Instruction
from falai.words.registry import Idle, Tool

DIRECTIONS = ("inbound", "outbound")
EXTRACTS = ("anywhere", "asked")

Flows: TypeAlias = Sequence[Flow | Mapping[str, Any]]
Instructions: TypeAlias = Sequence[Instruction | Mapping[str, Any]]


def validate_agent(
    flows: Flows,
    registries: Registries,
    *,
    instructions: Instructions | None = None,
    idle: Idle | Mapping[str, Any] | Literal["silent"] | None = None,
    tools: Sequence[Tool] | None = None,
) -> list[str]:
    """Return the warnings of every flow; raise FlowConfigurationError on the first problem.

    `tools` is the list that the registry was made of, where two may have had one id. The
    registries need no `flow_ids`: they are taken from the flows.
    """
    _check_registries(registries)
    _refuse_twins("tool", [tool.id for tool in tools or ()])
    ids = _flow_ids(flows)
    _check_instructions(Part({"instructions": plain(instructions)}, "agent"), registries)
    _check_idle(idle, registries)
    complete = msgspec.structs.replace(registries, flow_ids=ids)
    return [warning for flow in flows for warning in validate_flow(flow, complete)]


def _check_registries(registries: Registries) -> None:
    _check_names("a field", registries.fields)
    _check_names("an action", registries.actions)
    _check_names("an event", registries.events)
    _check_names("a condition", registries.conditions)
    _check_names("a tool", registries.tools)
    for slug, field in registries.fields.items():
        _check_field(Part(plain(field), "agent", f"fields.{slug}"))
    for name, action in registries.actions.items():
        read_params(Part(plain(action), "agent", f"actions.{name}"), "parameters")
    for name, event in registries.events.items():
        Part(plain(event), "agent", f"events.{name}").choice("direction", DIRECTIONS)
    for name in registries.conditions:
        if name in BUILT_IN:
            raise FlowConfigurationError.at(
                f"condition {quote(name)}", "every agent has that one built in", "Rename yours."
            )
    for name, tool in registries.tools.items():
        _check_parameters(f"tool {quote(name)}", plain(tool.parameters))


def _check_names(kind: str, names: Iterable[object]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise FlowConfigurationError.at(
                "agent", f"the name of {kind} is not text, got {quote(name)}", "Write it as text."
            )
        if not name:
            raise FlowConfigurationError.at("agent", f"the name of {kind} is empty", "Give it one.")


def _check_field(part: Part) -> None:
    if part.choice("type", SCALARS) is None:
        raise part.refusal(f"{part.path} has no type", f"Use one of {listed(SCALARS)}.")
    part.entries("enum")
    part.choice("extract", EXTRACTS)
    for key in ("description", "label", "ask"):
        part.text(key)


def _check_parameters(where: str, schema: object) -> None:
    if not _is_object_schema(schema):
        raise FlowConfigurationError.at(
            where,
            f"parameters is no JSON Schema object, got {quote(schema)}",
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


def _check_idle(idle: object, registries: Registries) -> None:
    if idle is None or idle == "silent":
        return
    if isinstance(idle, str):
        raise FlowConfigurationError.at(
            "idle", f'is neither a mapping nor "silent", got {quote(idle)}', "Write one of them."
        )
    part = Part(without_nulls(plain(idle)), "idle")
    part.close(("prompt", "tools", "instructions"))
    part.text("prompt")
    tools = part.texts("tools") or ()
    _check_instructions(part, registries)
    check_tools(part.where, tools, registries)


def _check_instructions(part: Part, registries: Registries) -> None:
    instructions = part.parts("instructions", read_instruction) or ()
    found = list(instruction_predicates(instructions))
    check_predicate_names(part.where, found, registries)
    check_predicate_values(part.where, found, registries)
