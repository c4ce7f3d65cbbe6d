"""What is scheduled at a step: when which wake is due and who asked for it, and what became of others."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from falai.clock import to_ms
from simulator.trace import TurnRecord
from tui.model.predicates import arrival
from tui.model.shown import cut, lasting, when
from tui.model.text import Line, Span, line
from tui.model.timeline import PHASES, Timeline, is_lost
from tui.model.view import View
from tui.panes.fitting import fitted

Fate = Literal["due", "fired", "stale", "replaced"]


class Job(msgspec.Struct, kw_only=True):
    """One wake, from when it was scheduled."""

    key: str
    session: str
    at: str
    """When it is due."""
    since: int
    """The step that scheduled it."""
    fate: Fate = "due"
    until: int | None = None
    """The step at which it got another fate."""


def wakes(view: View) -> Sequence[Line]:
    """The time, what waits for it to pass, and what waits no more."""
    timeline = view.timeline
    if not timeline.turns:
        return [line("No turn was played.", style="dim")]
    now = timeline.record(view.at).now
    due = [job for job in jobs(timeline) if _is_due(job, view.at)]
    due.sort(key=lambda job: to_ms(job.at))
    lines = [
        line(f"now  {when(now)}", style="head"),
        *_due(due, now, timeline, view.width),
        line(""),
        line("over", style="head"),
    ]
    return [*fitted(lines, view.width), *_over(timeline, view.width).by(view.at)]


def _is_due(job: Job, at: int) -> bool:
    return job.since <= at and (job.until is None or job.until > at)


def _due(due: Sequence[Job], now: str, timeline: Timeline, width: int) -> Iterator[Line]:
    if not due:
        yield line("  Nothing is scheduled.", style="dim")
    for job in due:
        ahead = lasting(max(0, to_ms(job.at) - to_ms(now)))
        when_due = f"{when(job.at)}, in {ahead}, by turn {timeline.turn_of(job.since) + 1}"
        yield from _job(job, when_due, width, timeline, to=job.since)


def _job(job: Job, told: str, width: int, timeline: Timeline, *, to: int) -> Iterator[Line]:
    """Two lines, which lead to the end of the turn of a step."""
    where = f" ({job.session})" if timeline.has_sessions else ""
    turn = timeline.turn_of(job.since)
    whole = f"{job.key}\nsession: {job.session}\ndue: {job.at}\nscheduled by turn {turn + 1}"
    to = timeline.at(timeline.turn_of(to))
    key = f"wake-{job.session}-{job.key}-{turn}"
    yield line(Span(cut(f"  {job.key}{where}", width)), key=key, to=to, opens=whole)
    yield line(Span(cut(f"    {told}", width), "dim"), to=to, opens=whole)


# --- those that are over ------------------------------------------------------------------------


class _Over:
    """The lines of all wakes that fired or never will, the last one first."""

    def __init__(self, timeline: Timeline, width: int) -> None:
        self.lines: list[Line] = []
        self._ages: list[int] = []
        gone = [(job.until, job) for job in jobs(timeline) if job.until is not None]
        for until, job in sorted(gone, key=lambda it: it[0], reverse=True):
            turns = timeline.turn_of(until) + 1, timeline.turn_of(job.since) + 1
            fate = f"{job.fate} at turn {turns[0]}, scheduled by turn {turns[1]}"
            made = fitted(_job(job, fate, width, timeline, to=until), width)
            self.lines += made
            self._ages += [-until] * len(made)

    def by(self, at: int) -> Sequence[Line]:
        """Those that are over by a step."""
        return self.lines[bisect_left(self._ages, -at) :] or [line("  None yet.", style="dim")]


@lru_cache(maxsize=8)
def _over(timeline: Timeline, width: int) -> _Over:
    return _Over(timeline, width)


# --- all of them --------------------------------------------------------------------------------

_Waiting = dict[tuple[str, str], Job]


@lru_cache(maxsize=4)
def jobs(timeline: Timeline) -> Sequence[Job]:
    """Every wake of a play, in the order in which they were scheduled."""
    waiting: _Waiting = {}
    known: list[Job] = []
    for turn, record in enumerate(timeline.turns):
        session = timeline.session_of(turn)
        if is_lost(timeline.turns, turn):
            # Nothing of it was saved; a wake that it was for comes again.
            continue
        _fire(record, session, timeline.at(turn, PHASES[0]), waiting)
        result = record.result
        for place, wake in enumerate(result.schedule if result and result.changed else ()):
            at = arrival(timeline, turn, "schedule", place)
            for gone in (wake.key, wake.replaces):
                _close(waiting, (session, gone or ""), "replaced", at)
            job = Job(key=wake.key, session=session, at=wake.at, since=at)
            waiting[session, wake.key] = job
            known.append(job)
    return known


def _fire(record: TurnRecord, session: str, at: int, waiting: _Waiting) -> None:
    key = record.input.get("wake")
    if key is not None:
        did = record.result is not None and record.result.changed
        _close(waiting, (session, str(key)), "fired" if did else "stale", at)


def _close(waiting: _Waiting, key: tuple[str, str], fate: Fate, at: int) -> None:
    job = waiting.pop(key, None)
    if job is not None:
        job.fate, job.until = fate, at
