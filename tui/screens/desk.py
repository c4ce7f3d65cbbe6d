"""What screens ask of the application: to show other plays."""

from textual.app import App

from tui.attached import Attached
from tui.model.sitting import Mode, Sitting
from tui.model.subject import Subject


class Desk(App[None]):
    """The application as its screens know it."""

    def show_subject(self, subject: Subject) -> None:
        """Look at a play."""
        raise NotImplementedError

    def show_live(self, attached: Attached, *, mode: Mode, parent: Sitting | None) -> None:
        """Look at a conversation that goes on; it stands at its end."""
        raise NotImplementedError

    def show_again(self, sitting: Sitting, again: Subject) -> None:
        """Show the play of a re-run in the place of the one before it."""
        raise NotImplementedError

    def show_runs(self) -> None:
        """Go back to all the plays that were opened."""
        raise NotImplementedError

    def other_of(self, sitting: Sitting) -> Subject | None:
        """What a play is to be compared with, if there is anything."""
        raise NotImplementedError

    def fault(self, error: BaseException) -> None:
        """Show a fault of the inspector itself."""
        raise NotImplementedError

    def reload(self) -> None:
        """Open anew what was opened: its file has changed."""
        raise NotImplementedError
