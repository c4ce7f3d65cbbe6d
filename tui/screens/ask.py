"""A model call that nothing answers by itself: somebody at the keyboard does, or stops."""

from typing import ClassVar, Literal, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from falai.providers.base import ModelCall
from tui.model.shown import wrapped
from tui.model.text import line
from tui.widgets.lines import Lines
from tui.widgets.row import Row


class Answered(NamedTuple):
    """What was typed, and by whom the next calls are answered."""

    text: str
    by: Literal["me", "stand-in"]


class AskScreen(ModalScreen[Answered | None]):
    """Shows what the model is told, with an answer to begin with; None stops the play."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "stand_in", "The stand-in answers from here on"),
        Binding("escape", "stop", "Stop"),
    ]

    def __init__(self, call: ModelCall, proposal: str) -> None:
        super().__init__()
        self._call = call
        self._proposal = proposal

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(id="told", title=f"{self._call.purpose} call: nothing answers it")
            entry = Input(self._proposal, select_on_focus=False, id="answer")
            entry.border_title = "the model answers"
            yield entry
            yield Row(id="keys")

    def on_mount(self) -> None:
        keys = "enter answer · f2 the stand-in answers from here on · esc stop here"
        self.query_one("#keys", Row).show([line(keys, style="dim")])
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        told = [line(it) for it in wrapped(self._call.prompt, max(20, self.size.width - 12))]
        self.query_one("#told", Lines).show(told)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(Answered(event.value, "me"))

    def action_stand_in(self) -> None:
        self.dismiss(Answered(self.query_one(Input).value, "stand-in"))

    def action_stop(self) -> None:
        self.dismiss(None)
