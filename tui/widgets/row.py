"""One line of a pane's kind that stands by itself: the bar, the phases, the tabs, the scrubber."""

from textual import events
from textual.message import Message

from tui.widgets.lines import Lines


class Row(Lines, can_focus=False):
    """Lines without a current one; a click tells where."""

    marks_current = False

    BINDINGS = []  # noqa: RUF012 - Textual's name

    class Clicked(Message):
        """Somebody clicked into it."""

        def __init__(self, row: "Row", column: int) -> None:
            super().__init__()
            self.row = row
            self.column = column

        @property
        def control(self) -> "Row":
            return self.row

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self, event.x))
