"""Attempts at a turn: an input as the host gives it, the turn that comes of it, and its verdict."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from falai.turn.given import TurnArgs
from falai.words.turn import HistoryItem
from simulator.cassette.miss import CassetteMissError
from simulator.expression import expand
from simulator.host import split_job_id
from simulator.inputs import history_said, host_knows
from simulator.promises.keeper import Keeper
from simulator.scenario import InputEntry, ModelScript, Scenario, WakeEntry
from simulator.stage import Stage, Trial
from simulator.verdict import Verdict


class Attempts:
    """What every kind of entry needs that plays a turn."""

    def __init__(
        self, scenario: Scenario, stage: Stage, verdict: Verdict, *, unscripted: bool = False
    ) -> None:
        """With `unscripted`, the model answers also where a reply is scripted."""
        self.scenario = scenario
        self.stage = stage
        self.verdict = verdict
        self.is_loose = scenario.script == "loose"
        self.keeper = Keeper(scenario.promises) if scenario.promises else None
        self._unscripted = unscripted

    # --- one attempt ----------------------------------------------------------------------------

    def given(
        self,
        entry: InputEntry,
        what: Mapping[str, Any],
        session_id: str | None = None,
    ) -> TurnArgs:
        """The arguments of a turn: what happens, and what the host knows then."""
        session_id = session_id or entry.session or self.scenario.session
        given = {
            "session_id": session_id,
            **self.expanded(host_knows(self.scenario, entry)),
            "history": self._history(session_id, entry),
            **self.expanded(what),
        }
        return cast("TurnArgs", given)  # every part was checked when the file was read

    def _history(self, session_id: str, entry: InputEntry) -> Sequence[HistoryItem]:
        """The conversation before this input, as the host would pass it."""
        history = history_said(self.scenario, entry)
        if history == "auto":
            return list(self.stage.transcripts.get(session_id, ()))
        return () if history == "none" else self.expanded(history)

    async def attempt(
        self,
        entry: InputEntry,
        given: TurnArgs,
        name: str,
        *,
        script: ModelScript | None = None,
        lenient: bool = False,
    ) -> Trial:
        """Run a turn with the entry's script, or another one; nothing is saved.

        Raises CassetteMissError where the tape has no answer.
        """
        place = entry.spot.at("actions") if entry.actions else None
        self.stage.stubs.override(self.expanded(entry.actions), place)
        script = entry.model if script is None else script
        trial = await self.stage.attempt(
            given,
            ModelScript() if self._unscripted else self.expanded(script, numbers=True),
            entry=name,
            line=entry.place.line,
            lenient=lenient or self.is_loose,
        )
        if isinstance(trial.error, CassetteMissError):
            raise trial.error
        return trial

    # --- the verdict on it ----------------------------------------------------------------------

    async def judge(self, entry: InputEntry, trial: Trial, problem: str | None) -> None:
        """Judge a turn that was kept; `problem` is what was wrong with its script."""
        await self.verdict.turn(entry, trial, problem)
        self.keep_promises(entry, trial)

    def keep_promises(self, entry: InputEntry, trial: Trial) -> None:
        """Hold a turn that was kept to what the scenario promises."""
        if self.keeper is not None:
            for name, broken in self.keeper.kept(self.stage.host.agent, trial):
                self.verdict.broken(entry, name, broken)

    def problem(self, trial: Trial) -> str | None:
        """What was wrong with the script of a turn; a loose one is never wrong."""
        return None if self.is_loose else self.stage.problem_with_script(trial)

    # --- wakes ----------------------------------------------------------------------------------

    def find_wake(self, entry: WakeEntry, only_in: str | None = None) -> tuple[str, str] | None:
        """The wake to fire, taken out of the queue; one named by its key may be stale.

        `next` and a flow's wake are looked for in all sessions, or `only_in` one.
        """
        if entry.key is not None:
            session_id = only_in or entry.session or self.scenario.session
            key = self.expanded(entry.key)
            if self.is_loose and self.stage.is_ahead(session_id, key):
                return None  # a queue is late at times, and never early
            self.stage.drop_wake(session_id, key)
            return session_id, key
        waiting = self.stage.host.scheduler.entries()
        for wake in waiting:
            session_id, key = split_job_id(wake.key)
            if only_in in (None, session_id) and _is_of_flow(key, entry.flow):
                self.stage.take_wake(wake)
                return session_id, key
        if self.is_loose:
            return None
        which = f" of flow {entry.flow}" if entry.flow else ""
        where = f" in session {only_in}" if only_in else ""
        keys = [split_job_id(wake.key)[1] for wake in waiting]
        self.verdict.fail(
            entry, "wake", f"there is no wake{which}{where} to fire", got=keys or None
        )
        return None

    def expanded(self, value: Any, *, numbers: bool = False) -> Any:
        """A value of the file with its expressions filled in, as of now."""
        if not self.scenario.expressions:
            return value
        return expand(value, self.stage.moments, numbers=numbers)


def _is_of_flow(key: str, flow: str | None) -> bool:
    return flow is None or key.startswith((f"{flow}#", f"silence:{flow}:"))
