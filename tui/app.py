"""The inspector as an application: opens what was named, and shows it, come what may."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from traceback import format_exception
from typing import Any

from textual.app import ComposeResult, SystemCommand
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from simulator.agentfile import AgentSource
from simulator.liveanswers import model_of
from simulator.options import PlayOptions
from tui.actions import ACTIONS
from tui.attached import Attached
from tui.model.breakpoints import Breakpoints
from tui.model.sitting import Mode, Sitting
from tui.model.subject import Subject
from tui.model.text import line
from tui.opening import OpenError, open_path
from tui.screens.desk import Desk
from tui.screens.inspect import InspectScreen
from tui.screens.runs import RunsScreen
from tui.screens.text import TextScreen
from tui.widgets.row import Row

_LOOK_AGAIN = 1.0
"""Seconds between two looks whether a file has changed."""


class Inspector(Desk):
    """A debugger for conversations."""

    TITLE = "falai"
    CSS_PATH = "inspector.tcss"
    ENABLE_COMMAND_PALETTE = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (150, "-wide")]  # noqa: RUF012 - Textual's

    def __init__(
        self,
        path: Path | None = None,
        *,
        agent: AgentSource | None = None,
        breakpoints: Iterable[str] = (),
        options: PlayOptions | None = None,
        offline: bool = False,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Open a scenario, a trace or a folder at `path`; or talk to an `agent`.

        `keys` are other keys by the ids of what they do. Raises BreakpointError for a text that is no breakpoint.
        """
        super().__init__()
        self._path = path
        self._agent = agent
        self._options = options or PlayOptions(phases=True)
        self._offline = offline
        self._subjects: Sequence[Subject] = ()
        self._stamps: dict[Path, int] = {}
        self._last: Subject | None = None
        self.breakpoints = Breakpoints()
        for text in breakpoints:
            self.breakpoints.add(text)
        self.set_keymap(dict(keys or {}))

    # --- opening --------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Row(id="loading")

    def on_mount(self) -> None:
        if self._agent is not None:
            self._talk(self._agent)
            return
        self.open_it()
        self.set_interval(_LOOK_AGAIN, self.look_at_disk)

    def _talk(self, agent: AgentSource) -> None:
        model = model_of(agent, offline=self._offline)
        name = Path(str(agent.spot.source.path)).name
        self.show_live(Attached.to_agent(agent, model, name=name), mode="LIVE", parent=None)

    def open_it(self) -> None:
        """Open the path anew, in a thread: a long play must not freeze the screen."""
        if not self._subjects:
            loading = f" loading {self._path}"
            self.screen_stack[0].query_one("#loading", Row).show([line(loading, style="dim")])
        self.run_worker(self._open, thread=True, group="open", exclusive=True, exit_on_error=False)

    def _open(self) -> None:
        assert self._path is not None
        try:
            subjects = open_path(self._path, self._options)
        except OpenError as error:
            self.call_from_thread(self._not_opened, str(error))
        else:
            self.call_from_thread(self._opened, subjects)

    def _not_opened(self, told: str) -> None:
        self._remember([])
        self.push_screen(TextScreen("cannot be opened", told))

    def _opened(self, subjects: Sequence[Subject]) -> None:
        first = not self._subjects
        self._subjects = subjects
        self._remember(subjects)
        if not first:
            self._renew(subjects)
            return
        if isinstance(self.screen, TextScreen):
            self.pop_screen()  # what kept it from being opened is mended
        if len(subjects) == 1:
            self.show_subject(subjects[0])
        else:
            self.push_screen(RunsScreen(subjects))

    def _renew(self, subjects: Sequence[Subject]) -> None:
        """Show the new plays where the old ones are shown; live ones stay as they are."""
        by_title = {subject.play.scenario: subject for subject in subjects}
        for screen in self.screen_stack:
            if isinstance(screen, RunsScreen):
                screen.replace(subjects)
            elif isinstance(screen, InspectScreen) and screen.attached is None:
                title = screen.sitting.subject.play.scenario
                again = subjects[0] if len(subjects) == 1 else by_title.get(title)
                if again is not None:
                    self._last = screen.sitting.subject
                    screen.sitting.replace(again)
                    screen.draw()
                    self.notify("The file has changed: this is how it plays now.")

    # --- files that change ------------------------------------------------------------------------

    def _remember(self, subjects: Sequence[Subject]) -> None:
        files: set[Path] = {self._path} if self._path is not None else set()
        for subject in subjects:
            if subject.scenario is not None:
                files.add(subject.scenario.spot.source.path)
            if subject.agent is not None:
                files.add(subject.agent.spot.source.path)
        self._stamps = {file: _stamp(file) for file in files}

    def look_at_disk(self) -> None:
        """Open the path anew when a file behind it has changed."""
        if any(_stamp(file) != stamp for file, stamp in self._stamps.items()):
            self.reload()

    def reload(self) -> None:
        """Open the path anew."""
        if self._path is not None:
            self._stamps = {file: _stamp(file) for file in self._stamps}
            self.open_it()

    # --- screens --------------------------------------------------------------------------------

    def show_subject(self, subject: Subject) -> None:
        """Look at a play."""
        sitting = Sitting(subject, breakpoints=self.breakpoints)
        self.push_screen(InspectScreen(sitting))

    def show_live(self, attached: Attached, *, mode: Mode, parent: Sitting | None) -> None:
        """Look at a conversation that goes on; it stands at its end."""
        sitting = Sitting(
            attached.subject(), mode=mode, parent=parent, breakpoints=self.breakpoints
        )
        sitting.cursor.last()
        screen = InspectScreen(sitting)
        screen.attached = attached
        self.push_screen(screen)

    def show_again(self, sitting: Sitting, again: Subject) -> None:
        """Show the play of a re-run in the place of the one before it."""
        self._last = sitting.subject
        sitting.replace(again)
        if isinstance(self.screen, InspectScreen):
            self.screen.draw()
        self.notify("Played again. d compares it with the play before.")

    def show_runs(self) -> None:
        """Go back to all the plays that were opened."""
        if not any(isinstance(screen, RunsScreen) for screen in self.screen_stack):
            self.push_screen(RunsScreen(self._subjects))
            return
        while not isinstance(self.screen, RunsScreen):
            self.pop_screen()

    def other_of(self, sitting: Sitting) -> Subject | None:
        """What a play is to be compared with: its parent, a marked one, or the play before it."""
        if sitting.parent is not None:
            return sitting.parent.subject
        runs = [screen for screen in self.screen_stack if isinstance(screen, RunsScreen)]
        marked = runs[0].marked if runs else None
        return marked if marked is not sitting.subject and marked is not None else self._last

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette offers: everything that a key does here, and Textual's own."""
        if isinstance(screen, InspectScreen):
            for act in ACTIONS:
                title = f"{act.group.lower()}: {act.does.lower()}"
                run = getattr(screen, f"action_{act.method}")
                yield SystemCommand(title, f"key {act.keys_for_people}", run)
        yield from super().get_system_commands(screen)  # pyright: ignore[reportUnknownMemberType]

    # --- faults of its own ------------------------------------------------------------------------

    async def run_action(self, *args: Any, **options: Any) -> bool:
        """Do what a key says; a fault in it is shown, and all goes on."""
        try:
            return await super().run_action(*args, **options)
        except Exception as error:  # noqa: BLE001 - whatever it is, the conversation is not lost
            self.fault(error)
            return True

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The same for work in the background."""
        error = event.worker.error  # pyright: ignore[reportUnknownMemberType] - Textual's
        if event.state is WorkerState.ERROR and error is not None:
            self.fault(error)

    def fault(self, error: BaseException) -> None:
        """Show a fault of the inspector itself."""
        told = f"The inspector made a mistake: {type(error).__name__}: {error}"
        where = "".join(format_exception(error)).strip()
        self.push_screen(
            TextScreen("a fault", f"{told}\n\nYou can go on. To report it:\n\n{where}")
        )


def _stamp(file: Path) -> int:
    """When a file was last written; 0 for one that is not there."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
