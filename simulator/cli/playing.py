"""Plays the scenarios of a command, and prints each in the order of the files."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from simulator.cli.printer import Printer
from simulator.cli.progress import Progress
from simulator.cli.selection import Casting, Selection, play_file
from simulator.trace import ScenarioRecord, Tally


class Playing:
    """How the scenarios of one command are played, and what came of them."""

    def __init__(
        self,
        selection: Selection,
        casting: Casting,
        *,
        first: bool = False,
        judge: Callable[[ScenarioRecord], None] | None = None,
        wants: Callable[[ScenarioRecord], bool] | None = None,
        slim: bool = False,
    ) -> None:
        """With `first`, nothing is played after one that does not pass; `judge` may let one fail.

        A record that nobody `wants` any more is counted, told of and let go. With `slim`, nobody
        looks at the turns of one that passed.
        """
        self.tally = Tally()
        self.records: list[ScenarioRecord] = []
        """Those that are wanted; all, unless somebody says which."""
        self.printer = Printer()
        self._selection = selection
        self._casting = casting
        self._first = first
        self._judge = judge
        self._wants = wants
        self._slim = slim
        self._progress = Progress(0)

    def play(self, files: Sequence[Path], *, workers: int = 1, executor: str | None = None) -> None:
        """Play every wanted scenario, in the order of the files.

        More than one worker are processes of their own, and an executor may be a cluster; what
        they play is told in that order too, whichever is done first. Raises ExecutorError.
        """
        self._progress = Progress(len(files))
        try:
            if executor is None and (workers == 1 or len(files) < 2):
                # The records are kept, not returned: asyncio.run would spell out all of a result.
                asyncio.run(self._play_here(files))
            else:
                self._play_apart(files, min(workers, len(files)), executor)
        finally:
            self._progress.clear()

    async def _play_here(self, files: Sequence[Path]) -> None:
        for number, file in enumerate(files, 1):
            self._progress.at(number, file)
            async for record in play_file(file, self._selection, self._casting):
                if not self._take(record, len(record.turns)):
                    return

    def _play_apart(self, files: Sequence[Path], count: int, executor: str | None) -> None:
        from simulator.cli.executors import workers_of  # not needed by one process
        from simulator.cli.workers import play_apart

        with ExitStack() as opened:
            workers = opened.enter_context(workers_of(executor, count))
            played = play_apart(
                files,
                self._selection,
                self._casting,
                workers.executor,
                ahead=workers.ahead,
                slim=self._slim,
            )
            self._take_all(files, opened.enter_context(closing(played)))

    def _take_all(
        self, files: Sequence[Path], records: Iterable[tuple[ScenarioRecord, int]]
    ) -> None:
        places = {str(file): number for number, file in enumerate(files, 1)}
        self._progress.at(1, files[0])
        for record, turns in records:
            self._progress.at(places.get(record.file, 1), Path(record.file))
            if not self._take(record, turns):
                return

    def _take(self, record: ScenarioRecord, turns: int) -> bool:
        """Judge, keep and tell of a record; False when it shall be the last one."""
        if self._judge is not None:
            self._judge(record)
        self.tally.add(record, turns)
        if self._wants is None or self._wants(record):
            self.records.append(record)
        self._progress.clear()
        self.printer.scenario(record)
        self._progress.again()
        return not self._first or record.status == "passed"
