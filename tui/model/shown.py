"""How values, texts and times are shown: on one line, as wide as there is room, nothing hidden."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from falai.shapes import compact, is_mapping

NONE = "–"
"""In the place of a value that is not there."""
_NEWLINE = " ⏎ "
_LONGEST = 4_000
"""Characters of a text that are looked at for one line."""
_PIECES = re.compile(r" +|[^ ]+")
_AS_EMOJI = "\ufe0f"
"""Behind a sign of one column, it asks for its coloured form, which has two."""


def shown(text: str) -> str:
    """A text on one line: its line ends and its control signs are seen."""
    text = text.replace("\r\n", "\n").replace("\n", _NEWLINE)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(sign: str) -> str:
    if sign.isprintable() or sign == "\u200d":
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def value(it: Any) -> str:
    """A value as JSON on one line; a dash for nothing."""
    if it is None:
        return NONE
    try:
        return shown(compact(it))
    except UnicodeEncodeError:
        return shown(repr(it))


def cells(text: str) -> int:
    """How many columns a terminal gives a text."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _cells(sign: str) -> int:
    if sign == _AS_EMOJI:
        return 1
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def cut(text: str, width: int) -> str:
    """A text on one line in so many columns; an ellipsis says that there is more."""
    whole = len(text) <= _LONGEST
    text = shown(text[:_LONGEST])
    if whole and cells(text) <= width:
        return text
    return f"{_start(text, width - 1)}…" if width > 0 else ""


def _start(text: str, room: int) -> str:
    """As much of the start of a text as fits."""
    for place, sign in enumerate(text):
        room -= _cells(sign)
        if room < 0:
            return text[:place]
    return text


def column(text: str, width: int) -> str:
    """A text in exactly so many columns."""
    text = cut(text, width)
    return text + " " * (width - cells(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """A text on as many lines as it takes, its own line ends kept; a line has two columns or more."""
    for paragraph in text.replace("\r\n", "\n").split("\n"):
        yield from _rows(shown(paragraph), max(2, width))


def _rows(text: str, width: int) -> Iterator[str]:
    """A text broken between words, and inside of those that no line has room for."""
    row, room, broken = "", width, False
    for piece in _PIECES.findall(text):
        if cells(piece) > room and row.strip():
            yield row.rstrip()
            row, room, broken = "", width, True
        if piece.isspace() and not row and (broken or cells(piece) > width - 2):
            # Spaces where a line was broken tell nothing, nor do those as wide as a line.
            continue
        *full, rest = _broken(piece, room, width) if cells(piece) > room else [piece]
        for part in full:
            yield row + part
            row, room, broken = "", width, True
        row, room = row + rest, room - cells(rest)
    if row.strip() or not broken:
        yield row.rstrip()


def _broken(word: str, room: int, width: int) -> Iterator[str]:
    """A long word in parts; the first has less room."""
    start = 0
    for place, sign in enumerate(word):
        room -= _cells(sign)
        if room < 0:
            yield word[start:place]
            start, room = place, width - _cells(sign)
    yield word[start:]


def hour(instant: str) -> str:
    """`10:05` of an ISO instant."""
    return instant[11:16]


def when(instant: str) -> str:
    """`2026-09-20 10:05Z` of an ISO instant."""
    return f"{instant[:10]} {instant[11:16]}Z" if len(instant) > len("2026-09-20") else instant


def lasting(ms: int) -> str:
    """A duration in its two largest units: `1d 2h`."""
    units = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000))
    parts: list[str] = []
    for name, size in units:
        count, ms = divmod(ms, size)
        if count:
            parts.append(f"{count}{name}")
    return " ".join(parts[:2]) or "0s"


def what_came(given: Mapping[str, Any]) -> str:
    """The input of a turn in a few words."""
    if "message" in given:
        return str(given["message"]) or "(an empty message)"
    if "event" in given:
        return f"event {given['event']}"
    if "wake" in given:
        return f"wake {given['wake']}"
    start = given.get("start")
    return f"start {start['flow']}" if is_mapping(start) else cut(compact(start), 40)
