"""The charts of a report, each with the numbers that it is drawn from as a table behind it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simulator.report.amounts import counted
from simulator.report.charts import Bar, bar_chart, column_chart
from simulator.report.frames import Frames
from simulator.report.markup import Content, Markup, tag
from simulator.report.owner import NONE
from simulator.report.tables import rows_of, table_of

_MOST_COLUMNS = 8
"""Turns with more calls than fit stand together in the last column."""
_MOST_BARS = 10

Cells = Sequence[Sequence[str | int]]


def figures(frames: Frames) -> Markup:
    """The charts side by side."""
    return tag("div", _calls_per_turn(frames), _tokens(frames), _codes(frames), class_="figures")


def _figure(
    title: str, chart: Content, heads: Sequence[str], cells: Cells, *, more: str = "The numbers"
) -> Markup:
    """A chart under its title, and its numbers for whoever cannot see it or wants them exact."""
    rows = (tag("tr", (_cell(cell) for cell in row)) for row in cells)
    table = tag(
        "table",
        tag("thead", tag("tr", (tag("th", head, scope="col") for head in heads))),
        tag("tbody", rows),
    )
    behind = tag("details", tag("summary", more), tag("div", table, class_="scroll"))
    return tag("figure", tag("figcaption", title), chart, behind)


def _cell(cell: str | int) -> Markup:
    return tag("td", cell) if isinstance(cell, str) else tag("td", str(cell), class_="number")


# --- calls per turn -----------------------------------------------------------------------------


def _calls_per_turn(frames: Frames) -> Markup:
    found = Counter[int](frames.turns["calls"].tolist())
    most = max(found, default=0)
    numbers = [(calls, found[calls]) for calls in range(most + 1)] if found else []
    columns = [(str(calls), turns) for calls, turns in numbers[: _MOST_COLUMNS + 1]]
    if more := sum(turns for _, turns in numbers[_MOST_COLUMNS + 1 :]):
        columns.append((f"{_MOST_COLUMNS + 1}+", more))
    title = "Calls per turn"
    chart = column_chart(_said(title, columns), columns, "model calls in a turn")
    return _figure(title, chart, ["calls", "turns"], [(str(a), b) for a, b in numbers])


def _said(title: str, numbers: Sequence[tuple[str, int]]) -> str:
    """The chart in words."""
    return f"{title}: {', '.join(f'{name}: {number}' for name, number in numbers) or 'nothing'}"


# --- tokens by phase ----------------------------------------------------------------------------


def _tokens(frames: Frames) -> Markup:
    title = "Tokens by phase"
    rows = [row for row in rows_of(table_of(frames, "phase")) if _counted(row)]
    if not rows:
        nothing = tag("p", "No model call of this trace counted its tokens.", class_="nothing")
        return tag("figure", tag("figcaption", title), nothing)
    bars = [_token_bar(row) for row in rows]
    said = _said(title, [(bar.label, int(bar.total)) for bar in bars])
    legend = _legend(cached="cached prompt", prompt="prompt", completion="completion")
    heads = ["phase", "prompt", "cached", "completion"]
    cells = [(row["phase"], *(row[name] or 0 for name in _TOKENS)) for row in rows]
    return _figure(title, [bar_chart(said, bars), legend], heads, cells)


_TOKENS = ("promptTokens", "cachedTokens", "completionTokens")


def _counted(row: Mapping[str, Any]) -> bool:
    return any(row[name] is not None for name in _TOKENS)


def _token_bar(row: Mapping[str, Any]) -> Bar:
    """The cached tokens are some of the prompt's."""
    prompt, cached, completion = (row[name] or 0 for name in _TOKENS)
    cached = min(cached, prompt)
    parts = [("cached", cached), ("prompt", prompt - cached), ("completion", completion)]
    explained = f"{row['phase']}: {prompt} prompt ({cached} cached), {completion} completion"
    return Bar(row["phase"], parts, explained)


def _legend(**names: str) -> Markup:
    items = (tag("li", tag("i", class_=class_), name) for class_, name in names.items())
    return tag("ul", items, class_="legend")


# --- outcome codes ------------------------------------------------------------------------------


def _codes(frames: Frames) -> Markup:
    title = "Outcome codes"
    rows = [row for row in rows_of(table_of(frames, "code")) if row["code"] != NONE]
    rows = [row for row in rows if row["outcomes"]]
    if not rows:
        return tag(
            "figure", tag("figcaption", title), tag("p", "No line has a code.", class_="nothing")
        )
    found = Counter(zip(frames.outcomes["code"], frames.outcomes["status"], strict=True))
    bars = [_code_bar(row, found) for row in rows[:_MOST_BARS]]
    said = _said(title, [(bar.label, int(bar.total)) for bar in bars])
    legend = _legend(main="as decided", deferred="deferred", failed="failed")
    cells = [(row["code"], row["outcomes"], row["meaning"] or "") for row in rows]
    chart = [bar_chart(said, bars), legend]
    heads = ["code", "lines", "meaning"]
    return _figure(title, chart, heads, cells, more=f"All {counted(len(rows), 'code')}")


def _code_bar(row: Mapping[str, Any], found: Mapping[tuple[str, str], int]) -> Bar:
    code = row["code"]
    deferred, failed = found[code, "deferred"], found[code, "failed"]
    main = row["outcomes"] - deferred - failed
    parts = [("main", main), ("deferred", deferred), ("failed", failed)]
    return Bar(code, parts, f"{code}: {row['meaning'] or ''}")
