"""A play as a list of steps, eight to a turn; looking at any of them runs nothing."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import UNSET

from falai.turn.needs import Phase
from falai.words.outcome import Outcome
from falai.words.session import Claim, Run
from falai.words.turn import OutMessage, Wake
from simulator.phases import PhaseRecord
from simulator.trace import ActionRecord, CallRecord, Failure, ScenarioRecord, TurnRecord

PHASES: tuple[Phase, ...] = tuple(Phase)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What a session held at a step."""

    data: Mapping[str, Any] = {}
    runs: Sequence[Run] = ()
    claims: Mapping[str, Claim] = {}
    inputs: Sequence[str] = ()


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One phase of one turn."""

    at: int
    """Its place among all steps, from 0."""
    turn: int
    """The turn's place in `turns`, from 0."""
    phase: Phase
    ran: bool = True
    """False for a phase that a turn which raised never came to."""
    calls: Sequence[CallRecord]
    """Model calls of this turn so far, and likewise below."""
    actions: Sequence[ActionRecord]
    outcomes: Sequence[Outcome]
    messages: Sequence[OutMessage]
    schedule: Sequence[Wake]


class Timeline:
    """The steps of one play."""

    def __init__(self, play: ScenarioRecord) -> None:
        self.play = play
        self.turns: Sequence[TurnRecord] = play.turns
        self._earlier = _earlier(play.turns)
        self._failures = _by_turn(play)
        self._spent = list(accumulate(len(turn.calls) for turn in play.turns))
        self._states: dict[int, State] = {}

    def __len__(self) -> int:
        return len(self.turns) * len(PHASES)

    # --- where ---------------------------------------------------------------------------------

    def at(self, turn: int, phase: Phase = Phase.FINISH) -> int:
        """The place of a phase of a turn (from 0)."""
        return turn * len(PHASES) + PHASES.index(phase)

    def turn_of(self, at: int) -> int:
        """The turn (from 0) that a step belongs to."""
        return at // len(PHASES)

    def phase_of(self, at: int) -> Phase:
        return PHASES[at % len(PHASES)]

    def record(self, at: int) -> TurnRecord:
        """The turn that a step belongs to."""
        return self.turns[self.turn_of(at)]

    def session_of(self, turn: int) -> str:
        """The id of the session that a turn belongs to."""
        return str(self.turns[turn].input.get("sessionId", ""))

    @cached_property
    def has_sessions(self) -> bool:
        """Whether there is more than one session."""
        return len({self.session_of(turn) for turn in range(len(self.turns))}) > 1

    # --- what ----------------------------------------------------------------------------------

    def step(self, at: int) -> Step:
        """One step, with all that its turn had brought by its end."""
        record, phase = self.record(at), self.phase_of(at)
        done = _counted(record, phase)
        result = record.result
        return Step(
            at=at,
            turn=self.turn_of(at),
            phase=phase,
            ran=done is not None,
            calls=record.calls[: done.calls if done else None],
            actions=record.actions[: done.actions if done else None],
            outcomes=result.outcomes[: done.outcomes] if result and done else (),
            messages=result.messages[: done.messages] if result and done else (),
            schedule=result.schedule[: done.schedule] if result and done else (),
        )

    def state(self, at: int) -> State:
        """What the turn's session held after a step."""
        if at not in self._states:
            self._states[at] = self._made_state(at)
        return self._states[at]

    def before(self, at: int) -> State:
        """What the turn's session held before a step."""
        if at % len(PHASES):
            return self.state(at - 1)
        earlier = self._earlier[self.turn_of(at)]
        return State() if earlier is None else self.state(self.at(earlier))

    def _made_state(self, at: int) -> State:
        record, phase = self.record(at), self.phase_of(at)
        if record.phases is UNSET:
            return self._guessed_state(at)
        parts: dict[str, Any] = {}
        for done in record.phases:
            if PHASES.index(done.phase) > PHASES.index(phase):
                break
            given = {name: getattr(done, name) for name in State.__struct_fields__}
            parts.update({name: part for name, part in given.items() if part is not None})
        return State(**parts)

    def _guessed_state(self, at: int) -> State:
        """A record without phases tells what was saved: it counts from Settle on."""
        result = self.record(at).result
        if self.phase_of(at) in (Phase.SETTLE, Phase.FINISH) and result is not None:
            session = result.session
            return State(
                data=session.data,
                runs=session.runs,
                claims=session.claims,
                inputs=session.inputs,
            )
        earlier = self._earlier[self.turn_of(at)]
        return State() if earlier is None else self.state(self.at(earlier))

    # --- checks --------------------------------------------------------------------------------

    def failures(self, turn: int | None) -> Sequence[Failure]:
        """What failed at a turn (from 0); None asks for what belongs to no turn."""
        return self._failures.get(turn, ())

    @cached_property
    def failed_turns(self) -> Sequence[int]:
        """The turns (from 0) at which something failed, in order."""
        return sorted(turn for turn in self._failures if turn is not None)

    def spent(self, at: int) -> int:
        """Model calls made from the start until a step."""
        turn = self.turn_of(at)
        return (self._spent[turn - 1] if turn else 0) + len(self.step(at).calls)


