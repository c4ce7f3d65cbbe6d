"""A list that is worked on: breakpoints and watches."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.model.text import Line, line
from tui.screens.entry import EntryScreen
from tui.widgets.lines import Lines
from tui.widgets.row import Row


class ListScreen(ModalScreen[None]):
    """Shows the list, and does to it what the keys say; it is changed by whoever owns it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "Add"),
        Binding("x,delete", "remove", "Remove"),
        Binding("escape,q", "close", "Close"),
    ]

    def __init__(
        self,
        title: str,
        rows: Callable[[], Sequence[Line]],
        *,
        add: Callable[[str], None],
        remove: Callable[[str], None],
        switch: Callable[[str], None],
        hint: str,
    ) -> None:
        """Rows are known by their keys; `add` raises ValueError with a sentence for a bad text."""
        super().__init__()
        self._title = title
        self._rows = rows
        self._add = add
        self._remove = remove
        self._switch = switch
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(id="list", title=self._title)
            yield Row(id="keys")

    def on_mount(self) -> None:
        self._drawn()
        self.query_one("#list", Lines).focus()
        keys = "a add · x remove · enter switch · esc close"
        self.query_one("#keys", Row).show([line(keys, style="dim")])

    def _drawn(self) -> None:
        rows = self._rows() or [line("  None yet: a adds one.", style="dim")]
        self.query_one("#list", Lines).show(rows)

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        event.stop()
        if event.line.key:
            self._switch(event.line.key)
            self._drawn()

    def action_add(self) -> None:
        self.app.push_screen(  # pyright: ignore[reportUnknownMemberType] - Textual's
            EntryScreen(self._title, hint=self._hint), self._added
        )

    def _added(self, text: str | None) -> None:
        if text:
            try:
                self._add(text)
            except ValueError as error:
                self.notify(str(error), severity="error", markup=False)
        self._drawn()

    def action_remove(self) -> None:
        chosen = self.query_one("#list", Lines).line
        if chosen is not None and chosen.key:
            self._remove(chosen.key)
            self._drawn()

    def action_close(self) -> None:
        self.dismiss(None)
