"""Ingest: take in what happened, and wake the runs that waited for it."""

from falai.limits import INPUTS_KEPT
from falai.turn import silence
from falai.turn.branches import first_branch
from falai.turn.move import follow, target_text
from falai.turn.needs import Phase, Steps
from falai.turn.start import Origin, start_run
from falai.turn.state import Turn, step_key
from falai.words.flow import Target, Wait, WaitEvent
from falai.words.session import Run
from falai.words.turn import EventInput, MessageInput, StartInput, WakeInput


def ingest(turn: Turn) -> Steps[None]:
    """Apply the input to the session and to the runs that wait."""
    yield turn.begin(Phase.INGEST)
    if turn.ignored:
        return
    match turn.what:
        case MessageInput():
            _message(turn, turn.what)
        case WakeInput(key) if key.startswith(silence.PREFIX):
            silence.fire(turn, key)
        case WakeInput(key):
            _wake(turn, key)
        case EventInput():
            _event(turn, turn.what)
        case StartInput():
            _start(turn, turn.what)


# --- messages ---------------------------------------------------------------------------------


def _message(turn: Turn, given: MessageInput) -> None:
    inputs = turn.session.inputs
    if given.id is not None:
        if given.id in inputs:
            turn.ignore("duplicate-input", given.id)
            return
        turn.session.inputs = [*inputs, given.id][-INPUTS_KEPT:]
    turn.session.last_user_at = given.at if given.at is not None else turn.now_iso
    _resolve_reply_waits(turn)


def _resolve_reply_waits(turn: Turn) -> None:
    """The customer wrote: every timer wait with an `else` is over."""
    for run in list(turn.session.runs):
        step = _timer_wait(turn, run)
        if step is None or step.else_ is None:
            continue
        _wake_up(run)
        branch = first_branch(turn, run, step)
        target = step.else_ if branch is None else branch.then
        turn.log("wait", "ok", "replied", run=run, step_id=step.id, next=target_text(target))
        turn.following = run
        _follow_on_floor(turn, run, target)
        turn.following = None


def _timer_wait(turn: Turn, run: Run) -> Wait | None:
    """The time wait that a run is parked on; a deferred action or a retry is none."""
    if run.status != "waiting" or run.waiting is None or run.waiting.kind != "timer":
        return None
    plan = turn.plan_of(run)
    step = plan.steps.get(run.step_id or "") if plan else None
    return step if isinstance(step, Wait) else None


def _wake_up(run: Run) -> None:
    run.status = "running"
    run.waiting = None


def _follow_on_floor(turn: Turn, run: Run, target: Target | None) -> None:
    """Let a woken run go on as the one that the input went to, unless another took it before."""
    first = turn.floor is None
    if first:
        turn.floor = run
    follow(turn, run, target)
    if first and turn.floor is run and turn.is_over(run):
        turn.floor = None


# --- wakes ------------------------------------------------------------------------------------


def _wake(turn: Turn, key: str) -> None:
    run = next(
        (r for r in turn.session.runs if r.waiting is not None and r.waiting.key == key), None
    )
    if run is None or run.waiting is None:
        turn.ignore("stale-wake", key)
        return
    set_at = run.waiting.set_at
    _wake_up(run)
    turn.floor = run
    plan = turn.plan_of(run)
    step = plan.steps.get(run.step_id or "") if plan else None
    if isinstance(step, Wait):
        _time_is_up(turn, run, step, set_at)
    elif isinstance(step, WaitEvent):
        target = step.else_ or "end"
        turn.log("wait", "ok", "no-event", run=run, step_id=step.id, next=target_text(target))
        follow(turn, run, target)
    elif step is not None and key.startswith(f"{step_key(run, step.id)}:retry:"):
        turn.retried = run


def _time_is_up(turn: Turn, run: Run, step: Wait, set_at: str) -> None:
    replied = step.else_ is not None and turn.wrote_after(set_at, run)
    code, target = ("replied", step.else_) if replied else ("no-reply", step.then)
    turn.log("wait", "ok", code, run=run, step_id=step.id, next=target_text(target))
    follow(turn, run, target)


# --- events and starts ------------------------------------------------------------------------


def _event(turn: Turn, given: EventInput) -> None:
    defined = turn.agent.events.get(given.name)
    direction = defined.direction if defined is not None else None
    if direction == "inbound":
        turn.session.last_user_at = turn.now_iso
        _resolve_reply_waits(turn)
    elif direction == "outbound":
        turn.session.last_assistant_at = turn.now_iso
    _resolve_event_waits(turn, given.name)
    for plan in turn.agent.plan.flows:
        for trigger in plan.events:
            if trigger.name != given.name:
                continue
            origin = Origin(
                kind="event", key=given.key, payload=given.payload, hop=given.hop, trigger=trigger
            )
            if start_run(turn, plan.id, origin) is not None:
                break


def _resolve_event_waits(turn: Turn, name: str) -> None:
    for run in list(turn.session.runs):
        if run.status != "waiting" or run.waiting is None or run.waiting.event != name:
            continue
        plan = turn.plan_of(run)
        step = plan.steps.get(run.step_id or "") if plan else None
        _wake_up(run)
        if step is None:
            continue
        turn.log(
            "wait", "ok", "event-arrived", run=run, step_id=step.id, next=target_text(step.then)
        )
        _follow_on_floor(turn, run, step.then)


def _start(turn: Turn, given: StartInput) -> None:
    origin = Origin(kind="start", key=given.key, payload=given.input, hop=given.hop)
    start_run(turn, given.flow, origin)