def _counted(record: TurnRecord, phase: Phase) -> PhaseRecord | None:
    """How much there was when a phase ended; None when the turn never came to it."""
    if record.phases is UNSET:
        return _guessed(record, phase)
    return next((done for done in record.phases if done.phase == phase), None)


def _guessed(record: TurnRecord, phase: Phase) -> PhaseRecord:
    """For a record without phases: each thing when it comes about at the latest."""
    place = PHASES.index(phase)
    result = record.result
    spoke, settled = place >= PHASES.index(Phase.SPEAK), place >= PHASES.index(Phase.SETTLE)
    heard = [call for call in record.calls if call.purpose != "speak"]
    calls = len(record.calls) if spoke else len(heard) if place >= 2 else 0
    return PhaseRecord(
        phase=phase,
        calls=calls,
        actions=len(record.actions) if place >= PHASES.index(Phase.RUN) else 0,
        outcomes=len(result.outcomes) if result and settled else 0,
        messages=len(result.messages) if result and settled else 0,
        schedule=len(result.schedule) if result and settled else 0,
    )


def is_lost(turns: Sequence[TurnRecord], number: int) -> bool:
    """Whether nothing of a turn (from 0) was saved: it lost a race, or its host died before."""
    turn = turns[number]
    if turn.entry.endswith(" lost"):
        return True
    again = turns[number + 1] if number + 1 < len(turns) else None
    if again is None or again.entry != f"{turn.entry} again":
        return False
    if turn.result is None or again.result is None:
        return False
    # Delivered twice, the second one finds what the first one saved.
    return turn.result.changed and turn.result.session.version == again.result.session.version


def _earlier(turns: Sequence[TurnRecord]) -> list[int | None]:
    """For each turn the last one before it that left something in the same session."""
    last: dict[str, int] = {}
    earlier: list[int | None] = []
    for number, turn in enumerate(turns):
        session = str(turn.input.get("sessionId", ""))
        earlier.append(last.get(session))
        if turn.result is not None and not is_lost(turns, number):
            last[session] = number
    return earlier


def _by_turn(play: ScenarioRecord) -> dict[int | None, list[Failure]]:
    """Failures by the turn in whose lines they stand."""
    starts = sorted((turn.line, number) for number, turn in enumerate(play.turns))
    lines = [start for start, _ in starts]
    found: dict[int | None, list[Failure]] = {}
    for failure in play.failures:
        place = bisect_right(lines, failure.line) - 1
        found.setdefault(starts[place][1] if place >= 0 else None, []).append(failure)
    return found
