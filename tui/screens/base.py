"""What the parts of the inspector's screen have in common: a sitting, and how it is drawn."""

from typing import cast

from textual.screen import Screen

from tui.attached import Attached
from tui.model.sitting import Sitting
from tui.screens.desk import Desk
from tui.widgets.lines import Lines


class SittingScreen(Screen[None]):
    """A screen on one play; every key changes the sitting, and then all is drawn from it."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.attached: Attached | None = None
        """The engine; None while what is shown was recorded."""
        self.waits = False
        """Whether the engine is at work, perhaps with a model that takes its time."""
        self.tab = "state"
        """The pane on the right, by name."""

    @property
    def desk(self) -> Desk:
        return cast("Desk", self.app)

    def draw(self) -> None:
        """Draw everything from the sitting."""
        raise NotImplementedError

    def show_tab(self, name: str) -> None:
        """Bring a pane to the front on the right."""
        raise NotImplementedError

    def pane(self, name: str) -> Lines:
        """The widget of a pane."""
        return self.query_one(f"#{name}", Lines)

    def told(self, error: BaseException) -> None:
        """Tell what somebody at the keyboard can mend."""
        self.notify(str(error), severity="error", markup=False)
