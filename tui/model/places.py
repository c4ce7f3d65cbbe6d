"""What a place in a play is called, and where a name leads."""

import re
from datetime import time

from falai.clock import to_ms
from falai.turn.needs import Phase
from tui.model.timeline import PHASES, Timeline

_TURN = re.compile(r"([0-9]+)(?:\.([^\W\d_]+))?")
_STEP = re.compile(r"#([0-9]+)")
_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?")
_DATE = len("2026-01-05")
_RETURN = "return"
"""The name of the last phase for people."""
_HOW = "Write a turn such as 6 or 6.decide, a step such as #53, or a time such as 09:30."


class PlaceError(Exception):
    """A text names no place in a play: `what. how to fix.`"""


def phase_name(phase: Phase) -> str:
    """What a phase is called on screen."""
    return _RETURN if phase is Phase.FINISH else phase.value


def read_phase(text: str) -> Phase:
    """The phase of a name, as it is on screen or in the code; raises PlaceError."""
    name = text.casefold()
    name = Phase.FINISH.value if name == _RETURN else name
    if name not in [phase.value for phase in PHASES]:
        names = ", ".join(map(phase_name, PHASES))
        raise PlaceError(f'there is no phase "{text}". There is {names}.')
    return Phase(name)


def place_name(timeline: Timeline, at: int) -> str:
    """What a step is called: `6.decide`; turns are counted from 1."""
    return f"{timeline.turn_of(at) + 1}.{phase_name(timeline.phase_of(at))}"


def parse_place(text: str) -> tuple[int, Phase | None] | None:
    """Turn (from 0) and phase that `6`, `6.decide` or `#53` name in any play; None for other texts.

    Raises PlaceError for a phase that there is not.
    """
    if found := _TURN.fullmatch(text):
        return int(found[1]) - 1, read_phase(found[2]) if found[2] else None
    if found := _STEP.fullmatch(text):
        turn, phase = divmod(int(found[1]) - 1, len(PHASES))
        return turn, PHASES[phase]
    return None


def read_place(text: str, timeline: Timeline, at: int = 0) -> int:
    """The step that a text names, seen from `at`. Raises PlaceError.

    A turn alone keeps the phase, a time of day alone the day. A time leads to the earliest turn
    that is not before it, else to the last.
    """
    text = text.strip()
    if not timeline.turns:
        raise PlaceError("there is no turn to go to. Open a play that has some.")
    if (place := parse_place(text)) is not None:
        turn, phase = place
        if not 0 <= turn < len(timeline.turns):
            raise PlaceError(_outside(text, timeline))
        return timeline.at(turn, phase or timeline.phase_of(at))
    return _at_instant(_with_day(text, timeline.record(at).now), text, timeline)


def _outside(text: str, timeline: Timeline) -> str:
    if text.startswith("#"):
        return f"there is no step {text}. Write one of #1 to #{len(timeline)}."
    number = text.partition(".")[0]
    return f"there is no turn {number}. Write one of 1 to {len(timeline.turns)}."


def _with_day(text: str, now: str) -> str:
    """A time of day as an instant of the day on which somebody stands."""
    if not _CLOCK.fullmatch(text):
        return text
    try:
        clock = time.fromisoformat(f"0{text}" if text[1] == ":" else text)
    except ValueError:
        raise PlaceError(f'"{text}" is no time of day. {_HOW}') from None
    return f"{now[:_DATE]}T{clock.isoformat()}"


def _at_instant(iso: str, text: str, timeline: Timeline) -> int:
    try:
        instant = to_ms(iso)
    except (ValueError, OverflowError):
        raise PlaceError(f'"{text}" names no place. {_HOW}') from None
    last = len(timeline.turns) - 1
    found = (turn for turn, it in enumerate(timeline.turns) if to_ms(it.now) >= instant)
    return timeline.at(next(found, last), PHASES[0])
