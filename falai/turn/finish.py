"""Finish: say whether anything changed, and hand the result out."""

from falai.turn.needs import Phase, Steps
from falai.turn.state import Turn
from falai.words.turn import TurnResult


def finish(turn: Turn) -> Steps[TurnResult]:
    """Close the turn."""
    yield turn.begin(Phase.FINISH)
    return TurnResult(
        session=turn.session,
        changed=not turn.ignored and _changed(turn),
        messages=turn.messages,
        schedule=turn.schedule,
        outcomes=turn.outcomes,
        started=turn.started,
        ended=turn.ended,
        skipped=turn.skipped,
        llm_calls=turn.llm_calls,
        usage=turn.usage,
    )


def _changed(turn: Turn) -> bool:
    if turn.messages or turn.schedule or turn.outcomes or turn.skipped:
        return True
    return turn.given.session is None or turn.session != turn.given.session
