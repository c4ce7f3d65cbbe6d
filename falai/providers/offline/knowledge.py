"""Answers a question from the agent's knowledge base, by the words that the two share."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from falai.providers.offline.heard import Heard
from falai.providers.offline.likeness import Bag, bag, bag_of
from falai.shapes import is_list, is_mapping
from falai.text.profile import Profile
from falai.words.field import number_text

_ENOUGH = 0.4
"""The share of a question's words that an entry has to hold."""


class Entry(NamedTuple):
    """One thing that an agent knows, under the titles that lead to it."""

    titles: tuple[str, ...]
    text: str

    @property
    def told(self) -> str:
        text = self.text if self.text[-1] in ".!?…" else f"{self.text}."
        return ": ".join([*self.titles, text])


def answer_to(heard: Heard, profile: Profile) -> str | None:
    """What the knowledge base has on a question; None when it has nothing."""
    asked = bag(heard.said)
    best, most = None, 0.0
    for entry in _entries(profile):
        points = _points(asked, entry)
        if points > most:
            best, most = entry, points
    return best.told if best is not None and most >= _ENOUGH else None


def _points(asked: Bag, entry: Entry) -> float:
    """The share of the question that an entry holds; titles count a little more."""
    holds = bag_of(f"{' '.join(entry.titles)} {entry.text}")
    shared = [word for word in asked if word in holds]
    if not any(asked[word] == 1.0 for word in shared):
        return 0.0
    in_titles = sum(word in bag_of(" ".join(entry.titles)) for word in shared)
    return sum(asked[word] for word in shared) / sum(asked.values()) + 0.01 * in_titles


@lru_cache(maxsize=256)
def _entries(profile: Profile) -> tuple[Entry, ...]:
    return tuple(_leaves(profile.knowledge_base, ()))


def _leaves(value: Any, titles: tuple[str, ...]) -> Iterator[Entry]:
    if is_mapping(value):
        for key, item in value.items():
            yield from _leaves(item, (*titles, str(key)))
    elif is_list(value):
        for item in value:
            yield from _leaves(item, titles)
    else:
        texts = value.splitlines() if isinstance(value, str) else _spelled(value)
        yield from (Entry(titles, text.strip()) for text in texts if text.strip())


def _spelled(value: Any) -> list[str]:
    if isinstance(value, bool | int | float):
        return [number_text(value)]
    return [] if value is None else [str(value)]
