"""A real terminal of 80 columns by 24, in tmux."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

TMUX = shutil.which("tmux")


class Terminal:
    """One window of tmux, of a server of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux.sock")
        self._folder = folder

    def start(self, command: str) -> None:
        size = ("-x", "80", "-y", "24")
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, "-c", str(self._folder), command)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def until(self, holds: Callable[[str], bool]) -> str:
        """Wait for the screen to show something; tmux itself waits a moment between two looks."""
        for _ in range(600):
            seen = self.screen()
            if holds(seen):
                return seen
            self._tmux("run-shell", "sleep 0.05")
        raise AssertionError(f"it never came:\n{self.screen()}")

    def stop(self) -> None:
        subprocess.run([str(TMUX), "-S", self._socket, "kill-server"], capture_output=True)

    def _tmux(self, *arguments: str) -> str:
        command = [str(TMUX), "-S", self._socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
