"""Which number of a message belongs to which field, by what stands beside it."""

from collections.abc import Sequence
from typing import NamedTuple

from falai.providers.offline.heard import Heard
from falai.providers.offline.lexicon import MONEY_UNITS, PEOPLE_UNITS
from falai.providers.offline.likeness import stem
from falai.providers.offline.marks import Span
from falai.providers.offline.numerals import Number, numbers_in
from falai.providers.offline.options import option_of, range_of
from falai.providers.offline.wants import Want

_ENOUGH = 2
_MOST = 20
"""Numbers of one message that are looked at."""
_NEAR = 3
"""How many words on either side of a number may tell what it is the number of."""
_PART = frozenset(",;.!?\n")


class Amount(NamedTuple):
    """A number that was found for a field."""

    want: Want
    value: str | int | float
    span: Span


def takes_number(want: Want) -> bool:
    """Whether a number may be the field's value: by its type, or by ranges among its options."""
    if want.declared.type in ("number", "integer"):
        return True
    return any(isinstance(option, str) and range_of(option) for option in want.declared.enum or ())


def amounts_in(heard: Heard, wants: Sequence[Want], taken: Sequence[Span]) -> list[Amount]:
    """Give the numbers to the fields that they fit best, each once."""
    numbers = [
        number
        for number in numbers_in(heard)[:_MOST]
        if not any(Span(number.start, number.end).meets(span) for span in taken)
    ]
    pairs = [
        (-_affinity(heard, number, want), Amount(want, value, _span(heard, number, want)))
        for want in wants
        for number in numbers
        if (value := _value(number, want)) is not None
    ]
    given: list[Amount] = []
    for distance, amount in sorted(pairs, key=lambda pair: pair[0]):
        is_free = all(a.want is not amount.want and not a.span.meets(amount.span) for a in given)
        if -distance >= _ENOUGH and is_free:
            given.append(amount)
    return given


def _value(number: Number, want: Want) -> str | int | float | None:
    """The number as the field's value; None when it can be none of its values."""
    if want.declared.enum is not None:
        return option_of(number.value, want.declared.enum)
    is_whole = isinstance(number.value, int)
    return number.value if is_whole or want.declared.type == "number" else None


def _affinity(heard: Heard, number: Number, want: Want) -> int:
    """How much speaks for a number to be the field's; below nothing, what speaks against it."""
    points = 2 if want.asked else 0
    if number.vague and not _is_unit(number, want) and (number.counted or not want.asked):
        return -1
    if _is_unit(number, want):
        points += 4
    elif number.money:
        points += 3 if want.is_money else -4
    elif number.counted in PEOPLE_UNITS:
        points += 3 if want.is_people else -4
    return points + 3 * _is_told_beside(heard, number, want)


def _is_unit(number: Number, want: Want) -> bool:
    """Whether the field is what the number counts."""
    return stem(number.counted) in want.words


def _is_told_beside(heard: Heard, number: Number, want: Want) -> bool:
    """Whether a word of the field stands near, in the same part of the sentence."""
    before = [word for word in heard.words if word.end <= number.start][-_NEAR:]
    behind = [word for word in heard.words if word.start >= number.end][:_NEAR]
    between = [(word, word.end, number.start) for word in before]
    between += [(word, number.end, word.start) for word in behind]
    return any(
        stem(word.folded) in want.words and _PART.isdisjoint(heard.text[start:end])
        for word, start, end in between
    )


def _span(heard: Heard, number: Number, want: Want) -> Span:
    """The number together with its unit, so that `30 pessoas` leaves nothing over."""
    is_unit = number.counted in MONEY_UNITS | PEOPLE_UNITS or _is_unit(number, want)
    behind = (word for word in heard.words if word.start >= number.end)
    unit = next((word for word in behind if is_unit and word.folded == number.counted), None)
    return Span(number.start, unit.end if unit else number.end)
