"""Reads the YAML that nearly everybody writes, straight from the parser's events.

It takes a fifth of the time of making nodes first. Whatever is not plain and simple (an anchor, a
tag, a key that stands twice, a mistake) is left to `yamltext`, which also knows every place.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from simulator.place import KeyPath
from simulator.yamltext import DEPTH, plain_value

_Loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class Plain(NamedTuple):
    """A text that was plain and simple."""

    value: Any
    items: dict[KeyPath, int]
    """Offsets of the items of every list that stands right below the top, such as `turns`."""
    may_leave_out: bool
    """Whether a mapping in braces may hold a key with nothing behind it."""


class _NotPlainError(Exception):
    """Something that needs care."""


def read_plain(text: str) -> Plain | None:
    """The value of a YAML text; None for one that has to be read with care."""
    try:
        return _Reader(_Loader(text).get_event).read()
    except (yaml.YAMLError, _NotPlainError, RecursionError):
        return None


class _Reader:
    """Takes one event after the other and makes values of them.

    Half of the time goes into making the events, so that the other half is worth some care:
    scalars, of which most of a file consists, are taken where they stand.
    """

    def __init__(self, get: Callable[[], Any]) -> None:
        self._get = get
        self._items: dict[KeyPath, int] = {}
        self._may_leave_out = False

    def read(self) -> Plain:
        self._get()  # the stream begins,
        self._get()  # and the document
        event = self._get()
        if type(event) is not MappingStartEvent:
            raise _NotPlainError
        value = self._mapping(event, 1)
        self._get()  # which ends,
        if type(self._get()) is not StreamEndEvent:
            raise _NotPlainError
        return Plain(value, self._items, self._may_leave_out)

    def _mapping(self, start: Any, depth: int) -> dict[str, Any]:
        _check_plain(start, depth)
        get, in_braces, found = self._get, start.flow_style, dict[str, Any]()
        event: Any
        while type(event := get()) is ScalarEvent:
            key = event.value
            if event.anchor or event.tag or key in found or key == "<<":
                raise _NotPlainError
            event = get()
            if type(event) is ScalarEvent:
                text = event.value
                if event.anchor or event.tag:
                    raise _NotPlainError
                if event.implicit[0]:
                    found[key] = plain_value(text)
                    if in_braces and not text:
                        self._may_leave_out = True
                else:
                    found[key] = text
            elif depth == 1 and type(event) is SequenceStartEvent:
                found[key] = self._list(event, depth + 1, key)
            else:
                found[key] = self._inner(event, depth + 1)
        if type(event) is not MappingEndEvent:
            raise _NotPlainError  # a key that is no text, or an alias
        return found

    def _list(self, start: Any, depth: int, name: str | None = None) -> list[Any]:
        """A list; the places of its items are kept for one with a name."""
        _check_plain(start, depth)
        get, found = self._get, list[Any]()
        event: Any
        while type(event := get()) is not SequenceEndEvent:
            if name is not None:
                self._items[name, len(found)] = event.start_mark.index
            is_scalar = type(event) is ScalarEvent
            found.append(_scalar(event) if is_scalar else self._inner(event, depth + 1))
        return found

    def _inner(self, event: Any, depth: int) -> Any:
        if type(event) is MappingStartEvent:
            return self._mapping(event, depth)
        if type(event) is SequenceStartEvent:
            return self._list(event, depth)
        raise _NotPlainError  # an alias


def _check_plain(event: Any, depth: int) -> None:
    if event.anchor or event.tag or depth > DEPTH:
        raise _NotPlainError


def _scalar(event: Any) -> Any:
    _check_plain(event, 0)
    return plain_value(event.value) if event.implicit[0] else event.value
