"""How much a message is like a phrase: the share of words that the two have in common."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from falai.providers.offline.heard import words_of
from falai.providers.offline.lexicon import ASK_VERBS, ENDINGS, KIN, LIGHT, STOP

_LITTLE = 0.3
"""What a light word weighs."""
_HISSING = re.compile(r"\w(?:x|z|ch|sh|ss)es$")
"""Plurals in `es` of short words: `boxes`, `vezes`."""
_STEM = 4
"""Letters that an ending must leave."""
ENOUGH = 2 / 3
"""The share of a phrase that must be there for it to count as said."""

Bag = Mapping[str, float]
"""The stems of a text, each with its weight."""


class Likeness(NamedTuple):
    """How well a message fits a phrase, from 0 to 1."""

    coverage: float = 0.0
    """How much of the phrase is in the message."""
    fit: float = 0.0
    """The same, with how much of the message is in the phrase."""


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A folded word without its ending; words that mean the same have one stem."""
    if word in KIN:
        return KIN[word]
    if _HISSING.search(word):
        return word[:-2]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=8192)
def bag_of(text: str) -> Bag:
    """The words that count in a text; of one made of stop words alone, those."""
    return bag(words_of(text))


def bag(words: Iterable[str]) -> Bag:
    """The stems of folded words, with their weights."""
    said = tuple(words)
    telling = {stem(word): _weight(word) for word in said if word not in STOP}
    return telling or dict.fromkeys(said, 1.0)


def compare(message: Bag, phrase: str, *, asks: bool) -> Likeness:
    """Compare a message with an author's phrase.

    A phrase that says that the customer asks fits a message that asks nothing only by half.
    """
    wanted = bag_of(phrase)
    shared = [word for word in wanted if word in message]
    if not shared or not _tells(shared, wanted):
        return Likeness()
    weight = sum(wanted[word] for word in shared)
    coverage = weight / sum(wanted.values())
    fit = 0.75 * sqrt(coverage) + 0.25 * weight / sum(message.values())
    if not asks and _is_about_asking(phrase):
        return Likeness(coverage / 2, fit / 2)
    return Likeness(coverage, min(fit, 1.0))


def best(message: Bag, phrases: Iterable[str], *, asks: bool) -> Likeness:
    """The likeness to the phrase that fits best."""
    found = (compare(message, phrase, asks=asks) for phrase in phrases)
    return max(found, key=lambda likeness: likeness.fit, default=Likeness())


def rules_out(excluded: Likeness, matched: Likeness) -> bool:
    """Whether an exclusion beats a match: it fits as well, or all of it was said."""
    return excluded.fit > 0 and (excluded.fit >= matched.fit or excluded.coverage > 0.99)


def _weight(word: str) -> float:
    return _LITTLE if word in LIGHT else 1.0


def _tells(shared: Iterable[str], wanted: Bag) -> bool:
    """Whether more than light words are shared, or the phrase has no others."""
    return any(wanted[word] == 1.0 for word in shared) or all(w < 1.0 for w in wanted.values())


@lru_cache(maxsize=8192)
def _is_about_asking(phrase: str) -> bool:
    return not ASK_VERBS.isdisjoint(words_of(phrase)[:1])
