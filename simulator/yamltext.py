"""Reads YAML text as the plain values that JSON has, and finds where in it a value stands.

YAML 1.2's core schema, held to what JSON can say: no dates, octals, sexagesimals or `yes`.
"""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias, cast

import yaml

from simulator.place import KeyPath, TextError
from simulator.yamltrouble import TOO_DEEP, trouble

_PLAIN = "plain"
"""Our tag for a scalar without quotes, whose spelling tells what it is."""
_QUOTED = "quoted"
_CORE = "tag:yaml.org,2002:"

_INTEGER = re.compile(r"-?(0|[1-9]\d*)", re.ASCII)
_FLOAT = re.compile(r"-?(\.\d+|(0|[1-9]\d*)(\.\d*)?)([eE][-+]?\d+)?", re.ASCII)
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_SCALAR_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}
DEPTH = 100
"""How deeply a value may be nested: what reads it further on goes down by calling itself."""
_REPEATS = 100_000
"""How many collections aliases may repeat: a few nested ones can stand for billions."""


Pair: TypeAlias = tuple[yaml.Node, yaml.Node]


class _Untagged:
    """What a composer asks to resolve, without PyYAML's own resolver and its YAML 1.1."""

    _tags: ClassVar = {True: _PLAIN, False: _QUOTED}

    def resolve(self, kind: type, value: Any, implicit: Any) -> str:
        return self._tags[implicit[0]] if kind is yaml.ScalarNode else _PLAIN

    def descend_resolver(self, current_node: Any, current_index: Any) -> None: ...

    def ascend_resolver(self) -> None: ...


class SlowReader(_Untagged, yaml.SafeLoader):
    """The reader written in Python, for an installation of PyYAML without libyaml."""


if yaml.__with_libyaml__:

    class FastReader(_Untagged, yaml.CSafeLoader):
        """The reader of libyaml."""

    _reader: type[yaml.SafeLoader | yaml.CSafeLoader] = FastReader
else:
    _reader = SlowReader


def parse_yaml(
    text: str, reader: type[yaml.SafeLoader | yaml.CSafeLoader] = _reader
) -> tuple[Any, yaml.Node | None]:
    """The value of a YAML text and its root node; no node when the text says nothing.

    Raises TextError for anything that is not one document of plain values.
    """
    try:
        root = reader(text).get_single_node()
        return (None if root is None else _Builder().build(root)), root
    except yaml.YAMLError as exc:
        raise trouble(text, exc) from None
    except RecursionError:
        raise TextError(0, TOO_DEEP, "Flatten it.") from None


def yaml_offset(root: yaml.Node, path: KeyPath, *, key: bool = False) -> int:
    """Where the value stands, or its key; the nearest ancestor when it is not there."""
    key_node = node = root
    for name in path:
        hit = _child(node, name)
        if hit is None:
            return _start(node)
        key_node, node = hit
    return _start(key_node if key else node)


def is_left_out(root: yaml.Node, path: KeyPath) -> bool:
    """Whether a mapping in braces has a key but nothing at all for its value: `{a: 1, b}`."""
    parent = node = root
    for name in path:
        hit = _child(node, name)
        if hit is None:
            return False
        parent, node = node, hit[1]
    return isinstance(parent, yaml.MappingNode) and _is_left_out(parent, node)


def bare_keys(root: yaml.Node, text: str) -> Iterator[tuple[int, str]]:
    """Offset and name of every key in braces with nothing behind it, not even a colon.

    Mostly they are no keys at all: a comma in a text without quotes ends the text.
    """
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += reversed(cast("list[yaml.Node]", node.value))
        elif isinstance(node, yaml.MappingNode):
            for key, value in _pairs(node):
                # Where nothing is written, libyaml gives the place of whatever comes next.
                between = text[key.end_mark.index : _start(value)]
                if _is_left_out(node, value) and ":" not in between:
                    yield _start(key), key.value
            waiting += [value for _, value in reversed([*_pairs(node)])]


def _is_left_out(mapping: yaml.MappingNode, value: yaml.Node) -> bool:
    return bool(mapping.flow_style) and value.tag == _PLAIN and value.value == ""


