"""Settle: apply what was spoken, move on from it, and set what the silence brings."""

from falai.errors import ErrorKind, ProviderError
from falai.limits import LAST_MS, RETRY_LADDER_MS
from falai.turn import silence
from falai.turn.execute import (
    ask_question,
    asks_allowed,
    log_max_asks,
    out_of_asks,
    pending,
)
from falai.turn.move import enter, follow, resume_last
from falai.turn.needs import Phase, Steps
from falai.turn.notes import Answer, Spoken
from falai.turn.run import move_queue
from falai.turn.state import Turn, step_key
from falai.turn.values import write_values
from falai.words.flow import Talk
from falai.words.session import Run
from falai.words.turn import OutMessage

_CODES: dict[ErrorKind, str] = {
    "quota": "provider-quota",
    "auth": "provider-auth",
    "entitlement": "provider-auth",
    "context": "provider-context",
    "model": "provider-invalid",
    "invalid": "provider-invalid",
    "content": "provider-invalid",
}
"""Outcome code by kind of failure; the others are `provider-unavailable`."""

_RETRIED: frozenset[ErrorKind] = frozenset({"timeout", "network", "overload", "rate", "unknown"})


def settle(turn: Turn) -> Steps[None]:
    """Apply the answer, then see to the floor and to the silence."""
    yield turn.begin(Phase.SETTLE)
    if turn.ignored:
        return
    if turn.answer is not None:
        yield from _apply(turn, turn.answer)
    if turn.voices:
        turn.session.last_assistant_at = turn.now_iso
    resume_last(turn)
    silence.arm(turn)


def _apply(turn: Turn, answer: Answer) -> Steps[None]:
    run, step = answer.run, answer.step
    if run is None or step is None:
        _idle(turn, answer)
    elif answer.failure is not None:
        _defer(turn, answer.failure, run, step)
    elif answer.spoken is not None:
        yield from _spoken(turn, answer, answer.spoken, run, step)


# --- spoken -----------------------------------------------------------------------------------


def _spoken(turn: Turn, answer: Answer, spoken: Spoken, run: Run, step: Talk) -> Steps[None]:
    key = step_key(run, step.id)
    _send(turn, spoken.message, key, run)
    write_values(turn, spoken.fields)
    turn.data.update(spoken.data)
    turn.log_step(run, step, "ok", llm_calls=answer.calls)
    if answer.asks_question:
        ask_question(turn, run, step)
        return
    was_open = pending(turn, run, step)
    for slug in was_open:
        run.asked[slug] = run.asked.get(slug, 0) + 1
    if run.staying:
        ran_out = [slug for slug in was_open if run.asked[slug] == asks_allowed(step)]
        log_max_asks(turn, run, step, ran_out)
        _stay_on(turn, run, step)
    elif not was_open:
        yield from _move_on(turn, run, step)


def _send(turn: Turn, text: str, key: str, run: Run | None) -> None:
    turn.messages.append(
        OutMessage(
            text=text,
            kind="ai",
            after_ms=turn.take_delay(),
            key=key,
            run_id=run.id if run else None,
            step_id=run.step_id if run else None,
        )
    )
    turn.voices.append(run.id if run else "")


def _stay_on(turn: Turn, run: Run, step: Talk) -> None:
    """A staying run has answered: it stands on its talk step anew, for the next message."""
    enter(turn, run, step.id)
    run.staying = True
    run.status = "asking"


def _move_on(turn: Turn, run: Run, step: Talk) -> Steps[None]:
    """Nothing is left to ask: go on in this turn; a talk step reached now waits."""
    log_max_asks(turn, run, step, out_of_asks(turn, run, step))
    turn.queue.clear()
    run.status = "running"
    follow(turn, run, step.then)
    if run.status == "running":
        turn.queue.appendleft(run)
    yield from move_queue(turn)


# --- not spoken -------------------------------------------------------------------------------


def _defer(turn: Turn, failure: ProviderError, run: Run, step: Talk) -> None:
    """Park the step for another try, or end the run when trying again cannot help."""
    key = step_key(run, step.id)
    code = _CODES.get(failure.kind, "provider-unavailable")
    attempt = _failures_in_a_row(run, key)
    if not _is_retried(failure) or attempt >= len(RETRY_LADDER_MS):
        turn.log_step(run, step, "failed", code)
        turn.end(run, "failed")
        return
    at_ms = max(turn.now_ms + RETRY_LADDER_MS[attempt], _reset_ms(failure))
    until = turn.park(run, f"{key}:retry:{at_ms}", at_ms)
    turn.log_step(run, step, "deferred", code, until=until)


def _reset_ms(failure: ProviderError) -> int:
    """The stated reset as whole ms; 0 for none, and for one that no calendar has."""
    reset = int(failure.reset_at_ms or 0)
    return reset if reset <= LAST_MS else 0


def _failures_in_a_row(run: Run, key: str) -> int:
    """Trailing deferred lines of this visit."""
    count = 0
    for line in reversed(run.outcomes):
        if line.status != "deferred" or line.key != key:
            break
        count += 1
    return count


def _is_retried(failure: ProviderError) -> bool:
    if failure.should_retry is not None:
        return failure.should_retry
    return failure.kind in _RETRIED or (failure.kind == "quota" and failure.reset_at_ms is not None)


# --- the idle speaker -------------------------------------------------------------------------


def _idle(turn: Turn, answer: Answer) -> None:
    key = f"idle:{turn.key}"
    if answer.spoken is not None:
        _send(turn, answer.spoken.message, key, None)
        turn.data.update(answer.spoken.data)
        turn.log("idle", "ok", key=key, llm_calls=answer.calls)
    elif answer.failure is not None:
        code = _CODES.get(answer.failure.kind, "provider-unavailable")
        turn.log("idle", "deferred", code, llm_calls=answer.calls)
