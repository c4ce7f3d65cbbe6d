"""Decide: who takes the message, what it mentioned, which values and which branch it gave."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from falai.limits import ROUTE_LEAD, ROUTE_SCORE
from falai.plan import FlowPlan
from falai.turn.branches import take_branch
from falai.turn.needs import Phase, Steps
from falai.turn.notes import Listening
from falai.turn.start import Origin, start_run
from falai.turn.state import Turn
from falai.turn.values import write_values
from falai.words.flow import Mention
from falai.words.session import Run


def decide(turn: Turn) -> Steps[None]:
    """Apply the judgement of a message; also without one, for what only code judges."""
    yield turn.begin(Phase.DECIDE)
    if turn.listening is None:
        return
    asker = turn.asker()
    routed = _route(turn, turn.listening, asker) if turn.floor is None else None
    _start_mentions(turn)
    if routed is not None:
        turn.floor = _give_floor(turn, routed)
    elif turn.floor is None:
        turn.floor = asker
    write_values(turn, turn.judged.fields)
    if asker is not None and asker.status == "asking":
        take_branch(turn, asker, judged=True)


def _route(turn: Turn, listening: Listening, asker: Run | None) -> FlowPlan | None:
    scores = turn.judged.flows
    if asker is not None:
        return _takes_over(listening, scores, asker)
    if listening.unscored is not None:
        return listening.unscored
    return _best(listening, scores, ROUTE_SCORE) or listening.catch_all


def _takes_over(listening: Listening, scores: Mapping[str, float], asker: Run) -> FlowPlan | None:
    least = max(ROUTE_SCORE, scores.get(asker.flow_id, 0) + ROUTE_LEAD)
    return _best(listening, scores, least, but=asker.flow_id)


def _best(
    listening: Listening, scores: Mapping[str, float], least: float, *, but: str | None = None
) -> FlowPlan | None:
    """The eligible flow with the best score of at least so much; ties keep the earlier one."""
    best = max(
        (plan for plan in listening.eligible if plan.id != but),
        key=lambda plan: scores.get(plan.id, 0),
        default=None,
    )
    return best if best is not None and scores.get(best.id, 0) >= least else None


def _start_mentions(turn: Turn) -> None:
    for plan in turn.agent.plan.flows:
        if plan.mention is not None and _is_mentioned(turn, plan, plan.mention):
            origin = Origin(
                kind="mention", key=turn.key, payload=_extracted(turn, plan), trigger=plan.mention
            )
            start_run(turn, plan.id, origin)


def _is_mentioned(turn: Turn, plan: FlowPlan, mention: Mention) -> bool:
    """A mention without phrases is left to the start checks, that is, to its `if`."""
    if not mention.phrases:
        return True
    return turn.judged.mentions.get(plan.id, False)


def _extracted(turn: Turn, plan: FlowPlan) -> Any:
    """What the model read for the mention; one that only code judges carries nothing."""
    if plan.mention is None or not plan.mention.phrases:
        return UNSET
    return turn.judged.extract.get(plan.id, UNSET)


def _give_floor(turn: Turn, plan: FlowPlan) -> Run | None:
    """Call the flow's suspended run back, or start one."""
    run = next((r for r in turn.suspended() if r.flow_id == plan.id), None)
    if run is not None:
        run.status = "running"
        run.suspended_at = None
        return run
    return start_run(turn, plan.id, Origin(kind="message", key=turn.key, trigger=plan.message))
