"""What an expectation may hold: matchers at any depth, in any value."""

from collections.abc import Mapping

from simulator.matchers import BLOCK_KEYS, MATCHER_CHECKS
from simulator.schema import results
from simulator.schema.parts import Schema, anything, closed, known, many, of, ref, text

_ANY: Schema = of("expected")
_BOUND: Schema = {"type": ["number", "string"]}

_MATCHERS: Mapping[str, Schema] = {
    "$any": {"description": "Whatever is there.", "const": True},
    "$absent": {"description": "Nothing is there.", "const": True},
    "$exactly": anything("This and nothing more, at every depth.", **_ANY),
    "$includes": many("A list in which each of these matches some element.", _ANY),
    "$excludes": many("A list in which these match no element.", _ANY),
    "$unordered": many("A list of exactly these, in any order.", _ANY),
    "$length": anything(
        "A text or list of that length; a matcher may stand there.",
        type=["integer", "object"],
        minimum=0,
        **_ANY,
    ),
    "$contains": anything(
        "A text with that in it; of a list, with all of these.",
        type=["string", "array"],
        items={"type": "string"},
    ),
    "$regex": text("A text in which the pattern is found, as Python's re has it."),
    "$startsWith": text("A text that begins so."),
    "$atMost": anything("That number or time, or less.", **_BOUND),
    "$atLeast": anything("That number or time, or more.", **_BOUND),
    "$between": many("Between these two, or one of them.", _BOUND, minItems=2, maxItems=2),
    "$not": anything("Anything else.", **_ANY),
    "$oneOf": many("One of these.", _ANY),
}
_NAMES_MATCHER = r"^\$[^{$]"
"""Two dollars, or one before a brace, are no matcher but the beginning of a text."""


def definitions() -> dict[str, Schema]:
    """A block of expectations, any value in it, and what is known of results."""
    looks = {key: _looked_at(key) for key in results.BLOCK}
    return {
        "block": closed(BLOCK_KEYS, looks),
        "expected": _expected(),
        **results.definitions(),
    }


def _looked_at(key: str) -> Schema:
    about, shape = results.BLOCK[key]
    return {"description": about, "allOf": [ref("expected"), *([shape] if shape else [])]}


def _expected() -> Schema:
    """Any value; one mapping holds either keys or matchers."""
    names = "|".join(name[1:] for name in MATCHER_CHECKS)
    alone = "It is no matcher, or cannot stand beside one."
    return {
        **known(MATCHER_CHECKS, _MATCHERS),
        "additionalProperties": ref("expected"),
        # A language server that follows items for values to offer would follow a $ref for ever.
        "items": _ANY,
        "if": {"not": {"propertyNames": {"not": {"pattern": _NAMES_MATCHER}}}},
        "then": {"patternProperties": {rf"^(?!\$({names})$)": False}, "errorMessage": alone},
    }
