"""Whether every text of an author is whole: half of a character can be neither sent nor written down."""

from collections.abc import Iterator
from typing import Any

from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping, is_set, is_whole
from falai.spec.plain import DEEPEST
from falai.spec.wording import quote


def check_whole(where: str, value: Any, path: str = "") -> None:
    """Raise FlowConfigurationError at the first text in a plain value that is not whole.

    Raises it too for what is nested beyond reason, or holds itself.
    """
    for place, text in _texts(where, value, path, 0):
        if not is_whole(text):
            raise FlowConfigurationError.at(
                where, f"{place} has half of a character, got {quote(text)}".strip(), "Remove it."
            )


def _texts(where: str, value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every text with the path that leads to it, also what stands as a key."""
    if depth > DEEPEST:
        what = f"{path.split('.', 1)[0]} is nested more than {DEEPEST} levels deep"
        raise FlowConfigurationError.at(where, what, "Make it flatter.")
    if isinstance(value, str):
        yield path, value
    elif is_mapping(value):
        for key, item in value.items():
            yield f"a key of {path}".removesuffix(" of "), str(key)
            inside = f"{path}.{key}" if path else str(key)
            yield from _texts(where, item, inside, depth + 1)
    elif is_list(value) or is_set(value):
        for index, item in enumerate(sorted(value, key=str) if is_set(value) else value):
            yield from _texts(where, item, f"{path}[{index}]", depth + 1)