def _child(node: yaml.Node, name: str | int) -> Pair | None:
    if isinstance(node, yaml.SequenceNode):
        items = cast("list[yaml.Node]", node.value)
        if isinstance(name, int) and 0 <= name < len(items):
            return items[name], items[name]
        return None
    if not isinstance(node, yaml.MappingNode):
        return None
    pairs = list(_pairs(node))
    own = next((pair for pair in pairs if not _is_merge(pair[0]) and pair[0].value == name), None)
    if own is not None:
        return own
    merged = (source for pair in pairs if _is_merge(pair[0]) for source in _sources(pair[1]))
    return next((hit for source in merged if (hit := _child(source, name))), None)


def _start(node: yaml.Node) -> int:
    return node.start_mark.index


def _pairs(node: yaml.MappingNode) -> Iterator[Pair]:
    yield from cast("list[Pair]", node.value)


def _is_merge(key: yaml.Node) -> bool:
    return key.tag == _PLAIN and key.value == "<<"


def _sources(node: yaml.Node) -> Iterator[yaml.Node]:
    """The mappings that a `<<` names: one, or a list of them."""
    if isinstance(node, yaml.SequenceNode):
        yield from cast("list[yaml.Node]", node.value)
    else:
        yield node


class _Builder:
    """Makes values of nodes, every alias anew, so that no two places share a value."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._repeats = 0

    def build(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.tag == _QUOTED else _scalar(node)
        self._enter(node)
        value = self._mapping(node) if isinstance(node, yaml.MappingNode) else self._list(node)
        self._open.discard(id(node))
        return value

    def _enter(self, node: yaml.Node) -> None:
        if id(node) in self._open:
            raise TextError(_start(node), "this value contains itself", "Remove the alias in it.")
        self._repeats += id(node) in self._seen
        if self._repeats > _REPEATS:
            raise TextError(_start(node), "its aliases repeat it too often", "Use fewer.")
        if len(self._open) == DEPTH:
            raise TextError(_start(node), TOO_DEEP, "Flatten it.")
        self._open.add(id(node))
        self._seen.add(id(node))
        kind = "map" if isinstance(node, yaml.MappingNode) else "seq"
        if node.tag not in (_PLAIN, f"{_CORE}{kind}"):
            raise _unknown_tag(node)

    def _list(self, node: yaml.Node) -> list[Any]:
        return [self.build(item) for item in cast("list[yaml.Node]", node.value)]

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in _pairs(node):
            if _is_merge(key_node):
                merged = {**self._merge(value_node), **merged}
                continue
            key = _key(key_node)
            if key in own:
                raise TextError(
                    _start(key_node), f'the key "{key}" stands twice in one mapping', "Remove one."
                )
            own[key] = self.build(value_node)
        return {**merged, **own} if merged else own

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        """What a `<<` brings in; of several mappings the earlier one wins."""
        merged: dict[str, Any] = {}
        for source in _sources(node):
            if not isinstance(source, yaml.MappingNode):
                raise TextError(
                    _start(source), "<< takes a mapping or a list of them", "Name an anchor: *name."
                )
            merged = {**self.build(source), **merged}
        return merged


def _key(node: yaml.Node) -> str:
    """A key as it is written, whatever it looks like."""
    if not isinstance(node, yaml.ScalarNode):
        raise TextError(_start(node), "a key must be text", "Put it in quotes.")
    return node.value


def _scalar(node: yaml.ScalarNode) -> Any:
    if node.tag == _PLAIN:
        return plain_value(node.value)
    name = node.tag.removeprefix(_CORE)
    if name == "str":
        return node.value
    types = _SCALAR_TYPES.get(name)
    if types is None:
        raise _unknown_tag(node)
    value = plain_value(node.value)
    if type(value) not in types:
        raise TextError(_start(node), f'"{node.value}" is no {name}', "Remove the tag.")
    return float(value) if name == "float" else value


def plain_value(text: str) -> Any:
    """What a scalar without quotes stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:  # more digits than Python reads
        return text


def _unknown_tag(node: yaml.Node) -> TextError:
    tag = node.tag.replace(_CORE, "!!")
    return TextError(_start(node), f"unknown tag {tag}", "Remove it: a file holds plain values.")
