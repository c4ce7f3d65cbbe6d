"""Lays plain data out as YAML that is read, and compared, by people.

A text of several lines stands as a block, whatever is in it; what is short stands on one line.
PyYAML's own writer escapes a text with a tab or with a space at the end of a line, and leaves
quotes out where YAML 1.2 needs them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from falai.shapes import is_list, is_mapping
from simulator.yamltext import plain_value

_SHORT = 88
"""Characters that a mapping or a list may take to stand on one line."""
_LONG_KEY = 100
"""From here on a key is marked with `?`: readers look for its colon only so far."""
_PLAIN = re.compile(r"[A-Za-z0-9_./À-ɏ](?:[\w ./@+=~;()*$^%<>!'’\"-]*[\w./)%!])?")
"""Text that is the same without quotes, in brackets too, unless it is another value's spelling."""
_URL = re.compile(r"https?://[\w./@+=~%&:-]*\w")
_UNPRINTABLE = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def yaml_text(value: Mapping[str, Any]) -> str:
    """A mapping of plain values as a YAML document: reading it gives the same values again."""
    return "".join(f"{line}\n" for line in _mapping(value, ""))


def _mapping(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        name = _key(key)
        head = f"{indent}? {name}\n{indent}:" if len(name) > _LONG_KEY else f"{indent}{name}:"
        yield from _item(head, item, indent)


def _list(value: Sequence[Any], indent: str) -> Iterator[str]:
    for item in value:
        yield from _item(f"{indent}-", item, indent)


def _item(head: str, value: Any, indent: str) -> Iterator[str]:
    """What stands behind a key or a dash, and below it."""
    inner = f"{indent}  "
    if not (is_mapping(value) or is_list(value)):
        yield from _scalar(head, value, inner)
        return
    line = _one_line(value)
    if line is not None and len(line) <= _SHORT:
        yield f"{head} {line}"
        return
    lines = _mapping(value, inner) if is_mapping(value) else _list(list(value), inner)
    if not head.endswith("-"):
        yield head
    elif (first := next(lines)).lstrip().startswith("? "):
        yield from (head, first)  # such a key does not go behind a dash in every reader
    else:
        yield f"{head} {first[len(inner) :]}"
    yield from lines


def _scalar(head: str, value: Any, indent: str) -> Iterator[str]:
    if not isinstance(value, str) or not _is_block(value):
        yield f"{head} {_word(value)}"
        return
    text = value.rstrip("\n")
    ends = len(value) - len(text)
    hint = str(2) if value[0] in " \n\t" else ""
    yield f"{head} |{hint}{'-' if not ends else '' if ends == 1 else '+'}"
    for line in text.split("\n"):
        yield f"{indent}{line}" if line else ""
    yield from [""] * (ends - 1)


def _is_block(text: str) -> bool:
    """Whether a text is laid out line by line."""
    if "\n" not in text or _UNPRINTABLE.search(text):
        return False
    lines = text.rstrip("\n").split("\n")
    return bool(lines[-1].strip(" \t")) and bool(lines[0].strip(" \t"))


def _one_line(value: Any) -> str | None:
    """A value in brackets and braces; None when it holds a text of several lines, or is long."""
    if is_mapping(value):
        parts = [(_key(key), _one_line(item)) for key, item in value.items()]
        if any(part is None or len(key) > _SHORT for key, part in parts):
            return None
        return f"{{{', '.join(f'{key}: {part}' for key, part in parts)}}}"
    if is_list(value):
        items = [_one_line(item) for item in value]
        return None if None in items else f"[{', '.join(filter(None, items))}]"
    if isinstance(value, str) and ("\n" in value or len(value) > _SHORT):
        return None
    return _word(value)


def _key(key: str) -> str:
    """A key is text whatever it looks like."""
    return key if _PLAIN.fullmatch(key) and key.isascii() and " " not in key else _quoted(key)


def _word(value: Any) -> str:
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and plain_value(value) == value
        return value if is_plain or _URL.fullmatch(value) else _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    """A text in quotes: in those that leave most of it as it is."""
    if ('"' in text or "\\" in text) and "\n" not in text and not _UNPRINTABLE.search(text):
        doubled = text.replace("'", "''")
        return f"'{doubled}'"
    return _UNPRINTABLE.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
