"""A few things to choose from, each by its key."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.model.text import Span, line
from tui.widgets.lines import Lines


class ChooseScreen(ModalScreen[str | None]):
    """Answers the key of what was chosen; None when nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave it")]

    def __init__(self, title: str, choices: Sequence[tuple[str, str]]) -> None:
        """`choices` are keys, each with what it stands for."""
        super().__init__()
        self._title = title
        self._choices = choices

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(id="choices", title=self._title)

    def on_mount(self) -> None:
        rows = [line(Span(f" {key}  ", "mark"), what, key=key) for key, what in self._choices]
        box = self.query_one(Lines)
        box.show(rows)
        box.focus()

    def on_key(self, event: events.Key) -> None:
        if event.character in [key for key, _ in self._choices]:
            event.stop()
            self.dismiss(event.character)

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        event.stop()
        self.dismiss(event.line.key)

    def action_leave(self) -> None:
        self.dismiss(None)
