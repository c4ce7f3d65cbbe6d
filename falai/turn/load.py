"""Load: begin the turn on the working copy of the session, with a history that fits."""

import logging
from collections.abc import Sequence

from falai.compaction import Compaction
from falai.errors import ProviderError
from falai.text.summary import read_summary, summary_call, summary_item
from falai.turn.model import ask
from falai.turn.needs import Phase, Steps
from falai.turn.state import Turn
from falai.words.turn import HistoryItem

_LOG = logging.getLogger(__name__)


def load(turn: Turn) -> Steps[None]:
    """Refuse a wake for a session that is not there, which it never creates; trim the history."""
    yield turn.begin(Phase.LOAD)
    if turn.given.session is None and turn.is_wake:
        turn.ignore("no-session", turn.key)
        return
    compaction = turn.agent.compaction
    if compaction is not None and compaction.is_due(turn.history):
        turn.history = yield from _trimmed(turn, compaction)


def _trimmed(turn: Turn, compaction: Compaction) -> Steps[Sequence[HistoryItem]]:
    """The history made shorter, by a summary of its older part where nothing less is enough."""
    history = compaction.shorten(turn.history)
    edge = compaction.edge(history)
    if edge == 0 or not compaction.is_due(history):
        return history
    try:
        summary = yield from _summary(turn, history[:edge])
    except ProviderError as failure:
        _LOG.warning("no summary, so the oldest messages are left out of this turn: %s", failure)
        return compaction.drop_oldest(history)
    return [summary_item(summary), *history[edge:]]


def _summary(turn: Turn, older: Sequence[HistoryItem]) -> Steps[str]:
    """What the model sums up; raises ProviderError when that fails or is blank."""
    call = summary_call(turn.agent.profile, older, context=turn.given.context)
    summary = read_summary((yield from ask(turn, call)))
    if not summary:
        provider = turn.agent.provider_name
        raise ProviderError(provider, "unknown", f"No response from {provider}")
    return summary
