"""What a closed schema admits: strategies that draw it, and specs completed to it.

They read the words of JSON Schema that `flow_spec_schema` uses, and no others.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

Schema = Mapping[str, Any]


class Instances:
    """One schema, and everything that it admits."""

    def __init__(self, schema: Schema) -> None:
        self._defs: Schema = schema["$defs"]
        self._root = schema
        self._validator = Draft202012Validator(schema)

    def admits(self, spec: Any) -> bool:
        return self._validator.is_valid(spec)

    # --- drawing ------------------------------------------------------------------------------

    def drawn(self, draw: st.DrawFn) -> Any:
        """Draw something that the schema admits."""
        return self._drawn(draw, self._root)

    def _drawn(self, draw: st.DrawFn, schema: Schema) -> Any:
        # Only what is chosen becomes a strategy: one of the whole schema takes long to make.
        if "$ref" in schema:
            return self._drawn(draw, self._defs[_name(schema)])
        if "anyOf" in schema:
            return self._drawn(draw, draw(st.sampled_from(schema["anyOf"])))
        if "enum" in schema:
            return draw(st.sampled_from(schema["enum"]))
        kinds = schema["type"]
        kind = draw(st.sampled_from(kinds)) if isinstance(kinds, list) else kinds
        if kind == "object":
            inside = schema["properties"]
            return {key: self._drawn(draw, inner) for key, inner in inside.items()}
        if kind == "array":
            length = draw(st.integers(schema.get("minItems", 0), 4))
            return [self._drawn(draw, schema["items"]) for _ in range(length)]
        if kind == "string" and "pattern" in schema:
            return draw(_matching(schema["pattern"]))
        return draw(_integers(schema.get("minimum")) if kind == "integer" else _PLAIN[kind])

    # --- completing ---------------------------------------------------------------------------

    def filled(self, spec: Any) -> Any:
        """The spec with a null for every property that it does not set."""
        return self._filled(spec, self._root)

    def _filled(self, spec: Any, schema: Schema) -> Any:
        if "$ref" in schema:
            return self._filled(spec, self._defs[_name(schema)])
        for option in schema.get("anyOf", ()):
            filled = self._filled(spec, option)
            if self._validator.evolve(schema={**option, "$defs": self._defs}).is_valid(filled):
                return filled
        if isinstance(spec, Mapping) and "properties" in schema:
            inside = schema["properties"]
            unset = {key: None for key in inside if key not in spec}
            given = {
                key: self._filled(value, inside[key]) if key in inside else value
                for key, value in spec.items()
            }
            return given | unset
        if isinstance(spec, list) and "items" in schema:
            return [self._filled(entry, schema["items"]) for entry in spec]
        return spec


_PLAIN: Mapping[str, st.SearchStrategy[Any]] = {
    "string": st.text(max_size=8),
    "number": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
    "null": st.none(),
}


@cache
def _integers(least: int | None) -> st.SearchStrategy[int | float]:
    """Whole numbers, written with a fraction or without: 3.0 is an integer in JSON Schema."""
    return st.integers(least) | st.integers(least, 2**53).map(float)


@cache
def _matching(pattern: str) -> st.SearchStrategy[str]:
    # In JSON Schema `$` is the very end; in Python a line break may follow it.
    return st.from_regex(pattern.removeprefix("^").removesuffix("$"), fullmatch=True)


def _name(schema: Schema) -> str:
    return schema["$ref"].removeprefix("#/$defs/")


def subschemas(schema: Schema) -> list[Schema]:
    """The schema and every one inside of it."""
    inside = [
        *schema.get("properties", {}).values(),
        *schema.get("$defs", {}).values(),
        *schema.get("anyOf", ()),
        *([schema["items"]] if "items" in schema else []),
    ]
    return [schema, *(found for inner in inside for found in subschemas(inner))]
