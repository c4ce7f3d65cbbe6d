"""What stands in each pane, as lines of text: the screens draw them, the plain commands print them."""

from collections.abc import Mapping

from tui.model.view import Pane
from tui.panes.calls import calls
from tui.panes.checks import checks
from tui.panes.conversation import conversation
from tui.panes.flow import flow
from tui.panes.head import bar, scrubber, strip
from tui.panes.outcomes import outcomes
from tui.panes.prompt import prompt
from tui.panes.state import state
from tui.panes.turns import turns
from tui.panes.wakes import wakes

TABS: Mapping[str, Pane] = {
    "state": state,
    "outcomes": outcomes,
    "prompt": prompt,
    "calls": calls,
    "wakes": wakes,
    "checks": checks,
}
"""The panes on the right, in the order of their keys."""

PANES: Mapping[str, Pane] = {
    "turns": turns,
    "conversation": conversation,
    **TABS,
    "flow": flow,
    "bar": bar,
    "strip": strip,
    "scrubber": scrubber,
}
"""Every pane by name."""
