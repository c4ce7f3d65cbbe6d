"""A flow, built or written, as plain mappings and lists under its wire names.

Nothing is checked here: a wrong attribute goes over as it is, for the reader to refuse.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping
from falai.words.flow import (
    Do,
    Event,
    If,
    Mention,
    Message,
    Say,
    Silence,
    Talk,
    Wait,
    WaitEvent,
)

DEEPEST = 100
"""Levels of nesting; no flow needs a tenth of them, and recursion must end somewhere."""

_KEYS: Mapping[type, Mapping[str, str]] = {
    Message: {"phrases": "message"},
    Mention: {"phrases": "mention"},
    Silence: {"after": "silence"},
    Event: {"name": "event"},
}


def plain(value: Any, depth: int = 0) -> Any:
    """Copy a value; structs become mappings, tuples become lists.

    Raises FlowConfigurationError for what is nested beyond reason, or holds itself.
    """
    if depth > DEEPEST:
        what = f"is nested more than {DEEPEST} levels deep"
        raise FlowConfigurationError.at("flow", what, "Make it flatter.")
    if isinstance(value, msgspec.Struct):
        return _from_struct(value, depth)
    if is_mapping(value):
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if is_list(value):
        return [plain(item, depth + 1) for item in value]
    return value


def without_nulls(value: Any) -> Any:
    """Copy a value of any depth without what is null: a null means "not set"."""
    if is_mapping(value):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if is_list(value):
        return [without_nulls(item) for item in value if item is not None]
    return value


def _from_struct(struct: msgspec.Struct, depth: int) -> dict[str, Any]:
    keys = _KEYS.get(type(struct), {})
    given = {name: getattr(struct, name) for name in struct.__struct_fields__}
    written = {
        keys.get(name) or wire_name(name): plain(value, depth + 1)
        for name, value in given.items()
        if value is not None and value is not UNSET
    }
    return _shaped(struct, written)


def _shaped(struct: msgspec.Struct, written: dict[str, Any]) -> dict[str, Any]:
    """Apply what the wire form has and the structs do not: kinds and two small mappings."""
    if isinstance(struct, Say) and "media" in written:
        written["media"] = {"slug": written["media"]}
    if isinstance(struct, WaitEvent):
        wait = {key: written.pop(key) for key in ("event", "upTo") if key in written}
        return _with_kind("waitEvent", {**written, "wait": wait})
    if isinstance(struct, Talk | Say | Do | Wait | If):
        return _with_kind(struct.kind, written)
    return written


def _with_kind(kind: str, written: dict[str, Any]) -> dict[str, Any]:
    head = {"id": written["id"]} if "id" in written else {}
    return {**head, "kind": kind, **written}


def wire_name(attribute: str) -> str:
    """`clear_on_start` is `clearOnStart` on the wire, `if_` is `if`."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), attribute.rstrip("_"))
