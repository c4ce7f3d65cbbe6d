"""Executing one step of a run: talk, say, wait and if. Actions have a module of their own."""

from collections.abc import Iterable

from falai.duration import parse_duration
from falai.limits import EVENT_WAIT, INLINE_WAIT_MS, MAX_ASKS
from falai.plan import FlowPlan
from falai.turn.due import due_ms
from falai.turn.move import end_early, follow, take_floor, target_text
from falai.turn.needs import Phase
from falai.turn.state import Turn
from falai.words.field import is_known
from falai.words.flow import Chain, Goto, If, Say, Step, Talk, Wait, WaitEvent
from falai.words.session import Run
from falai.words.turn import Silenced

# --- talk -------------------------------------------------------------------------------------


def talk(turn: Turn, run: Run, step: Talk) -> None:
    """Ask to speak, unless nothing is left to collect."""
    if step.collect is not None and not run.staying and not pending(turn, run, step):
        _leave_settled(turn, run, step)
    elif turn.silenced is not None:
        if run.status != "asking":
            keep_silent(turn, run, step, turn.silenced)
    else:
        take_floor(turn, run)
        if turn.phase is not Phase.SETTLE:
            turn.speaker = run
        elif question_is_due(turn, run, step):
            ask_question(turn, run, step)


def pending(turn: Turn, run: Run, step: Talk) -> list[str]:
    """Fields that the step still has to ask for, in order."""
    data, asked, limit = turn.data, run.asked, asks_allowed(step)
    return [
        slug
        for slug in step.collect or ()
        if not is_known(data, slug) and asked.get(slug, 0) < limit
    ]


def asks_allowed(step: Talk) -> int:
    return MAX_ASKS if step.max_asks is None else step.max_asks


def out_of_asks(turn: Turn, run: Run, step: Talk) -> list[str]:
    """Fields that were asked as often as allowed and are still unknown."""
    limit = asks_allowed(step)
    return [
        slug
        for slug in step.collect or ()
        if not is_known(turn.data, slug) and run.asked.get(slug, 0) >= limit
    ]


def log_max_asks(turn: Turn, run: Run, step: Talk, slugs: Iterable[str]) -> None:
    """One line for each field that the step gives up."""
    for slug in slugs:
        turn.log_step(run, step, "skipped", "max-asks", detail=slug)


def _leave_settled(turn: Turn, run: Run, step: Talk) -> None:
    log_max_asks(turn, run, step, out_of_asks(turn, run, step))
    then = target_text(step.then)
    if run.status == "asking":
        turn.log_step(run, step, "ok", next=then)
    else:
        turn.log_step(run, step, "skipped", "already-known", next=then)
    run.status = "running"
    follow(turn, run, step.then)


def question_is_due(turn: Turn, run: Run, step: Talk) -> bool:
    """Whether the fixed question goes out: all of its fields open, and none ever asked."""
    return (
        step.question is not None
        and not run.staying
        and all(
            not is_known(turn.data, slug) and not run.asked.get(slug) for slug in step.collect or ()
        )
    )


def ask_question(turn: Turn, run: Run, step: Talk) -> None:
    """Send the fixed question word for word; it counts as an ask of each of its fields."""
    turn.send(turn.render(step.question or "", run), run=run, step_id=step.id)
    for slug in step.collect or ():
        run.asked[slug] = run.asked.get(slug, 0) + 1
    turn.log_step(run, step, "ok", "asked-fixed")


# --- say --------------------------------------------------------------------------------------


def say(turn: Turn, run: Run, step: Say) -> None:
    """Send the text, at most once for the session where the step says so."""
    if turn.silenced is not None:
        keep_silent(turn, run, step, turn.silenced)
        return
    claim = f"{run.flow_id}:{step.id}:{turn.session.id}"
    if step.once and _is_claimed(turn, claim):
        turn.log_step(run, step, "skipped", "already-sent", next=target_text(step.then))
        follow(turn, run, step.then)
        return
    if step.once:
        turn.claim(claim)
    turn.send(turn.render(step.say, run), run=run, step_id=step.id, media=step.media)
    turn.log_step(run, step, "ok", next=target_text(step.then))
    follow(turn, run, step.then)


def _is_claimed(turn: Turn, key: str) -> bool:
    return key in turn.session.claims or key in turn.given.claims.held


def keep_silent(turn: Turn, run: Run, step: Talk | Say, gate: Silenced) -> None:
    """Pass over what would speak where the gate says `skip`; else the run ends here."""
    if not gate.skip:
        end_early(turn, run, "silenced", detail=gate.reason)
        return
    then = target_text(step.then)
    turn.log_step(run, step, "skipped", "silenced", detail=gate.reason, next=then)
    follow(turn, run, step.then)


# --- wait -------------------------------------------------------------------------------------


def park_for_time(turn: Turn, run: Run, plan: FlowPlan, step: Wait) -> None:
    """Park, or let a short wait ride on the message that the next step sends."""
    wait_ms = parse_duration(step.wait)
    if wait_ms <= INLINE_WAIT_MS and _speaks(_next_step(plan, step)):
        turn.delay_ms += wait_ms
        then, detail = target_text(step.then), f"{wait_ms}ms"
        turn.log_step(run, step, "ok", "inline-delay", detail=detail, next=then)
        follow(turn, run, step.then)
        return
    where = _place(run, step)
    at_ms = due_ms(turn, where, turn.now_ms, step.wait, in_hours=step.business_hours)
    until = turn.park(run, f"{run.id}:{step.id}:{at_ms}", at_ms)
    turn.log_step(run, step, "waiting", until=until)


def _next_step(plan: FlowPlan, step: Wait) -> Step | None:
    """Where the wait leads within its flow."""
    if step.then is None:
        return plan.step_after(step.id)
    if isinstance(step.then, Chain):
        return None
    return plan.steps.get(step.then.step if isinstance(step.then, Goto) else step.then)


def _speaks(step: Step | None) -> bool:
    return isinstance(step, Say | Talk)


def _place(run: Run, step: Step) -> str:
    return f'flow "{run.flow_id}", step "{step.id}"'


def park_for_event(turn: Turn, run: Run, step: WaitEvent) -> None:
    """Park until the event comes, or its time is up."""
    at_ms = due_ms(turn, _place(run, step), turn.now_ms, step.up_to or EVENT_WAIT)
    until = turn.park(run, f"{run.id}:{step.id}:{at_ms}", at_ms, step.event)
    turn.log_step(run, step, "waiting", "awaiting-event", detail=step.event, until=until)


# --- if ---------------------------------------------------------------------------------------


def decide_if(turn: Turn, run: Run, step: If) -> None:
    """Fork by code."""
    target = step.then if turn.holds(step.if_, run) else step.else_ or "end"
    turn.log_step(run, step, "ok", next=target_text(target))
    follow(turn, run, target)
