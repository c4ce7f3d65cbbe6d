"""The pieces of the schema that a model writes flows by: closed objects, names and values.

They keep to what the structured outputs of model vendors take. Every property of an object is
required, and null stands for "not set"; a `$ref` stands alone, for some allow no word beside it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from falai.words.field import Field, RefusedValueError, ScalarType, coerce, same_scalar
from falai.words.flow import Param

Schema: TypeAlias = dict[str, Any]

NOT_EMPTY = "^.+$"
NOT_END = "^([^e].*|e([^n].*)?|en([^d].*)?|end.+)$"
"""Any text but `end` and none at all, without a lookahead: vendors have none."""
DURATION = r"^[0-9]{1,6}(\.[0-9]{1,3})?[smhd]$"
"""Narrower than what `parse_duration` reads: nothing that fits is longer than a million days."""
PHRASE = r"^[^!\s].*$"
_PLACEHOLDER = r"^.*\{\{.*\}\}.*$"


def closed(about: str | None, properties: Mapping[str, Schema]) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        **_told(about),
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def optional(schema: Schema, about: str | None = None) -> Schema:
    """What the schema takes, or null."""
    if "$ref" in schema:
        return {**_told(about), "anyOf": [schema, {"type": "null"}]}
    if "anyOf" in schema:
        return {**schema, **_told(about), "anyOf": [*schema["anyOf"], {"type": "null"}]}
    wider = {**schema, "type": [schema["type"], "null"], **_told(about)}
    if "enum" in schema:
        wider["enum"] = [*schema["enum"], None]
    return wider


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def either(*options: Schema) -> Schema:
    return {"anyOf": list(options)}


def text(about: str | None = None, pattern: str | None = None) -> Schema:
    return {"type": "string", **_told(about), **({"pattern": pattern} if pattern else {})}


def flag() -> Schema:
    return {"type": "boolean"}


def word(options: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(options)}


def many(items: Schema, about: str | None = None) -> Schema:
    return {"type": "array", **_told(about), "items": items}


def some(items: Schema, about: str | None = None) -> Schema:
    """A list that is not empty."""
    return {**many(items, about), "minItems": 1}


def anything() -> Schema:
    """A scalar of any type: a closed schema cannot describe an object of any shape."""
    return either(text(), {"type": "number"}, flag())


def field_value(field: Field) -> Schema | None:
    """What a field may equal; None when none of its options has its type."""
    value = _scalar(field.type, field.enum)
    return None if value is None else {**value, **_told(field.description)}


def argument(param: Param) -> Schema | None:
    """What an action may be given under one name; None when no option has the type."""
    value = _argument(param)
    return None if value is None else {**value, **_told(param.description)}


def _argument(param: Param) -> Schema | None:
    if param.type == "array":
        items = anything() if param.items is None else argument(param.items)
        return None if items is None else many(items)
    value = _scalar(param.type, param.enum)
    if param.type == "string" and param.enum is not None:
        # What a placeholder will say is not known yet, so it need not be one of the options.
        placeholder = text(pattern=_PLACEHOLDER)
        return placeholder if value is None else either(value, placeholder)
    return value


def _scalar(kind: ScalarType, enum: Sequence[Any] | None) -> Schema | None:
    if enum is None:
        return {"type": kind}
    options: list[Any] = []
    for option in enum:
        if _is_of(kind, option) and not any(same_scalar(option, other) for other in options):
            options.append(option)
    return {"type": kind, "enum": options} if options else None


def _is_of(kind: ScalarType, option: object) -> bool:
    """Whether an option has the declared type as it stands: vendors refuse a list with others."""
    try:
        return same_scalar(coerce(Field(kind), option), option)
    except RefusedValueError:
        return False


def _told(about: str | None) -> Schema:
    return {"description": about} if about else {}
