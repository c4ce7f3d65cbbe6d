"""What flows and agents share: conditions, instructions, parameters and targets."""

from collections.abc import Mapping
from typing import get_args

from falai.spec.names import BUILT_IN
from falai.spec.pieces import PARAM_TYPES, SCALARS
from falai.spec.plain import wire_name
from falai.words.flow import Branch, Chain, Goto, Instruction, InstructionKind, Param
from simulator.schema.parts import (
    Schema,
    anything,
    choose,
    closed,
    flag,
    is_set,
    known,
    many,
    mapping,
    needs,
    nullable,
    of,
    shaped,
    stranger,
    strangers,
    text,
    texts,
    word,
)

SCALAR: Schema = {"type": ["string", "number", "boolean"]}

_CONDITION: Mapping[str, Schema] = {
    "equals": mapping(
        "Fields and the values that they must have.",
        {"type": ["string", "number", "boolean", "null"]},
    ),
    "known": texts("Fields that must be known."),
    "silenced": flag("Whether the assistant may not speak."),
}

_INSTRUCTION: Mapping[str, Schema] = {
    "prompt": text("The rule, as the model reads it."),
    "kind": word("How strict the rule is; should, when it is left out.", get_args(InstructionKind)),
    "when": anything(
        "The model heeds the rule only then; a text or a list of them.",
        type=["string", "array"],
        items={"type": "string"},
    ),
    "if": shaped("The model is told of the rule only while this holds.", "object", "condition"),
    "id": text("A name for the rule."),
}

_PARAM: Mapping[str, Schema] = {
    "type": word("What the value is.", PARAM_TYPES),
    "description": text("What the value means, for the model."),
    "enum": many("The values that are allowed.", SCALAR),
    "optional": flag("Whether it may be left out."),
    "items": shaped("What each element of the list is.", "object", "element"),
}

_GOTO: Mapping[str, Schema] = {
    "step": text("The step to go to."),
    "clear": texts("Fields to forget on the way."),
}
_CHAIN: Mapping[str, Schema] = {
    "flow": text("The flow to start; this one ends."),
    "input": anything("What the other flow gets; its own input, when it is left out."),
}


def target(about: str) -> Schema:
    """A step id, a jump that clears, or a chain."""
    return shaped(about, ("string", "object"), "target")


_BRANCH: Mapping[str, Schema] = {
    "when": text("The branch holds when the model says so of the customer's answer."),
    "if": shaped("The branch holds when this condition does.", "object", "condition"),
    "then": target("Where the branch leads: a step, end, or a mapping with step or flow."),
}


def branches(about: str) -> Schema:
    return many(about, {"type": "object", **of("branch")})


def instructions(about: str) -> Schema:
    return many(about, {"type": "object", **of("instruction")})


def parameters(about: str) -> Schema:
    return mapping(about, {"type": "object", **of("parameter")})


def definitions() -> dict[str, Schema]:
    """What the pieces are; none of them says its type, which is for the place to say."""
    names = tuple(map(wire_name, Branch.__struct_fields__))
    neither = needs("if", "object", "A branch has a when or an if.")
    rules = tuple(map(wire_name, Instruction.__struct_fields__))
    return {
        "condition": known(sorted(BUILT_IN), nullable(_CONDITION)),
        "instruction": closed(rules, nullable(_INSTRUCTION, but=["prompt"]), required=["prompt"]),
        "parameter": _parameter(),
        "element": _element(),
        "branch": {
            **closed(names, nullable(_BRANCH, but=["then"]), required=["then"]),
            **choose([(is_set("when"), {})], neither),
        },
        "target": choose([(is_set("flow"), _chain())], _goto()),
        "strangerInTarget": stranger("A target names a step or a flow, not both."),
    }


def _parameter() -> Schema:
    only = {"type": "null", "errorMessage": "Only an array has items."}
    return {
        **closed(Param.__struct_fields__, nullable(_PARAM, but=["type"]), required=["type"]),
        "if": {"properties": {"type": {"const": "array"}}},
        "else": {"properties": {"items": only}},
    }


def _element() -> Schema:
    table = {key: schema for key, schema in _PARAM.items() if key != "items"}
    table["type"] = word("What each element is.", SCALARS)
    return closed(table, nullable(table, but=["type"]), required=["type"])


def _chain() -> Schema:
    found = closed(Chain.__struct_fields__, nullable(_CHAIN, but=["flow"]), required=["flow"])
    found["properties"] |= strangers(["step"], "strangerInTarget")
    return found


def _goto() -> Schema:
    found = closed(Goto.__struct_fields__, nullable(_GOTO, but=["step"]), required=["step"])
    found["properties"] |= strangers(["flow"], "strangerInTarget")
    return found
