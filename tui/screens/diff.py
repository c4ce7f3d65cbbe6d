"""Two plays side by side, by turn: where they part, and in what."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer

from tui.model.diff import compare, lines
from tui.model.subject import Subject
from tui.model.text import line
from tui.screens.text import TextScreen
from tui.widgets.lines import Lines
from tui.widgets.row import Row


class DiffScreen(Screen[None]):
    """Opens at the first difference."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next(1)", "Next"),
        Binding("N", "next(-1)", "Before"),
        Binding("escape,q,d", "close", "Back"),
    ]

    def __init__(self, before: Subject, after: Subject) -> None:
        super().__init__()
        self._before = before
        self._after = after
        self._difference = compare(before.timeline, after.timeline)

    def compose(self) -> ComposeResult:
        yield Row(id="bar")
        yield Lines(id="diff", title="differences")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.query_one("#diff").focus()
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Draw all of it as wide as the screen is."""
        pane = self.query_one("#diff", Lines)
        width = max(20, pane.scrollable_content_region.width)
        names = f" DIFF  {self._before.name} · {self._before.play.scenario}  against  "
        names += f"{self._after.name} · {self._after.play.scenario}"
        self.query_one("#bar", Row).show([line(names, style="mark")])
        before, after = self._before.timeline, self._after.timeline
        pane.show(lines(self._difference, before, after, width))

    def action_next(self, by: int) -> None:
        """To the next line that leads somewhere."""
        pane = self.query_one("#diff", Lines)
        rows = [row for row, it in enumerate(pane.lines) if it.to is not None]
        further = [row for row in rows if (row - pane.row) * by > 0]
        if further:
            pane.show(pane.lines, row=further[0 if by > 0 else -1])

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        event.stop()
        if event.line.opens is not None:
            self.app.push_screen(  # pyright: ignore[reportUnknownMemberType] - Textual's
                TextScreen("difference", event.line.opens)
            )

    def action_close(self) -> None:
        self.dismiss()
