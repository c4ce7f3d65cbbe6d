"""Two inputs that meet: both load the same session, and the second to save has to play again."""

from collections.abc import Mapping
from typing import Any

from falai.errors import SessionConflictError
from simulator.attempts import Attempts
from simulator.inputs import what_happens
from simulator.scenario import InputEntry, RaceEntry, WakeEntry
from simulator.stage import Trial


class Races:
    """Plays the races of a scenario."""

    def __init__(self, tries: Attempts) -> None:
        self._tries = tries

    async def play(self, entry: RaceEntry) -> None:
        """Both load the same session; the first saves, so that the second loses and replays."""
        session_id = entry.first.session or entry.session or self._tries.scenario.session
        racers = (entry.first, entry.second)
        happens = [self._what_races(racer, session_id) for racer in racers]
        if happens[0] is None or happens[1] is None:
            return
        given = self._tries.given(entry.first, happens[0], session_id)
        winner = await self._tries.attempt(entry.first, given, f"{entry.number}a")
        problem = self._tries.problem(winner)
        if winner.attempt is not None and winner.attempt.result.changed:
            trial = await self._lose(entry, happens[1], session_id)
        else:
            trial = await self._second(entry, happens[1], session_id)
            if entry.lost is not None:
                self._tries.verdict.fail(
                    entry, "lost", "the first changed nothing, so no attempt was lost"
                )
        await self._tries.stage.commit(winner)
        await self._tries.judge(entry.first, winner, problem)
        trial = await self._committed(entry, trial, happens[1], session_id)
        await self._tries.judge(entry.second, trial, self._tries.problem(trial))
        await self._tries.verdict.state(entry)

    def _what_races(self, racer: InputEntry, session_id: str) -> Mapping[str, Any] | None:
        """What a racer lets happen; taking a wake out of the queue may move the clock."""
        if not isinstance(racer, WakeEntry):
            return what_happens(racer)
        found = self._tries.find_wake(racer, only_in=session_id)
        return None if found is None else {"wake": found[1]}

    async def _second(self, entry: RaceEntry, what: Mapping[str, Any], session_id: str) -> Trial:
        given = self._tries.given(entry.second, what, session_id)
        return await self._tries.attempt(entry.second, given, f"{entry.number}b")

    async def _lose(self, entry: RaceEntry, what: Mapping[str, Any], session_id: str) -> Trial:
        """The attempt of the second that another save will beat."""
        state = self._tries.stage.stubs.snapshot()
        script = entry.lost.model if entry.lost is not None else None
        given = self._tries.given(entry.second, what, session_id)
        name = f"{entry.number}b lost"
        trial = await self._tries.attempt(entry.second, given, name, script=script, lenient=True)
        self._tries.stage.stubs.restore(state)
        if entry.lost is not None:
            await self._tries.verdict.blocks(
                entry.lost.spot, entry.lost.expect, entry.lost.exactly, trial
            )
        return trial

    async def _committed(
        self, entry: RaceEntry, trial: Trial, what: Mapping[str, Any], session_id: str
    ) -> Trial:
        """Commit the second's attempt, or its replay on what the first saved."""
        try:
            await self._tries.stage.commit(trial)
        except SessionConflictError:
            trial = await self._second(entry, what, session_id)
            await self._tries.stage.commit(trial)
        return trial
