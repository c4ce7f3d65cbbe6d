"""The promises by the names under which a scenario asks for them."""

from collections.abc import Mapping

from simulator.promises import asking, keys, session, ways
from simulator.promises.moment import Promise

TABLE: Mapping[str, Promise] = {
    "one-asker": session.one_asker,
    "claims": session.claims,
    "saves": session.saves,
    "size": session.size,
    "calls": session.calls,
    "wakes": keys.wakes,
    "actions": keys.actions,
    "step-loop": session.step_loop,
    "hop-limit": session.hop_limit,
    "ends": ways.ends,
    "asks": asking.asks,
}
"""Those that look at one turn; `replay` compares two, in keeper.py."""
