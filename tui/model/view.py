"""What a pane is asked to show: a subject, a place in it, and how its reader wants it."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from tui.model.subject import Subject
from tui.model.text import Line
from tui.model.timeline import Step, Timeline


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a subject, as somebody looks at it."""

    subject: Subject
    at: int
    """The step where the cursor stands."""
    width: int = 80
    """Columns that a line may fill; panes wrap to it or cut."""
    watches: Sequence[str] = ()
    """Paths that stay on top of State, such as `data.name`."""
    marked: frozenset[int] = frozenset()
    """Steps with a breakpoint."""
    folded: frozenset[str] = frozenset()
    """Parts that are folded, by the `folds` of their lines."""
    sort: str = ""
    """The column that outcomes are sorted by; empty for the order in which they came."""
    only: str = ""
    """Text that a line must hold to be shown; empty shows all."""
    compare: bool = False
    """Whether Prompt shows the difference to the call before."""

    @property
    def timeline(self) -> Timeline:
        return self.subject.timeline

    @property
    def step(self) -> Step:
        return self.timeline.step(self.at)


class Pane(Protocol):
    """Makes the lines of one pane; the same view gives the same lines."""

    def __call__(self, view: View) -> Sequence[Line]: ...
