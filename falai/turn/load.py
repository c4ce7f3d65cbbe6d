"""Load: begin the turn on the working copy of the session."""

from falai.turn.needs import Phase, Steps
from falai.turn.state import Turn


def load(turn: Turn) -> Steps[None]:
    """Refuse a wake for a session that is not there: a wake never creates one."""
    yield turn.begin(Phase.LOAD)
    if turn.given.session is None and turn.is_wake:
        turn.ignore("no-session", turn.key)
