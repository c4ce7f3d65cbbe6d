"""What a turn knows while it runs, and the lines that it writes."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

import msgspec
from msgspec import UNSET

from falai.blueprint import Blueprint
from falai.clock import iso_from_ms, iso_of, ms_of, to_ms
from falai.limits import OUTCOMES_KEPT
from falai.outcomes import OUTCOME_MESSAGES
from falai.plan import FlowPlan
from falai.predicate import holds
from falai.text.judgement import Judgement
from falai.text.template import render
from falai.turn.needs import Phase
from falai.turn.notes import Answer, Listening
from falai.words.context import Ctx
from falai.words.flow import Predicate, Step, Talk
from falai.words.outcome import Outcome, OutcomeKind, OutcomeStatus
from falai.words.session import (
    Claim,
    EndReason,
    Run,
    Session,
    Waiting,
    copy_session,
    fresh_session,
)
from falai.words.turn import (
    Ended,
    HistoryItem,
    MessageInput,
    OutMessage,
    Silenced,
    Skipped,
    Started,
    TurnInput,
    Usage,
    Wake,
    WakeInput,
    What,
)


class Details(TypedDict, total=False):
    """What a step's line may say besides its kind, status and code."""

    detail: str | None
    next: str | None
    until: str | None
    llm_calls: int | None


class Columns(Details, total=False):
    """The same for any line; a step's own says these by itself."""

    step_id: str | None
    key: str | None


