"""Plays a scenario and keeps what came, beside what was expected of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from falai.clock import FakeClock
from simulator.expectation import expected_of, expected_of_state
from simulator.expression import Moments, expand
from simulator.judge import (
    Seen,
    looked_at,
)
from simulator.model import model_behind
from simulator.options import PlayOptions
from simulator.play import Player
from simulator.scenario import Block, Entry, FiredEntry, InputEntry, Scenario
from simulator.spot import Spot
from simulator.stage import Stage, Trial
from simulator.verdict import Verdict

BlockKey: TypeAlias = Literal["expect", "exactly"]


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One block of expectations, or the place for one, and what came."""

    spot: Spot
    """Where the entry stands, or what loses a race."""
    key: BlockKey = "expect"
    written: Block | None
    """None where there is no block; an empty one is to be filled."""
    got: Mapping[str, Any]
    """What the block looks at; where there is none, what is worth expecting."""
    moments: Moments | None
    raised: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nothing was expected."""
        return not self.written


class Witness(Verdict):
    """Sees what is judged; the failures that it collects are those that no expectation can mend."""

    def __init__(self, scenario: Scenario, stage: Stage) -> None:
        super().__init__(scenario, stage)
        self.sightings: list[Sighting] = []
        """In the order in which they were judged."""
        self._data: dict[str, Mapping[str, Any]] = {}
        given = scenario.given.session
        if given is not None:
            self._data[scenario.session] = given.value.get("data") or {}

    def fail(
        self, entry: Entry, path: str, message: str, *, wanted: Any = None, got: Any = None
    ) -> None:
        """Add a failure, unless an expected error would make it none."""
        if path != "error" or not _is_open(entry):
            super().fail(entry, path, message, wanted=wanted, got=got)

    async def turn(self, entry: InputEntry, trial: Trial, problem: str | None) -> None:
        """See a turn, and judge what else there is to it."""
        session_id = trial.given["session_id"]
        if problem is None and _is_open(entry) and _is_listed(entry):
            got = expected_of(trial.record, self._data.get(session_id, {}))
            self._see(entry.spot, entry.expect, got, raised=trial.error is not None)
        await super().turn(entry, trial, problem)
        if trial.record.result is not None:
            self._data[session_id] = dict(trial.record.result.session.data)

    def _compare(self, spot: Spot, expect: Block | None, exactly: Block | None, seen: Seen) -> None:
        """See each block, and leave it at that: what differs is to be accepted."""
        moments = self._moments
        blocks: Sequence[tuple[BlockKey, Block | None]] = (("expect", expect), ("exactly", exactly))
        for key, block in blocks:
            if block:
                wanted = block if moments is None else expand(block, moments)
                got = looked_at(wanted, seen)
                sighting = Sighting(spot=spot, key=key, written=block, got=got, moments=moments)
                self.sightings.append(sighting)
        if expect == {} and seen.result is None and seen.error is None:
            self._see(spot, expect, expected_of_state(seen.session))

    def _see(
        self, spot: Spot, written: Block | None, got: Mapping[str, Any], *, raised: bool = False
    ) -> None:
        self.sightings.append(
            Sighting(spot=spot, written=written, got=got, moments=self._moments, raised=raised)
        )

    @property
    def _moments(self) -> Moments | None:
        return self._stage.moments if self._scenario.expressions else None


def _is_open(entry: Entry) -> bool:
    return not entry.expect and entry.exactly is None


def _is_listed(entry: Entry) -> bool:
    """Whether it is an entry of its own: a wake that `fired` does not list has none."""
    return not isinstance(entry, FiredEntry) or entry.path[-2] == "fired"


async def witness(scenario: Scenario) -> Witness:
    """Play one scenario to its end; raises ScenarioFileError when it cannot be played at all."""
    clock = FakeClock(scenario.clock)
    with model_behind(scenario, PlayOptions(), clock) as behind:
        player = Player(scenario, clock, behind, verdict=Witness)
        found = player.verdict
        assert isinstance(found, Witness)
        await player.play()
    return found
