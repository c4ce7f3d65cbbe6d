"""Playing a scenario: entry by entry, judging what each one did."""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, cast

from falai.clock import FakeClock, from_ms, iso_of, ms_of, to_datetime, to_ms
from falai.errors import SessionConflictError
from falai.stores.base import Store
from falai.turn.given import TurnArgs
from falai.words.turn import HistoryItem, Wake
from simulator.agentfile import AgentSource, load_agent
from simulator.behind import Behind
from simulator.cassette.miss import CassetteMissError
from simulator.expression import ExpressionError, expand
from simulator.given import set_up
from simulator.host import split_job_id
from simulator.inputs import history_said, host_knows, what_happens
from simulator.model import model_behind
from simulator.options import PlayOptions
from simulator.playable import check_playable
from simulator.promises.keeper import Keeper
from simulator.scenario import (
    AdvanceEntry,
    ClockEntry,
    ExpectEntry,
    FiredEntry,
    InputEntry,
    ModelScript,
    RaceEntry,
    Scenario,
    TurnEntry,
    WakeEntry,
)
from simulator.spot import Spot
from simulator.stage import Stage, Trial
from simulator.stores import store_of
from simulator.trace import ScenarioRecord, total_usage
from simulator.verdict import Verdict

MOST_WAKES = 10_000
"""Wakes that one entry may fire before they count as never ending."""


_DEFAULT = PlayOptions()


async def play(scenario: Scenario, options: PlayOptions = _DEFAULT) -> ScenarioRecord:
    """Play one scenario to its end; raises ScenarioFileError when it cannot be played at all."""
    check_playable(scenario)
    clock = FakeClock(scenario.clock)
    async with store_of(scenario, options) as store:
        return await _played(scenario, options, clock, store)


async def _played(
    scenario: Scenario, options: PlayOptions, clock: FakeClock, store: Store[Any]
) -> ScenarioRecord:
    began = perf_counter()
    with model_behind(scenario, options, clock) as behind:
        player = Player(scenario, clock, behind, options, store=store)
        await player.play()
        remarks = behind.finish(passed=not player.verdict.failures)
    player.verdict.remarks(remarks)
    notes = tuple(remark.text for remark in remarks if not remark.is_failure)
    return player.record(round((perf_counter() - began) * 1000), notes)


