"""Moving a run: the only place that changes which step a run stands on, and how it ends."""

from typing import Literal

from msgspec import UNSET, UnsetType

from falai.plan import FlowPlan
from falai.turn.needs import Phase
from falai.turn.start import Origin, start_run
from falai.turn.state import Turn, step_key
from falai.words.flow import Chain, Goto, Target
from falai.words.session import Run


def follow(turn: Turn, run: Run, target: Target | None) -> None:
    """Go where a step points; without a target, to the next step of the list."""
    if target is None:
        _advance(turn, run)
    elif isinstance(target, Chain):
        chain(turn, run, target)
    elif isinstance(target, Goto):
        turn.forget(run, target.clear or ())
        _go(turn, run, target.step)
    else:
        _go(turn, run, target)


def _go(turn: Turn, run: Run, step_id: str) -> None:
    if step_id == "end":
        finish(turn, run)
    else:
        enter(turn, run, step_id)


def _advance(turn: Turn, run: Run) -> None:
    plan = turn.plan_of(run)
    after = plan.step_after(run.step_id or "") if plan else None
    if after is None:
        finish(turn, run)
    else:
        enter(turn, run, after.id)


def enter(turn: Turn, run: Run, step_id: str) -> None:
    """Stand on a step anew: a visit more, and nothing left of what the run waited for."""
    plan = turn.plan_of(run)
    if plan is None or step_id not in plan.steps:
        end_early(turn, run, "step-gone")
        return
    run.step_id = step_id
    run.visits[step_id] = run.visits.get(step_id, 0) + 1
    run.waiting = None
    run.staying = None
    run.suspended_at = None
    run.status = "running"


def finish(turn: Turn, run: Run) -> None:
    """Come to the end of the flow, by what the flow says of its end now."""
    plan = turn.plan_of(run)
    on_end = plan.flow.on_end if plan else None
    if plan and on_end == "reset" and plan.steps:
        _reset(turn, run, plan)
    elif plan and on_end == "stay" and plan.talks:
        _stay(turn, run, _step_to_stay_on(run, plan))
    else:
        turn.end(run, "end")


def _reset(turn: Turn, run: Run, plan: FlowPlan) -> None:
    """Close the run and chain into its own flow; what was collected stays."""
    key = step_key(run, plan.flow.steps[-1].id)
    turn.end(run, "reset")
    _start_child(turn, run, run.flow_id, key, run.input, keep_fields=True)


def _step_to_stay_on(run: Run, plan: FlowPlan) -> str:
    talks = {talk.id for talk in plan.talks}
    for line in reversed(run.outcomes):
        if line.step_id in talks:
            return line.step_id
    return plan.talks[-1].id


def _stay(turn: Turn, run: Run, step_id: str) -> None:
    """Go back to a talk step for good, on the floor or behind whoever holds it."""
    enter(turn, run, step_id)
    run.staying = True
    asker = turn.asker(but=run)
    if asker is not None and not turn.went_to(run):
        suspend(turn, run)
        return
    take_floor(turn, run)
    if _may_answer_now(turn):
        run.status = "running"


def _may_answer_now(turn: Turn) -> bool:
    """Whether a message is still without an answer that a staying run could give."""
    return (
        turn.is_message
        and turn.phase in (Phase.DECIDE, Phase.RUN)
        and turn.silenced is None
        and not turn.voices
    )


def take_floor(turn: Turn, run: Run) -> None:
    """Let the run ask; whoever asked is suspended."""
    while (asker := turn.asker(but=run)) is not None:
        suspend(turn, asker)
    run.status = "asking"


def suspend(turn: Turn, run: Run) -> None:
    run.status = "suspended"
    run.suspended_at = turn.now_iso


def resume_last(turn: Turn) -> Run | None:
    """Give a free floor back to the run that was suspended last; ties go to the later run."""
    if turn.asker() is not None:
        return None
    latest: Run | None = None
    for run in turn.suspended():
        if latest is None or (run.suspended_at or "") >= (latest.suspended_at or ""):
            latest = run
    if latest is not None:
        latest.status = "asking"
        latest.suspended_at = None
    return latest


def chain(turn: Turn, run: Run, target: Chain) -> None:
    """End the run and start the flow that the target names."""
    key = step_key(run, run.step_id or "")
    flow_id = turn.render(target.flow, run)
    turn.end(run, "flow")
    _start_child(turn, run, flow_id, key, run.input if target.input is UNSET else target.input)


def _start_child(
    turn: Turn,
    parent: Run,
    flow_id: str,
    key: str,
    input: object | UnsetType,  # noqa: A002
    *,
    keep_fields: bool = False,
) -> None:
    origin = Origin(
        kind="flow", key=key, payload=input, hop=parent.hop + 1, keep_fields=keep_fields
    )
    child = start_run(turn, flow_id, origin)
    if child is not None and (turn.floor is parent or turn.floor is None):
        turn.floor = child


def end_early(
    turn: Turn, run: Run, code: str, *, detail: str | None = None, failed: bool = False
) -> None:
    """End a run before its end, with the one line that says why."""
    plan = turn.plan_of(run)
    step = plan.steps.get(run.step_id or "") if plan else None
    status: Literal["failed", "skipped"] = "failed" if failed else "skipped"
    turn.log(
        step.kind if step else "if",
        status,
        code,
        run=run,
        step_id=run.step_id,
        detail=detail,
    )
    turn.end(run, status)


def target_text(target: Target | None) -> str | None:
    """A target as a line's `next` writes it; None when the step names none."""
    if isinstance(target, Chain):
        return f"flow:{target.flow}"
    return target.step if isinstance(target, Goto) else target
