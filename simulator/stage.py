"""The stage of a play: one clock, one model, one host, and the record of every attempt on it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from falai.clock import FakeClock, iso_of, to_datetime
from falai.errors import SessionConflictError
from falai.providers.base import Provider, Purpose
from falai.providers.scripted import UnscriptedCallError
from falai.stores.base import Store
from falai.turn.execute import question_is_due
from falai.turn.given import TurnArgs
from falai.turn.stepping import Stepper
from falai.words.session import Session
from falai.words.turn import HistoryItem, TurnResult, Wake
from simulator.agentfile import AgentSource
from simulator.behind import Behind
from simulator.cassette.calls import playing
from simulator.expression import Moments
from simulator.host import Attempt, Host, job_id
from simulator.liveanswers import StoppedError
from simulator.phases import PhaseRecord, drive
from simulator.scenario import ModelScript
from simulator.script import ScriptedModel
from simulator.stores import seeded
from simulator.trace import TurnRecord, actions_of, calls_of, error_of


class Trial(msgspec.Struct, kw_only=True):
    """One attempt at a turn: it came to a result, or it raised."""

    record: TurnRecord
    attempt: Attempt | None
    given: TurnArgs
    error: BaseException | None = None


class Stage:
    """Where a scenario plays; turns are attempted and committed one by one."""

    def __init__(
        self,
        source: AgentSource,
        clock: FakeClock | str,
        behind: Behind | Provider | None = None,
        *,
        phases: bool = False,
        store: Store[Any] | None = None,
    ) -> None:
        """Set the stage; the model `behind` answers the calls that no script does.

        With `phases`, the records tell what stood after each phase.
        """
        self.clock = FakeClock(clock) if isinstance(clock, str) else clock
        self.start = self.clock.now()
        self._behind = behind if isinstance(behind, Behind) else Behind(behind)
        self.model = ScriptedModel(self._behind.provider)
        self.records: list[TurnRecord] = []
        self.transcripts: dict[str, list[HistoryItem]] = {}
        """What was said so far, by session, as a host would keep it."""
        self._stepper: Stepper | None = None
        self._phases: list[PhaseRecord] | None = [] if phases else None
        agent, self.stubs = source.build(provider=self.model, clock=self.clock)
        self.host = Host(agent, store=store, drive=self._drive)

    def deploy(self, source: AgentSource) -> None:
        """Let another agent take over from here on; its stand-ins begin anew."""
        self.host.agent, self.stubs = source.build(provider=self.model, clock=self.clock)

    def restart_host(self) -> None:
        """Let the host's process die, and another one start over what it had stored."""
        old = self.host
        self.host = Host(
            old.agent,
            store=old.store,
            scheduler=old.scheduler,
            outbox=old.outbox,
            drive=self._drive,
        )

    async def seed(self, session: Session) -> None:
        """Let a stored session stand in the store from the start."""
        self.host.store = await seeded(self.host.store, session)

    def take_wake(self, wake: Wake) -> None:
        """Take a job out of the queue to fire it; the clock moves on to its time."""
        self.host.scheduler.remove(wake.key)
        if to_datetime(wake.at) > self.clock.now():
            self.clock.set(wake.at)

    def drop_wake(self, session_id: str, key: str) -> None:
        """Take a wake out of the queue, if it is there."""
        self.host.scheduler.remove(job_id(session_id, key))

    def is_ahead(self, session_id: str, key: str) -> bool:
        """Whether a wake waits in the queue, and its time has not come."""
        wanted = job_id(session_id, key)
        waiting = (wake for wake in self.host.scheduler.entries() if wake.key == wanted)
        return any(to_datetime(wake.at) > self.clock.now() for wake in waiting)

    @property
    def moments(self) -> Moments:
        """What expressions may name right now."""
        return Moments(now=self.clock.now(), start=self.start)

    @property
    def now_iso(self) -> str:
        return iso_of(self.clock.now())

    async def _drive(self, stepper: Stepper) -> TurnResult:
        self._stepper = stepper
        if self._phases is None:
            return await stepper.run()
        self._phases = []
        return await drive(stepper, self._phases)

    async def attempt(
        self, given: TurnArgs, script: ModelScript, *, entry: str, line: int, lenient: bool = False
    ) -> Trial:
        """Run a turn and record it; nothing of it is saved or sent."""
        self.model.play(script, lenient=lenient)
        self._stepper = None
        attempt: Attempt | None = None
        error: BaseException | None = None
        try:
            with playing(entry, line):
                attempt = await self.host.attempt(**given)
        except BaseException as raised:
            if _ends_the_play(raised):
                raise
            error = raised  # something to judge
        record = self._record(given, attempt, error, entry, line)
        self.records.append(record)
        return Trial(record=record, attempt=attempt, given=given, error=error)

    def _record(
        self,
        given: TurnArgs,
        attempt: Attempt | None,
        error: BaseException | None,
        entry: str,
        line: int,
    ) -> TurnRecord:
        stepper = self._stepper
        return TurnRecord(
            entry=entry,
            line=line,
            now=self.now_iso,
            input=_input(given),
            result=attempt.result if attempt else None,
            calls=calls_of(stepper, self._behind.expense_of, self.model.model_of)
            if stepper
            else [],
            actions=actions_of(stepper) if stepper else [],
            error=error_of(error),
            phases=self._phases or UNSET,
        )

    async def commit(self, trial: Trial, *, send: bool = True) -> None:
        """Save an attempt, and let what it says leave; raises SessionConflictError.

        A session that the store cannot keep makes its turn one that raised.
        """
        if trial.attempt is None:
            return
        try:
            await self.host.commit(trial.attempt)
        except SessionConflictError:
            raise
        except Exception as error:  # noqa: BLE001 - a host's action may have written anything
            self._raised(trial, error)
            return
        if send:
            self.host.outbox.flush()
        if trial.attempt.result.changed:
            self._write_down(trial.given, trial.attempt.result)

    def _raised(self, trial: Trial, error: Exception) -> None:
        """Let a turn count as one that raised, after all."""
        at = self.records.index(trial.record)
        trial.record = replace(trial.record, result=None, error=error_of(error))
        trial.error, trial.attempt = error, None
        self.records[at] = trial.record

    def _write_down(self, given: TurnArgs, result: TurnResult) -> None:
        transcript = self.transcripts.setdefault(given["session_id"], [])
        if "message" in given:
            transcript.append({"role": "user", "content": given["message"]})
        transcript.extend({"role": "assistant", "content": m.text} for m in result.messages)

    def problem_with_script(self, trial: Trial) -> str | None:
        """What the script lacked or had too much of; None when it fitted."""
        turn = f"turn {trial.record.entry} (line {trial.record.line})"
        if isinstance(trial.error, UnscriptedCallError):
            caller = _caller(self._stepper, trial.error.purpose)
            return f"{turn}: unscripted {trial.error.purpose} call{caller}"
        left = self.model.leftovers
        if not left:
            return None
        names = " and ".join(f"{count} {purpose}" for purpose, count in left.items())
        return f"{turn}: scripted replies that no call asked for: {names}"


