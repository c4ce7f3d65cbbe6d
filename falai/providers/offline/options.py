"""Which option of an enum a message names, in words or by a number that lies in its range."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

from falai.providers.offline.heard import Heard, Word, fold, words_of
from falai.providers.offline.lexicon import STOP
from falai.providers.offline.likeness import stem
from falai.providers.offline.marks import Span

Option: TypeAlias = str | int | float
_ABBREVIATED = 4
"""Letters of a word that stand for the whole of it, as in `dermato`."""
_AKIN = 6
"""Letters at the beginning by which words are of one family, also across languages."""


class Named(NamedTuple):
    """An option, and where the message names it."""

    option: Option
    span: Span


def named_option(heard: Heard, options: Sequence[Option], *, asked: bool) -> Named | None:
    """The one option that the message names; None when it names none or several.

    Half of an option's words are enough where it was just asked for.
    """
    for share in (None, 1.0, 0.5) if asked else (None, 1.0):
        named = _outermost(_named(heard, options, share))
        if named:
            return named[0] if len(named) == 1 else None
    return None


def _named(heard: Heard, options: Iterable[Option], share: float | None) -> list[Named]:
    """Every option that stands there: letter by letter, or at least a share of its words."""
    spans = (
        (option, _literal(heard, option) if share is None else _meant(heard, option, share))
        for option in options
    )
    return [Named(option, span) for option, span in spans if span is not None]


def _outermost(named: list[Named]) -> list[Named]:
    """Without the options that stand inside of another, as `branco` in `azul e branco`."""
    return [one for one in named if not any(_is_within(one.span, other.span) for other in named)]


def _is_within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer.start <= inner.start and inner.end <= outer.end


def _literal(heard: Heard, option: Option) -> Span | None:
    written = str(option).strip()
    if len(written) == 1 and written.isalpha():
        return _letter(heard, written)
    found = _whole(written).search(heard.folded) if written else None
    return Span(found.start(), found.end()) if found else None


@lru_cache(maxsize=1024)
def _whole(written: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(fold(written))}(?!-?\w)")


def _letter(heard: Heard, letter: str) -> Span | None:
    """A letter may be a word of its own, such as `a` or `e`: then it has to be written alike."""
    for word in heard.words:
        if word.text == letter or (word.folded == fold(letter) and word.folded not in STOP):
            return Span(word.start, word.end)
    return None


def _meant(heard: Heard, option: Option, share: float) -> Span | None:
    """The message's words that stand for at least a share of the option's."""
    wanted = [word for word in words_of(str(option)) if word not in STOP and not word.isdigit()]
    meant = [word for word in heard.words if any(_stands_for(word, other) for other in wanted)]
    named = [other for other in wanted if any(_stands_for(word, other) for word in meant)]
    if not named or len(named) < share * len(wanted):
        return None
    return Span(meant[0].start, meant[-1].end)


def _stands_for(word: Word, other: str) -> bool:
    if word.folded in STOP or len(word.folded) == 1:
        return False
    is_short_for = len(word.folded) >= _ABBREVIATED and other.startswith(word.folded)
    is_akin = len(other) >= _AKIN and word.folded[:_AKIN] == other[:_AKIN]
    return is_short_for or is_akin or stem(word.folded) == stem(other)


# --- ranges -------------------------------------------------------------------------------------

_DIGITS = r"(\d+(?:[.,]\d{3})*)\s*(k|mil)?"
_BETWEEN = r"\s*(?:-|–|a|ate|to|e|and|/)\s*"
_BOTH = re.compile(rf"(?:(?:de|entre|from|between)\s+)?{_DIGITS}{_BETWEEN}{_DIGITS}\b.*")
_ABOVE = re.compile(rf"(?:mais de|acima de|over|above|more than|>)\s*{_DIGITS}\b.*")
_FROM = re.compile(rf"{_DIGITS}\s*(?:\+|ou mais|or more).*")
_TO = re.compile(rf"(?:ate|up to|<=)\s*{_DIGITS}\b.*")
_BELOW = re.compile(rf"(?:menos de|abaixo de|under|below|less than|<)\s*{_DIGITS}\b.*")


class Range(NamedTuple):
    """The numbers that an option stands for."""

    low: float = 0.0
    high: float = inf
    open: bool = False
    """Whether the ends are left out, as in `more than 200`."""

    def holds(self, value: float) -> bool:
        """Whether a number lies in it."""
        inside = self.low < value < self.high if self.open else self.low <= value <= self.high
        return inside and value >= 0


def option_of(value: float, options: Sequence[Option]) -> Option | None:
    """The option that is a number, or the first whose range holds it."""
    for option in options:
        if isinstance(option, str):
            found = range_of(option)
            if found is not None and found.holds(value):
                return option
        elif option == value:
            return option
    return None


@lru_cache(maxsize=1024)
def range_of(option: str) -> Range | None:
    """The range of an option such as `11-50` or `200+`."""
    text = fold(option).strip()
    if found := _BOTH.fullmatch(text):
        return Range(_number(found, 1), _number(found, 3))
    if found := _FROM.fullmatch(text):
        return Range(_number(found, 1))
    if found := _TO.fullmatch(text):
        return Range(high=_number(found, 1))
    if found := _ABOVE.fullmatch(text):
        return Range(_number(found, 1), open=True)
    if found := _BELOW.fullmatch(text):
        return Range(-1.0, _number(found, 1), open=True)
    return None


def _number(found: re.Match[str], group: int) -> float:
    digits = re.sub(r"[.,]", "", found[group])
    return float(digits) * (1000 if found[group + 1] else 1)
