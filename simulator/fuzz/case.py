"""One conversation that is made up while it is played."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from falai.clock import FakeClock
from simulator.behind import Behind
from simulator.fuzz.model import DrawnModel
from simulator.fuzz.subject import Raw, Subject
from simulator.given import set_up
from simulator.host import split_job_id
from simulator.place import ScenarioFileError
from simulator.play import Player
from simulator.trace import Failure, TurnRecord


class Case:
    """A scenario that grows entry by entry, and the play of it so far."""

    def __init__(self, subject: Subject) -> None:
        self.entries: list[Raw] = []
        """As a file has them, the model's replies included."""
        self._subject = subject
        scenario = replace(subject.scenario([]), expressions=True)
        self._model = DrawnModel(scenario.spot.source)
        clock, behind = FakeClock(scenario.clock), Behind(self._model)
        self._player = Player(scenario, clock, behind, source=subject.source)
        self._keys: dict[str, None] = {}

    async def begin(self) -> None:
        """Put what is given in its place."""
        await set_up(self._player.stage, self._player.scenario)

    async def play(self, raw: Raw, seed: int) -> None:
        """Let an entry happen; the model answers what the seed draws, unless it says otherwise.

        What cannot be played, as with an action that a later agent has no more, is left out.
        """
        [entry] = self._subject.scenario([raw]).turns
        number = len(self.entries) + 1
        self._model.enter(seed)
        try:
            await self._player.play_entry(replace(entry, number=number))
        except ScenarioFileError:
            return
        self.entries.append(self._answered(raw, str(number)))
        for wake in self._player.stage.host.scheduler.entries():
            self._keys[split_job_id(wake.key)[1]] = None

    def _answered(self, raw: Raw, turn: str) -> Raw:
        """The entry with what the model answered in it."""
        if "race" not in raw:
            return _with_model(raw, self._model.script(turn))
        first, second = raw["race"]
        lost = self._model.script(f"{turn}b lost")
        answered = [
            _with_model(first, self._model.script(f"{turn}a")),
            _with_model(second, self._model.script(f"{turn}b") or lost),
        ]
        return {**raw, "race": answered, **({"lost": {"model": lost}} if lost else {})}

    @property
    def keys(self) -> Sequence[str]:
        """Keys of the wakes that were ever scheduled."""
        return list(self._keys)

    @property
    def failures(self) -> Sequence[Failure]:
        return self._player.verdict.failures

    @property
    def turns(self) -> Sequence[TurnRecord]:
        return self._player.stage.records


def _with_model(raw: Raw, script: dict[str, Any]) -> Raw:
    return {**raw, "model": script} if script else raw