def _ends_the_play(raised: BaseException) -> bool:
    """Whether it is the play that shall end, by Ctrl-C or by whoever cancels or watches it.

    Anything else, a cancelled call of the host's own too, is one turn's failure.
    """
    if isinstance(raised, KeyboardInterrupt | GeneratorExit | StoppedError):
        return True
    import asyncio  # slow to load, and long there when anything is played

    task = asyncio.current_task()
    is_cancelled = isinstance(raised, asyncio.CancelledError)
    return is_cancelled and task is not None and task.cancelling() > 0


def _caller(stepper: Stepper | None, purpose: Purpose) -> str:
    """Who asked the model, and what may keep it from asking."""
    if stepper is None or purpose != "speak":
        return ""
    turn = stepper.turn
    run = turn.speaker
    if run is None:
        return ", of the idle speaker"
    step = turn.talk_of(run)
    hint = ""
    if step is not None and turn.is_message and question_is_due(turn, run, step):
        hint = "; with asks: false in understand, its fixed question goes out alone"
    return f', of flow "{run.flow_id}", step "{run.step_id}"{hint}'


def _input(given: TurnArgs) -> Mapping[str, Any]:
    """The input for a trace, in wire names: what happened and what the host knew."""
    shown = {
        "sessionId" if key == "session_id" else key: value
        for key, value in given.items()
        if key not in ("session", "history") and value is not None
    }
    return msgspec.to_builtins(shown)
