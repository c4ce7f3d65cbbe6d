"""How refusals and warnings of a spec word things: values as JSON, types, suggestions."""

import difflib
import json
from collections.abc import Iterable

from falai.shapes import is_list, is_mapping, is_whole

QUOTE_LIMIT = 200
"""Characters of a value that a message shows."""

_ARTICLED = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
}


def quote(value: object) -> str:
    """Spell a value as JSON; what JSON cannot hold is shown as Python shows it."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (TypeError, ValueError):
        text = repr(value)
    if not is_whole(text):
        text = text.encode("utf-8", "backslashreplace").decode()  # a message must be printable
    return text if len(text) <= QUOTE_LIMIT else f"{text[:QUOTE_LIMIT]}…"


def listed(values: Iterable[object]) -> str:
    """Spell every value as JSON, with commas between."""
    return ", ".join(quote(value) for value in values)


def typed(value: object) -> str:
    """Spell a value behind the name of its JSON type: `the string "3"`."""
    return "null" if value is None else f"the {_json_type(value)} {quote(value)}"


def _json_type(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    if is_list(value):
        return "list"
    return "mapping" if is_mapping(value) else "value"


def articled(scalar_type: str) -> str:
    """Put the article before a scalar type: `an integer`."""
    return _ARTICLED[scalar_type]


def suggestion(key: object, known: Iterable[str]) -> str:
    """Propose the nearest known key, or list them all when none is near."""
    options = list(known)
    folded = {option.casefold(): option for option in options}
    near = difflib.get_close_matches(str(key).casefold(), folded, n=1)
    if near:
        return f"Did you mean {quote(folded[near[0]])}?"
    return f"Remove it, or use one of {listed(options)}."
