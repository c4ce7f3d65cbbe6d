"""What a breakpoint can ask of the steps of a play: each question, and the steps that say yes.

Looking never runs anything: all of it is read off the records of the turns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET

from simulator.trace import TurnRecord
from tui.model.places import PlaceError, parse_place, read_phase
from tui.model.timeline import PHASES, Timeline
from tui.model.watches import changes, check_path

Finder: TypeAlias = Callable[[Timeline], Iterable[int]]
"""The steps of a play at which a question is answered with yes, in order."""

_MISSES = ("CassetteMissError", "UnscriptedCallError")


def arrival(timeline: Timeline, turn: int, what: str, place: int) -> int:
    """The step at which a turn had brought that many `what`, and one more; at the latest its end."""
    record = timeline.turns[turn]
    steps = range(timeline.at(turn, PHASES[0]), timeline.at(turn) + 1)
    if record.phases is UNSET:
        brought = (at for at in steps if len(getattr(timeline.step(at), what, ())) > place)
        return next(brought, steps[-1])
    there = (done.phase for done in record.phases if getattr(done, what) > place)
    return timeline.at(turn, next(there, PHASES[-1]))


def _arrivals(
    what: str, of: Callable[[TurnRecord], Sequence[Any]], test: Callable[[Any], bool]
) -> Finder:
    """The steps at which something came that the test takes."""

    def find(timeline: Timeline) -> Iterator[int]:
        for turn, record in enumerate(timeline.turns):
            for place, it in enumerate(of(record)):
                if test(it):
                    yield arrival(timeline, turn, what, place)

    return find


def _of_result(name: str) -> Callable[[TurnRecord], Sequence[Any]]:
    return lambda record: getattr(record.result, name) if record.result is not None else ()


# --- the questions ------------------------------------------------------------------------------


def calls_over(most: int) -> Finder:
    """Where a turn makes one model call more than that."""

    def find(timeline: Timeline) -> Iterator[int]:
        for turn, record in enumerate(timeline.turns):
            if len(record.calls) > most:
                yield arrival(timeline, turn, "calls", most)

    return find


def _turn(argument: str) -> Finder:
    if not argument.isdecimal() or int(argument) < 1:
        raise PlaceError(f'"{argument}" is no turn. Write its number, from 1: turn:6.')
    turn = int(argument) - 1
    return lambda timeline: [timeline.at(turn, PHASES[0])] if turn < len(timeline.turns) else ()


def _phase(argument: str) -> Finder:
    first = PHASES.index(read_phase(argument))
    return lambda timeline: range(first, len(timeline), len(PHASES))


def _at(argument: str) -> Finder:
    place = parse_place(argument)
    if place is None or place[0] < 0:
        raise PlaceError(f'"{argument}" is no place. Write at:6.decide or at:#53.')
    at = place[0] * len(PHASES) + PHASES.index(place[1] or PHASES[0])
    return lambda timeline: [at] if at < len(timeline) else ()


def _code(argument: str) -> Finder:
    logged = _arrivals("outcomes", _of_result("outcomes"), lambda it: it.code == argument)
    refused = _arrivals("skipped", _of_result("skipped"), lambda it: it.code == argument)
    return lambda timeline: {*logged(timeline), *refused(timeline)}


def _flow(argument: str) -> Finder:
    return _arrivals("started", _of_result("started"), lambda it: it.flow_id == argument)


def _field(argument: str) -> Finder:
    return lambda timeline: changes(timeline, f"data.{argument}")


def _path(argument: str) -> Finder:
    path = check_path(argument)
    return lambda timeline: changes(timeline, path)


def _failed(_: str) -> Finder:
    return lambda timeline: map(timeline.at, timeline.failed_turns)


def _wake(argument: str) -> Finder:
    return _arrivals("schedule", _of_result("schedule"), lambda it: argument in it.key)


def _miss(_: str) -> Finder:
    """Where a call was made that neither tape nor script held: the last of its turn."""
    return lambda timeline: (
        arrival(timeline, turn, "calls", len(record.calls) - 1)
        for turn, record in enumerate(timeline.turns)
        if record.error is not None and record.error.get("class") in _MISSES
    )


def _text(argument: str) -> Finder:
    wanted = argument.casefold()
    said = _arrivals("messages", _of_result("messages"), lambda it: wanted in it.text.casefold())

    def find(timeline: Timeline) -> set[int]:
        heard = {
            timeline.at(turn, PHASES[0])
            for turn, record in enumerate(timeline.turns)
            if wanted in str(record.input.get("message", "")).casefold()
        }
        return {*heard, *said(timeline)}

    return find


QUESTIONS: Mapping[str, Callable[[str], Finder]] = {
    "turn": _turn,
    "phase": _phase,
    "at": _at,
    "code": _code,
    "flow": _flow,
    "field": _field,
    "path": _path,
    "text": _text,
    "failed": _failed,
    "wake": _wake,
    "miss": _miss,
}
"""Each makes a finder from what stands behind the colon; raises PlaceError or PathError."""
BARE = ("failed", "miss")
"""Those that take no argument."""
OPEN = ("wake",)
"""Those that take one or none."""
