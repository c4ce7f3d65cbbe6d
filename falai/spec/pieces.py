"""The pieces that flows, triggers and steps share, read from their mappings."""

from typing import Any, get_args

from msgspec import UNSET

from falai.errors import FlowConfigurationError
from falai.shapes import is_mapping
from falai.spec.part import Part
from falai.spec.wording import quote
from falai.words.field import ScalarType
from falai.words.flow import (
    Branch,
    Chain,
    Goto,
    Instruction,
    InstructionKind,
    Param,
    Repeat,
    Target,
)

SCALARS: tuple[ScalarType, ...] = get_args(ScalarType)
PARAM_TYPES = (*SCALARS, "array")


def read_target(part: Part, key: str) -> Target | None:
    """Read where a run goes next; whether that exists is another question."""
    raw = part.raw.get(key)
    if raw is None or isinstance(raw, str):
        return raw
    if is_mapping(raw):
        target = Part(raw, part.where, part.name(key))
        if isinstance(target.raw.get("step"), str) and "flow" not in target.raw:
            return _read_goto(target)
        if isinstance(target.raw.get("flow"), str) and "step" not in target.raw:
            return _read_chain(target)
    raise part.refusal(
        f"{part.name(key)} is no target, got {quote(raw)}",
        'Write a step id, "end", {"step": id, "clear": [field]} or {"flow": id, "input": value}.',
    )


def _read_goto(part: Part) -> Goto:
    part.close(("step", "clear"))
    return Goto(part.needed_text("step"), part.texts("clear"))


def _read_chain(part: Part) -> Chain:
    part.close(("flow", "input"))
    return Chain(part.needed_text("flow"), part.raw.get("input", UNSET))


def read_branch(part: Part) -> Branch:
    """Read one fork; that it needs a `when` or an `if` is a matter of jumps."""
    part.close(("then", "when", "if"))
    when, if_ = part.text("when"), part.predicate("if")
    then = read_target(part, "then")
    if then is None:
        raise part.refusal(f"{part.path} has no then", 'Give it a step id or "end".')
    return Branch(then=then, when=when, if_=if_)


def read_instruction(part: Part) -> Instruction:
    """Read one rule for the speak prompt."""
    part.close(("id", "kind", "when", "if", "prompt"))
    kinds: tuple[InstructionKind, ...] = get_args(InstructionKind)
    when_text = isinstance(part.raw.get("when"), str)
    return Instruction(
        prompt=part.needed_text("prompt"),
        kind=part.choice("kind", kinds),
        when=part.text("when") if when_text else part.texts("when"),
        if_=part.predicate("if"),
        id=part.text("id"),
    )


def read_param(part: Part, types: tuple[Any, ...] = PARAM_TYPES) -> Param:
    """Read what an action or a mention carries under one name."""
    kind = part.choice("type", types)
    if kind is None:
        raise part.refusal(f"{part.path} has no type", "Give it one.")
    known = ("type", "description", "enum", "optional")
    part.close((*known, "items") if kind == "array" else known)
    items = part.part("items")
    return Param(
        type=kind,
        description=part.text("description"),
        enum=part.options("enum"),
        optional=part.flag("optional"),
        items=None if items is None else read_param(items, SCALARS),
    )


def read_params(part: Part, key: str) -> dict[str, Param] | None:
    """Read a mapping of names to what they carry."""
    params = part.part(key)
    if params is None:
        return None
    return {
        name: read_param(Part(raw, params.where, params.name(name)))
        for name, raw in params.raw.items()
    }


def read_repeat(part: Part) -> Repeat | None:
    """Read how often a trigger may start its flow."""
    raw = part.raw.get("repeat")
    if raw is None or raw == "once" or raw == "always":
        return raw
    if is_mapping(raw) and "cooldown" in raw:
        repeat = Part(raw, part.where, part.name("repeat"))
        repeat.close(("cooldown",))
        return {"cooldown": needed_duration(repeat, "cooldown")}
    raise part.refusal(
        f"repeat is {quote(raw)}", 'Use one of "once", "always", {"cooldown": duration}.'
    )


def read_duration(part: Part, key: str) -> str | None:
    """Read a duration as it is written; whether it parses is a matter of values."""
    return None if part.raw.get(key) is None else needed_duration(part, key)


def needed_duration(part: Part, key: str) -> str:
    """Read a duration that must be there."""
    raw = part.raw.get(key)
    if isinstance(raw, str):
        return raw
    raise no_duration(part.where, part.name(key), raw)


def no_duration(where: str, name: str, value: object) -> FlowConfigurationError:
    """Make the error for what does not parse as a duration."""
    return FlowConfigurationError.at(
        where,
        f"{name} is {quote(value)}, which is no duration",
        'Write a number and one of s, m, h, d, such as "30s" or "1.5d".',
    )
