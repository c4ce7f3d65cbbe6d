"""Lines of a pane: pieces of text with what they mean, never with how that looks."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

Style: TypeAlias = Literal[
    "plain",
    "dim",
    "head",
    "good",
    "bad",
    "warn",
    "mark",
    "customer",
    "assistant",
    "verbatim",
    "chip",
    "added",
    "removed",
]
"""What a piece of text means. Whatever it means can be read without colour too: a word or a
glyph says it."""


class Span(msgspec.Struct, frozen=True):
    """Some text of one meaning. It is shown as it stands: nothing in it is markup."""

    text: str
    style: Style = "plain"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a pane."""

    spans: Sequence[Span]
    key: str = ""
    """What keeps the line known when the pane is drawn anew; empty for one that is only text."""
    to: int | None = None
    """The step that enter jumps to."""
    opens: str | None = None
    """The whole text that enter shows, where the line shows a part."""
    folds: str | None = None
    """The part of the pane that enter folds and unfolds."""
    path: str | None = None
    """The value that the line shows, for a watch or for who set it: `data.name`."""

    @property
    def text(self) -> str:
        """The line without its meanings."""
        return "".join(span.text for span in self.spans)


def line(
    *pieces: str | Span,
    style: Style = "plain",
    key: str = "",
    to: int | None = None,
    opens: str | None = None,
    folds: str | None = None,
    path: str | None = None,
) -> Line:
    """A line of pieces; text among them has the style of the line."""
    spans = tuple(Span(it, style) if isinstance(it, str) else it for it in pieces)
    return Line(spans=spans, key=key, to=to, opens=opens, folds=folds, path=path)