class Player:
    """Goes through the entries of one scenario."""

    def __init__(
        self,
        scenario: Scenario,
        clock: FakeClock,
        behind: Behind,
        options: PlayOptions = _DEFAULT,
        *,
        store: Store[Any] | None = None,
        source: AgentSource | None = None,
    ) -> None:
        """Set the stage; `source` is the scenario's agent, where it was read before."""
        agent = source or _agent_of(scenario, scenario.agent)
        self.scenario = scenario
        self.stage = Stage(agent, clock, behind, phases=options.phases, store=store)
        self.verdict = Verdict(scenario, self.stage)
        self._unscripted = options.unscripted
        self._is_loose = scenario.script == "loose"
        self._keeper = Keeper(scenario.promises) if scenario.promises else None

    def record(self, duration_ms: int, notes: Sequence[str] = ()) -> ScenarioRecord:
        """What was played so far, with the verdict on it."""
        turns, failures = self.stage.records, self.verdict.failures
        calls = [call for turn in turns for call in turn.calls]
        return ScenarioRecord(
            file=str(self.scenario.spot.source.path),
            scenario=self.scenario.title,
            status="failed" if failures else "passed",
            duration_ms=duration_ms,
            llm_calls=len(calls),
            usage=total_usage(call.usage for call in calls),
            failures=failures,
            turns=list(turns),
            notes=notes,
        )

    async def play(self) -> None:
        """Play every entry, also after one that failed: the author wants to see them all.

        A miss ends the play: the turn came to nothing, so that every later one would miss too.
        """
        await set_up(self.stage, self.scenario)
        for entry in self.scenario.turns:
            try:
                await self.play_entry(entry)
            except CassetteMissError as miss:
                self.verdict.missed(miss)
                return
        self.verdict.budget()

    async def play_entry(self, entry: TurnEntry) -> None:
        """Play one entry and judge it; raises ScenarioFileError for one that cannot be played."""
        if entry.agent is not None:
            self.stage.deploy(_agent_of(self.scenario, entry.agent))
        try:
            await self._play(entry)
        except OverflowError:
            raise entry.spot.error("time goes beyond the calendar", "Go less far.") from None
        except ExpressionError as error:
            raise entry.spot.error(error.what, error.fix) from None

    async def _play(self, entry: TurnEntry) -> None:
        match entry:
            case AdvanceEntry():
                await self._advance(entry)
            case ClockEntry():
                self._set_clock(entry)
                await self.verdict.state(entry)
            case RaceEntry():
                await self._race(entry)
            case WakeEntry():
                await self._wake(entry)
            case ExpectEntry():
                await self.verdict.state(entry)
            case _:
                await self._turn(entry, what_happens(entry))

    # --- one turn -----------------------------------------------------------------------------

    async def _turn(
        self,
        entry: InputEntry,
        what: Mapping[str, Any],
        *,
        name: str | None = None,
        session_id: str | None = None,
    ) -> None:
        """Play one input to its end, with the faults that the entry asks for."""
        name = name or str(entry.number)
        given = self._given(entry, what, session_id)
        state = self.stage.stubs.snapshot()
        trial = await self._attempt(entry, given, name)
        if entry.crash == "before-save":
            lost = trial
            self.stage.stubs.restore(state)
            self.stage.restart_host()
            trial = await self._attempt(entry, given, f"{name} again")
            self._compare_attempts(entry, lost, trial)
        await self.stage.commit(trial, send=entry.crash != "before-send")
        if entry.crash == "before-send":
            self.stage.restart_host()
            self.stage.host.recover()
        await self._judge(entry, trial, self._problem(trial))
        if entry.deliver == "twice" and not self._is_due_again(given, trial):
            await self._deliver_again(entry, given, name)

    def _is_due_again(self, given: TurnArgs, trial: Trial) -> bool:
        """Whether the same input is no repeat: nothing came of the first, or it is waited for anew."""
        if trial.attempt is None:
            return self._is_loose
        return given.get("wake") in [wake.key for wake in trial.attempt.result.schedule]

    async def _judge(self, entry: InputEntry, trial: Trial, problem: str | None) -> None:
        await self.verdict.turn(entry, trial, problem)
        self._keep_promises(entry, trial)

    def _keep_promises(self, entry: InputEntry, trial: Trial) -> None:
        """Hold a turn that was kept to what the scenario promises."""
        if self._keeper is not None:
            for name, broken in self._keeper.kept(self.stage.host.agent, trial):
                self.verdict.broken(entry, name, broken)

    def _problem(self, trial: Trial) -> str | None:
        """What was wrong with the script of a turn; a loose one is never wrong."""
        return None if self._is_loose else self.stage.problem_with_script(trial)

    def _given(
        self,
        entry: InputEntry,
        what: Mapping[str, Any],
        session_id: str | None = None,
    ) -> TurnArgs:
        session_id = session_id or entry.session or self.scenario.session
        given = {
            "session_id": session_id,
            **self._expanded(host_knows(self.scenario, entry)),
            "history": self._history(session_id, entry),
            **self._expanded(what),
        }
        return cast("TurnArgs", given)  # every part was checked when the file was read

    def _history(self, session_id: str, entry: InputEntry) -> Sequence[HistoryItem]:
        """The conversation before this input, as the host would pass it."""
        history = history_said(self.scenario, entry)
        if history == "auto":
            return list(self.stage.transcripts.get(session_id, ()))
        return () if history == "none" else self._expanded(history)

    async def _attempt(
        self,
        entry: InputEntry,
        given: TurnArgs,
        name: str,
        *,
        script: ModelScript | None = None,
        lenient: bool = False,
    ) -> Trial:
        place = entry.spot.at("actions") if entry.actions else None
        self.stage.stubs.override(self._expanded(entry.actions), place)
        script = entry.model if script is None else script
        trial = await self.stage.attempt(
            given,
            ModelScript() if self._unscripted else self._expanded(script, numbers=True),
            entry=name,
            line=entry.place.line,
            lenient=lenient or self._is_loose,
        )
        if isinstance(trial.error, CassetteMissError):
            raise trial.error
        return trial

    async def _deliver_again(self, entry: InputEntry, given: TurnArgs, name: str) -> None:
        """The same input arrives once more: nothing may come of it."""
        again = await self._attempt(entry, given, f"{name} again", script=ModelScript())
        await self.stage.commit(again)
        what_happened = _what_a_repeat_did(again)
        if what_happened is not None:
            self.verdict.fail(entry, "deliver", f"the second delivery {what_happened}")
        self._keep_promises(entry, again)

    def _compare_attempts(self, entry: InputEntry, lost: Trial, trial: Trial) -> None:
        if _keys(lost) != _keys(trial):
            self.verdict.fail(
                entry,
                "crash",
                "the turn made other keys when it was played again",
                wanted=_keys(lost),
                got=_keys(trial),
            )
        if self._keeper is not None:
            for promise, broken in self._keeper.replayed(lost, trial):
                self.verdict.broken(entry, promise, broken)

    # --- time and wakes -----------------------------------------------------------------------

    async def _advance(self, entry: AdvanceEntry) -> None:
        end_ms = ms_of(self.stage.clock.now()) + entry.by_ms
        if entry.fire:
            await self._fire_until(entry, end_ms)
        self.stage.clock.set(iso_of(from_ms(end_ms)))
        await self.verdict.state(entry)

    async def _fire_until(self, entry: AdvanceEntry, end_ms: int) -> None:
        count = 0
        while (wake := self.stage.host.scheduler.earliest()) and to_ms(wake.at) <= end_ms:
            if count == MOST_WAKES:
                self.verdict.fail(
                    entry, "advance", f"more than {MOST_WAKES} wakes fired: they never end"
                )
                break
            await self._fire(entry, wake, count)
            count += 1
        if entry.fired is not None and count < len(entry.fired):
            self.verdict.fail(
                entry,
                "fired",
                f"wakes that fired: {count}, expected: {len(entry.fired)}",
                wanted=len(entry.fired),
                got=count,
            )

    async def _fire(self, entry: AdvanceEntry, wake: Wake, index: int) -> None:
        session_id, key = split_job_id(wake.key)
        if entry.fired is not None and index < len(entry.fired):
            fired = entry.fired[index]
        else:
            fired = _unlisted(entry, index)
        if entry.fired is not None and index >= len(entry.fired):
            self.verdict.fail(
                entry, f"fired[{index}]", f"a wake fired that was not expected: {key}", got=key
            )
        self.stage.take_wake(wake)
        name = f"{entry.number}.{index + 1}"
        await self._turn(fired, {"wake": key}, name=name, session_id=session_id)

    async def _wake(self, entry: WakeEntry) -> None:
        found = self._find_wake(entry)
        if found is not None:
            session_id, key = found
            await self._turn(entry, {"wake": key}, session_id=session_id)

    def _find_wake(self, entry: WakeEntry, only_in: str | None = None) -> tuple[str, str] | None:
        """The wake to fire, taken out of the queue; one named by its key may be stale.

        `next` and a flow's wake are looked for in all sessions, or `only_in` one.
        """
        if entry.key is not None:
            session_id = only_in or entry.session or self.scenario.session
            key = self._expanded(entry.key)
            if self._is_loose and self.stage.is_ahead(session_id, key):
                return None  # a queue is late at times, and never early
            self.stage.drop_wake(session_id, key)
            return session_id, key
        waiting = self.stage.host.scheduler.entries()
        for wake in waiting:
            session_id, key = split_job_id(wake.key)
            if only_in in (None, session_id) and _is_of_flow(key, entry.flow):
                self.stage.take_wake(wake)
                return session_id, key
        if self._is_loose:
            return None
        which = f" of flow {entry.flow}" if entry.flow else ""
        where = f" in session {only_in}" if only_in else ""
        keys = [split_job_id(wake.key)[1] for wake in waiting]
        self.verdict.fail(
            entry, "wake", f"there is no wake{which}{where} to fire", got=keys or None
        )
        return None

    def _set_clock(self, entry: ClockEntry) -> None:
        at = self._expanded(entry.at)
        if to_datetime(at) < self.stage.clock.now() and not entry.back:
            self.verdict.fail(
                entry,
                "clock",
                f"the clock stands at {self.stage.now_iso} and would go back to {at}",
            )
            return
        self.stage.clock.set(at)

    # --- races --------------------------------------------------------------------------------

    async def _race(self, entry: RaceEntry) -> None:
        """Both load the same session; the first saves, so that the second loses and replays."""
        session_id = entry.first.session or entry.session or self.scenario.session
        racers = (entry.first, entry.second)
        happens = [self._what_races(racer, session_id) for racer in racers]
        if happens[0] is None or happens[1] is None:
            return
        given = self._given(entry.first, happens[0], session_id)
        winner = await self._attempt(entry.first, given, f"{entry.number}a")
        problem = self._problem(winner)
        if winner.attempt is not None and winner.attempt.result.changed:
            trial = await self._lose(entry, happens[1], session_id)
        else:
            trial = await self._second(entry, happens[1], session_id)
            if entry.lost is not None:
                self.verdict.fail(
                    entry, "lost", "the first changed nothing, so no attempt was lost"
                )
        await self.stage.commit(winner)
        await self._judge(entry.first, winner, problem)
        trial = await self._committed(entry, trial, happens[1], session_id)
        await self._judge(entry.second, trial, self._problem(trial))
        await self.verdict.state(entry)

    def _what_races(self, racer: InputEntry, session_id: str) -> Mapping[str, Any] | None:
        """What a racer lets happen; taking a wake out of the queue may move the clock."""
        if not isinstance(racer, WakeEntry):
            return what_happens(racer)
        found = self._find_wake(racer, only_in=session_id)
        return None if found is None else {"wake": found[1]}

    async def _second(self, entry: RaceEntry, what: Mapping[str, Any], session_id: str) -> Trial:
        given = self._given(entry.second, what, session_id)
        return await self._attempt(entry.second, given, f"{entry.number}b")

    async def _lose(self, entry: RaceEntry, what: Mapping[str, Any], session_id: str) -> Trial:
        """The attempt of the second that another save will beat."""
        state = self.stage.stubs.snapshot()
        script = entry.lost.model if entry.lost is not None else None
        given = self._given(entry.second, what, session_id)
        name = f"{entry.number}b lost"
        trial = await self._attempt(entry.second, given, name, script=script, lenient=True)
        self.stage.stubs.restore(state)
        if entry.lost is not None:
            await self.verdict.blocks(entry.lost.spot, entry.lost.expect, entry.lost.exactly, trial)
        return trial

    async def _committed(
        self, entry: RaceEntry, trial: Trial, what: Mapping[str, Any], session_id: str
    ) -> Trial:
        """Commit the second's attempt, or its replay on what the first saved."""
        try:
            await self.stage.commit(trial)
        except SessionConflictError:
            trial = await self._second(entry, what, session_id)
            await self.stage.commit(trial)
        return trial

    def _expanded(self, value: Any, *, numbers: bool = False) -> Any:
        if not self.scenario.expressions:
            return value
        return expand(value, self.stage.moments, numbers=numbers)


