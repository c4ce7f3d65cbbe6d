"""The `promises` key of a scenario: what its turns are held to beside their expectations."""

import re
from collections.abc import Iterator

import msgspec

from simulator.spot import Spot

PROMISES = (
    "one-asker",
    "claims",
    "saves",
    "size",
    "calls",
    "wakes",
    "actions",
    "replay",
    "step-loop",
    "hop-limit",
    "ends",
    "asks",
)
"""The names of the engine's own promises; simulator/promises/table.py says what each holds."""
ALL = "all"
SIZE = 1_048_576
"""Bytes that a stored session may take, where nothing else is said."""

_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class Promised(msgspec.Struct, frozen=True, kw_only=True):
    """What a scenario promises."""

    names: tuple[str, ...] = ()
    own: tuple[Spot, ...] = ()
    """The author's own checks, each a text `module:function`."""
    size: int = SIZE

    def __bool__(self) -> bool:
        return bool(self.names or self.own)


def read_promises(spot: Spot) -> Promised:
    """Read `all`, or a list of names, `{size: bytes}` and `module:function`."""
    items = spot.items() if spot.is_list else [spot]
    sizes = [_size(item) for item in items if item.is_mapping]
    words = [item for item in items if not item.is_mapping]
    own = tuple(item for item in words if _FUNCTION.fullmatch(item.text()))
    names = [*(["size"] if sizes else []), *_names(words)]
    return Promised(names=tuple(dict.fromkeys(names)), own=own, size=sizes[-1] if sizes else SIZE)


def _size(item: Spot) -> int:
    item.mapping(("size",))
    return item.need("size").whole()


def _names(words: list[Spot]) -> Iterator[str]:
    for item in words:
        if _FUNCTION.fullmatch(item.text()):
            continue
        word = item.word((ALL, *PROMISES))
        yield from PROMISES if word == ALL else (word,)
