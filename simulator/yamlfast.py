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
        value = self._inner(event, 1)
        self._get()  # which ends,
        if type(self._get()) is not StreamEndEvent:
            raise _NotPlainError
        return Plain(value, self._items, self._may_leave_out)

    def _inner(self, start: Any, depth: int, name: str | None = None) -> Any:
        """The mapping or list that begins; an alias has an anchor too."""
        if start.anchor or start.tag or depth > DEPTH:
            raise _NotPlainError
        if type(start) is MappingStartEvent:
            return self._mapping(depth, in_braces=bool(start.flow_style))
        return self._list(depth, name)

    def _mapping(self, depth: int, *, in_braces: bool) -> dict[str, Any]:
        get, found = self._get, dict[str, Any]()
        event: Any
        while type(event := get()) is ScalarEvent:
            key = event.value
            if event.anchor or event.tag or key in found or key == "<<":
                raise _NotPlainError
            event = get()
            if type(event) is not ScalarEvent:
                found[key] = self._inner(event, depth + 1, key if depth == 1 else None)
                continue
            text = event.value
            if event.anchor or event.tag:
                raise _NotPlainError
            found[key] = plain_value(text) if event.implicit[0] else text
            if in_braces and not text and event.implicit[0]:
                self._may_leave_out = True
        if type(event) is not MappingEndEvent:
            raise _NotPlainError  # a key that is no text, or an alias
        return found

    def _list(self, depth: int, name: str | None) -> list[Any]:
        """A list; the places of its items are kept for one with a name."""
        get, found = self._get, list[Any]()
        event: Any
        while type(event := get()) is not SequenceEndEvent:
            if name is not None:
                self._items[name, len(found)] = event.start_mark.index
            is_scalar = type(event) is ScalarEvent
            found.append(_scalar(event) if is_scalar else self._inner(event, depth + 1))
        return found


def _scalar(event: Any) -> Any:
    if event.anchor or event.tag:
        raise _NotPlainError
    return plain_value(event.value) if event.implicit[0] else event.value
