"""A text over everything else: a value in full, help, an error."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.model.shown import wrapped
from tui.model.text import Line, line
from tui.widgets.lines import Lines
from tui.widgets.row import Row


class TextScreen(ModalScreen[bool]):
    """Shows a text to scroll in; answers True when it was confirmed, if it can be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy"),
        Binding("escape,q", "close", "Close"),
    ]

    def __init__(self, title: str, text: str | Sequence[Line], *, confirm: str = "") -> None:
        """With `confirm`, enter says yes to it."""
        super().__init__()
        self._title = title
        self._text = text
        self._confirm = confirm

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(id="text", title=self._title)
            yield Row(id="keys")

    def on_mount(self) -> None:
        self.query_one("#text", Lines).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        box = self.query_one("#text", Lines)
        box.show(self._lines(max(20, self.size.width - 12)))
        keys = (
            "y copy · esc close" if not self._confirm else f"enter {self._confirm} · esc leave it"
        )
        self.query_one("#keys", Row).show([line(keys, style="dim")])

    def _lines(self, width: int) -> Sequence[Line]:
        if isinstance(self._text, str):
            return [line(it) for it in wrapped(self._text, width)]
        return self._text

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        event.stop()
        if self._confirm:
            self.dismiss(True)

    def action_copy(self) -> None:
        text = (
            self._text if isinstance(self._text, str) else "\n".join(it.text for it in self._text)
        )
        self.app.copy_to_clipboard(text)  # pyright: ignore[reportUnknownMemberType] - Textual's
        self.notify(f"Copied {len(text)} characters.")

    def action_close(self) -> None:
        self.dismiss(False)
