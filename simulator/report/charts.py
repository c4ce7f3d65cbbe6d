"""Charts as inline SVG: bars and columns, drawn for the width of a phone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from simulator.report.amounts import shown
from simulator.report.markup import Markup, joined, tag

WIDTH = 340
"""Every chart is as wide as this in its own units, which are CSS pixels on a phone."""

_LABELS = 138
_NUMBERS = 52
_ROW = 24
_BAR = 12
_LABEL_SIGNS = 20
"""Signs of a label that fit; the rest of a longer one is in its tooltip."""


class Bar(NamedTuple):
    """One row of a bar chart: the parts of the bar by the class that colours them."""

    label: str
    parts: Sequence[tuple[str, float]]
    explained: str = ""

    @property
    def total(self) -> float:
        return sum(value for _, value in self.parts)


def bar_chart(title: str, bars: Sequence[Bar]) -> Markup:
    """Horizontal bars, longest scale first; the number stands behind each."""
    most = max((bar.total for bar in bars), default=0) or 1
    rows = joined(_row(bar, place * _ROW, most) for place, bar in enumerate(bars))
    return _svg(title, len(bars) * _ROW, rows)


def _row(bar: Bar, top: float, most: float) -> Markup:
    space = WIDTH - _LABELS - _NUMBERS
    middle = top + _ROW / 2
    label = bar.label
    if len(label) > _LABEL_SIGNS:
        label = f"{label[: _LABEL_SIGNS - 1]}…"
    end = _LABELS + bar.total / most * space
    return tag(
        "g",
        tag("title", bar.explained or bar.label),
        tag("text", label, x=_LABELS - 8, y=_n(middle), class_="label end"),
        _parts(bar, top, space / most),
        tag("text", shown("", bar.total), x=_n(end + 6), y=_n(middle), class_="number"),
    )


def _parts(bar: Bar, top: float, scale: float) -> Iterator[Markup]:
    left = float(_LABELS)
    for class_, value in bar.parts:
        if value:
            yield tag(
                "rect",
                class_=class_,
                x=_n(left),
                y=_n(top + (_ROW - _BAR) / 2),
                width=_n(max(value * scale, 1)),
                height=_BAR,
            )
        left += value * scale


_COLUMNS_HEIGHT = 150
_FOOT = 40
_HEAD = 18
_WIDEST_COLUMN = 44


def column_chart(title: str, columns: Sequence[tuple[str, int]], axis: str) -> Markup:
    """Columns with their numbers on top, over a line that says what they are of."""
    most = max((count for _, count in columns), default=0) or 1
    base = _COLUMNS_HEIGHT - _FOOT
    pitch = WIDTH / max(len(columns), 1)
    drawn = (
        _column(label, count, (place + 0.5) * pitch, pitch, (base - _HEAD) / most)
        for place, (label, count) in enumerate(columns)
    )
    return _svg(
        title,
        _COLUMNS_HEIGHT,
        joined(drawn),
        tag("line", class_="axis", x1=0, y1=base, x2=WIDTH, y2=base),
        tag("text", axis, x=WIDTH / 2, y=_COLUMNS_HEIGHT - 8, class_="label middle"),
    )


def _column(label: str, count: int, middle: float, pitch: float, scale: float) -> Markup:
    base = _COLUMNS_HEIGHT - _FOOT
    width = min(pitch * 0.7, _WIDEST_COLUMN)
    height = max(count * scale, 1 if count else 0)
    bar = tag(
        "rect",
        class_="main",
        x=_n(middle - width / 2),
        y=_n(base - height),
        width=_n(width),
        height=_n(height),
    )
    return tag(
        "g",
        bar,
        tag(
            "text", shown("", count), x=_n(middle), y=_n(base - height - 8), class_="number middle"
        ),
        tag("text", label, x=_n(middle), y=base + 12, class_="label middle"),
    )


_STRIP_HEIGHT = 16
_STRIP_PITCH = 5
_STRIP_TURNS = 24


def strip(title: str, counts: Sequence[int], bad: Sequence[bool]) -> Markup:
    """The calls of each turn in a row, small enough to stand in a line of text."""
    most = max(counts, default=0) or 1
    pitch = _STRIP_PITCH * min(1, _STRIP_TURNS / max(len(counts), 1))
    height = _STRIP_HEIGHT - 2
    marks = joined(
        tag(
            "rect",
            class_="bad" if failed else "main" if count else "none",
            x=_n(place * pitch),
            y=_n(_STRIP_HEIGHT - (count / most * height if count else 1)),
            width=_n(pitch * 0.8),
            height=_n(count / most * height if count else 1),
        )
        for place, (count, failed) in enumerate(zip(counts, bad, strict=True))
    )
    drawn = (tag("title", title), marks)
    width = _n(max(len(counts) * pitch, 1))
    return tag("svg", *drawn, class_="strip", role="img", width=width, height=_STRIP_HEIGHT)


def _svg(title: str, height: float, *content: Markup) -> Markup:
    return tag(
        "svg",
        tag("title", title),
        *content,
        class_="chart",
        role="img",
        viewBox=f"0 0 {WIDTH} {_n(height)}",
    )


def _n(number: float) -> str:
    """A length, short and the same on every machine."""
    return f"{number:.1f}".removesuffix(".0")
