"""Values that stand behind the name of their field: `nome: Ana`, `meu grau é 2`."""

import re
from functools import lru_cache

from falai.providers.offline.heard import Heard, fold
from falai.providers.offline.marks import Span
from falai.providers.offline.wants import Want, spaced

_END = re.compile(r"[,;!?\n]|\.\s|\.$|\s+(?:e|and)\s+(?:[ao]s?|meu|minha|my|the)\s|$")
_PROPER = ("name", "company", "city")
"""Kinds that are told by their own turns of phrase."""
_MOST_WORDS = 6


def told_in(heard: Heard, want: Want) -> Span | None:
    """Where the message gives a text under the name of its field."""
    for found in _lead(want.slug).finditer(heard.folded):
        # Without its accent the verb is an `and`; `a empresa é pequena` names no company.
        is_verb = found["is"] is not None
        if is_verb and (want.kind in _PROPER or heard.text[found.start("is")] == "e"):
            continue
        end = _END.search(heard.folded, found.end())
        span = Span(found.end(), end.start() if end else len(heard.text))
        words = [word for word in heard.words if span.start <= word.start < span.end]
        if 1 <= len(words) <= _MOST_WORDS:
            return span
    return None


@lru_cache(maxsize=1024)
def _lead(slug: str) -> re.Pattern[str]:
    name = r"\s+".join(map(re.escape, fold(spaced(slug)).split())) or r"(?!)"
    return re.compile(rf"(?<!\w){name}\s*(?:[:=]|\s(?P<is>e|eh|is)\s)\s*(?=\S)")
