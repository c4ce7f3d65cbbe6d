"""What every step of a turn did and why: one line for each outcome."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from falai.turn.needs import Phase
from falai.words.outcome import Outcome
from tui.model.shown import NONE, column, cut, shown
from tui.model.text import Line, Span, Style, line
from tui.model.view import View

COLUMNS = ("run", "step", "kind", "status", "code", "next", "llmCalls", "detail")
"""What outcomes can be sorted by."""
_WIDTHS = {"run": 14, "step": 12, "kind": 8, "status": 9, "code": 19, "next": 10, "llmCalls": 5}
_NARROW = {"run": 10, "step": 9, "kind": 7, "status": 8, "code": 16}
_WIDE = 76
"""Columns from which on everything has room."""
_STYLES: Mapping[str, Style] = {"failed": "bad", "skipped": "dim", "deferred": "warn"}
_GLYPHS: Mapping[str, str] = {"ok": "✓", "failed": "✗", "waiting": "…", "deferred": "!"}


def outcomes(view: View) -> Sequence[Line]:
    """The outcomes of the turn so far, in the order in which they came or as they are sorted."""
    if not view.timeline.turns:
        return [line("No turn was played.", style="dim")]
    found = [it for it in view.step.outcomes if _holds(it, view.only)]
    if view.sort:
        found.sort(key=lambda it: _row(it).get(view.sort, ""))
    lines = [_head(view), *(made for it in found for made in _lines(view, it))]
    if not found:
        what = "holds that text" if view.only else "was decided by this step"
        lines.append(line(f"  Nothing {what}.", style="dim"))
    return [*lines, *_skipped(view)]


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


def _holds(it: Outcome, only: str) -> bool:
    text = " ".join([*_row(it).values(), it.message or ""])
    return only.casefold() in text.casefold()


def _widths(view: View) -> Mapping[str, int]:
    return _WIDTHS if view.width >= _WIDE else _NARROW


def _head(view: View) -> Line:
    names = [
        column(f"{name}↓" if name == view.sort else name, width)
        for name, width in _widths(view).items()
    ]
    return line(Span(cut("  " + " ".join(names), view.width), "head"))


def _lines(view: View, it: Outcome) -> Iterator[Line]:
    row = _row(it)
    text = " ".join(column(row[name], width) for name, width in _widths(view).items())
    style = _STYLES.get(it.status, "plain")
    key = f"outcome-{it.run_id}-{it.key}-{it.step_id}-{it.code}"
    yield line(
        Span(_GLYPHS.get(it.status, "–") + " ", style),
        Span(cut(text, view.width - 2), style),
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
    """Starts that were refused; the record tells them with the turn's end."""
    result = view.timeline.record(view.at).result
    if result is None or not result.skipped or view.timeline.phase_of(view.at) is not Phase.FINISH:
        return
    yield line("")
    yield line("starts that were refused", style="head")
    for skip in result.skipped:
        text = f"  {skip.flow_id}  {skip.code}  {skip.message}"
        yield line(cut(text, view.width), opens=text)
