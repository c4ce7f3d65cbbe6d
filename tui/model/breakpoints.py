"""Breakpoints: questions that every step of a play answers with yes or no; asking runs nothing."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from falai.shapes import is_list, is_mapping
from tui.model.places import PlaceError
from tui.model.predicates import BARE, OPEN, QUESTIONS, Finder, calls_over
from tui.model.timeline import Timeline
from tui.model.watches import PathError

NAMES: Mapping[str, str] = {
    "turn:6": "a turn begins",
    "phase:decide": "a phase of any turn",
    "at:6.decide": "one step",
    "code:max-asks": "an outcome or a refused start has this code",
    "flow:NAME": "a run of this flow starts",
    "field:NAME": "this field changes",
    "path:floor": "what stands at a path changes",
    "calls>2": "a turn makes more model calls than that",
    "failed": "a check of the turn failed",
    "wake": "a wake is scheduled",
    "wake:KEY": "a wake is scheduled whose key holds this text",
    "miss": "a model call that neither tape nor script holds",
    "text:WORDS": "customer or assistant says this",
}
"""What can be written, as examples, with what it stops at."""

_CALLS = re.compile(r"(?:llmCalls|calls)\s*>\s*([0-9]+)")
_KNOWN = (*QUESTIONS, "calls")


class BreakpointError(Exception):
    """A text is no breakpoint: `"x" …: what. how to fix.`"""


class Breakpoint(msgspec.Struct, kw_only=True, eq=False):
    """One question, in the words that it was asked in."""

    text: str
    find: Finder
    on: bool = True
    hits: int = 0
    """How often a run stopped here."""
    skip: int = 0
    """Hits from the start of a play that do not stop a run."""
    every: int = 1
    """Of the hits behind those, every so many-th stops one."""
    _play: Timeline | None = None
    _steps: Sequence[int] = ()

    def steps(self, timeline: Timeline) -> Sequence[int]:
        """Every step of a play that hits it, in order; found once for a play."""
        if self._play is not timeline:
            self._play, self._steps = timeline, sorted(set(self.find(timeline)))
        return self._steps

    def stops(self, timeline: Timeline) -> Sequence[int]:
        """Those that stop a run; whichever way it goes, they are the same."""
        if not self.on:
            return ()
        return self.steps(timeline)[self.skip + self.every - 1 :: self.every]


# --- reading ------------------------------------------------------------------------------------


def read_breakpoint(value: str | Any) -> Breakpoint:
    """Read `name`, `name:argument`, `calls>2`, or the same as a mapping such as `{turn: 6}`.

    Raises BreakpointError.
    """
    text = _written(value).strip()
    if found := _CALLS.fullmatch(text):
        return Breakpoint(text=text, find=calls_over(int(found[1])))
    name, colon, argument = (part.strip() for part in text.partition(":"))
    if name not in QUESTIONS or not _fits(name, colon, argument):
        raise BreakpointError(_refusal(text, name))
    try:
        return Breakpoint(text=f"{name}{colon}{argument}", find=QUESTIONS[name](argument))
    except (PlaceError, PathError) as error:
        raise BreakpointError(f'"{text}": {error}') from None


def read_breakpoints(value: Any) -> list[Breakpoint]:
    """Read one breakpoint or a list of them, as a file has them; raises BreakpointError."""
    return [read_breakpoint(it) for it in (value if is_list(value) else [value])]


def _written(value: Any) -> str:
    """The text form of a breakpoint; a mapping of one name may have no argument, or true."""
    if not is_mapping(value):
        return str(value)
    if len(value) != 1:
        raise BreakpointError(f"{dict(value)} is no breakpoint. Write one name each: {{turn: 6}}.")
    [(name, argument)] = value.items()
    if argument is None or argument is True:
        return str(name)
    return f"{name}{'>' if name in ('calls', 'llmCalls') else ':'}{argument}"


def _fits(name: str, colon: str, argument: str) -> bool:
    """Whether there is something behind the colon exactly where there is to be."""
    if name in BARE or (name in OPEN and not colon):
        return not colon
    return bool(argument)


def _refusal(text: str, name: str) -> str:
    if name in BARE:
        return f'"{text}" has too much behind its name. Write {name}.'
    if name in QUESTIONS:
        return f'"{text}" lacks what it is to look for. Write {_example(name)}.'
    word = re.split(r"[^A-Za-z]", name)[0]
    near = get_close_matches(word, _KNOWN, n=1)
    hint = f"Did you mean {_example(near[0])}?" if near else f"Write one of: {', '.join(NAMES)}."
    return f'"{text}" is no breakpoint. {hint}'


def _example(name: str) -> str:
    return [text for text in NAMES if re.split(r"[:>]", text)[0] == name][-1]


# --- all of them --------------------------------------------------------------------------------


class Breakpoints:
    """Those that are set, in the order in which they were."""

    def __init__(self) -> None:
        self.points: list[Breakpoint] = []

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(self.points)

    def add(self, value: str | Any) -> Breakpoint:
        """Set one; the same text a second time is the same breakpoint. Raises BreakpointError."""
        made = read_breakpoint(value)
        for point in self.points:
            if point.text == made.text:
                return point
        self.points.append(made)
        return made

    def remove(self, text: str) -> None:
        """Take away the one with that text, if it is set."""
        self.points = [point for point in self.points if point.text != text]

    def switch(self, text: str) -> None:
        """Switch the one with that text off, or on again."""
        for point in self.points:
            point.on ^= point.text == text

    def switch_on_change(self, path: str) -> None:
        """Break whenever the value at a path changes, or no longer."""
        self.toggle(f"path:{path}")

    def toggle(self, text: str) -> bool:
        """Set it, or take it away when it is set; True when it is set now."""
        made = read_breakpoint(text)
        if any(point.text == made.text for point in self.points):
            self.remove(made.text)
            return False
        self.points.append(made)
        return True

    def hits(self, timeline: Timeline, at: int) -> list[Breakpoint]:
        """Those that stop a run at a step."""
        return [point for point in self.points if _holds(point.stops(timeline), at)]

    def next_hit(self, timeline: Timeline, at: int, direction: int) -> int | None:
        """The next step behind `at`, or before it, that stops a run; None when none does."""
        if direction > 0:
            following = (_after(point.stops(timeline), at) for point in self.points)
            return min((it for it in following if it is not None), default=None)
        earlier = (_before(point.stops(timeline), at) for point in self.points)
        return max((it for it in earlier if it is not None), default=None)

    def marked(self, timeline: Timeline) -> frozenset[int]:
        """Every step with a breakpoint of its own: those of a place, which are seen beforehand."""
        own = (point for point in self.points if point.text.startswith(("at:", "turn:")))
        return frozenset(at for point in own for at in point.stops(timeline))


def _holds(steps: Sequence[int], at: int) -> bool:
    place = bisect_left(steps, at)
    return place < len(steps) and steps[place] == at


def _after(steps: Sequence[int], at: int) -> int | None:
    place = bisect_right(steps, at)
    return steps[place] if place < len(steps) else None


def _before(steps: Sequence[int], at: int) -> int | None:
    place = bisect_left(steps, at)
    return steps[place - 1] if place else None