class Turn(msgspec.Struct, eq=False, kw_only=True):
    """One turn in the making: the working copy of the session and everything to be returned."""

    agent: Blueprint
    given: TurnInput
    what: What
    session: Session
    """The working copy; the session that was passed is never touched."""
    now: datetime
    """Taken once for the whole turn."""
    now_ms: int
    now_iso: str
    key: str
    """The trigger key of runs that this input starts."""
    is_message: bool
    is_wake: bool
    silenced: Silenced | None
    history: Sequence[HistoryItem]
    """The conversation before this input, trimmed when it grew too long."""
    phase: Phase = Phase.LOAD
    ignored: bool = False
    """Nothing happens after Load or Ingest."""

    floor: Run | None = None
    """The run that this turn's input went to."""
    following: Run | None = None
    """The run whose wait the customer's words ended, while it goes on from there."""
    listening: Listening | None = None
    judged: Judgement = Judgement()
    queue: deque[Run] = msgspec.field(default_factory=deque[Run])
    """Runs still to move in this phase."""
    speaker: Run | None = None
    """The run whose talk step waits to speak."""
    answer: Answer | None = None
    retried: Run | None = None
    """The run whose failed answer this wake tries again."""
    delay_ms: int = 0
    """Short waits that ride on the next message."""
    voices: list[str] = []
    """Ids of the runs that spoke so far, `""` for the idle speaker."""

    messages: list[OutMessage] = []
    schedule: list[Wake] = []
    outcomes: list[Outcome] = []
    started: list[Started] = []
    ended: list[Ended] = []
    skipped: list[Skipped] = []
    llm_calls: int = 0
    usage: Usage | None = None
    _over: dict[int, Run] = {}
    _claims_copied: bool = False

    @classmethod
    def of(cls, agent: Blueprint, given: TurnInput) -> "Turn":
        """Begin a turn: take the time, and copy the session."""
        now = agent.clock.now()
        now_iso = iso_of(now)
        return cls(
            agent=agent,
            given=given,
            what=given.what,
            session=_working_copy(given),
            now=now,
            now_ms=ms_of(now),
            now_iso=now_iso,
            key=_trigger_key(given, now_iso),
            is_message=isinstance(given.what, MessageInput),
            is_wake=isinstance(given.what, WakeInput),
            silenced=given.silenced,
            history=_history(given),
        )

    def begin(self, phase: Phase) -> Phase:
        """Enter a phase."""
        self.phase = phase
        return phase

    # --- looking -----------------------------------------------------------------------------

    @property
    def data(self) -> dict[str, Any]:
        return self.session.data

    def plan_of(self, run: Run) -> FlowPlan | None:
        """The run's flow as it is now; None when the agent no longer has it."""
        return self.agent.plan.by_id.get(run.flow_id)

    def talk_of(self, run: Run) -> Talk | None:
        """The talk step that the run stands on, if it stands on one."""
        plan = self.plan_of(run)
        step = plan.steps.get(run.step_id or "") if plan else None
        return step if isinstance(step, Talk) else None

    def is_over(self, run: Run) -> bool:
        return id(run) in self._over

    def asker(self, *, but: Run | None = None) -> Run | None:
        """The run that asks."""
        for run in self.session.runs:
            if run.status == "asking" and run is not but:
                return run
        return None

    def went_to(self, run: Run) -> bool:
        """Whether the customer's words are this run's to answer."""
        return self.following is run or (self.is_message and self.floor is run)

    def suspended(self) -> Iterator[Run]:
        return (run for run in self.session.runs if run.status == "suspended")

    def seen_by(self, run: Run | None, **own: Any) -> dict[str, Any]:
        """What every context of the host's own code holds, and what is its own."""
        return {
            "context": self.given.context,
            "data": self.session.data,
            "input": UNSET if run is None else run.input,
            "run": run,
            "silenced": self.silenced,
            "now": self.now,
            **own,
        }

    def holds(self, predicate: Predicate | None, run: Run | None = None) -> bool:
        """Whether a predicate holds, for a run or for none; None always does."""
        if predicate is None:
            return True
        return holds(predicate, Ctx(**self.seen_by(run)), self.agent.conditions)

    def roots(self, run: Run | None = None) -> Mapping[str, Any]:
        """Where a template's paths begin; what was not given is not there."""
        roots: dict[str, Any] = {"data": self.session.data}
        if self.given.context is not None:
            roots["context"] = self.given.context
        if run is not None and run.input is not UNSET:
            roots["input"] = run.input
        return roots

    def render(self, text: str, run: Run | None) -> str:
        return render(text, self.roots(run))

    def wrote_after(self, iso: str, run: Run | None = None) -> bool:
        """Whether the customer wrote after an instant, here or under the run's anchor."""
        since = to_ms(iso)
        last = self.session.last_user_at
        if last is not None and to_ms(last) > since:
            return True
        plan = self.plan_of(run) if run is not None else None
        return plan is not None and self._inbound_after(plan.flow.anchor, since)

    def inbound_after(self, plan: FlowPlan, iso: str) -> bool:
        """Whether the customer wrote under the flow's anchor after an instant."""
        return self._inbound_after(plan.flow.anchor, to_ms(iso))

    def _inbound_after(self, anchor: str | None, since: int) -> bool:
        given = self.given.anchors.get(anchor) if anchor is not None else None
        return (
            given is not None
            and given.last_inbound_at is not None
            and to_ms(given.last_inbound_at) > since
        )

    # --- writing -----------------------------------------------------------------------------

    def log(
        self,
        kind: OutcomeKind,
        status: OutcomeStatus,
        code: str | None = None,
        *,
        run: Run | None = None,
        **columns: Unpack[Columns],
    ) -> None:
        """Write one outcome line, also into the run that it is about."""
        line = Outcome(
            run_id=run.id if run else None,
            flow_id=run.flow_id if run else None,
            kind=kind,
            status=status,
            code=code,
            message=OUTCOME_MESSAGES[code] if code else None,
            at=self.now_iso,
            **columns,
        )
        self.outcomes.append(line)
        if run is not None:
            run.outcomes.append(line)
            del run.outcomes[:-OUTCOMES_KEPT]

    def log_step(
        self,
        run: Run,
        step: Step,
        status: OutcomeStatus,
        code: str | None = None,
        **columns: Unpack[Details],
    ) -> None:
        """Write the line of a step that the run stands on, under the step's key."""
        self.log(
            step.kind,
            status,
            code,
            run=run,
            step_id=step.id,
            key=step_key(run, step.id),
            **columns,
        )

    def ignore(self, code: str, key: str) -> None:
        """Refuse the whole input: no later phase does anything."""
        self.ignored = True
        self.log("wait", "skipped", code, key=key)

    def skip_start(self, flow_id: str, anchor: str, key: str, code: str) -> None:
        """Record that a flow was not started."""
        self.skipped.append(
            Skipped(
                flow_id=flow_id,
                anchor=anchor,
                trigger_key=key,
                code=code,
                message=OUTCOME_MESSAGES[code],
            )
        )

    def send(self, text: str, *, run: Run, step_id: str, media: str | None = None) -> None:
        """Send a text word for word as the run's step."""
        self.messages.append(
            OutMessage(
                text=text,
                kind="verbatim",
                media={"slug": media} if media is not None else None,
                after_ms=self.take_delay(),
                key=step_key(run, step_id),
                run_id=run.id,
                step_id=step_id,
            )
        )
        self.voices.append(run.id)

    def take_delay(self) -> int:
        """Hand the pending short waits to the message that goes out now."""
        delay, self.delay_ms = self.delay_ms, 0
        return delay

    def claim(self, key: str) -> None:
        """Write a claim; the passed session's claims are copied first, once."""
        if not self._claims_copied:
            self.session.claims = dict(self.session.claims)
            self._claims_copied = True
        self.session.claims[key] = Claim(at=self.now_iso)

    def forget(self, run: Run | None, slugs: Iterable[str]) -> None:
        """Drop fields, and how often the run has asked for them."""
        for slug in slugs:
            self.session.data.pop(slug, None)
            if run is not None:
                run.asked.pop(slug, None)

    def park(self, run: Run, key: str, until_ms: int, event: str | None = None) -> str:
        """Let a run wait until an instant, or an event before it; returns the instant."""
        until = iso_from_ms(until_ms)
        run.status = "waiting"
        run.waiting = Waiting(
            kind="timer" if event is None else "event",
            key=key,
            until=until,
            set_at=self.now_iso,
            event=event,
        )
        self.schedule.append(Wake(key=key, at=until))
        return until

    def end(self, run: Run, reason: EndReason) -> None:
        """Take a run off the session for good."""
        self._over[id(run)] = run
        runs = self.session.runs
        del runs[next(at for at, live in enumerate(runs) if live is run)]
        fields = {name: getattr(run, name) for name in run.__struct_fields__}
        self.ended.append(Ended(reason=reason, **fields))


def _working_copy(given: TurnInput) -> Session:
    return fresh_session(given.session_id) if given.session is None else copy_session(given.session)


def _history(given: TurnInput) -> Sequence[HistoryItem]:
    """The input's own, else what the host keeps in the session."""
    if given.history is not None:
        return given.history
    return (given.session.history if given.session is not None else None) or ()


def step_key(run: Run, step_id: str) -> str:
    """The key of a step's message or action: the same on every attempt of this visit."""
    return f"{run.id}:{step_id}:{run.visits.get(step_id, 0)}"


def _trigger_key(given: TurnInput, now_iso: str) -> str:
    """The key under which this input starts runs."""
    if isinstance(given.what, MessageInput):
        return given.what.id or given.what.at or now_iso
    return given.what.key
