"""The turns of a play, a line each: what came in, when, what it cost, and whether it held."""

from collections.abc import Sequence
from functools import lru_cache

from falai.clock import to_ms
from simulator.trace import TurnRecord
from tui.model.shown import column, hour, lasting, what_came
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline
from tui.model.view import View

_WITH_FLOW = 44
"""Columns from which on there is room for the flow."""


def turns(view: View) -> Sequence[Line]:
    """One line for each turn; a turn's line leads to its end."""
    made = _lines(view.timeline, view.width, view.subject.budget.per_turn)
    if not view.marked:
        return made
    lines = list(made)
    for at in view.marked:
        turn = view.timeline.turn_of(at)
        lines[turn] = _marked(lines[turn])
    return lines


def _marked(plain: Line) -> Line:
    glyph, _, *rest = plain.spans
    return Line(spans=(glyph, Span("●", "mark"), *rest), key=plain.key, to=plain.to)


@lru_cache(maxsize=8)
def _lines(timeline: Timeline, width: int, per_turn: int | None) -> Sequence[Line]:
    digits = len(str(len(timeline.turns)))
    return [
        _line(timeline, turn, width=width, digits=digits, per_turn=per_turn)
        for turn in range(len(timeline.turns))
    ]


def _line(timeline: Timeline, turn: int, *, width: int, digits: int, per_turn: int | None) -> Line:
    record = timeline.turns[turn]
    spent = len(record.calls)
    over = per_turn is not None and spent > per_turn
    calls = Span(f" {spent}!" if over else f" {spent} ", "bad" if over else "dim")
    failed = len(timeline.failures(turn))
    checks = Span(f"{failed}✗" if failed else "  ", "bad")
    head = f"{turn + 1:>{digits}} {hour(record.now)} "
    room = width - 2 - len(head) - 3 - 2
    flow = f" {column(_flow(record), 12)}" if width >= _WITH_FLOW else ""
    passed = _passed(timeline, turn)
    what = column(f"{passed}{what_came(record.input)}", max(4, room - len(flow)))
    spans = (_glyph(record, failed), Span(" "), Span(head, "dim"), Span(what), Span(flow, "dim"))
    return line(*spans, calls, checks, key=f"turn-{turn}", to=timeline.at(turn))


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
