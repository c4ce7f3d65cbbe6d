"""The shapes of a JSON value, told apart for the type checker, and its compact spelling."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import msgspec


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether the value is an object in JSON's sense; its keys are taken to be text."""
    # A plain dict is the common case, and an abstract class is slow to ask.
    return isinstance(value, dict) or isinstance(value, Mapping)  # noqa: SIM101


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether the value is an array in JSON's sense: text is not."""
    return isinstance(value, list | tuple)


def is_set(value: object) -> TypeGuard[frozenset[Any]]:
    """Whether the value is a set, which a host's context may hold."""
    return isinstance(value, set | frozenset)


def compact(value: object) -> str:
    """Spell any value as JSON in one line; a whole number has no fraction, as in JavaScript."""
    return _ENCODER.encode(_plain(value)).decode()


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
