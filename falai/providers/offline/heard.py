"""A text as it was written and as it is compared: accents and case folded, letter by letter."""

import re
from functools import cached_property, lru_cache
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct

MOST_READ = 2_000
"""Characters of a text that are read; what a person says in one go is shorter."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_HALVES = re.compile("[\ud800-\udfff]")
_APOSTROPHES = "’ʼ`´"


class Word(NamedTuple):
    """One word and where it stands."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def is_capital(self) -> bool:
        """Whether it is written as names are."""
        return self.text[0].isupper()


class Heard(Struct, frozen=True, dict=True):
    """A text with its folded twin of the same length: found in one, cut out of the other."""

    text: str
    folded: str

    @classmethod
    def of(cls, text: str) -> "Heard":
        """Take the beginning of a text; halves of characters are left out, JSON has no room for them."""
        kept = normalize("NFC", _HALVES.sub("", text[:MOST_READ]))
        return cls(kept, fold(kept))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(
            Word(self.text[found.start() : found.end()], found[0], found.start(), found.end())
            for found in _WORD.finditer(self.folded)
        )

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The folded words."""
        return tuple(word.folded for word in self.words)


def fold(text: str) -> str:
    """Drop accents and case, one character for one."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


def words_of(text: str) -> list[str]:
    """The folded words of a text."""
    return _WORD.findall(fold(text))


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    base = normalize("NFD", character)[0].lower()
    return base if len(base) == 1 else character
