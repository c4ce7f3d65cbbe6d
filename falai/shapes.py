"""The shapes of a JSON value, told apart for the type checker, and its compact spelling."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import NoneType
from typing import Any, TypeGuard

import msgspec
from msgspec import UnsetType


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether the value is an object in JSON's sense; its keys are taken to be text."""
    # Dicts and scalars are the common cases, and an abstract class is slow to ask.
    if isinstance(value, dict):
        return True
    return not isinstance(value, _SCALARS) and isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether the value is an array in JSON's sense: text is not."""
    return isinstance(value, list | tuple)


def is_set(value: object) -> TypeGuard[frozenset[Any]]:
    """Whether the value is a set, which a host's context may hold."""
    return isinstance(value, set | frozenset)


def is_deeper(value: object, levels: int) -> bool:
    """Whether lists and mappings nest deeper than so many levels; one that holds itself does."""
    if is_mapping(value):
        inside: Iterable[object] = value.values()
    elif is_list(value):
        inside = value
    else:
        return False
    return levels == 0 or any(is_deeper(item, levels - 1) for item in inside)


def is_whole(text: str) -> bool:
    """Whether a text has no half of a character (a lone surrogate), which no encoding can write."""
    return not _HALF.search(text)


def compact(value: object) -> str:
    """Spell any value as JSON in one line; a whole number has no fraction, as in JavaScript."""
    if type(value) is str:
        return _quoted(value)
    return _ENCODER.encode(_plain(value)).decode()


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    """A text in quotes; most are names of the agent's own, spelled in every turn."""
    return _ENCODER.encode(text).decode()


_SCALARS = (str, int, float, NoneType, UnsetType)
_HALF = re.compile("[\ud800-\udfff]")
_ENCODER = msgspec.json.Encoder(enc_hook=str)


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if is_mapping(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_list(value):
        return [_plain(item) for item in value]
    if is_set(value):
        # A set has no order of its own, and two runs must spell it the same.
        return sorted((_plain(item) for item in value), key=compact)
    return value
