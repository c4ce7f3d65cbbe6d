"""Breakpoints: questions that a step answers with yes or no; asking them runs nothing."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

import msgspec

from falai.shapes import is_mapping
from falai.turn.needs import Phase
from tui.model.places import PlaceError, read_phase, read_place
from tui.model.timeline import PHASES, Timeline
from tui.model.watches import PathError, changed, check_path

Test = Callable[[Timeline, int], bool]
"""Whether a step is one to stop at."""

NAMES = (
    "turn:6",
    "phase:decide",
    "at:6.decide",
    "code:max-asks",
    "flow:NAME",
    "field:NAME",
    "path:data.name",
    "calls>2",
    "failed",
    "wake",
    "wake:KEY",
    "miss",
    "text:WORDS",
)
"""What can be written, as examples."""

_CALLS = re.compile(r"(?:llmCalls|calls)\s*>\s*(\d+)")


class BreakpointError(Exception):
    """A text is no breakpoint: `"x" …: what. how to fix.`"""


class Breakpoint(msgspec.Struct, kw_only=True, eq=False):
    """One question, in the words that it was asked in."""

    text: str
    test: Test
    on: bool = True
    hits: int = 0
    """How often a run stopped here."""
    skip: int = 0
    """Hits that a run passes over before it stops."""


def read_breakpoint(value: str | Any) -> Breakpoint:
    """Read `name`, `name:argument`, `calls>2`, or the same as a mapping `{name: argument}`.

    Raises BreakpointError.
    """
    if is_mapping(value) and len(value) == 1:
        [(name, argument)] = value.items()
        value = f"{name}>{argument}" if name in ("calls", "llmCalls") else f"{name}:{argument}"
    text = str(value).strip()
    if found := _CALLS.fullmatch(text):
        return Breakpoint(text=text, test=_calls_over(int(found[1])))
    name, _, argument = text.partition(":")
    if name not in _MADE or (name in _NEEDS and not argument.strip()):
        raise BreakpointError(_refusal(text, name, known=name in _MADE))
    try:
        return Breakpoint(text=text, test=_MADE[name](argument.strip()))
    except (PlaceError, PathError) as error:
        raise BreakpointError(f'"{text}": {error}') from None


def _refusal(text: str, name: str, *, known: bool) -> str:
    if known:
        return f'"{text}" lacks what stands behind the colon. Write {_example(name)}.'
    near = get_close_matches(name, _MADE, n=1)
    hint = f"Did you mean {_example(near[0])}?" if near else f"Write one of: {', '.join(NAMES)}."
    return f'"{text}" is no breakpoint. {hint}'


def _example(name: str) -> str:
    return next(text for text in NAMES if re.split(r"[:>]", text)[0] == name)


# --- the questions ------------------------------------------------------------------------------


def _calls_over(most: int) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        now = len(timeline.step(at).calls)
        before = len(timeline.step(at - 1).calls) if at % len(PHASES) else 0
        return now > most >= before

    return test


def _turn(argument: str) -> Test:
    if not argument.isdecimal():
        raise PlaceError("write the number of a turn. turn:6.")
    number = int(argument) - 1
    return lambda timeline, at: at == number * len(PHASES)


def _phase(argument: str) -> Test:
    phase = read_phase(argument)
    return lambda timeline, at: timeline.phase_of(at) is phase


def _at(argument: str) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        try:
            return read_place(argument, timeline) == at
        except PlaceError:
            return False

    if not re.fullmatch(r"(\d+(\.[a-z]+)?)|(#\d+)", argument):
        raise PlaceError("write a place. at:6.decide.")
    if "." in argument:
        read_phase(argument.partition(".")[2])
    return test


def _code(argument: str) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        step = timeline.step(at)
        done = len(timeline.step(at - 1).outcomes) if at % len(PHASES) else 0
        if any(line.code == argument for line in step.outcomes[done:]):
            return True
        result = timeline.record(at).result
        skipped = result.skipped if result and step.phase is Phase.FINISH else ()
        return any(skip.code == argument for skip in skipped)

    return test


def _flow(argument: str) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        before = {run.id for run in timeline.before(at).runs}
        runs = timeline.state(at).runs
        return any(run.flow_id == argument and run.id not in before for run in runs)

    return test


def _path(argument: str) -> Test:
    path = check_path(argument)
    return lambda timeline, at: changed(timeline, path, at)


def _failed(argument: str) -> Test:
    return lambda timeline, at: (
        timeline.phase_of(at) is Phase.FINISH and bool(timeline.failures(timeline.turn_of(at)))
    )


def _wake(argument: str) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        done = len(timeline.step(at - 1).schedule) if at % len(PHASES) else 0
        return any(argument in wake.key for wake in timeline.step(at).schedule[done:])

    return test


def _miss(argument: str) -> Test:
    def test(timeline: Timeline, at: int) -> bool:
        if timeline.phase_of(at) is not Phase.FINISH:
            return False
        error = timeline.record(at).error or {}
        if error.get("class") in ("CassetteMissError", "UnscriptedCallError"):
            return True
        failures = timeline.failures(timeline.turn_of(at))
        return any(it.path == "model" and "used" not in it.message for it in failures)

    return test


def _text(argument: str) -> Test:
    wanted = argument.casefold()

    def test(timeline: Timeline, at: int) -> bool:
        if timeline.phase_of(at) is Phase.INGEST:
            return wanted in str(timeline.record(at).input.get("message", "")).casefold()
        done = len(timeline.step(at - 1).messages) if at % len(PHASES) else 0
        return any(wanted in it.text.casefold() for it in timeline.step(at).messages[done:])

    return test


_MADE: dict[str, Callable[[str], Test]] = {
    "turn": _turn,
    "phase": _phase,
    "at": _at,
    "code": _code,
    "flow": _flow,
    "field": _path,
    "path": _path,
    "failed": _failed,
    "wake": _wake,
    "miss": _miss,
    "text": _text,
}
_NEEDS = ("turn", "phase", "at", "code", "flow", "field", "path", "text")
"""Those that say nothing without an argument."""


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
        for point in self.points:
            if point.text == text:
                self.remove(text)
                return False
        self.add(text)
        return True

    def hitting(self, timeline: Timeline, at: int) -> list[Breakpoint]:
        """Those that would stop a run at a step."""
        return [point for point in self.points if point.on and point.test(timeline, at)]

    def next_hit(self, timeline: Timeline, at: int, direction: int) -> int | None:
        """The next step before or behind `at` that one of them stops at; None when none does.

        A run counts the hits that it stops at and those that it passes over.
        """
        if not any(point.on for point in self.points):
            return None
        steps = range(at + 1, len(timeline)) if direction > 0 else range(at - 1, -1, -1)
        for step in steps:
            stops = False
            for point in self.hitting(timeline, step):
                point.hits += 1
                stops = stops or point.hits > point.skip
            if stops:
                return step
        return None

    def marked(self, timeline: Timeline) -> frozenset[int]:
        """Every step with a breakpoint of its own: those of a place, which are seen beforehand."""
        own = [point for point in self.points if point.text.startswith(("at:", "turn:"))]
        if not own:
            return frozenset()
        return frozenset(
            step
            for step in range(len(timeline))
            if any(point.on and point.test(timeline, step) for point in own)
        )
