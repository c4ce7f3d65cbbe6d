"""Bare answers: what a message says to a question, when nothing else marks it as a value."""

import re
from collections.abc import Iterator, Sequence

from falai.providers.offline.heard import Heard, Word, fold
from falai.providers.offline.lexicon import INTENT, NOT_NAMES, STOP, word_set
from falai.providers.offline.manner import asks, declines, greets, thanks, verdict
from falai.providers.offline.marks import Span
from falai.providers.offline.wants import Want

_COMMAS = re.compile(r"[,;\n]")
_ANY_JOINT = re.compile(r"[,;\n/]|\s+(?:e|and)\s+")
_LEADS = word_set("e eh o a os as it's its is na no em in at da do de from somos sou chamo me")
"""Words before a name that are no part of it."""
_MOST_WORDS = {"name": 4, "company": 5, "city": 5, "date": 8, "code": 6}
_MOST_FREE_WORDS = 12
_EDGES = " \t\r\n.,;:!?-\"'“”"


def bare_answers(heard: Heard, wants: Sequence[Want], taken: Sequence[Span]) -> dict[str, str]:
    """Give what is left of a message to the texts that were asked for, in order."""
    if not wants or asks(heard):
        return {}
    if len(wants) == 1 and wants[0].kind is None and not taken:
        answer = _answer(heard, wants[0])
        return {wants[0].slug: answer} if answer else {}
    parts = _parts(heard, taken, _COMMAS)
    if len(parts) < len(wants):
        parts = _parts(heard, taken, _ANY_JOINT)
    return dict(_dealt(parts, wants))


def _dealt(parts: list[Heard], wants: Sequence[Want]) -> Iterator[tuple[str, str]]:
    """Each field in turn gets the next part that may be its value."""
    left = iter(parts)
    for want in wants:
        answer = next(filter(None, (_answer(part, want) for part in left)), None)
        if answer:
            yield want.slug, answer


def _parts(heard: Heard, taken: Sequence[Span], joints: re.Pattern[str]) -> list[Heard]:
    """What was not taken, cut at the joints."""
    text = list(heard.text)
    for span in taken:
        text[span.start : span.end] = "," * (span.end - span.start)
    left = "".join(text)
    ends = [found.span() for found in joints.finditer(fold(left))]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(left)]
    pieces = (left[start:stop] for start, stop in zip(starts, stops, strict=True))
    return [Heard.of(piece) for piece in pieces if piece.strip(_EDGES)]


def _answer(heard: Heard, want: Want) -> str | None:
    """The part as the field's value, or None when it can be none."""
    said = [word for word in heard.said if word not in STOP]
    if not said or asks(heard) or greets(heard) or thanks(heard) or declines(heard):
        return None
    if verdict(heard) is not None or len(heard.words) > _MOST_WORDS.get(
        want.kind or "", _MOST_FREE_WORDS
    ):
        return None
    if want.kind in ("name", "company", "city"):
        return _proper(heard, want)
    return heard.text.strip(_EDGES)


def _proper(heard: Heard, want: Want) -> str | None:
    """A name of somebody or something, without what leads to it."""
    start = next((n for n, word in enumerate(heard.words) if word.folded not in _LEADS), 0)
    words: Sequence[Word] = heard.words[start:]
    first = words[0].folded
    if first in INTENT or first in NOT_NAMES or first in STOP:
        return None
    name = heard.text[words[0].start : words[-1].end]
    if want.kind == "name" and any(letter.isdigit() for letter in name):
        return None
    return name if any(letter.isalpha() for letter in name) else None
