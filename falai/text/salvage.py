"""Reads an object that is malformed or cut off, as far as it is JSON."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from falai.shapes import is_list, is_mapping

_BLANKS = re.compile(r"\s*")
_HALF_NUMBER = re.compile(r"[.eE+-]*")
_WRITER = msgspec.json.Encoder()
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")

# Line breaks that a model left unescaped inside a text are let through.
_DECODER = json.JSONDecoder(strict=False)


class _CutError(Exception):
    """The text stops being JSON here; what was read so far stands."""


def object_at(text: str, start: int) -> dict[str, Any]:
    """The object that begins at a brace, or as much of it as is there.

    Only what is complete counts: half a text or half a number could mean something else.
    Raises RecursionError when it is nested beyond reason.
    """
    found: dict[str, Any] = {}
    try:
        found, _ = _DECODER.raw_decode(text, start)
    except ValueError:
        with suppress(_CutError):
            _read_members(text, start + 1, found)
    return mended(found)


def _read_members(text: str, at: int, into: dict[str, Any]) -> int:
    """Read the members of an object, from behind its brace to behind the one that ends it."""
    while True:
        key, at = _read_scalar(text, at)
        if not isinstance(key, str):
            raise _CutError
        at = _read_mark(text, at, ":")
        at = _read_value(text, at, partial(into.__setitem__, key))
        at, ended = _read_end(text, at, "}")
        if ended:
            return at


def _read_items(text: str, at: int, into: list[Any]) -> int:
    while True:
        at = _read_value(text, at, into.append)
        at, ended = _read_end(text, at, "]")
        if ended:
            return at


def _read_value(text: str, at: int, put: Callable[[Any], None]) -> int:
    """Hand on a value; a container before it is filled, so that a cut leaves what it has."""
    at = _skip_blanks(text, at)
    if text.startswith("{", at):
        members: dict[str, Any] = {}
        put(members)
        end = _skip_blanks(text, at + 1)
        return end + 1 if text.startswith("}", end) else _read_members(text, end, members)
    if text.startswith("[", at):
        items: list[Any] = []
        put(items)
        end = _skip_blanks(text, at + 1)
        return end + 1 if text.startswith("]", end) else _read_items(text, end, items)
    value, end = _read_scalar(text, at)
    put(value)
    return end


def _read_scalar(text: str, at: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, _skip_blanks(text, at))
    except ValueError:
        raise _CutError from None
    # A number at the very end may have lost digits.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and _HALF_NUMBER.fullmatch(text, end):
        raise _CutError
    return value, end


def _read_end(text: str, at: int, closing: str) -> tuple[int, bool]:
    """Read what follows a member: a comma, the mark that ends its container, or both."""
    at = _skip_blanks(text, at)
    if not text.startswith(closing, at):
        at = _skip_blanks(text, _read_mark(text, at, ","))
    ended = text.startswith(closing, at)
    return at + ended, ended


def _read_mark(text: str, at: int, mark: str) -> int:
    at = _skip_blanks(text, at)
    if not text.startswith(mark, at):
        raise _CutError
    return at + 1


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def mended(value: Any) -> Any:
    """The value without half characters, which no store could write; itself, if it has none."""
    try:
        _WRITER.encode(value)
    except (TypeError, ValueError, RecursionError):  # or it holds something else that is no JSON
        return _copied(value)
    return value


def _copied(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF_CHARACTER.sub("\ufffd", value)
    if is_mapping(value):
        return {_copied(key): _copied(item) for key, item in value.items()}
    if is_list(value):
        return [_copied(item) for item in value]
    return value
