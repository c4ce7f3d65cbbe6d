"""What a model call was told: its prompt by sections, or what is new in it."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from functools import lru_cache

import msgspec

from simulator.trace import CallRecord
from tui.model.shown import shown, wrapped
from tui.model.text import Line, Span, Style, line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes.fitting import fitted

_HEADING = "## "
_TOKEN = 4
"""Characters that a token takes, about."""


def prompt(view: View) -> Sequence[Line]:
    """The call nearest to a step: the last one made by then."""
    place = nearest(view.timeline, view.at)
    if place is None:
        none = wrapped("No model call was made by this step.", view.width)
        return [line(row, style="dim") for row in none]
    calls = all_calls(view.timeline)
    here = calls[place]
    if view.compare:
        return fitted(_difference(here, _earlier(calls, place), view.width), view.width)
    return fitted(_sections(here, view), view.width)


class Placed(msgspec.Struct, frozen=True):
    """A call and the turn (from 0) that made it."""

    turn: int
    number: int
    """In its turn, from 1."""
    call: CallRecord

    @property
    def name(self) -> str:
        return f"turn {self.turn + 1} · call {self.number} · {self.call.purpose}"


@lru_cache(maxsize=4)
def all_calls(timeline: Timeline) -> Sequence[Placed]:
    """Every call of a play, in order."""
    return [
        Placed(turn, number, call)
        for turn, record in enumerate(timeline.turns)
        for number, call in enumerate(record.calls, 1)
    ]


def nearest(timeline: Timeline, at: int) -> int | None:
    """The place, among all calls, of the last one made by a step; None before the first."""
    made = timeline.spent(at) if timeline.turns else 0
    return made - 1 if made else None


def _earlier(calls: Sequence[Placed], place: int) -> Placed | None:
    """The call of the same purpose before this one."""
    purpose = calls[place].call.purpose
    return next((it for it in reversed(calls[:place]) if it.call.purpose == purpose), None)


def _sections(here: Placed, view: View) -> Iterator[Line]:
    tokens = here.call.usage.prompt_tokens if here.call.usage is not None else 0
    counted = f" · {tokens} tokens" if tokens else ""
    late = "" if here.turn == view.timeline.turn_of(view.at) else " (an earlier turn's)"
    yield line(f"{here.name}{counted}{late}", style="head")
    for title, text in sections(here.call):
        folded = title in view.folded
        sign = "▸" if folded else "▾"
        size = f"≈{len(text) // _TOKEN} tokens"
        heading = (Span(f"{sign} {shown(title)}  ", "mark"), Span(size, "dim"))
        yield line(*heading, key=f"section-{title}", folds=title, opens=text)
        if not folded:
            yield from (line(f"  {it}", opens=text) for it in _rows_of(text, view.width - 2))


@lru_cache(maxsize=64)
def _rows_of(text: str, width: int) -> Sequence[str]:
    """The text of a section as it was wrapped; most of it is the same from step to step."""
    return list(wrapped(text, width))


def sections(call: CallRecord) -> Iterator[tuple[str, str]]:
    """Title and text of each part of a call: what the system says, then the prompt."""
    for whole, text in (("system", call.system or ""), ("prompt", call.prompt)):
        title, lines = whole, list[str]()
        for row in text.split("\n"):
            if row.startswith(_HEADING):
                if "".join(lines).strip():
                    yield title, "\n".join(lines).strip("\n")
                title, lines = f"{whole}: {row.removeprefix(_HEADING)}", []
            else:
                lines.append(row)
        if "".join(lines).strip():
            yield title, "\n".join(lines).strip("\n")


def _difference(here: Placed, before: Placed | None, width: int) -> Iterator[Line]:
    if before is None:
        yield line(f"{here.name}: the first of its purpose, all of it is new", style="head")
        return
    yield line(f"{here.name}, against {before.name}", style="head")
    rows = list(unified_diff(_rows(before.call), _rows(here.call), n=2, lineterm=""))[2:]
    if not rows:
        yield line("  The same, word for word.", style="dim")
    for row in rows:
        style: Style = "added" if row[0] == "+" else "removed" if row[0] == "-" else "dim"
        for text in wrapped(row, width):
            yield line(Span(text, style))


def _rows(call: CallRecord) -> list[str]:
    return f"{call.system or ''}\n{call.prompt}".split("\n")
