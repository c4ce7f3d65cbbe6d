"""What was expected and what came: this turn's failures first, then those of the whole play."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from simulator.trace import Failure
from tui.model.shown import cut, wrapped
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes.fitting import fitted


def checks(view: View) -> Sequence[Line]:
    """The verdict, with wanted and got of everything that differed."""
    play = view.subject.play
    lines = [_verdict(view)]
    if view.timeline.turns:
        turn = view.timeline.turn_of(view.at)
        lines += [made for it in view.timeline.failures(turn) for made in _failure(view, it)]
        if view.timeline.failures(turn):
            lines.append(line(""))
    elsewhere = _elsewhere(view)
    is_apart = bool(elsewhere and view.timeline.turns)
    head = [line("elsewhere in this play", style="head")] if is_apart else []
    notes = [line(f"note: {cut(note, view.width - 6)}", style="dim") for note in play.notes]
    return [*fitted([*lines, *head], view.width), *elsewhere, *fitted(notes, view.width)]


def _verdict(view: View) -> Line:
    play = view.subject.play
    match play.status:
        case "passed":
            return line(Span("✓ pass", "good"), "  everything that was expected came")
        case "failed":
            return line(Span(f"✗ fail  {len(play.failures)} did not hold", "bad"))
        case _:
            return line(Span("! error  it could not be played", "warn"))


def _failure(view: View, it: Failure) -> Iterator[Line]:
    whole = told(it)
    head = f"✗ line {it.line}  {it.path}: {it.message}" if it.path else it.message
    for number, text in enumerate(wrapped(head, view.width)):
        yield line(Span(text, "bad"), opens=whole, key=f"check-{it.line}-{it.path}-{number}")
    if it.wanted is None and it.got is None:
        # There was nothing to compare: the turn raised, or a file is bad.
        return
    for name, style, said in (("wanted", "removed", it.wanted), ("got", "added", it.got)):
        text = cut(_json(said), max(8, view.width - 10))
        yield line(Span(f"  {name:<7} ", "dim"), Span(text, style), opens=whole)  # type: ignore[arg-type]


def told(it: Failure) -> str:
    """A failure with all of what was wanted and what came."""
    both = f"\n\nwanted\n{_json(it.wanted)}\n\ngot\n{_json(it.got)}" if it.path else ""
    return f"line {it.line}  {it.path}\n{it.message}{both}"


def _json(it: object) -> str:
    return msgspec.json.encode(it, enc_hook=repr).decode()


# --- the rest of the play -----------------------------------------------------------------------


def _elsewhere(view: View) -> Sequence[Line]:
    """What failed at no turn, and at all turns but this one."""
    timeline = view.timeline
    made = _failed(timeline, view.width)
    if not timeline.turns:
        return made.lines
    here = timeline.turn_of(view.at)
    start, end = bisect_left(made.turns, here), bisect_left(made.turns, here + 1)
    return [*made.lines[:start], *made.lines[end:]]


class _Failed:
    """A line for each failure of a play, and the turn that it belongs to; -1 for none."""

    def __init__(self, timeline: Timeline, width: int) -> None:
        self.lines: list[Line] = []
        self.turns: list[int] = []
        for it in timeline.failures(None):
            for text in wrapped(it.message, width - 4):
                self._add(-1, line(Span(f"  ✗ {text}", "bad"), opens=told(it)))
        for turn in timeline.failed_turns:
            for it in timeline.failures(turn):
                text = f"  ✗ turn {turn + 1}  line {it.line}  {it.path}: {it.message}"
                span, key = Span(cut(text, width), "bad"), f"else-{it.line}-{it.path}"
                self._add(turn, line(span, to=timeline.at(turn), key=key))

    def _add(self, turn: int, made: Line) -> None:
        self.turns.append(turn)
        self.lines.append(made)


@lru_cache(maxsize=8)
def _failed(timeline: Timeline, width: int) -> _Failed:
    return _Failed(timeline, width)
