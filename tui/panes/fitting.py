"""Keeps the lines of a pane as wide as there is room."""

from collections.abc import Iterable

from msgspec.structs import replace

from tui.model.shown import cells, cut
from tui.model.text import Line, Span


def fitted(lines: Iterable[Line], width: int) -> list[Line]:
    """The lines, those that are too wide cut with an ellipsis; their meanings stay."""
    return [fit(it, width) for it in lines]


def fit(it: Line, width: int) -> Line:
    """A line in so many columns."""
    if cells(it.text) <= width:
        return it
    kept: list[Span] = []
    room = width
    for span in it.spans:
        # The last sign of a span that just fits may have to give way to the ellipsis.
        is_last_that_fits = cells(span.text) >= room
        text = cut(f"{span.text} ", room) if is_last_that_fits else span.text
        kept.append(Span(text, span.style))
        room -= cells(text)
        if is_last_that_fits:
            break
    return replace(it, spans=tuple(kept))
