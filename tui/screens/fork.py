"""What is to be different in a fork: the message, a field, a reply of the model, the time."""

from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input

from tui.model.text import line
from tui.widgets.row import Row


class ForkDraft(NamedTuple):
    """What stands in the form, as text."""

    message: str | None
    """None for a turn that is no message of the customer's."""
    fields: str
    reply: str | None
    """None where the turn made no call by now."""
    clock: str
    rest: bool


class ForkScreen(ModalScreen[ForkDraft | None]):
    """A form that begins as the turn was; None when nothing is to be forked."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave it")]

    def __init__(self, place: str, draft: ForkDraft, *, call: str = "") -> None:
        """`call` names the model call whose reply can be changed."""
        super().__init__()
        self._place = place
        self._draft = draft
        self._call = call
        self._shown: dict[str | None, str] = {}
        """What the lines showed at first: an end of a line cannot be shown there."""

    def compose(self) -> ComposeResult:
        draft = self._draft
        with VerticalScroll(id="box"):
            if draft.message is not None:
                yield _titled(
                    Input(draft.message, select_on_focus=False, id="message"), "the customer writes"
                )
            yield _titled(
                Input(draft.fields, select_on_focus=False, id="fields"),
                "fields before the turn, as name: value",
            )
            if draft.reply is not None:
                yield _titled(
                    Input(draft.reply, select_on_focus=False, id="reply"),
                    f"the model's reply to {self._call}",
                )
            yield _titled(Input(draft.clock, select_on_focus=False, id="clock"), "clock")
            rest = Input("yes" if draft.rest else "no", id="rest")
            yield _titled(rest, "then go on with the rest of the script: yes or no")
            yield Row(id="keys")

    def on_mount(self) -> None:
        self.query_one("#box").border_title = f"fork at {self._place}"
        keys = "enter fork · tab next · esc leave it"
        self.query_one("#keys", Row).show([line(keys, style="dim")])
        self._shown = {entry.id: entry.value for entry in self.query(Input) if entry.id != "rest"}
        self.query(Input).first().focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(
            ForkDraft(
                message=self._typed("message"),
                fields=self._typed("fields") or "",
                reply=self._typed("reply"),
                clock=self._typed("clock") or "",
                rest=(self._typed("rest") or "").strip().casefold() in ("y", "yes"),
            )
        )

    def _typed(self, name: str) -> str | None:
        """What stands there; what was not touched is as it came, line ends and all."""
        found = self.query(f"#{name}").results(Input)
        value = next((entry.value for entry in found), None)
        return getattr(self._draft, name) if value == self._shown.get(name) else value

    def action_leave(self) -> None:
        self.dismiss(None)


def _titled(entry: Input, title: str) -> Input:
    entry.border_title = title
    return entry
