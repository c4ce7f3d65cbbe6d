"""The matchers that an expectation may hold: their names, and the arguments that they take."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from falai.words.turn import TurnResult
from simulator.place import nearest, suggestion
from simulator.spot import Spot

STATE_KEYS = (
    "replies",
    "data",
    "runs",
    "floor",
    "calls",
    "actions",
    "prompts",
    "tools",
    "error",
    "sent",
    "pending",
    "stored",
)
"""What an expectation may name besides the turn result."""

BLOCK_KEYS = dict.fromkeys((*TurnResult.__struct_encode_fields__, *STATE_KEYS))
"""The top-level keys of `expect` and `exactly`."""


def read_block(spot: Spot) -> Mapping[str, Any]:
    """Read an `expect` or `exactly` block; its values stay as written, their matchers checked."""
    block = spot.mapping(BLOCK_KEYS)
    if spot.source.has_matchers:
        for key, value in block.items():
            if _holds_matcher(value):
                check_matchers(spot.at(key))
    return block


def _holds_matcher(value: Any) -> bool:
    """Whether a matcher stands anywhere in a value; most hold none."""
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        return any(is_matcher_key(key) or _holds_matcher(item) for key, item in mapping.items())
    return isinstance(value, list) and any(map(_holds_matcher, cast("list[Any]", value)))


def is_matcher_key(key: str) -> bool:
    """Whether a key names a matcher; one that begins with an expression does not."""
    return len(key) > 1 and key[0] == "$" and key[1] not in "{$"


def check_matchers(spot: Spot) -> None:
    """Raise ScenarioFileError for the first matcher here or below that cannot be read."""
    if spot.is_list:
        for item in spot.items():
            check_matchers(item)
    if not spot.is_mapping:
        return
    names = [key for key in spot.mapping() if is_matcher_key(key)]
    for key, item in spot.entries():
        if key in names:
            _check_matcher(key, item)
        elif names:
            what = f"{key} cannot stand beside the matcher {names[0]}"
            raise spot.stranger(key, what, f"Put {key} under $exactly, or remove {names[0]}.")
        else:
            check_matchers(item)


def _check_matcher(name: str, spot: Spot) -> None:
    check = MATCHER_CHECKS.get(name)
    if check is None:
        close = nearest(name, MATCHER_CHECKS)
        fix = f'Did you mean "{close}"?' if close else suggestion(name, MATCHER_CHECKS)
        raise spot.error(f'unknown matcher "{name}"', fix, key=True)
    check(spot)


def _true(spot: Spot) -> None:
    if spot.value is not True:
        raise spot.wanted("true", "Use $not to say the opposite.")


def _list(spot: Spot) -> None:
    for item in spot.items():
        check_matchers(item)


def _length(spot: Spot) -> None:
    if spot.is_mapping:
        check_matchers(spot)
    else:
        spot.whole()


def _texts(spot: Spot) -> None:
    if spot.is_list:
        spot.texts()
    elif not isinstance(spot.value, str):
        raise spot.wanted("text or a list of texts")


def _regex(spot: Spot) -> None:
    pattern = spot.text()
    try:
        re.compile(pattern)
    except re.error as exc:
        raise spot.error(f"$regex cannot be read: {exc.msg}", "See Python's re.") from None


def _bound(spot: Spot) -> None:
    if isinstance(spot.value, bool) or not isinstance(spot.value, int | float | str):
        raise spot.wanted("a number or a text")


def _bounds(spot: Spot) -> None:
    items = spot.items("Write [least, most].")
    if len(items) != 2:
        raise spot.error(f"$between must have 2 bounds, not {len(items)}", "Write [least, most].")
    for item in items:
        _bound(item)


MATCHER_CHECKS: Mapping[str, Callable[[Spot], object]] = {
    "$any": _true,
    "$absent": _true,
    "$exactly": check_matchers,
    "$includes": _list,
    "$excludes": _list,
    "$unordered": _list,
    "$length": _length,
    "$contains": _texts,
    "$regex": _regex,
    "$startsWith": Spot.text,
    "$atMost": _bound,
    "$atLeast": _bound,
    "$between": _bounds,
    "$not": check_matchers,
    "$oneOf": _list,
}
"""How the argument of each matcher is checked."""
