"""What a failed expectation says: one mismatch, and the small diff of several."""

import json
from typing import Any

import msgspec

from simulator.place import KeyPath

_WIDTH = 100
"""Characters of a value that a diff shows; a longer one is cut around the first difference."""
_LEAD = 30
"""Characters shown before the first difference."""


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not as expected."""

    path: KeyPath
    """The way to it in what came: `("messages", 0, "text")`."""
    at: KeyPath
    """The way to the expectation as written, matchers and positions included: for its place."""
    wanted: Any
    """The value or matcher; None also when nothing was wanted, see `extra`."""
    got: Any
    """What came; None also when nothing did, see `missing`."""
    message: str
    """What is wrong, in one short line."""
    missing: bool = False
    """Nothing came."""
    extra: bool = False
    """Nothing was wanted."""


def show_pair(wanted_value: Any, got_value: Any) -> tuple[str, str]:
    """Both sides, each in one line, cut to where they differ; None is nothing."""
    wanted = "nothing" if wanted_value is None else one_line(wanted_value)
    got = "nothing" if got_value is None else one_line(got_value)
    if max(len(wanted), len(got)) <= _WIDTH:
        return wanted, got
    start = max(_first_difference(wanted, got) - _LEAD, 0)
    return _cut(wanted, start), _cut(got, start)


def _first_difference(left: str, right: str) -> int:
    differing = (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    return next(differing, min(len(left), len(right)))


def _cut(text: str, start: int) -> str:
    head = "…" if start else ""
    tail = "…" if len(text) > start + _WIDTH else ""
    return f"{head}{text[start : start + _WIDTH]}{tail}"


def format_path(path: KeyPath) -> str:
    """Write a path as `outcomes[2].code`; a key with other signs in it stands in quotes."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.isidentifier():
            text += f".{part}"
        else:
            text += f"[{one_line(part)}]"
    return text.removeprefix(".") or "the whole"


def one_line(value: Any) -> str:
    """Write a value as JSON in one line; what JSON cannot hold is shown as Python shows it."""
    return json.dumps(value, ensure_ascii=False, default=repr)
