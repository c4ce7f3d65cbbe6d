"""Phrases that a trigger or an instruction's `when` is for, and those that rule it out."""

from collections.abc import Sequence
from typing import NamedTuple


class Phrases(NamedTuple):
    """What a message should mean, and what it must not; an exclusion beats a match."""

    matches: tuple[str, ...]
    exclusions: tuple[str, ...]


def split_phrases(phrases: str | Sequence[str] | None) -> Phrases:
    """Tell the phrases from those with a leading `!`; blank ones and a bare `!` are dropped."""
    written = [phrases] if isinstance(phrases, str) else phrases or ()
    trimmed = [phrase.strip() for phrase in written]
    return Phrases(
        tuple(phrase for phrase in trimmed if phrase and not phrase.startswith("!")),
        tuple(
            rest for phrase in trimmed if phrase.startswith("!") and (rest := phrase[1:].strip())
        ),
    )
