"""All the plays of a folder: how they went and what they cost."""

from collections.abc import Sequence
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer

from tui.model.shown import column, cut
from tui.model.subject import Subject
from tui.model.text import Line, Span, Style, line
from tui.screens.desk import Desk
from tui.screens.entry import EntryScreen
from tui.screens.text import TextScreen
from tui.widgets.lines import Lines
from tui.widgets.row import Row

_VERDICTS: dict[str, tuple[str, Style]] = {
    "passed": ("✓ pass ", "good"),
    "failed": ("✗ fail ", "bad"),
    "error": ("! error", "warn"),
}


class RunsScreen(Screen[None]):
    """A line for each play; enter opens it, space marks it for a diff."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark"),
        Binding("d", "diff", "Diff"),
        Binding("slash", "only", "Filter"),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, subjects: Sequence[Subject]) -> None:
        super().__init__()
        self._subjects = subjects
        self._marked: list[int] = []
        self._only = ""

    @property
    def desk(self) -> Desk:
        return cast("Desk", self.app)

    def compose(self) -> ComposeResult:
        yield Row(id="bar")
        yield Lines(id="runs", title="scenarios")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.query_one("#runs").focus()
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def replace(self, subjects: Sequence[Subject]) -> None:
        """Show other plays of the same files."""
        self._subjects, self._marked = subjects, []
        self.draw()

    def draw(self) -> None:
        """Draw all of it as wide as the screen is."""
        pane = self.query_one("#runs", Lines)
        width = max(20, pane.scrollable_content_region.width)
        shown = [
            self._line(place, subject, width)
            for place, subject in enumerate(self._subjects)
            if self._only.casefold() in f"{subject.name} {subject.play.scenario}".casefold()
        ]
        pane.show(shown or [line("  No scenario holds that text.", style="dim")])
        by = [subject.play.status for subject in self._subjects]
        calls = sum(subject.play.llm_calls for subject in self._subjects)
        head = f" RUNS  {by.count('passed')} passed, {by.count('failed')} failed, "
        head += f"{by.count('error')} errors · {calls} calls"
        self.query_one("#bar", Row).show([line(head, style="mark")])

    def _line(self, place: int, subject: Subject, width: int) -> Line:
        word, style = _VERDICTS[subject.play.status]
        mark = "●" if place in self._marked else " "
        count = f"{len(subject.timeline.turns):>5} turns {subject.play.llm_calls:>5} calls"
        room = max(20, width - len(count) - 12)
        name = column(subject.play.scenario, room - 26 if room > 60 else room)
        file = f" {cut(subject.name, 25)}" if room > 60 else ""
        return line(
            Span(f"{mark} ", "mark"),
            Span(f"{word} ", style),
            name,
            Span(f"{count} ", "dim"),
            Span(file, "dim"),
            key=str(place),
        )

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        event.stop()
        if event.line.key:
            self.desk.show_subject(self._subjects[int(event.line.key)])

    def action_mark(self) -> None:
        chosen = self.query_one("#runs", Lines).line
        if chosen is not None and chosen.key:
            place = int(chosen.key)
            if place in self._marked:
                self._marked.remove(place)
            else:
                self._marked = [*self._marked[-1:], place]
            self.draw()

    @property
    def marked(self) -> Subject | None:
        """The play that was marked last."""
        return self._subjects[self._marked[-1]] if self._marked else None

    def action_diff(self) -> None:
        from tui.screens.diff import DiffScreen  # only for who compares

        if len(self._marked) < 2:
            self.notify("Mark two scenarios with space, then compare them.")
            return
        first, second = (self._subjects[place] for place in self._marked)
        self.desk.push_screen(DiffScreen(first, second))

    def action_only(self) -> None:
        def narrowed(text: str | None) -> None:
            self._only = text or ""
            self.draw()

        entry = EntryScreen("only scenarios that hold", value=self._only)
        self.desk.push_screen(entry, narrowed)

    def action_help(self) -> None:
        text = "enter  open\nspace  mark\nd      compare the two that are marked\n/      filter\nq      quit"
        self.desk.push_screen(TextScreen("help", text))

    def action_quit(self) -> None:
        self.desk.exit()
