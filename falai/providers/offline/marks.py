"""Values that are known by their looks: addresses, telephone numbers, dates, codes."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from falai.providers.offline.heard import Heard
from falai.providers.offline.wants import Kind


class Span(NamedTuple):
    """A part of a message."""

    start: int
    end: int

    def meets(self, other: "Span") -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


_DAY = (
    r"(?:hoje|amanha|depois de amanha|today|tomorrow|"
    r"(?:(?:na|no|next|on|proxima|proximo|this)\s+)?"
    r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|seg|qua|qui|sex|sab|dom|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:-feira)?|"
    r"dia\s+\d{1,2}|\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?)"
)
_HOUR = r"(?:(?:as\s+|at\s+)?(?:\d{1,2}:\d{2}|\d{1,2}\s?h(?:\d{2})?|\d{1,2}\s?(?:am|pm)))"
_LOOKS: dict[Kind, re.Pattern[str]] = {
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    "url": re.compile(
        r"(?:https?://|www\.)[^\s<>\"']*[^\s<>\"'.,;!?)]|"
        r"\b[a-z][\w-]{0,62}\.(?:com|net|org|io|app|dev|co)(?:\.[a-z]{2})?\b(?!@)"
    ),
    "phone": re.compile(
        r"(?<![\w.,/-])\+?(?:\(?\d{2,3}\)?[ .-]?){0,2}\d{4,5}[ .-]?\d{4}(?![\w/-])"
    ),
    "date": re.compile(rf"\b(?:{_DAY}|{_HOUR})(?:(?:\s*,)?\s+(?:{_DAY}|{_HOUR}))*(?!\w)"),
    "code": re.compile(r"(?<![\w@.,/-])(?=[\w./-]*\d)[a-z0-9](?:[\w./-]*\w)?(?![\w@])"),
}


def marks_in(heard: Heard, kind: Kind, taken: Sequence[Span] = ()) -> Iterator[Span]:
    """Where a message holds something of a kind, outside of what is taken already."""
    looks = _LOOKS.get(kind)
    for found in looks.finditer(heard.folded) if looks else ():
        span = Span(found.start(), found.end())
        if not any(span.meets(other) for other in taken):
            yield span
