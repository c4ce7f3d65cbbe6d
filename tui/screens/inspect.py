"""The inspector itself: turns, conversation and tabs around one place in one play."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer

from tui.actions import help_lines
from tui.bindings import bindings
from tui.model.sitting import Sitting
from tui.model.text import Line, Span, line
from tui.panes import TABS, bar, conversation, flow, scrubber, strip, turns
from tui.panes.head import scrubbed
from tui.screens.keeping import Keeping
from tui.screens.looking import Looking
from tui.screens.playing import Playing
from tui.screens.text import TextScreen
from tui.widgets.lines import Lines
from tui.widgets.row import Row

_PANES = {**TABS, "flow": flow}
_PLACE = 46
"""Columns that the bar takes for the place, behind the mode."""


class InspectScreen(Looking, Playing, Keeping):
    """Shows one play; every key changes the sitting, and then all is drawn from it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings()

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.tab = "checks" if sitting.subject.play.status != "passed" else "state"

    def compose(self) -> ComposeResult:
        yield Row(id="bar")
        yield Row(id="strip")
        with Horizontal(id="panes"):
            yield Lines(id="turns", title="turns")
            yield Lines(id="conversation", title="conversation")
            with Vertical(id="right"):
                yield Row(id="tabs")
                yield Lines(id="tab")
        yield Row(id="scrubber")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.query_one("#turns").focus()
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    # --- drawing --------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw everything from the sitting; what cannot be drawn is told, and the rest stays."""
        try:
            self._draw()
        except Exception as error:  # noqa: BLE001 - a pane that fails must not take the others along
            self.desk.fault(error)

    def _draw(self) -> None:
        """Each pane, as wide as it is now."""
        sitting = self.sitting
        self._draw_row("bar", [self._mode(), *self._where()])
        self._draw_row("strip", strip(sitting.view())[0].spans)
        self._draw_row("tabs", self._tabs().spans)
        self._draw_row("scrubber", scrubber(sitting.view(self._width("scrubber")))[0].spans)
        row = sitting.cursor.turn if sitting.subject.timeline.turns else 0
        self.pane("turns").show(turns(sitting.view(self._width("turns"))), row=row)
        said = conversation(sitting.view(self._width("conversation")))
        self.pane("conversation").show(said, end=True)
        self.pane("tab").show(_PANES[self.tab](sitting.view(self._width("tab"))))
        self.refresh_bindings()

    def _width(self, name: str) -> int:
        return max(16, self.pane(name).scrollable_content_region.width)

    def _draw_row(self, name: str, spans: Sequence[Span]) -> None:
        self.query_one(f"#{name}", Row).show([line(*spans)])

    def _where(self) -> Sequence[Span]:
        """The bar; a fork's mode has its parent's name already."""
        width = self._width("bar") - len(self._mode().text)
        spans = bar(self.sitting.view(width))[0].spans
        return spans[1:] if self.sitting.mode == "FORK" else spans

    def _mode(self) -> Span:
        mode = self.sitting.banner(max(24, self._width("bar") - _PLACE))
        if self.waits:
            mode += ": waiting for the model, esc stops"
        elif self.sitting.query:
            place = self._hit_number()
            mode += f" /{self.sitting.query} {place}/{len(self.sitting.hits)}"
        return Span(f" {mode} ", "mark")

    def _hit_number(self) -> int:
        """Which hit of a search the cursor stands on or behind."""
        return sum(hit.at <= self.sitting.cursor.at for hit in self.sitting.hits)

    def _tabs(self) -> Line:
        spans: list[Span] = []
        for name, title in self._titles():
            spans.append(Span(title, "mark" if name == self.tab else "dim"))
        return line(*spans)

    # --- what widgets tell ----------------------------------------------------------------------

    def on_lines_moved(self, event: Lines.Moved) -> None:
        if event.lines.id == "turns" and event.line.to is not None:
            timeline = self.sitting.subject.timeline
            turn = timeline.turn_of(event.line.to)
            self.sitting.cursor.go(timeline.at(turn, self.sitting.cursor.phase))
            self.draw()

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        chosen = event.line
        if chosen.folds is not None:
            self.sitting.fold(chosen.folds)
        elif chosen.to is not None and chosen.to != self.sitting.cursor.at:
            self.sitting.cursor.jump(chosen.to)
        elif chosen.opens is not None:
            self.desk.push_screen(TextScreen(event.lines.id or "", chosen.opens))
            return
        self.draw()

    def on_row_clicked(self, event: Row.Clicked) -> None:
        if event.row.id == "scrubber":
            steps = len(self.sitting.subject.timeline)
            self.sitting.cursor.jump(scrubbed(event.column, steps, self._width("scrubber")))
            self.draw()
        elif event.row.id == "tabs":
            self.show_tab(self._tab_at(event.column))

    def _titles(self) -> list[tuple[str, str]]:
        """The tabs by name, each as it is written; the flow has one only while it is shown."""
        titles = [(name, f"{number} {name} ") for number, name in enumerate(TABS, 1)]
        if sum(len(title) for _, title in titles) > self._width("tabs"):
            titles = [(name, title if name == self.tab else title[:2]) for name, title in titles]
        return [*titles, ("flow", "F flow ")] if self.tab == "flow" else titles

    def _tab_at(self, column: int) -> str:
        for name, title in self._titles():
            column -= len(title)
            if column < 0:
                return name
        return self.tab

    # --- panes ----------------------------------------------------------------------------------

    def show_tab(self, name: str) -> None:
        """Bring a pane to the front; on a narrow screen it takes the conversation's place."""
        self.set_class(name in _PANES, "-swapped")
        if name in _PANES and name != self.tab:
            self.pane("tab").row = 0
            self.tab = name
        self.call_after_refresh(self.draw)

    def action_tab_state(self) -> None:
        self.show_tab("state")

    def action_tab_outcomes(self) -> None:
        self.show_tab("outcomes")

    def action_tab_prompt(self) -> None:
        self.show_tab("prompt")

    def action_tab_calls(self) -> None:
        self.show_tab("calls")

    def action_tab_wakes(self) -> None:
        self.show_tab("wakes")

    def action_tab_checks(self) -> None:
        self.show_tab("checks")

    def action_tab_flow(self) -> None:
        self.show_tab("flow")

    def action_swap(self) -> None:
        self.toggle_class("-swapped")
        self.call_after_refresh(self.draw)

    def action_zoom(self) -> None:
        focused = self.focused
        if self.maximized is not None:
            self.minimize()
        elif focused is not None:
            self.maximize(focused)
        self.call_after_refresh(self.draw)

    # --- other ----------------------------------------------------------------------------------

    def action_copy(self) -> None:
        pane = self.focused
        chosen = pane.line if isinstance(pane, Lines) else None
        if chosen is None:
            return
        text = chosen.opens or chosen.text.strip()
        self.desk.copy_to_clipboard(text)
        self.notify(f"Copied {len(text)} characters.")

    def action_help(self) -> None:
        focused = self.focused.id if self.focused is not None else ""
        here = _HELP.get(self.tab if focused == "tab" else focused or "", "")
        lines = [line(it) for it in ([here, ""] if here else []) + help_lines()]
        self.desk.push_screen(TextScreen("help", lines))

    def action_leave(self) -> None:
        if self.waits:
            self.stop_waiting()
        elif self.maximized is not None:
            self.action_zoom()
        elif self.sitting.query:
            self.sitting.stop_search()
            self.draw()
        elif len(self.desk.screen_stack) > 2:
            self.close()
            self.dismiss()

    def action_quit(self) -> None:
        self.desk.exit()


_HELP = {
    "turns": "Turns: up and down move through the play; enter goes to a turn's end.",
    "conversation": "Conversation: what had been said by this step. Enter shows a text in full.",
    "state": "State: * is what this step changed. w watches the chosen value, u tells who set it.",
    "outcomes": "Outcomes: enter shows a line in full, o sorts, O filters.",
    "prompt": "Prompt: enter folds a section, = shows what is new since the call before.",
    "calls": "Calls: enter shows request and reply as they were.",
    "wakes": "Wakes: enter goes to the turn that scheduled or fired a wake.",
    "checks": "Checks: enter shows wanted and got in full; x accepts what came.",
    "flow": "Flow: enter opens another flow.",
}
