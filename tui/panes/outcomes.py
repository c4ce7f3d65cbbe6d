"""What every step of a turn did and why: one line for each outcome."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from falai.words.outcome import Outcome
from tui.model.predicates import arrival
from tui.model.shown import NONE, cells, column, cut, shown
from tui.model.text import Line, Span, Style, line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes.fitting import fitted

COLUMNS = ("run", "step", "kind", "status", "code", "next", "llmCalls", "detail")
"""What outcomes can be sorted by."""
_MOST = {"run": 18, "step": 14, "kind": 9, "status": 9, "code": 19, "next": 12, "llmCalls": 9}
"""Columns that each may fill; detail has a line of its own."""
_NARROW = {"run": 10, "step": 9, "kind": 7, "status": 8, "code": 16}
"""Those that are left where there is no room for all, and how wide they are then."""
_STYLES: Mapping[str, Style] = {"failed": "bad", "skipped": "dim", "deferred": "warn"}
_GLYPHS: Mapping[str, str] = {"ok": "✓", "failed": "✗", "waiting": "…", "deferred": "!"}


def outcomes(view: View) -> Sequence[Line]:
    """The outcomes of the turn so far, in the order in which they came or as they are sorted."""
    if not view.timeline.turns:
        return [line("No turn was played.", style="dim")]
    found = [it for it in view.step.outcomes if _holds(it, view.only)]
    if view.sort:
        found.sort(key=lambda it: _rank(it, view.sort))
    lines = [_head(view), *(made for it in found for made in _lines(view, it))]
    if not found:
        what = "holds that text" if view.only else "was decided by this step"
        lines.append(line(f"  Nothing {what}.", style="dim"))
    return fitted([*lines, *_skipped(view)], view.width)


def _row(it: Outcome) -> dict[str, str]:
    return {
        "run": it.run_id or ("idle" if it.kind == "idle" else NONE),
        "step": it.step_id or NONE,
        "kind": it.kind,
        "status": it.status,
        "code": it.code or "",
        "next": it.next or "",
        "llmCalls": "" if it.llm_calls is None else str(it.llm_calls),
        "detail": it.detail or "",
    }


def _rank(it: Outcome, name: str) -> tuple[int, str]:
    """Calls by their number, all others by their text; both as they came where they are the same."""
    return (it.llm_calls or 0, "") if name == "llmCalls" else (0, _row(it).get(name, ""))


def _holds(it: Outcome, only: str) -> bool:
    text = " ".join([*_row(it).values(), it.message or ""])
    return only.casefold() in text.casefold()


def _widths(view: View) -> Mapping[str, int]:
    widths = _needed(view.timeline, view.timeline.turn_of(view.at))
    is_room = 2 + sum(widths.values()) + len(widths) - 1 <= view.width
    return widths if is_room else _NARROW


@lru_cache(maxsize=64)
def _needed(timeline: Timeline, turn: int) -> Mapping[str, int]:
    """How wide each column is to be for a whole turn, so that none moves from step to step."""
    result = timeline.turns[turn].result
    rows = [_row(it) for it in (result.outcomes if result else ())]
    return {
        # A head may have the arrow of the sorted column behind it.
        name: min(most, max(len(name) + 1, *(cells(shown(row[name])) for row in rows), 0))
        for name, most in _MOST.items()
    }


def _head(view: View) -> Line:
    names = [
        column(f"{name}↓" if name == view.sort else name, width)
        for name, width in _widths(view).items()
    ]
    return line(Span(cut(f"  {' '.join(names)}".rstrip(), view.width), "head"))


def _lines(view: View, it: Outcome) -> Iterator[Line]:
    row = _row(it)
    text = " ".join(column(row[name], width) for name, width in _widths(view).items())
    style = _STYLES.get(it.status, "plain")
    key = f"outcome-{it.run_id}-{it.key}-{it.step_id}-{it.code}"
    yield line(
        Span(_GLYPHS.get(it.status, "–") + " ", style),
        Span(cut(text.rstrip(), view.width - 2), style),
        key=key,
        opens=_whole(it),
    )
    explained = it.detail or it.message
    if explained:
        yield line(Span(cut(f"    {shown(explained)}", view.width), "dim"), opens=_whole(it))


def _whole(it: Outcome) -> str:
    wire = msgspec.to_builtins(it)
    return "\n".join(f"{key}: {part}" for key, part in wire.items())


def _skipped(view: View) -> Iterator[Line]:
    """Starts that were refused by this step."""
    timeline, turn = view.timeline, view.timeline.turn_of(view.at)
    result = timeline.record(view.at).result
    refused = [
        skip
        for place, skip in enumerate(result.skipped if result else ())
        if arrival(timeline, turn, "skipped", place) <= view.at
    ]
    if refused:
        yield line("")
        yield line("starts that were refused", style="head")
    for skip in refused:
        text = f"  {skip.flow_id}  {skip.code}  {skip.message}"
        yield line(cut(text, view.width), opens=text)
