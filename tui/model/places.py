"""What a place in a play is called, and where a name leads."""

import re

from falai.clock import to_ms
from falai.turn.needs import Phase
from tui.model.timeline import PHASES, Timeline

_TURN = re.compile(r"(\d+)(?:\.([a-z]+))?")
_STEP = re.compile(r"#(\d+)")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
_RETURN = "return"
"""The name of the last phase for people."""
_HOW = "Write a turn such as 6 or 6.decide, a step such as #53, or a time such as 09:30."


class PlaceError(Exception):
    """A text names no place in a play."""


def phase_name(phase: Phase) -> str:
    """What a phase is called on screen."""
    return _RETURN if phase is Phase.FINISH else phase.value


def read_phase(text: str) -> Phase:
    """The phase of a name, as it is on screen or in the code; raises PlaceError."""
    name = Phase.FINISH.value if text == _RETURN else text
    if name not in [phase.value for phase in PHASES]:
        names = ", ".join(map(phase_name, PHASES))
        raise PlaceError(f'there is no phase "{text}". There is {names}.')
    return Phase(name)


def place_name(timeline: Timeline, at: int) -> str:
    """What a step is called: `6.decide`; turns are counted from 1."""
    return f"{timeline.turn_of(at) + 1}.{phase_name(timeline.phase_of(at))}"


def read_place(text: str, timeline: Timeline, at: int = 0) -> int:
    """The step that a text names; a turn alone keeps the phase of `at`. Raises PlaceError."""
    text = text.strip()
    if not timeline.turns:
        raise PlaceError("there is no turn to go to. Open a play that has some.")
    if found := _TURN.fullmatch(text):
        phase = read_phase(found[2]) if found[2] else timeline.phase_of(at)
        return timeline.at(_turn(int(found[1]), timeline), phase)
    if found := _STEP.fullmatch(text):
        number = int(found[1])
        if not 1 <= number <= len(timeline):
            raise PlaceError(f"there is no step {number}. There are {len(timeline)}.")
        return number - 1
    if _CLOCK.fullmatch(text):
        return _at_time(text.rjust(len("00:00"), "0"), timeline)
    return _at_instant(text, timeline)


def _turn(number: int, timeline: Timeline) -> int:
    if not 1 <= number <= len(timeline.turns):
        raise PlaceError(f"there is no turn {number}. There are {len(timeline.turns)}.")
    return number - 1


def _at_time(clock: str, timeline: Timeline) -> int:
    """The first turn at or after a time of day, else the last turn."""
    times = (turn.now[11 : 11 + len(clock)] for turn in timeline.turns)
    last = len(timeline.turns) - 1
    turn = next((turn for turn, time in enumerate(times) if time >= clock), last)
    return timeline.at(turn, PHASES[0])


def _at_instant(text: str, timeline: Timeline) -> int:
    try:
        instant = to_ms(text)
    except ValueError:
        raise PlaceError(f'"{text}" names no place. {_HOW}') from None
    last = len(timeline.turns) - 1
    found = (turn for turn, it in enumerate(timeline.turns) if to_ms(it.now) >= instant)
    return timeline.at(next(found, last), PHASES[0])
