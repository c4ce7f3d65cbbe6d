"""Places in files, and the one error for every file that cannot be read."""

import difflib
import os.path
import re
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""The way to a value inside a file: mapping keys and list positions (from 0)."""

_BREAK = re.compile(r"\r\n|\n|\r")


class Place(NamedTuple):
    """A position in a file, counted from 1 in characters."""

    file: str
    """The file's name as the user gave it."""
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class ScenarioFileError(Exception):
    """A file cannot be used: `file:line:column: what. how to fix.`"""

    def __init__(self, place: Place, what: str, fix: str = "") -> None:
        self.place = place
        self.what = what
        """The problem in a few words, without a full stop."""
        self.fix = fix
        """One or two sentences; may be empty."""
        super().__init__(f"{place}: {sentence(what)} {fix}".rstrip())


class TextError(Exception):
    """A text is not what it should be, at some offset; whoever reads the file adds its name."""

    def __init__(self, offset: int, what: str, fix: str) -> None:
        self.offset = offset
        self.what = what
        self.fix = fix
        super().__init__(what)


class Lines:
    """Turns offsets in a text into lines and columns."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in _BREAK.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def tidied(path: Path) -> Path:
    """The path without each `..` that takes back a step, if that leads to the same file."""
    if ".." not in path.parts:
        return path
    short = Path(os.path.normpath(path))
    # Behind a link to a folder, `..` is not where one came from.
    same = not os.path.exists(path) or (os.path.exists(short) and os.path.samefile(path, short))
    return short if same else path


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends in punctuation of its own."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def counted(number: int, noun: str) -> str:
    """A number of things: `1 call`, `2 calls`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def suggestion(word: str, options: Iterable[str]) -> str:
    """Propose the option that looks like the word, or list them all."""
    names = list(options)
    if close := nearest(word, names):
        return f'Did you mean "{close}"?'
    if len(names) == 1:
        return f"Write {names[0]}."
    return f"Write one of: {', '.join(names)}." if names else "Remove it."


def nearest(word: str, options: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The option that looks like the word, if any does."""
    names = {option.casefold(): option for option in options}
    found = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=likeness)
    return names[found[0]] if found else None
