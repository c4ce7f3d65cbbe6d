"""What is to be changed in a file, by the ways to its values."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from simulator.place import KeyPath


class Put(msgspec.Struct, frozen=True):
    """Another value in the place of one."""

    at: KeyPath
    value: Any
    """As the file is to have it: expressions and matchers included."""


class Addition(msgspec.Struct, frozen=True):
    """A new element of a list, or entry of a mapping."""

    after: int
    """The position of the old one behind which it goes; -1 is the front."""
    value: Any
    key: str | None = None


class Reshape(msgspec.Struct, frozen=True):
    """Elements of a list, or entries of a mapping, that go or come; some old ones stay."""

    at: KeyPath
    drops: frozenset[int]
    """Positions of old ones."""
    adds: Sequence[Addition]


Change: TypeAlias = Put | Reshape
