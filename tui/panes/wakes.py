"""What is scheduled at a step: when which wake is due and who asked for it, and what became of others."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from falai.clock import to_ms
from simulator.trace import TurnRecord
from tui.model.shown import column, cut, lasting, when
from tui.model.text import Line, Span, Style, line
from tui.model.timeline import Timeline
from tui.model.view import View

Fate = Literal["due", "fired", "stale", "replaced"]


class Job(msgspec.Struct, kw_only=True):
    """One wake, from when it was scheduled."""

    key: str
    session: str
    at: str
    """When it is due; empty for one that nobody scheduled in this play."""
    turn: int
    """The turn (from 0) that scheduled it."""
    fate: Fate = "due"
    until: int | None = None
    """The turn at which it got another fate."""


def wakes(view: View) -> Sequence[Line]:
    """The time, what waits for it to pass, and what waits no more."""
    timeline = view.timeline
    if not timeline.turns:
        return [line("No turn was played.", style="dim")]
    now = timeline.record(view.at).now
    turn = timeline.turn_of(view.at)
    made = {wake.key for wake in view.step.schedule}
    known = [
        job for job in jobs(timeline) if job.turn < turn or (job.turn == turn and job.key in made)
    ]
    due = [job for job in known if job.until is None or job.until > turn]
    over = [job for job in known if job.until is not None and job.until <= turn]
    due.sort(key=lambda job: to_ms(job.at) if job.at else 0)
    return [
        line(f"now  {when(now)}", style="head"),
        *_due(due, now, timeline, view.width),
        line(""),
        line("over", style="head"),
        *_over(over, timeline, view.width),
    ]


def _due(due: Sequence[Job], now: str, timeline: Timeline, width: int) -> Iterator[Line]:
    if not due:
        yield line("  Nothing is scheduled.", style="dim")
    for job in due:
        ahead = lasting(max(0, to_ms(job.at) - to_ms(now)))
        text = f"  {column(when(job.at), 17)} in {column(ahead, 8)} {_named(job, timeline)}"
        yield _job(job, text, "plain", width, timeline)


def _over(over: Sequence[Job], timeline: Timeline, width: int) -> Iterator[Line]:
    if not over:
        yield line("  None yet.", style="dim")
    for job in reversed(over):
        assert job.until is not None
        text = f"  {column(job.fate, 9)} at turn {job.until + 1}  {_named(job, timeline)}"
        yield _job(job, text, "dim", width, timeline)


def _named(job: Job, timeline: Timeline) -> str:
    where = f" ({job.session})" if timeline.has_sessions else ""
    return f"{job.key}{where}, by turn {job.turn + 1}"


def _job(job: Job, text: str, style: Style, width: int, timeline: Timeline) -> Line:
    whole = f"{job.key}\nsession: {job.session}\ndue: {job.at}\nscheduled by turn {job.turn + 1}"
    to = timeline.at(job.until if job.until is not None else job.turn)
    return line(Span(cut(text, width), style), key=f"wake-{job.key}", to=to, opens=whole)


@lru_cache(maxsize=4)
def jobs(timeline: Timeline) -> Sequence[Job]:
    """Every wake of a play, in the order in which they were scheduled."""
    waiting: dict[tuple[str, str], Job] = {}
    known: list[Job] = []
    for turn, record in enumerate(timeline.turns):
        session = timeline.session_of(turn)
        _fire(record, session, turn, waiting)
        for wake in record.result.schedule if _is_saved(record) and record.result else ():
            for gone in (wake.key, wake.replaces):
                _close(waiting, (session, gone or ""), "replaced", turn)
            job = Job(key=wake.key, session=session, at=wake.at, turn=turn)
            waiting[session, wake.key] = job
            known.append(job)
    return known


def _fire(record: TurnRecord, session: str, turn: int, waiting: dict[tuple[str, str], Job]) -> None:
    key = record.input.get("wake")
    if key is not None:
        did = record.result is not None and record.result.changed
        _close(waiting, (session, str(key)), "fired" if did else "stale", turn)


def _close(
    waiting: dict[tuple[str, str], Job], key: tuple[str, str], fate: Fate, turn: int
) -> None:
    job = waiting.pop(key, None)
    if job is not None:
        job.fate, job.until = fate, turn


def _is_saved(record: TurnRecord) -> bool:
    return (
        record.result is not None and record.result.changed and not record.entry.endswith(" lost")
    )
