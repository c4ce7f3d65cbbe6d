"""The lines around the panes: where one stands, the phases of the turn, and the play as a whole."""

from collections.abc import Sequence
from functools import lru_cache

from falai.turn.needs import Phase
from tui.model.places import phase_name
from tui.model.shown import cells, cut, hour, when
from tui.model.text import Line, Span, line
from tui.model.timeline import PHASES, Timeline
from tui.model.view import View
from tui.panes.fitting import fit

_ROOMY = 92
"""Columns from which on the bar has room for the date."""
_NAMED = 8
"""Columns that a file's name needs to tell something."""
_EMPTY = " · no turns"


def bar(view: View) -> Sequence[Line]:
    """Where somebody stands: file, turn, phase, clock, and what was spent so far."""
    timeline = view.timeline
    name = view.subject.name
    if not timeline.turns:
        return [line(cut(name, max(1, view.width - len(_EMPTY))), _EMPTY)]
    turn, phase = timeline.turn_of(view.at), timeline.phase_of(view.at)
    place = (
        f"turn {turn + 1}/{len(timeline.turns)} · {phase_name(phase)} {PHASES.index(phase) + 1}/8"
    )
    now = timeline.record(view.at).now
    clock = f"clock {when(now)}" if view.width >= _ROOMY else f"{hour(now)}Z"
    spent = timeline.spent(view.at)
    budget = view.subject.budget.llm_calls
    over = budget is not None and spent > budget
    calls = f"calls {spent}" + (f"/{budget}" if budget is not None else "") + ("!" if over else "")
    rest = f" · {place} · {clock} · "
    room = view.width - len(rest) - len(calls)
    if room < _NAMED:
        name, rest = "", rest.removeprefix(" · ")
    whole = line(cut(name, max(0, room)), rest, Span(calls, "bad" if over else "plain"))
    return [fit(whole, view.width)]


def strip(view: View) -> Sequence[Line]:
    """The eight phases: those that ran, the one at hand, those that are still to come."""
    if not view.timeline.turns:
        return [line("")]
    here = PHASES.index(view.timeline.phase_of(view.at))
    first = view.at - here
    spans = [
        _phase(phase, place - here, ran=view.timeline.step(first + place).ran)
        for place, phase in enumerate(PHASES)
    ]
    whole = line(*spans)
    if cells(whole.text.rstrip()) > view.width:
        # Where there is no room for the names, that of the phase at hand tells most.
        spans = [
            span if place == here else Span(span.text[:1].replace(" ", "·"), span.style)
            for place, span in enumerate(spans)
        ]
    return [fit(line(*spans), view.width)]


def _phase(phase: Phase, distance: int, *, ran: bool) -> Span:
    name = phase_name(phase)
    if not ran:
        return Span(f"!{name} ", "bad")
    if distance < 0:
        return Span(f"✓{name} ", "good")
    return Span(f"▸{name} ", "mark") if distance == 0 else Span(f" {name} ", "dim")


def scrubber(view: View) -> Sequence[Line]:
    """The whole play on one line: here, failures and breakpoints."""
    timeline, width = view.timeline, max(1, view.width)
    steps = len(timeline)
    if not steps:
        return [line("")]
    spans = list(_landmarks(timeline, width, view.marked))
    spans[_column(view.at, steps, width)] = Span("█")
    return [line(*spans)]


@lru_cache(maxsize=8)
def _landmarks(timeline: Timeline, width: int, marked: frozenset[int]) -> Sequence[Span]:
    """What stands on the scrubber wherever one is; a failure hides a breakpoint."""
    spans = [Span("·", "dim")] * width
    steps, failed = len(timeline), map(timeline.at, timeline.failed_turns)
    for places, span in ((marked, Span("●", "mark")), (failed, Span("!", "bad"))):
        for at in places:
            spans[_column(at, steps, width)] = span
    return spans


def _column(at: int, steps: int, width: int) -> int:
    return at * (width - 1) // max(1, steps - 1)


def scrubbed(column: int, steps: int, width: int) -> int:
    """The step that a column of the scrubber stands for."""
    return min(steps - 1, round(column * (steps - 1) / max(1, width - 1)))
