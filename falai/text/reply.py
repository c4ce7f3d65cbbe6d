"""Reads what a model wrote: the JSON object in it, however wrapped, and the message as it comes."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec

from falai.providers.base import ModelReply
from falai.text.salvage import mended, object_at
from falai.words.field import number_text

_DECODER: msgspec.json.Decoder[dict[str, Any] | str] = msgspec.json.Decoder(dict[str, Any] | str)
_OPENING = re.compile(r'\{\s*"')
_MEANT = re.compile(r"""\s*(?:`{3,}\w*\s*)?\{\s*(?:["'}]|$)""")
_KEY = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?=\S)', re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\],]', re.DOTALL)
_TEXT = re.compile(r'[^"\\]+|\\u[0-9a-fA-F]{4}|\\[^u]|"', re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HALF = "\ufffd"

_Reader: TypeAlias = Callable[[list[str]], bool]
"""Appends the text that is certain, and tells whether the next reader may go on."""


def is_blank(reply: ModelReply) -> bool:
    """Whether a reply holds nothing at all: no text, no object, no tool call."""
    return not reply.message.strip() and reply.structured is None and not reply.tool_calls


def object_of(reply: ModelReply) -> Mapping[str, Any] | None:
    """The object in a reply, parsed by the provider or here; None when there is none."""
    return read_object(reply.message) if reply.structured is None else mended(reply.structured)


def read_object(text: str) -> dict[str, Any] | None:
    """Find the first JSON object in a text; None when there is none.

    Prose and code fences around it are passed over. Of one that is malformed or cut off, the
    members that are complete count; a text that is nothing but a failed object is an empty one.
    """
    with suppress(msgspec.DecodeError, RecursionError, UnicodeError):
        whole = _DECODER.decode(text)
        # Some models write the object as a JSON text.
        return read_object(whole) if isinstance(whole, str) else whole
    with suppress(RecursionError):
        for opening in _OPENING.finditer(text):
            found = object_at(text, opening.start())
            if found:
                return found
    return {} if _MEANT.match(text) else None


def read_arguments(raw: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The arguments of a tool call as a mapping; empty when nothing can be read."""
    if raw is None or isinstance(raw, str):
        return read_object(raw or "") or {}
    return dict(raw)


def read_text(value: object) -> str:
    """A text that a model gave, a number or boolean spelled out; anything else is none."""
    if isinstance(value, str):
        return value
    return number_text(value) if isinstance(value, bool | int | float) else ""


class MessageStream:
    """Decodes an envelope's `message` while the reply arrives, and lets nothing else through.

    A reply with no envelope is its own message; as an envelope may follow any prose, that is
    certain only at the end: `finish` hands it over.
    """

    def __init__(self) -> None:
        self._seen = ""
        self._at = 0
        self._read: _Reader = self._find
        self._depth = 0
        self._high: int | None = None
        self._found = False

    def feed(self, chunk: str) -> str:
        """Take the next piece of the reply; return the text that became readable with it."""
        self._seen += chunk
        said: list[str] = []
        while self._read(said):
            pass
        return "".join(said)

    def finish(self) -> str:
        """The text that was held back, once nothing more comes."""
        if self._found:
            return ""
        found = read_object(self._seen)
        return self._seen if found is None else read_text(found.get("message"))

    def _find(self, _: list[str]) -> bool:
        opening = _OPENING.search(self._seen)
        if opening is None:
            return False
        return self._go(opening.end() - 1, self._key)

    def _key(self, _: list[str]) -> bool:
        key = _KEY.match(self._seen, self._at)
        if key is None:
            return False
        self._found = key[1] == "message" and self._seen.startswith('"', key.end())
        return self._go(key.end() + self._found, self._text if self._found else self._skip)

    def _skip(self, _: list[str]) -> bool:
        """Pass over a value, up to the comma behind it."""
        while token := _TOKEN.search(self._seen, self._at):
            mark = token[0]
            if mark == '"' or (mark in "}]" and not self._depth):
                return False
            self._at = token.end()
            if mark == "," and not self._depth:
                return self._go(self._at, self._key)
            self._depth += (mark in "{[") - (mark in "}]")
        self._at = len(self._seen)
        return False

    def _text(self, said: list[str]) -> bool:
        while piece := _TEXT.match(self._seen, self._at):
            self._at = piece.end()
            if piece[0] == '"':
                said += [_HALF] if self._high else []
                return self._go(self._at, self._end)
            said.append(self._decoded(piece[0]))
        return False

    def _end(self, _: list[str]) -> bool:
        return False

    def _go(self, at: int, reader: _Reader) -> bool:
        self._at = at
        self._read = reader
        return True

    def _decoded(self, piece: str) -> str:
        """Decode one piece; the first half of a character waits for the second."""
        high, self._high = self._high, None
        unit = int(piece[2:], 16) if piece.startswith("\\u") else None
        if high is not None and unit is not None and 0xDC00 <= unit <= 0xDFFF:
            return chr(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
        lost = _HALF if high is not None else ""
        if unit is None:
            return lost + (_ESCAPES.get(piece[1], piece[1]) if piece[0] == "\\" else piece)
        if 0xD800 <= unit <= 0xDBFF:
            self._high = unit
            return lost
        return lost + (_HALF if 0xDC00 <= unit <= 0xDFFF else chr(unit))
