"""Playing a scenario: entry by entry, judging what each one did."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from falai.clock import FakeClock, from_ms, iso_of, ms_of, to_datetime, to_ms
from falai.stores.base import Store
from falai.words.turn import Wake
from simulator.agentfile import AgentSource, load_agent
from simulator.attempts import Attempts
from simulator.behind import Behind
from simulator.cassette.miss import CassetteMissError
from simulator.expression import ExpressionError
from simulator.given import set_up
from simulator.host import split_job_id
from simulator.inputs import what_happens
from simulator.model import model_behind
from simulator.oneturn import OneTurn
from simulator.options import PlayOptions
from simulator.playable import check_playable
from simulator.races import Races
from simulator.scenario import (
    AdvanceEntry,
    ClockEntry,
    ExpectEntry,
    FiredEntry,
    RaceEntry,
    Scenario,
    TurnEntry,
    WakeEntry,
)
from simulator.spot import Spot
from simulator.stage import Stage
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

    def __init__(  # noqa: PLR0913 - each is a seam that somebody else takes
        self,
        scenario: Scenario,
        clock: FakeClock,
        behind: Behind,
        options: PlayOptions = _DEFAULT,
        *,
        store: Store[Any] | None = None,
        source: AgentSource | None = None,
        verdict: type[Verdict] = Verdict,
    ) -> None:
        """Set the stage; `source` is the scenario's agent, where it was read before.

        Another `verdict` may see more in what was played.
        """
        agent = source or _agent_of(scenario, scenario.agent)
        self.scenario = scenario
        self.stage = Stage(agent, clock, behind, phases=options.phases, store=store)
        self.verdict = verdict(scenario, self.stage)
        self._tries = Attempts(scenario, self.stage, self.verdict, unscripted=options.unscripted)
        self._one_turn = OneTurn(self._tries)
        self._races = Races(self._tries)

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
                await self._races.play(entry)
            case WakeEntry():
                await self._wake(entry)
            case ExpectEntry():
                await self.verdict.state(entry)
            case _:
                await self._one_turn.play(entry, what_happens(entry))

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
        await self._one_turn.play(fired, {"wake": key}, name=name, session_id=session_id)

    async def _wake(self, entry: WakeEntry) -> None:
        found = self._tries.find_wake(entry)
        if found is not None:
            session_id, key = found
            await self._one_turn.play(entry, {"wake": key}, session_id=session_id)

    def _set_clock(self, entry: ClockEntry) -> None:
        at = self._tries.expanded(entry.at)
        if to_datetime(at) < self.stage.clock.now() and not entry.back:
            self.verdict.fail(
                entry,
                "clock",
                f"the clock stands at {self.stage.now_iso} and would go back to {at}",
            )
            return
        self.stage.clock.set(at)


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


def _agent_of(scenario: Scenario, reference: Spot) -> AgentSource:
    return load_agent(reference, stubs=scenario.stubs)
