"""A conversation that goes on live: somebody says what happens, a model answers, time is theirs."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from falai.clock import from_ms, iso_of, ms_of, to_ms
from falai.duration import parse_duration
from falai.turn.given import TurnArgs
from falai.words.session import Session
from falai.words.turn import Wake
from simulator.host import split_job_id
from simulator.scenario import DEFAULT_SESSION, ModelScript
from simulator.stage import Stage
from simulator.trace import ScenarioRecord, TurnRecord, total_usage

MOST_WAKES = 1_000
"""Wakes that one wait may fire: a flow that wakes itself for ever must not hang the terminal."""


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened, and the turns that came of it."""

    what: Mapping[str, Any]
    """As a scenario's entry has it: `{message: …}`, `{advance: 2h}` and the like."""
    turns: Sequence[TurnRecord]
    """One for an input; one for each wake that fired while time passed."""


class Live:
    """One session on a stage whose clock moves when told to."""

    def __init__(
        self,
        stage: Stage,
        *,
        session_id: str = DEFAULT_SESSION,
        context: Any = None,
        entries: int = 0,
    ) -> None:
        """Go on from whatever stands on the stage; `entries` of a scenario were played there."""
        self.session_id = session_id
        self.context: Any = {} if context is None else context
        self.happenings: list[Happening] = []
        """All of it so far, in order: what a scenario would be made of."""
        self.stage = stage
        self._entries = entries

    @property
    def start(self) -> str:
        """When the clock of the stage began, as ISO UTC."""
        return iso_of(self.stage.start)

    async def say(self, text: str) -> Happening:
        """The customer writes."""
        given = {"message": text, "id": f"m{self._number}"}
        return await self._happen({"message": text}, given)

    async def report(self, event: str, payload: Any = msgspec.UNSET) -> Happening:
        """The host reports an event; UNSET is no payload."""
        beside = {} if payload is msgspec.UNSET else {"payload": payload}
        given = {"event": event, "key": f"e{self._number}", **beside}
        return await self._happen({"event": event, **beside}, given)

    async def begin(self, flow: str, given: Any = msgspec.UNSET) -> Happening:
        """The host starts a flow; UNSET is no input."""
        beside = {} if given is msgspec.UNSET else {"input": given}
        start = {"flow": flow, "key": f"k{self._number}", **beside}
        written = {"start": {"flow": flow, **beside} if beside else flow}
        return await self._happen(written, {"start": start})

    async def wake(self) -> Happening | None:
        """Fire the wake that is due first, at its own time; None when none waits."""
        wake = self.stage.host.scheduler.earliest()
        return None if wake is None else self._happened({"wake": "next"}, [await self._fire(wake)])

    async def wait(self, duration: str) -> Happening:
        """Let time pass; every wake that comes due fires at its time.

        Raises FlowConfigurationError for what is no duration, OverflowError beyond the calendar.
        """
        end_ms = ms_of(self.stage.clock.now()) + parse_duration(duration)
        end = iso_of(from_ms(end_ms))
        fired: list[TurnRecord] = []
        while (wake := self.stage.host.scheduler.earliest()) and to_ms(wake.at) <= end_ms:
            if len(fired) == MOST_WAKES:
                break
            fired.append(await self._fire(wake))
        self.stage.clock.set(end)
        return self._happened({"advance": duration}, fired)

    async def session(self) -> Session[Any] | None:
        """The session as it is stored; None before anything was."""
        return await self.stage.host.store.load(self.session_id)

    def record(self) -> ScenarioRecord:
        """All that was played so far."""
        turns = self.stage.records
        calls = [call for turn in turns for call in turn.calls]
        return ScenarioRecord(
            file="",
            scenario=f"A conversation with {self.stage.host.agent.name}",
            status="passed",
            duration_ms=0,
            llm_calls=len(calls),
            usage=total_usage(call.usage for call in calls),
            failures=(),
            turns=list(turns),
        )

    def pending(self) -> list[Wake]:
        """The wakes that wait, the next one first."""
        waiting = self.stage.host.scheduler.entries()
        return [Wake(key=split_job_id(wake.key)[1], at=wake.at) for wake in waiting]

    @property
    def _number(self) -> int:
        """The number of the next entry, which default ids and keys are made of."""
        return self._entries + len(self.happenings) + 1

    async def _happen(self, what: Mapping[str, Any], given: Mapping[str, Any]) -> Happening:
        return self._happened(what, [await self._turn(given)])

    def _happened(self, what: Mapping[str, Any], turns: Sequence[TurnRecord]) -> Happening:
        happening = Happening(what=what, turns=turns)
        self.happenings.append(happening)
        return happening

    async def _fire(self, wake: Wake) -> TurnRecord:
        self.stage.take_wake(wake)
        session_id, key = split_job_id(wake.key)
        return await self._turn({"wake": key}, session_id)

    def host_knows(self, session_id: str) -> dict[str, Any]:
        """What the host tells of a session with every input."""
        history = list(self.stage.transcripts.get(session_id, ()))
        return {"context": self.context, "history": history}

    async def _turn(self, what: Mapping[str, Any], session_id: str | None = None) -> TurnRecord:
        session_id = session_id or self.session_id
        given = {"session_id": session_id, **self.host_knows(session_id), **what}
        name = str(self._number)
        turn_args = cast("TurnArgs", given)
        trial = await self.stage.attempt(turn_args, ModelScript(), entry=name, line=0)
        await self.stage.commit(trial)
        return trial.record
