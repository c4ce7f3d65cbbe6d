"""Brings an answer into the shape that a call's schema asks for."""

from collections.abc import Mapping
from typing import Any

from falai.shapes import is_list, is_mapping
from falai.words.field import same_scalar


def shaped(schema: Mapping[str, Any], value: Any) -> Any:
    """The value as far as the schema takes it; null in the place of what is missing or unfit."""
    if "properties" in schema:
        given: Mapping[str, Any] = value if is_mapping(value) else {}
        return {name: shaped(part, given.get(name)) for name, part in schema["properties"].items()}
    # Options are scalars: no list is ever among them.
    if is_list(value) and "array" in _types(schema) and "enum" not in schema:
        items = [shaped(schema.get("items") or {}, item) for item in value]
        return [item for item in items if item is not None]
    return value if _fits(schema, value) else None


def _fits(schema: Mapping[str, Any], value: Any) -> bool:
    options = schema.get("enum")
    if options is not None and not any(same_scalar(value, option) for option in options):
        return False
    return _type_of(value) in _types(schema) or (
        _type_of(value) == "integer" and "number" in _types(schema)
    )


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = schema.get("type", ())
    return (wanted,) if isinstance(wanted, str) else tuple(wanted)


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return "string" if isinstance(value, str) else "null" if value is None else "none"
