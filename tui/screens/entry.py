"""One line to type, with what is made of it shown while it is typed."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from tui.model.shown import cut
from tui.model.text import line
from tui.widgets.row import Row


class EntryScreen(ModalScreen[str | None]):
    """Asks for a line; None when nothing was wanted after all."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave it")]

    def __init__(
        self,
        title: str,
        *,
        value: str = "",
        hint: str = "",
        says: Callable[[str], str] | None = None,
    ) -> None:
        """`says` tells, while it is typed, what the line would do."""
        super().__init__()
        self._title = title
        self._value = value
        self._hint = hint
        self._says = says

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            # Selected when it is mounted, not when the focus comes: somebody may type already.
            yield Input(self._value, select_on_focus=False, id="entry")
            yield Row(id="hint")

    def on_mount(self) -> None:
        entry = self.query_one(Input)
        entry.border_title = self._title
        entry.action_select_all()
        entry.focus()
        self._hinted(self._hint)

    def _hinted(self, text: str) -> None:
        width = max(20, self.query_one("#hint", Row).size.width or self.size.width - 14)
        self.query_one("#hint", Row).show([line(cut(text, width), style="dim")])

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._says is not None:
            self._hinted(self._says(event.value) or self._hint)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)

    def action_leave(self) -> None:
        self.dismiss(None)
