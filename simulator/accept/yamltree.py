"""Finds in a YAML text where every value begins and ends, and where the comments are."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from simulator.accept.tree import CannotEditError, Item, Node, Tree

_COMMENT = re.compile(r"#[^\r\n]*")
_HEADER_COMMENT = re.compile(r"[^\r\n]*?[ \t](#[^\r\n]*)")
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def yaml_tree(text: str) -> Tree:
    """Read the stretches of a text that was read as YAML before: it has one document."""
    events = list(yaml.parse(text, Loader=_LOADER))
    comments = list(_comments(text, events))
    root = _Builder(_masked(text, comments), events).build()
    return Tree(text=text, root=root, comments=comments)


def _comments(text: str, events: list[yaml.Event]) -> Iterator[tuple[int, int]]:
    """What a # begins anywhere but in a scalar, or behind the sign of a block of text."""
    at = 0
    for event in events:
        if not isinstance(event, yaml.ScalarEvent) or _is_empty(event):
            continue
        yield from _comments_between(text, at, _start(event))
        at = _end(event)
        if event.style in ("|", ">"):
            header = _HEADER_COMMENT.match(text, _start(event), at)
            if header is not None:
                yield header.span(1)
    yield from _comments_between(text, at, len(text))


def _comments_between(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _COMMENT.finditer(text, start, end))


def _masked(text: str, comments: list[tuple[int, int]]) -> str:
    """The text without what its comments say, every other character in its place."""
    parts: list[str] = []
    at = 0
    for start, end in comments:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


class _Builder:
    def __init__(self, text: str, events: list[yaml.Event]) -> None:
        self._text = text
        self._events = iter(events)

    def build(self) -> Node:
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                break
        return self._node(0)

    def _node(self, floor: int, event: yaml.Event | None = None) -> Node:
        """The next value; one of which nothing is written stands at the floor."""
        event = event or next(self._events)
        if isinstance(event, yaml.AliasEvent):
            return Node(kind="alias", start=_start(event), end=_end(event), anchor=event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, floor)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(event)
        assert isinstance(event, yaml.MappingStartEvent)
        return self._mapping(event)

    def _scalar(self, event: yaml.ScalarEvent, floor: int) -> Node:
        if _is_empty(event):
            return Node(kind="scalar", start=floor, end=floor)
        style = event.style or ""
        end = self._block_end(event) if style in ("|", ">") else _end(event)
        return Node(kind="scalar", start=_start(event), end=end, style=style, anchor=event.anchor)

    def _block_end(self, event: yaml.ScalarEvent) -> int:
        """Blank lines behind a block of text are part of it only when it keeps them."""
        written = self._text[_start(event) : _end(event)]
        keeps = "+" in re.split(r"[\s#]", written, maxsplit=1)[0]
        kept = re.sub(r"\r?\n$|\r$", "", written) if keeps else written.rstrip()
        return _start(event) + len(kept)

    def _list(self, start: yaml.SequenceStartEvent) -> Node:
        node = _collection("list", start)
        at = _end(start)
        # A list that is not indented has its first dash already behind it.
        at -= not node.flow and self._text[at - 1] == "-"
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            if node.flow:
                inner = self._node(at, event)
                item = Item(start=inner.start, after=inner.start, node=inner)
            else:
                dash = self._find("-", at)
                item = Item(start=dash, after=dash + 1, node=self._node(dash + 1, event))
            node.items.append(item)
            at = item.node.end
        return self._closed(node, event, at)

    def _mapping(self, start: yaml.MappingStartEvent) -> Node:
        node = _collection("mapping", start)
        at = _end(start)
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(at, event)
            colon = self._find(":", key.end)
            name = event.value if isinstance(event, yaml.ScalarEvent) else None
            value = self._node(colon + 1)
            node.items.append(Item(key=name, start=key.start, after=colon + 1, node=value))
            at = value.end
        return self._closed(node, event, at)

    def _closed(self, node: Node, event: yaml.Event, at: int) -> Node:
        node.end = _end(event) if node.flow else at
        return node

    def _find(self, sign: str, at: int) -> int:
        found = self._text.find(sign, at)
        if found < 0 or self._text[at:found].strip(" \t\r\n?"):
            raise CannotEditError("the file is written in a way that cannot be edited")
        return found


def _collection(kind: Any, event: yaml.CollectionStartEvent) -> Node:
    flow = bool(event.flow_style)
    return Node(kind=kind, start=_start(event), end=0, flow=flow, items=[], anchor=event.anchor)


def _is_empty(event: yaml.ScalarEvent) -> bool:
    return _start(event) == _end(event)


def _start(event: yaml.Event) -> int:
    assert event.start_mark is not None  # the events of a parser have marks
    return event.start_mark.index


def _end(event: yaml.Event) -> int:
    assert event.end_mark is not None  # the same
    return event.end_mark.index
