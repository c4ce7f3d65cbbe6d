"""Reads JSON text strictly, and finds where in it a value stands, only when asked."""

import json
import re
from typing import Any

from simulator.place import KeyPath, TextError

_BLANKS = re.compile(r"[ \t\n\r]*")
_STRING_OR_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity')
_HALF_PAIR = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|"
    r"(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}"
)
_DECODER = json.JSONDecoder()
_FIX = "Check the commas, quotes and brackets just before."


class _DuplicateKeyError(Exception):
    """Some mapping has a key twice; the parser cannot tell where."""


class _NoNumberError(Exception):
    """NaN or an infinity, which JSON does not have; the parser cannot tell where."""


def parse_json(text: str) -> Any:
    """The value of a JSON text; raises TextError, also for a key that stands twice."""
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as exc:
        # A text may end early: the last character is then the nearest thing to point at.
        offset = min(exc.pos, max(len(text) - 1, 0))
        raise TextError(offset, f"not valid JSON: {_plain(exc.msg)}", _FIX) from None
    except _DuplicateKeyError:
        raise _duplicate(text) from None
    except _NoNumberError:
        raise _no_number(text) from None
    except RecursionError:
        raise TextError(0, "the file is nested too deeply", "Flatten it.") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits.
        raise TextError(0, "a number in it has too many digits", "Put it in quotes.") from None
    if _HALF_PAIR.search(text):
        _check_unicode(text, value)
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise _DuplicateKeyError
    return mapping


def _constant(_word: str) -> Any:
    raise _NoNumberError


def _plain(message: str) -> str:
    """The parser's words, made to stand in front of a place."""
    message = message.removesuffix(" at").removesuffix(" starting")
    return message[:1].lower() + message[1:]


def _duplicate(text: str) -> TextError:
    places = JsonPlaces(text)
    offset, key = places.duplicate() or (0, "")
    return TextError(offset, f'the key "{key}" stands twice in one mapping', "Remove one.")


def _no_number(text: str) -> TextError:
    words = (found for found in _STRING_OR_WORD.finditer(text) if found[0][0] != '"')
    word = next(words)
    return TextError(word.start(), f"{word[0]} is no JSON number", "Write null or a text.")


def _check_unicode(text: str, value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        found = _HALF_PAIR.search(text)
        offset = found.start() if found else 0
        raise TextError(offset, "half of a surrogate pair", "Write the character itself.") from None


class JsonPlaces:
    """Offsets of keys and values in a valid JSON text.

    One level is read at a time, the levels below it skipped by the C parser: finding every
    entry of a list costs one pass over the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._levels: dict[int, dict[str | int, tuple[int, int]]] = {}

    def offset(self, path: KeyPath, *, key: bool = False) -> int:
        """Where the value stands, or its key; the nearest ancestor when it is not there."""
        key_at = value_at = self._skip(0)
        for name in path:
            hit = self._level(value_at).get(name)
            if hit is None:
                return value_at
            key_at, value_at = hit
        return key_at if key else value_at

    def duplicate(self) -> tuple[int, str] | None:
        """The first key that stands twice in its mapping."""
        return self._duplicate_in(self._skip(0))

    def _duplicate_in(self, start: int) -> tuple[int, str] | None:
        seen: set[str | int] = set()
        for name, key_at, value_at in self._entries(start):
            if name in seen:
                return key_at, str(name)
            seen.add(name)
            if found := self._duplicate_in(value_at):
                return found
        return None

    def _level(self, start: int) -> dict[str | int, tuple[int, int]]:
        level = self._levels.get(start)
        if level is None:
            level = {name: (key, value) for name, key, value in self._entries(start)}
            self._levels[start] = level
        return level

    def _entries(self, start: int) -> list[tuple[str | int, int, int]]:
        """Name, key offset and value offset of what the mapping or list at `start` holds."""
        opening = self._text[start]
        if opening not in "{[":
            return []
        found: list[tuple[str | int, int, int]] = []
        at = self._skip(start + 1)
        while self._text[at] not in "}]":
            name, key_at, value_at = len(found), at, at
            if opening == "{":
                name, at = _DECODER.raw_decode(self._text, at)
                value_at = self._skip(self._skip(at) + 1)
            found.append((name, key_at, value_at))
            at = self._skip(_DECODER.raw_decode(self._text, value_at)[1])
            if self._text[at] == ",":
                at = self._skip(at + 1)
        return found

    def _skip(self, at: int) -> int:
        blanks = _BLANKS.match(self._text, at)
        assert blanks is not None  # the pattern matches nothing, too
        return blanks.end()
