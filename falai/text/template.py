"""Fills the `{{path}}` placeholders of an author's text, and closes the gaps that blanks leave."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from falai.shapes import compact, is_list, is_mapping, is_set
from falai.words.field import number_text

_PLACEHOLDER = re.compile(r"\{\{\s*([^\s{}]+)\s*\}\}")
_INDEX = re.compile(r"0|[1-9][0-9]*")

# What is done, in this order, to a text in which something was blank.
_GAPS = (
    (re.compile(r"(?<=\S)[ \t]{2,}"), " "),
    (re.compile(r"[ \t]+(?=[,.;:!?…])"), ""),
    (re.compile(r"[,;]+(?=[,;.!?…])"), ""),
    (re.compile(r"^([ \t]*)[,;:!?]+[ \t]+(?=\S)", re.MULTILINE), r"\1"),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
)


class _Slot(NamedTuple):
    before: str
    """The author's text between the placeholder ahead of this one and this one."""
    written: str
    """The placeholder as written, which stays when the path leads nowhere."""
    path: tuple[str, ...]


def render(text: str, roots: Mapping[str, Any]) -> str:
    """Fill every placeholder once: what a value holds is never rendered again.

    An unknown path keeps its placeholder. A root that is missing or UNSET is unknown.
    """
    if "{{" not in text:
        return text
    slots, tail = _parse(text)
    pieces: list[str] = []
    gaps = False
    for before, written, path in slots:
        filled = _fill(written, path, roots)
        gaps = gaps or not filled
        pieces += (before, filled)
    pieces.append(tail)
    filled_in = "".join(pieces)
    return _close_gaps(filled_in) if gaps else filled_in


def render_deep(value: Any, roots: Mapping[str, Any]) -> Any:
    """Render every string inside mappings and lists; keys and other values pass through."""
    if isinstance(value, str):
        return render(value, roots)
    if is_mapping(value):
        return {key: render_deep(item, roots) for key, item in value.items()}
    if is_list(value):
        return [render_deep(item, roots) for item in value]
    return value


def find(path: Sequence[str], roots: Mapping[str, Any]) -> Any:
    """Walk down to a value: UNSET when the path leads nowhere, `""` when it goes below a null."""
    value: Any = roots
    for key in path:
        if value is None:
            return ""
        value = _child(value, key)
        if value is UNSET:
            return UNSET
    return value


@lru_cache(maxsize=4096)
def _parse(text: str) -> tuple[tuple[_Slot, ...], str]:
    slots: list[_Slot] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        slots.append(_Slot(text[end : match.start()], match[0], tuple(match[1].split("."))))
        end = match.end()
    return tuple(slots), text[end:]


def _fill(written: str, path: tuple[str, ...], roots: Mapping[str, Any]) -> str:
    value = find(path, roots)
    return written if value is None or value is UNSET else _spell(value)


def _child(value: Any, key: str) -> Any:
    if is_mapping(value):
        return value.get(key, UNSET)
    if is_list(value):
        inside = _INDEX.fullmatch(key) and int(key) < len(value)
        return value[int(key)] if inside else UNSET
    return getattr(value, key) if key in _attributes(value) else UNSET


def _attributes(value: Any) -> Sequence[str]:
    """The fields of a record in the host's context; no other attribute is reachable."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    if is_dataclass(value):
        return tuple(value.__dataclass_fields__)
    return ()


def _spell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return number_text(value)
    if is_list(value):
        return ", ".join(map(_spell, value))
    if is_set(value):
        return ", ".join(sorted(map(_spell, value)))
    if is_mapping(value):
        return compact(value)
    # A date or an id of the host's own is text to the reader, not a quoted JSON string.
    plain = msgspec.to_builtins(value, enc_hook=str)
    return plain if isinstance(plain, str) else compact(plain)


def _close_gaps(text: str) -> str:
    for pattern, replacement in _GAPS:
        text = pattern.sub(replacement, text)
    return text
