"""The keys that move: by phase, turn, breakpoint, failure and hit, or to a place."""

from textual import events
from textual.timer import Timer

from tui.model.places import PlaceError, place_name, read_place
from tui.model.sitting import Sitting
from tui.screens.base import SittingScreen
from tui.screens.entry import EntryScreen

_PACE = 0.4
"""Seconds between two steps that are taken by themselves."""


class Moving(SittingScreen):
    """Moves the cursor; nothing is run by it."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._pacing: Timer | None = None

    def on_key(self, event: events.Key) -> None:
        if self._pacing is not None:
            self._stop_pacing()
            event.stop()
            event.prevent_default()

    def _moved(self, moved: bool) -> None:
        if moved:
            self.draw()

    def action_step_forward(self) -> None:
        self._moved(self.sitting.cursor.step(1))

    def action_step_back(self) -> None:
        self._moved(self.sitting.cursor.step(-1))

    def action_turn_forward(self) -> None:
        self._turn(1)

    def action_turn_back(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        """One turn, or while something is looked for, one hit; its pane comes to the front."""
        if not self.sitting.query:
            self._moved(self.sitting.cursor.turn_by(by))
            return
        hit = self.sitting.go_to_hit(by)
        if hit is None:
            self.notify("There is no further hit that way. esc ends the search.")
        else:
            self.show_tab(hit.pane)
        self.draw()

    def action_run_forward(self) -> None:
        self._moved(self.sitting.cursor.run(1))

    def action_run_back(self) -> None:
        self._moved(self.sitting.cursor.run(-1))

    def action_failure_forward(self) -> None:
        self._to_failure(1)

    def action_failure_back(self) -> None:
        self._to_failure(-1)

    def _to_failure(self, direction: int) -> None:
        if self.sitting.cursor.failure(direction):
            self.tab = "checks"
            self.draw()
        else:
            self.notify("There is no failure that way.")

    def action_go_first(self) -> None:
        self._moved(self.sitting.cursor.first())

    def action_go_last(self) -> None:
        self._moved(self.sitting.cursor.last())

    def action_go_back(self) -> None:
        self._moved(self.sitting.cursor.back())

    def action_go_place(self) -> None:
        def says(text: str) -> str:
            try:
                timeline = self.sitting.subject.timeline
                return place_name(timeline, read_place(text, timeline, self.sitting.cursor.at))
            except PlaceError as error:
                return str(error)

        hint = "6, 6.decide, #53 or 09:30"
        self.desk.push_screen(EntryScreen("go to", hint=hint, says=says), self._go)

    def _go(self, text: str | None) -> None:
        if not text:
            return
        try:
            at = read_place(text, self.sitting.subject.timeline, self.sitting.cursor.at)
        except PlaceError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self._moved(self.sitting.cursor.jump(at))

    def action_play(self) -> None:
        self._pacing = self.set_interval(_PACE, self._paced)

    def _paced(self) -> None:
        if not self.sitting.cursor.step(1):
            self._stop_pacing()
        self.draw()

    def _stop_pacing(self) -> None:
        if self._pacing is not None:
            self._pacing.stop()
            self._pacing = None
