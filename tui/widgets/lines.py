"""Draws the lines of a pane, only those that are seen, and lets one of them be chosen."""

from collections.abc import Sequence
from typing import ClassVar, get_args

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.model.text import Line, Style

LONGEST = 1_000
"""Characters of a line that are drawn; the whole of it is shown on enter."""

_STYLES: tuple[Style, ...] = get_args(Style)


class Lines(ScrollView, can_focus=True):
    """A list of lines; one of them is the current one.

    Text is drawn as it stands: nothing of it is markup, and no sign in it can move the cursor
    of the terminal.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--current",
        *(f"lines--{style}" for style in _STYLES),
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(-1)", "Top", show=False),
        Binding("end", "edge(1)", "Bottom", show=False),
        Binding("enter", "choose", "Open", show=False),
    ]

    marks_current = True
    """Whether the current line is to be seen."""

    class Moved(Message):
        """Somebody made another line the current one."""

        def __init__(self, lines: "Lines", line: Line) -> None:
            super().__init__()
            self.lines = lines
            self.line = line

        @property
        def control(self) -> "Lines":
            return self.lines

    class Chosen(Moved):
        """Enter, or a click on the current line."""

    def __init__(self, *, id: str, title: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.border_title = title
        self.lines: Sequence[Line] = ()
        self.row = 0
        """The current line."""

    @property
    def line(self) -> Line | None:
        """The current line; None when there is none."""
        return self.lines[self.row] if self.lines else None

    def show(self, lines: Sequence[Line], *, row: int | None = None, end: bool = False) -> None:
        """Draw other lines. The current one stays, by its key, unless a `row` is given.

        With `end`, the last line is the current one.
        """
        if row is None:
            row = len(lines) - 1 if end else self._same(lines)
        widest = max((len(line.text) for line in lines), default=0)
        self.lines = lines
        self.virtual_size = Size(min(widest, LONGEST), len(lines))
        self._go(row)
        self.refresh()

    def _same(self, lines: Sequence[Line]) -> int:
        """Where the current line stands now."""
        key = self.line.key if self.line is not None else ""
        if key and self.row < len(lines) and lines[self.row].key == key:
            return self.row
        if not key:
            return self.row
        return next((row for row, line in enumerate(lines) if line.key == key), self.row)

    # --- drawing --------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        row = top + y
        width = self.size.width
        base = self.rich_style
        if row >= len(self.lines):
            return Strip.blank(width, base)
        segments = self._segments(self.lines[row], base)
        if row == self.row and self.marks_current:
            marked = self._current_style()
            base += marked
            # Over the meanings of the pieces: some of their colours could not be read on this one.
            segments = list(Segment.apply_style(segments, post_style=marked))
        strip = Strip(segments).crop_extend(left, left + width, base)
        return strip.apply_offsets(left, row)

    def _current_style(self) -> RichStyle:
        if not self.has_focus:
            return RichStyle(bold=True)
        return self.get_component_rich_style("lines--current", partial=True)

    def _segments(self, line: Line, base: RichStyle) -> list[Segment]:
        segments: list[Segment] = []
        room = LONGEST
        for span in line.spans:
            text = span.text[:room].translate(_HARMLESS)
            room -= len(text)
            own = self.get_component_rich_style(f"lines--{span.style}", partial=True)
            segments.append(Segment(text, base + own))
        return segments

    # --- moving ---------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        self._went(self.row + by)

    def action_page(self, by: int) -> None:
        self._went(self.row + by * max(1, self.size.height - 1))

    def action_edge(self, to: int) -> None:
        self._went(0 if to < 0 else len(self.lines) - 1)

    def action_choose(self) -> None:
        if self.line is not None:
            self.post_message(self.Chosen(self, self.line))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.y + self.scroll_offset.y >= len(self.lines):
            return
        row = offset.y + self.scroll_offset.y
        if row == self.row:
            self.action_choose()
        else:
            self._went(row)

    def _went(self, row: int) -> None:
        before = self.row
        self._go(row)
        if self.row != before and self.line is not None:
            self.post_message(self.Moved(self, self.line))

    def _go(self, row: int) -> None:
        self.row = max(0, min(row, len(self.lines) - 1))
        if self.size.height:
            self.scroll_to_region(
                Region(self.scroll_offset.x, self.row, 1, 1), animate=False, force=True
            )
        self.refresh()


_HARMLESS = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029], "·")
"""Signs that would move the terminal's cursor, should a pane let one through."""
