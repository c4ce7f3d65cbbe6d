"""Whether somebody who answers nothing is left alone some day: a promise about every asking run."""

from collections.abc import Iterator
from typing import Any

from falai.limits import MAX_ASKS
from falai.providers.base import ModelCall, ModelReply
from falai.turn.needs import ActionCall, Need, Phase
from falai.words.flow import Flow, Talk
from falai.words.session import Run, Session
from simulator.promises.moment import Broken, Moment

MOST_ASKS = 10
"""More asks of one question than this are for ever, to whoever is asked."""

_JUDGED_NOTHING = ModelReply(message="{}", structured={})
_SAID = ModelReply(message='{"message": "…"}', structured={"message": "…"})


def asks(moment: Moment) -> Iterator[Broken]:
    """A customer who writes and never answers is not asked for ever.

    It is tried out on a copy, by a customer of whom the model understands nothing; no action and
    no tool runs.
    """
    flows = {flow.id: flow for flow in moment.agent.flows}
    run = _asker(moment.result.session, flows.get)
    if run is not None and _never_stops(moment, run, _patience(flows[run.flow_id])):
        what = f'flow "{run.flow_id}": it asks for ever when nobody answers'
        yield Broken(what=what)


def _asker(session: Session[Any], flow_of: Any) -> Run | None:
    """The run that asks for a value."""
    for run in session.runs:
        flow: Flow | None = flow_of(run.flow_id)
        if run.status == "asking" and not run.staying and flow is not None:
            step = next((step for step in flow.steps if step.id == run.step_id), None)
            return run if isinstance(step, Talk) and step.collect else None
    return None


def _patience(flow: Flow) -> int:
    """How many messages a flow may take that answer nothing, before it has asked too often."""
    talks = [step for step in flow.steps if isinstance(step, Talk)]
    return 2 + sum(min(step.max_asks or MAX_ASKS, MOST_ASKS) + 1 for step in talks)


def _never_stops(moment: Moment, run: Run, patience: int) -> bool:
    session: Session[Any] | None = moment.result.session
    flows = {flow.id: flow for flow in moment.agent.flows}
    for number in range(patience):
        session = _after_nothing(moment, session, number)
        asker = None if session is None else _asker(session, flows.get)
        if asker is None or asker.id != run.id:
            return False
    return True


def _after_nothing(
    moment: Moment, session: Session[Any] | None, number: int
) -> Session[Any] | None:
    """The session after a message that says nothing; None when the turn raised."""
    known = {key: moment.record.input.get(key) for key in ("context", "anchors", "claims")}
    given: Any = {
        "session_id": moment.result.session.id,
        "session": session,
        "message": "…",
        "id": f"nothing-{number}",
        **known,
    }
    stepper = moment.agent.steps(**given)
    while (pending := stepper.pending) is not None:
        stepper.answer(None if isinstance(pending, Phase) else _nothing(pending))
    return stepper.result.session if stepper.result is not None else None


def _nothing(need: Need) -> Any:
    if isinstance(need, ModelCall):
        return _JUDGED_NOTHING if need.purpose == "understand" else _SAID
    return {"ok": True} if isinstance(need, ActionCall) else [{} for _ in need.runs]
