"""The parts of the page that are no chart: the sums, the tables, and the comparison."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.report.amounts import (
    HEADINGS,
    counted,
    numbers_shown,
    shown,
    texts_shown,
    tokens_shown,
)
from simulator.report.baseline import Comparison
from simulator.report.changes import change_shown, file_and_title, grown_steps, step_shown, verdict
from simulator.report.frames import Frames
from simulator.report.markup import Content, Markup, tag
from simulator.report.tables import By, Totals, known_columns, rows_of, table_of, totals_of


def tiles(frames: Frames) -> Markup:
    """The sums over everything, each with a word on what it is made of."""
    totals = totals_of(frames)
    per_turn = f"{totals.calls / totals.turns:.2f} a turn" if totals.turns else ""
    verdicts = Counter[str](frames.scenarios["status"].tolist())
    statuses = [f"{verdicts[name]} {name}" for name in sorted(verdicts)]
    drawn = [
        _tile(shown("", totals.scenarios), _noun(totals.scenarios, "scenario"), statuses),
        _tile(shown("", totals.turns), _noun(totals.turns, "turn"), [_outcomes(totals)]),
        _tile(
            shown("", totals.calls),
            _noun(totals.calls, "model call"),
            [per_turn, f"{totals.failed} failed"],
        ),
        _tile(shown("", totals.tokens), "tokens", tokens_shown(totals)),
    ]
    cost = totals.sums["costUsd"]
    if cost is not None:
        drawn.append(_tile(shown("costUsd", cost), "US dollars", []))
    if totals.latency is not None:
        p50, p95 = (shown("", latency) for latency in totals.latency)
        drawn.append(_tile(p50, "ms latency at p50", [f"p95 {p95} ms"]))
    return tag("dl", drawn, class_="tiles")


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _outcomes(totals: Totals) -> str:
    return counted(totals.outcomes, "outcome")


def _tile(number: str, name: str, notes: Sequence[str]) -> Markup:
    note = ", ".join(filter(None, notes))
    return tag("div", tag("dt", name), tag("dd", number), tag("dd", note, class_="note"))


# --- tables -------------------------------------------------------------------------------------


def table(frames: Frames, by: By) -> Markup:
    """A table in a frame of its own, which scrolls where the page is too narrow or it is long."""
    numbers = numbers_shown(by, known_columns(frames))
    measure = "outcomes" if by == "code" else "calls"
    rows = rows_of(table_of(frames, by))
    most = max((row[measure] for row in rows), default=0)
    heads = [
        *(tag("th", name, scope="col") for name in _names(by)),
        tag("td", class_="bar", aria_hidden="true"),
        *(tag("th", HEADINGS.get(name, name), scope="col", class_="number") for name in numbers),
    ]
    body = (_row(row, by, numbers, row[measure] / most if most else 0) for row in rows)
    drawn = tag("table", tag("thead", tag("tr", heads)), tag("tbody", body))
    label = f"Table by {by}"
    return tag("div", drawn, class_="scroll", tabindex="0", role="region", aria_label=label)


def _names(by: By) -> Sequence[str]:
    """The columns of text; the file of a scenario stands below its title."""
    return [name for name in texts_shown(by) if name != "file"]


def _row(row: Mapping[str, Any], by: By, numbers: Sequence[str], share: float) -> Markup:
    first, *texts = (str(row[name] or "") for name in _names(by))
    head: Content = [first, tag("small", row["file"])] if by == "scenario" else first
    rect = tag("rect", class_="main", width=f"{share:.1%}", height="100%")
    return tag(
        "tr",
        tag("th", head, scope="row"),
        (tag("td", text) for text in texts),
        tag("td", tag("svg", rect, class_="share"), class_="bar", aria_hidden="true"),
        (tag("td", shown(name, row[name]), class_="number") for name in numbers),
    )


# --- the comparison -----------------------------------------------------------------------------


def compared(comparison: Comparison) -> Iterator[Markup]:
    state = "grew" if comparison.grown else "kept"
    yield tag("p", verdict(comparison), class_=f"verdict {state}")
    grown = [
        tag(
            "li",
            tag("b", step_shown(at)),
            " ",
            ", ".join(change_shown(one.measure, one.before, one.after) for one in changes),
            tag("small", file_and_title(at.file, at.scenario)),
        )
        for at, changes in grown_steps(comparison)
    ]
    yield _list(grown, "growth")
    yield _list([tag("li", "New: ", file_and_title(*each)) for each in comparison.added], "other")
    yield _list(
        [tag("li", "Missing: ", file_and_title(*each)) for each in comparison.missing], "other"
    )


def _list(items: Sequence[Markup], class_: str) -> Markup:
    return tag("ul", items, class_=class_) if items else Markup()