def _unlisted(entry: AdvanceEntry, index: int) -> FiredEntry:
    """The entry of a wake that `fired` does not list: what holds around it, and no script."""
    return FiredEntry(
        number=index + 1,
        spot=entry.spot,
        context=entry.context,
        anchors=entry.anchors,
        claims=entry.claims,
        silenced=entry.silenced,
        history=entry.history,
    )


def _is_of_flow(key: str, flow: str | None) -> bool:
    return flow is None or key.startswith((f"{flow}#", f"silence:{flow}:"))


def _what_a_repeat_did(trial: Trial) -> str | None:
    """What came of a repeated delivery; None when it was ignored, or its start refused."""
    result = trial.record.result
    handled = "was handled, not ignored"
    if result is None or trial.record.calls or trial.record.actions or result.messages:
        return handled
    if result.started:
        return f"started {result.started[0].run_id}"
    return (
        handled
        if result.changed and any((result.schedule, result.outcomes, result.ended))
        else None
    )


def _keys(trial: Trial) -> dict[str, list[str]]:
    """What an attempt would show to the outside, by its keys."""
    result = trial.record.result
    return {
        "messages": [message.key for message in result.messages] if result else [],
        "actions": [action.key for action in trial.record.actions],
    }


def _agent_of(scenario: Scenario, reference: Spot) -> AgentSource:
    return load_agent(reference, stubs=scenario.stubs)
