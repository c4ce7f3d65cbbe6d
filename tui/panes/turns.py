"""The turns of a play, a line each: what came in, when, what it cost, and whether it held."""

from collections.abc import Sequence
from functools import lru_cache

from falai.clock import to_ms
from simulator.trace import TurnRecord
from tui.model.shown import column, hour, lasting, what_came
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes.fitting import fit

_WITH_FLOW = 44
"""Columns from which on there is room for the flow."""
_WITH_DATE = 60
"""Columns from which on there is room for the date, in a play of several days."""


def turns(view: View) -> Sequence[Line]:
    """One line for each turn; a turn's line leads to its end."""
    per_turn = view.subject.budget.per_turn
    if not view.marked:
        return _lines(view.timeline, view.width, per_turn)
    return _with_marks(view.timeline, view.width, per_turn, view.marked)


@lru_cache(maxsize=8)
def _with_marks(
    timeline: Timeline, width: int, per_turn: int | None, marked: frozenset[int]
) -> Sequence[Line]:
    turns = {timeline.turn_of(at) for at in marked}
    made = _lines(timeline, width, per_turn)
    return [_marked(it) if turn in turns else it for turn, it in enumerate(made)]


def _marked(plain: Line) -> Line:
    glyph, _, *rest = plain.spans
    return Line(spans=(glyph, Span("●", "mark"), *rest), key=plain.key, to=plain.to)


@lru_cache(maxsize=8)
def _lines(timeline: Timeline, width: int, per_turn: int | None) -> Sequence[Line]:
    digits = len(str(len(timeline.turns)))
    dates = _dates(timeline) if width >= _WITH_DATE else [""] * len(timeline.turns)
    heads = [
        f"{turn + 1:>{digits}} {dates[turn]}{hour(record.now)} "
        for turn, record in enumerate(timeline.turns)
    ]
    return [
        _line(timeline, turn, width=width, head=heads[turn], per_turn=per_turn)
        for turn in range(len(timeline.turns))
    ]


def _dates(timeline: Timeline) -> Sequence[str]:
    """Month and day where a day begins, of a play that has several; blank elsewhere."""
    days = [record.now[:10] for record in timeline.turns]
    if len(set(days)) < 2:
        return [""] * len(days)
    return [
        " " * 6 if turn and day == days[turn - 1] else f"{day[5:]} "
        for turn, day in enumerate(days)
    ]


def _line(timeline: Timeline, turn: int, *, width: int, head: str, per_turn: int | None) -> Line:
    record = timeline.turns[turn]
    spent = len(record.calls)
    over = per_turn is not None and spent > per_turn
    calls = Span(f" {spent}!" if over else f" {spent} ", "bad" if over else "dim")
    failed = len(timeline.failures(turn))
    checks = Span(f"{failed}✗" if failed else "  ", "bad")
    room = width - 2 - len(head) - len(calls.text) - len(checks.text)
    flow = f" {column(_flow(record), 12)}" if width >= _WITH_FLOW else ""
    passed = _passed(timeline, turn)
    what = column(f"{passed}{what_came(record.input)}", max(4, room - len(flow)))
    spans = (_glyph(record, failed), Span(" "), Span(head, "dim"), Span(what), Span(flow, "dim"))
    made = line(*spans, calls, checks, key=f"turn-{turn}", to=timeline.at(turn))
    return fit(made, width)


def _glyph(record: TurnRecord, failed: int) -> Span:
    if failed:
        return Span("✗", "bad")
    return Span("!", "warn") if record.error is not None else Span("✓", "good")


def _flow(record: TurnRecord) -> str:
    runs = record.result.session.runs if record.result else ()
    return next((run.flow_id for run in runs if run.status == "asking"), "")


def _passed(timeline: Timeline, turn: int) -> str:
    """How much time went by since the turn before, where it is worth saying."""
    if not turn:
        return ""
    ms = to_ms(timeline.turns[turn].now) - to_ms(timeline.turns[turn - 1].now)
    sign = "-" if ms < 0 else "+"
    return f"{sign}{lasting(abs(ms)).replace(' ', '')} " if ms else ""
