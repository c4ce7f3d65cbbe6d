"""The line that tells, on a terminal, how far a long command has come."""

import os
import sys
from pathlib import Path
from typing import TextIO

from simulator.place import counted

_FEWEST = 2
"""Files from which on there is anything to tell."""


class LiveLine:
    """One line that is written over again; nothing at all where nobody looks at a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_live = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = ""

    def show(self, text: str) -> None:
        """Write the line anew, as far as the terminal is wide."""
        if self._is_live:
            self._shown = text[: _columns() - 1]
            self._write(self._shown)

    def again(self) -> None:
        """Show the line once more, below what the command told."""
        if self._is_live:
            self._write(self._shown)

    def clear(self) -> None:
        """Make room for a line of the command."""
        if self._is_live:
            self._write("")

    def _write(self, text: str) -> None:
        self._stream.write(f"\r\x1b[2K{text}")
        self._stream.flush()


class Progress(LiveLine):
    """Tells which file of many is being played."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._total = total
        self._is_live = self._is_live and total >= _FEWEST

    def at(self, number: int, file: Path) -> None:
        """Tell that file `number`, from 1, is being played."""
        self.show(f"{number}/{counted(self._total, 'file')}  {file}")


def _columns() -> int:
    import shutil  # only where somebody looks

    return shutil.get_terminal_size().columns
