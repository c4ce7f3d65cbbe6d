"""Edits of a text: stretches of it, and what is to stand there."""

from collections.abc import Iterable

import msgspec

from simulator.accept.tree import CannotEditError


class Edit(msgspec.Struct, frozen=True):
    """Another text for a stretch of a file; an empty stretch takes an addition."""

    start: int
    end: int
    text: str
    depth: int = 0
    """How deep the value lies: what is added behind an inner one comes first."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; raises CannotEditError when one reaches into another."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end, -edit.depth)):
        if edit.start < at:
            raise CannotEditError("two changes in it cannot be told apart: edit it by hand")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])
