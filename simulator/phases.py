"""What stands after each phase of a turn, for whoever steps through it later."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from falai.providers.base import ModelCall
from falai.turn.needs import ActionCall, Phase
from falai.turn.stepping import Stepper
from falai.words.session import Claim, Run, Session
from falai.words.turn import TurnResult


class PhaseRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One phase that ran: how much there was when it ended, and what of the session it changed.

    The counts go over the whole turn, so that a list of the turn cut there is what stood then.
    The first record of a turn has the whole session; of later ones a part that is None is as
    it was after the phase before.
    """

    phase: Phase
    calls: int = 0
    actions: int = 0
    outcomes: int = 0
    messages: int = 0
    schedule: int = 0
    started: int = 0
    ended: int = 0
    skipped: int = 0
    data: dict[str, Any] | None = None
    runs: Sequence[Run] | None = None
    """Without their outcomes: those stand in the turn's result."""
    claims: dict[str, Claim] | None = None
    inputs: Sequence[str] | None = None


async def drive(stepper: Stepper, records: list[PhaseRecord]) -> TurnResult:
    """Run a turn to its end and write down what stood after each phase; raises what it raised."""
    pen = _Pen(stepper, records)
    while stepper.pending is not None:
        if isinstance(stepper.pending, Phase):
            pen.write()
            pen.phase = stepper.pending
        await stepper.go_on()
    pen.write()
    return await stepper.run()


class _Pen:
    """Writes the records of one turn; keeps what it wrote last, to leave out what is the same."""

    def __init__(self, stepper: Stepper, records: list[PhaseRecord]) -> None:
        self.phase: Phase | None = None
        self._stepper = stepper
        self._records = records
        self._last: dict[str, bytes] = {}

    def write(self) -> None:
        """Write down what the phase that just ended left behind."""
        if self.phase is None:
            return
        turn = self._stepper.turn
        needs = [exchange.need for exchange in self._stepper.exchanges]
        self._records.append(
            PhaseRecord(
                phase=self.phase,
                calls=sum(isinstance(need, ModelCall) for need in needs),
                actions=sum(isinstance(need, ActionCall) for need in needs),
                outcomes=len(turn.outcomes),
                messages=len(turn.messages),
                schedule=len(turn.schedule),
                started=len(turn.started),
                ended=len(turn.ended),
                skipped=len(turn.skipped),
                **self._changed(turn.session),
            )
        )

    def _changed(self, session: Session[Any]) -> dict[str, Any]:
        """The parts of the session that are not as they were, as copies of their own."""
        parts = {
            "data": session.data,
            "runs": [replace(run, outcomes=[]) for run in session.runs],
            "claims": session.claims,
            "inputs": session.inputs,
        }
        changed: dict[str, Any] = {}
        for name, part in parts.items():
            encoded = msgspec.json.encode(part, enc_hook=repr)
            if self._last.get(name) != encoded:
                self._last[name] = encoded
                changed[name] = msgspec.json.decode(encoded, type=_TYPES[name])
        return changed


_TYPES: dict[str, Any] = {
    "data": dict[str, Any],
    "runs": list[Run],
    "claims": dict[str, Claim],
    "inputs": list[str],
}
