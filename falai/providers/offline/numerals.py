"""Numbers in a message: in digits, with their separators and signs, and in words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from falai.providers.offline.heard import Heard, Word
from falai.providers.offline.lexicon import MONEY_UNITS


class Number(NamedTuple):
    """A number that somebody wrote."""

    value: int | float
    start: int
    end: int
    money: bool
    """Whether a currency stands beside it."""
    counted: str
    """The folded word behind it: what there is so much of."""
    vague: bool = False
    """A lone `um` or `one`, which may be an article."""


_DIGITS = re.compile(
    r"(?<![\w.,/:@+-])(?P<currency>(?:r\$|us\$|\$|€|£)\s*)?(?<![\w.,])(?P<minus>-)?"
    r"(?P<digits>\d+(?:[.,]\d+)*)(?P<scale>\s*(?:k|mil|mi|milhao|milhoes|bi|bilhao|bilhoes|"
    r"thousand|million|millions|billion|billions))?\b(?![/:@-]\w)"
)
_COUNTED = re.compile(r"\s+(?:(?:de|of)\s+)?([^\W\d_]+)")
_MOST_DIGITS = 15
_FACTORS = {"k": 10**3, "mil": 10**3, "thousand": 10**3, "bi": 10**9}


def numbers_in(heard: Heard) -> list[Number]:
    """Every number of a message, in the order in which they stand."""
    in_digits = [
        number for found in _DIGITS.finditer(heard.folded) for number in _read(heard, found)
    ]
    ends = [(number.start, number.end) for number in in_digits]
    in_words = [
        number
        for number in _spelled(heard)
        if not any(start < number.end and number.start < end for start, end in ends)
    ]
    return sorted([*in_digits, *in_words], key=lambda number: number.start)


def value_of(digits: str) -> int | float | None:
    """Read digits with either sign for the decimals; None when they are no number, as in a date."""
    groups = re.split(r"[.,]", digits)
    marks = [mark for mark in digits if mark in ".,"]
    if sum(map(len, groups)) > _MOST_DIGITS:
        return None
    if not marks or _is_grouped(groups, marks):
        return int("".join(groups))
    if marks.count(marks[-1]) > 1 or (len(marks) > 1 and len(set(marks)) == 1):
        return None
    return _plain(float(f"{''.join(groups[:-1])}.{groups[-1]}"))


def _is_grouped(groups: list[str], marks: list[str]) -> bool:
    """Whether all marks set thousands apart, as in 1.500 or 1,000,000."""
    return (
        len(set(marks)) == 1
        and 1 <= len(groups[0]) <= 3
        and groups[0] != "0"
        and all(len(group) == 3 for group in groups[1:])
    )


def _read(heard: Heard, found: re.Match[str]) -> Iterator[Number]:
    value = value_of(found["digits"])
    if value is None:
        return
    value = _plain(round(value * _factor((found["scale"] or "").strip()), 6))
    counted = _behind(heard, found.end())
    yield Number(
        -value if found["minus"] else value,
        found.start(),
        found.end(),
        found["currency"] is not None or counted in MONEY_UNITS,
        counted,
    )


def _factor(scale: str) -> int:
    return _FACTORS.get(scale, (10**6 if scale.startswith("mi") else 10**9) if scale else 1)


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _behind(heard: Heard, end: int) -> str:
    """The word right behind a place, past `de` and `of`."""
    found = _COUNTED.match(heard.folded, end)
    return found[1] if found else ""


# --- in words -----------------------------------------------------------------------------------


def _counted(first: int, step: int, spellings: str) -> dict[str, int]:
    """Every spelling to its value, counting from the first one by steps."""
    return {
        word: first + step * place
        for place, words in enumerate(spellings.split(";"))
        for word in words.split()
    }


_UNITS = _counted(
    0,
    1,
    "zero; um uma one; dois duas two; tres three; quatro four; cinco five; seis six; sete seven; "
    "oito eight; nove nine; dez ten; onze eleven; doze twelve; treze thirteen; "
    "quatorze catorze fourteen; quinze fifteen; dezesseis sixteen; dezessete seventeen; "
    "dezoito eighteen; dezenove nineteen",
)
_TENS = _counted(
    20,
    10,
    "vinte twenty; trinta thirty; quarenta forty; cinquenta fifty; sessenta sixty; "
    "setenta seventy; oitenta eighty; noventa ninety",
)
_HUNDREDS = _counted(
    100,
    100,
    "cem cento; duzentos duzentas; trezentos trezentas; quatrocentos quatrocentas; "
    "quinhentos quinhentas; seiscentos seiscentas; setecentos setecentas; "
    "oitocentos oitocentas; novecentos novecentas",
)
_VALUES = _UNITS | _TENS | _HUNDREDS
_SCALES = {"mil": 1_000, "thousand": 1_000, "milhao": 10**6, "milhoes": 10**6, "million": 10**6}
_JOINTS = ("e", "and")
_VAGUE = ("um", "uma", "one")


def _spelled(heard: Heard) -> Iterator[Number]:
    words, at = heard.words, 0
    while at < len(words):
        end, value = _longest(words, at)
        if end > at:
            counted = _behind(heard, words[end - 1].end)
            vague = end == at + 1 and words[at].folded in _VAGUE
            start, stop = words[at].start, words[end - 1].end
            yield Number(value, start, stop, counted in MONEY_UNITS, counted, vague)
        at = max(end, at + 1)


def _longest(words: tuple[Word, ...], at: int) -> tuple[int, int]:
    """Where the number that begins at a word ends, and its value; the same place when none does."""
    total = current = end = 0
    room = 10**12
    """What may still be added: after `twenty` a number below ten, after `thousand` one below it."""
    for place in range(at, len(words)):
        word = words[place].folded
        if word in _JOINTS and end == place:
            continue
        if word in _SCALES and (current or not total):
            total, current, room = total + (current or 1) * _SCALES[word], 0, _SCALES[word]
        elif word == "hundred" and 0 < current < 10:
            current, room = current * 100, 100
        elif word in _VALUES and _VALUES[word] < room:
            current, room = current + _VALUES[word], _room(_VALUES[word])
        else:
            break
        end = place + 1
    return (end, total + current) if end else (at, 0)


def _room(value: int) -> int:
    if value >= 100:
        return 100
    return 10 if value >= 20 else 1
