"""Whose call it was: the flow and the step that a model call was made for."""

from collections.abc import Mapping
from typing import NamedTuple

from simulator.report.document import TracedCall, TracedLine, TracedRun, TracedTurn

NONE = "-"
"""In the place of a flow, a step or a code: there is none."""

IDLE = "idle"
"""In the place of the step, without a flow: the idle speaker."""


class Owner(NamedTuple):
    """The flow and step that a call was made for, and the code of the line that it led to."""

    flow: str = NONE
    step: str = NONE
    code: str = NONE


class Owners:
    """Follows the turns of one scenario and says whom each call belongs to."""

    def __init__(self) -> None:
        self._saved: dict[tuple[str, int], TracedRun | None] = {}
        """Who held the floor in each saved version of each session."""
        self._newest: dict[str, int] = {}

    def of_turn(self, turn: TracedTurn) -> Mapping[str, Owner]:
        """The owner by purpose; each turn once, in order."""
        owners = {"understand": self._reader(turn), "speak": _speaker(turn)}
        self._remember(turn)
        return owners

    def _reader(self, turn: TracedTurn) -> Owner:
        """An understand call reads an answer to whoever holds the floor."""
        floor = self._floor_before(turn)
        if floor is not None:
            return Owner(floor.flow_id or NONE, floor.step_id or NONE)
        for line in turn.result.outcomes if turn.result else ():
            if line.code == "replied":
                return Owner(line.flow_id or NONE, line.step_id or NONE)
        return Owner()

    def _floor_before(self, turn: TracedTurn) -> TracedRun | None:
        session = _session_of(turn)
        newest = self._newest.get(session, 0)
        version = turn.result.session.version if turn.result else newest
        return self._saved.get((session, version))

    def _remember(self, turn: TracedTurn) -> None:
        """Keep who holds the floor next, unless the attempt lost and was never saved."""
        result = turn.result
        if result is None or not result.changed or str(turn.entry).endswith(" lost"):
            return
        session, version = _session_of(turn), result.session.version + 1
        asking = (run for run in result.session.runs if run.status == "asking")
        self._saved[session, version] = next(asking, None)
        self._newest[session] = version


def owner_of(call: TracedCall, owners: Mapping[str, Owner]) -> Owner:
    """Whose call it was; a summary is made for nobody."""
    return owners.get(call.purpose, Owner())


def _session_of(turn: TracedTurn) -> str:
    return str(turn.input.get("sessionId", NONE))


def _speaker(turn: TracedTurn) -> Owner:
    """One step speaks in a turn at most; its line counts the calls, or says how they failed."""
    lines = turn.result.outcomes if turn.result else ()
    line = next((line for line in lines if line.llm_calls), None)
    line = line or next((line for line in lines if _says_how_it_failed(line)), None)
    return owner_of_line(line) if line is not None else Owner()


def owner_of_line(line: TracedLine) -> Owner:
    """Whose line it is."""
    step = line.step_id or (IDLE if line.kind == "idle" else NONE)
    return Owner(line.flow_id or NONE, step, line.code or NONE)


def _says_how_it_failed(line: TracedLine) -> bool:
    return (line.code or "").startswith("provider-")
