"""The passage of a long text that a failed expectation is about."""

import re
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from falai.shapes import is_list, is_mapping

Span: TypeAlias = tuple[int, int]
"""Where a passage begins and ends."""

_WIDTH = 90
"""Characters of a text that are shown; one that is no longer is shown whole."""
_LEAD = 30
"""Characters shown before the passage."""
_LOOKED_AT = 300
"""Characters of what was wanted that are looked for: enough to tell one passage from another."""
_LEAST = 3
"""Characters in common below which two texts have nothing to do with each other."""


def excerpt(text: str, span: Span | None) -> str:
    """Cut a text to what stands around a passage, or to its beginning where there is none."""
    if len(text) <= _WIDTH:
        return text
    start, end = span or (0, 0)
    # A passage that is long itself is shown from its beginning.
    lead = min(_LEAD, max(_WIDTH - (end - start), 0))
    first = max(min(start - lead, len(text) - _WIDTH), 0)
    last = first + _WIDTH
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"


def nearest_passage(words: str, text: str) -> Span | None:
    """Where a text says most of what it was to contain."""
    looked_at = words[:_LOOKED_AT]
    block = SequenceMatcher(None, looked_at, text, autojunk=False).find_longest_match()
    if block.size < min(_LEAST, len(looked_at)):
        return None
    start = max(block.b - block.a, 0)
    return start, start + len(looked_at)


def nearest_match(pattern: str, text: str) -> Span | None:
    """Where the longest beginning of a pattern matches that matches at all."""
    for end in range(min(len(pattern), _LOOKED_AT), 0, -1):
        try:
            found = re.search(pattern[:end], text)
        except re.error:  # cut in the middle of a group
            continue
        if found is not None and found[0]:
            return found.span()
    return None


def matched_passage(matcher: Any, text: str) -> Span | None:
    """Where a text has what a matcher found in it; None when it looked at the whole."""
    if not is_mapping(matcher):
        return None
    for name, argument in matcher.items():
        for option in argument if is_list(argument) else (argument,):
            span = _found(name, option, text)
            if span is not None:
                return span
    return None


def _found(name: str, argument: Any, text: str) -> Span | None:
    if name == "$regex":
        found = re.search(argument, text)
        return found.span() if found else None
    if name == "$contains":
        start = text.find(argument)
        return None if start < 0 else (start, start + len(argument))
    return matched_passage(argument, text)
