"""What kind of thing a message is: a yes or a no, a question, a greeting, thanks, a goodbye."""

import re

from falai.providers.offline.heard import Heard
from falai.providers.offline.lexicon import (
    ASKING,
    ASKING_PHRASES,
    BYES,
    GREETINGS,
    GREETINGS_ALSO,
    NO,
    NO_ALONE,
    THANKS,
    YES,
    YES_ALONE,
    YES_PHRASES,
)

_SHORT = 4
"""Words up to which a message is taken for a bare yes or no wherever the word stands."""
_FILLERS = GREETINGS | {"ah", "oh", "e", "well", "entao", "agora"}
_BARE_NO = re.compile(
    r"\W*no(?:\W*$|\s*[,.!;:-]|\s+(?:thanks|thank|way|it|i|that|they)\b)|.*\bno\W*$"
)
"""`no` by itself: in Portuguese it is `in the`."""
_UNSURE = re.compile(
    r"\b(?:nao sei|nao tenho certeza|not sure|don't know|dont know|no idea|talvez|maybe)\b"
)


def verdict(heard: Heard) -> bool | None:
    """Whether the message says yes or no; None when it is about something else."""
    if _UNSURE.search(heard.folded):
        return None
    if " ".join(heard.said) in YES_PHRASES:
        return True
    said = heard.said
    while said and said[0] in _FILLERS:
        said = said[1:]
    if not said:
        return None
    if said[0] in NO or _BARE_NO.match(heard.folded):
        return False
    if said[0] in YES:
        return not _takes_back(said)
    return _in_few_words(said) if len(said) <= _SHORT else None


def _takes_back(said: tuple[str, ...]) -> bool:
    """`claro que não` and `of course not` begin like a yes."""
    return said[1:3] == ("que", "nao") or said[1:2] == ("not",)


def _in_few_words(said: tuple[str, ...]) -> bool | None:
    if not (NO | NO_ALONE).isdisjoint(said):
        return False
    return None if (YES | YES_ALONE).isdisjoint(said) else True


def asks(heard: Heard) -> bool:
    """Whether the message asks something."""
    if "?" in heard.folded:
        return True
    said = heard.said
    while said and said[0] in GREETINGS | {"e", "and", "mas", "but"}:
        said = said[1:]
    spaced = f" {' '.join(said)} "
    return bool(said[:1]) and (
        said[0] in ASKING or any(f" {phrase} " in spaced for phrase in ASKING_PHRASES)
    )


def greets(heard: Heard) -> bool:
    """Whether the message is a greeting and nothing else."""
    said = heard.said
    return bool(said) and said[0] in GREETINGS and set(said) <= GREETINGS | GREETINGS_ALSO


def thanks(heard: Heard) -> bool:
    """Whether the message thanks, in few words."""
    return len(heard.words) <= _SHORT + 1 and not THANKS.isdisjoint(heard.said)


def takes_leave(heard: Heard) -> bool:
    """Whether the message says goodbye."""
    return not BYES.isdisjoint(heard.said[:1])


def declines(heard: Heard) -> bool:
    """Whether the message begins by saying that there is no answer: `não sei`, `I don't know`."""
    words = heard.said[:4]
    return bool(words) and (
        words[0] in NO or "nao" in words or not {"don't", "dont", "no"}.isdisjoint(words[:3])
    )
