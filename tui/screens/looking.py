"""The keys that look closer: breakpoints, watches, who set it, search, sort and filter."""

from tui.model.breakpoints import BreakpointError
from tui.model.text import Line, line
from tui.model.watches import PathError, who_set
from tui.panes.outcomes import COLUMNS
from tui.screens.entry import EntryScreen
from tui.screens.listing import ListScreen
from tui.screens.moving import Moving


class Looking(Moving):
    """Sets up what the panes show; nothing is run by it."""

    def action_break_here(self) -> None:
        if self.sitting.subject.timeline.turns:
            self.sitting.toggle_here()
            self.draw()

    def action_break_list(self) -> None:
        points = self.sitting.breakpoints

        def rows() -> list[Line]:
            return [
                line(f"{'●' if it.on else '○'} {it.text}  {it.hits} hits", key=it.text)
                for it in points
            ]

        def add(text: str) -> None:
            try:
                points.add(text)
            except BreakpointError as error:
                raise ValueError(str(error)) from None

        self.desk.push_screen(
            ListScreen(
                "breakpoints",
                rows,
                add=add,
                remove=points.remove,
                switch=points.switch,
                hint="code:max-asks, field:name, calls>2, failed, wake, text:words, 6.decide",
            ),
            self._drawn_again,
        )

    def _drawn_again(self, _: object = None) -> None:
        self.draw()

    def action_watch_add(self) -> None:
        path = self._chosen_path()
        if path is not None:
            self._watch(path)
            return
        hint = "data.name, floor, runs.triage.stepId, clock"
        self.desk.push_screen(EntryScreen("watch", hint=hint), self._watch)

    def _chosen_path(self) -> str | None:
        """The value that the current line of State shows, while State has the focus."""
        pane = self.pane("tab")
        return pane.line.path if pane.has_focus and pane.line is not None else None

    def _watch(self, path: str | None) -> None:
        if not path:
            return
        try:
            watched = self.sitting.watch(path)
        except PathError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.notify(f"{'Watching' if watched else 'No longer watching'} {path}.", markup=False)
        self.draw()

    def action_watch_list(self) -> None:
        sitting = self.sitting

        def rows() -> list[Line]:
            breaks = {it.text for it in sitting.breakpoints}
            return [
                line(f"{'●' if f'path:{path}' in breaks else ' '} {path}", key=path)
                for path in sitting.watches
            ]

        def add(text: str) -> None:
            try:
                sitting.watch(text)
            except PathError as error:
                raise ValueError(str(error)) from None

        self.desk.push_screen(
            ListScreen(
                "watches: enter breaks when it changes",
                rows,
                add=add,
                remove=sitting.watches.remove,
                switch=lambda path: sitting.breakpoints.switch_on_change(path),
                hint="data.name, floor, runs.triage.stepId, clock",
            ),
            self._drawn_again,
        )

    def action_who_back(self) -> None:
        self._who(-1)

    def action_who_forward(self) -> None:
        self._who(1)

    def _who(self, direction: int) -> None:
        """To the step that set the chosen value; from a step that did, to the one before it."""
        path = self._chosen_path() or next(iter(self.sitting.watches), None)
        if path is None:
            self.notify("Choose a field in State first (tab, then up and down), or watch one.")
            return
        at = self.sitting.cursor.at
        found = who_set(self.sitting.subject.timeline, path, at, direction)
        if found == at and direction < 0:
            found = who_set(self.sitting.subject.timeline, path, at, direction, here=False)
        if found is None:
            self.notify(f"{path} was not set that way.", markup=False)
        else:
            self._moved(self.sitting.cursor.jump(found))

    def action_search(self) -> None:
        def says(text: str) -> str:
            count = self.sitting.search(text)
            return f"{count} hits" if text else ""

        self.desk.push_screen(
            EntryScreen("search", hint="words anywhere in the play", says=says), self._searched
        )

    def _searched(self, text: str | None) -> None:
        if not text:
            self.sitting.stop_search()
        elif not self.sitting.search(text):
            self.notify(f'"{text}" is nowhere in this play.', markup=False)
            self.sitting.stop_search()
        elif not any(hit.at == self.sitting.cursor.at for hit in self.sitting.hits):
            self._turn(1 if self.sitting.hits[-1].at > self.sitting.cursor.at else -1)
        self.draw()

    def action_compare(self) -> None:
        self.sitting.compare = not self.sitting.compare
        self.show_tab("prompt")

    def action_sort(self) -> None:
        columns = ("", *COLUMNS)
        self.sitting.sort = columns[(columns.index(self.sitting.sort) + 1) % len(columns)]
        self.show_tab("outcomes")

    def action_only(self) -> None:
        def narrowed(text: str | None) -> None:
            self.sitting.only = text or ""
            self.show_tab("outcomes")

        entry = EntryScreen("only outcomes that hold", value=self.sitting.only)
        self.desk.push_screen(entry, narrowed)
