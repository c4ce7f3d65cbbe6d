"""What is kept of a play, and what it is held against: save, accept, play again, compare."""

from difflib import unified_diff
from pathlib import Path

from simulator.place import ScenarioFileError
from tui.opening import OpenError, play_again
from tui.screens.base import SittingScreen
from tui.screens.entry import EntryScreen
from tui.screens.text import TextScreen
from tui.widgets.lines import Lines


class Keeping(SittingScreen):
    """Writes files, when somebody says so, and plays again what they hold."""

    def action_save(self) -> None:
        if self.attached is None:
            self.notify(
                "This was recorded, and is there already. f leaves it; a fork can be saved."
            )
            return
        name = f"{Path(self.sitting.subject.name).stem}-fork.yaml"
        self.desk.push_screen(EntryScreen("save as a scenario", value=name), self._saved)

    def _saved(self, name: str | None) -> None:
        if not name or self.attached is None:
            return
        try:
            self.attached.save(Path(name))
        except (OpenError, ScenarioFileError) as error:
            self.told(error)
        else:
            self.notify(f"Saved. Play it with: falai run {name}", markup=False)

    def action_write(self) -> None:
        pane = self.focused
        if not isinstance(pane, Lines):
            return
        name = self.tab if pane.id == "tab" else pane.id or "pane"
        text = "".join(f"{it.text.rstrip()}\n" for it in pane.lines)
        file = _free(
            Path(f"{Path(self.sitting.subject.name).stem}-{self.sitting.place}-{name}.txt")
        )
        try:
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            self.notify(f"{file}: cannot be written: {error.strerror}.", severity="error")
            return
        self.notify(f"Written to {file}.", markup=False)

    def action_rerun(self) -> None:
        self.run_worker(self._rerun, thread=True, group="play", exclusive=True, exit_on_error=False)

    def _rerun(self) -> None:
        try:
            again = play_again(self.sitting.subject)
        except OpenError as error:
            self.desk.call_from_thread(self.told, error)
            return
        self.desk.call_from_thread(self.desk.show_again, self.sitting, again)

    def action_diff(self) -> None:
        other = self.desk.other_of(self.sitting)
        if other is None:
            self.notify(
                "There is nothing to compare with yet: f forks, r plays again, R lists runs."
            )
            return
        from tui.screens.diff import DiffScreen  # only for who compares

        self.desk.push_screen(DiffScreen(other, self.sitting.subject))

    def action_runs(self) -> None:
        self.desk.show_runs()

    # --- accepting ------------------------------------------------------------------------------

    def action_accept(self) -> None:
        subject = self.sitting.subject
        if self.attached is not None or subject.scenario is None:
            self.notify("Only a scenario that lies in a file takes expectations: D saves this one.")
            return
        self.run_worker(self._accept(), group="play", exclusive=True, exit_on_error=False)

    async def _accept(self) -> None:
        from simulator.accept.proposal import propose  # only for who accepts
        from simulator.accept.save import FileChangedError, save
        from simulator.load import load_document
        from simulator.reading import read_scenario

        scenario = self.sitting.subject.scenario
        assert scenario is not None
        line = self.sitting.subject.timeline.record(self.sitting.cursor.at).line
        try:
            document = load_document(scenario.spot.source.path)
            proposal = await propose(document, read_scenario(document), line=line)
        except ScenarioFileError as error:
            self.told(error)
            return
        if proposal.problems or not proposal.is_change:
            told = "\n".join([*proposal.problems, *proposal.notes]) or "It holds as it stands."
            self.notify(told, markup=False)
            return
        shown = "\n".join(_difference(document.text, proposal.text))
        if await self.desk.push_screen_wait(TextScreen("accept", shown, confirm="write it")):
            try:
                save(proposal)
            except (FileChangedError, OSError) as error:
                self.told(error)
            self.desk.reload()


def _difference(old: str, new: str) -> list[str]:
    return list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))[2:]


def _free(file: Path) -> Path:
    """A name that no file has yet."""
    number, free = 2, file
    while free.exists():
        free, number = file.with_stem(f"{file.stem}-{number}"), number + 1
    return free
