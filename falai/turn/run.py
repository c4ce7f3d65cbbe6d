"""Run: move every live run as far as it goes without the customer or the clock."""

from collections import deque

from falai.limits import STEPS_PER_MOVE
from falai.plan import FlowPlan
from falai.turn.actions import act
from falai.turn.branches import take_branch
from falai.turn.execute import decide_if, park_for_event, park_for_time, say, talk
from falai.turn.move import end_early, enter, finish, resume_last
from falai.turn.needs import Phase, Steps
from falai.turn.state import Turn
from falai.words.flow import (
    Do,
    Event,
    If,
    Mention,
    Message,
    Say,
    Silence,
    Talk,
    Wait,
    WaitEvent,
)
from falai.words.session import Run, TriggerKind

_TRIGGER_TYPES: dict[TriggerKind, type] = {
    "message": Message,
    "mention": Mention,
    "silence": Silence,
    "event": Event,
}


def run(turn: Turn) -> Steps[None]:
    """Move the live runs in order; what they chain into joins the end of the queue."""
    yield turn.begin(Phase.RUN)
    if turn.ignored:
        return
    _resume(turn)
    turn.queue = deque(turn.session.runs)
    yield from move_queue(turn)
    if not turn.is_message or turn.silenced is not None:
        return
    for _ in range(len(turn.session.runs)):
        if turn.speaker is not None or turn.voices:
            return
        resumed = _resume(turn)
        if resumed is None:
            return
        turn.queue.append(resumed)
        yield from move_queue(turn)


def _resume(turn: Turn) -> Run | None:
    """Give a free floor back; on a message the step's branches are looked at first."""
    resumed = resume_last(turn)
    if resumed is not None and turn.is_message:
        take_branch(turn, resumed, judged=False)
    return resumed


def move_queue(turn: Turn) -> Steps[None]:
    """Move runs until none is left in the queue."""
    while turn.queue:
        run = turn.queue.popleft()
        if not turn.is_over(run):
            yield from _move(turn, run)


def _move(turn: Turn, run: Run) -> Steps[None]:
    if run.status in ("waiting", "suspended") or (run.status == "asking" and not turn.is_message):
        return
    plan = turn.plan_of(run)
    if plan is None:
        end_early(turn, run, "flow-gone")
        return
    broken = _broken_premise(turn, run, plan)
    if broken is not None:
        end_early(turn, run, broken)
        return
    if run.staying and not plan.stays:
        finish(turn, run)
        return
    if run.step_id is None:
        if not plan.flow.steps:
            finish(turn, run)
            return
        enter(turn, run, plan.flow.steps[0].id)
    yield from _execute_steps(turn, run, plan)


def _broken_premise(turn: Turn, run: Run, plan: FlowPlan) -> str | None:
    if run.trigger.kind == "silence" and turn.is_wake and turn.wrote_after(run.started_at, run):
        return "customer-replied"
    return None if _premise_holds(turn, run, plan) else "premise-changed"


def _premise_holds(turn: Turn, run: Run, plan: FlowPlan) -> bool:
    """The flow's `while`, or else the `if` of any trigger of the kind that started the run."""
    if plan.flow.while_ is not None:
        return turn.holds(plan.flow.while_, run)
    kind = _TRIGGER_TYPES.get(run.trigger.kind)
    triggers = [t for t in plan.flow.on or () if kind is not None and isinstance(t, kind)]
    return not triggers or any(turn.holds(t.if_, run) for t in triggers)


def _execute_steps(turn: Turn, run: Run, plan: FlowPlan) -> Steps[None]:
    """Execute steps while the run runs; one that asks executes the step it stands on."""
    for _ in range(STEPS_PER_MOVE):
        step = plan.steps.get(run.step_id or "")
        if step is None:
            run.status = "running"
            end_early(turn, run, "step-gone")
            return
        if isinstance(step, Do):
            yield from act(turn, run, step)
        else:
            _execute(turn, run, plan, step)
        if turn.is_over(run) or run.status != "running":
            return
    end_early(turn, run, "step-loop", failed=True)


def _execute(
    turn: Turn, run: Run, plan: FlowPlan, step: Talk | Say | Wait | WaitEvent | If
) -> None:
    if isinstance(step, Talk):
        talk(turn, run, step)
    elif isinstance(step, Say):
        say(turn, run, step)
    elif isinstance(step, Wait):
        park_for_time(turn, run, plan, step)
    elif isinstance(step, If):
        decide_if(turn, run, step)
    else:
        park_for_event(turn, run, step)
