"""The inspector in a real terminal, 80 columns by 24: from opening a file to a saved fork."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.pilot import ROOT, TRIAGE
from tests.tui.terminal import TMUX, Terminal

pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    window = Terminal(tmp_path)
    yield window
    window.stop()


def test_a_play_is_stepped_through_forked_gone_on_with_and_saved(
    terminal: Terminal, tmp_path: Path
):
    open_it(terminal)
    step_to_the_end(terminal)
    fork_at_turn_2(terminal)
    say_and_save(terminal)
    done = play_saved(tmp_path)
    assert (done.returncode, "1 passed, 0 failed" in done.stdout) == (0, True), done.stdout


def open_it(terminal: Terminal) -> None:
    environment = f"PYTHONPATH={ROOT} TEXTUAL_ANIMATIONS=none TERM=screen-256color"
    terminal.start(f"env {environment} {sys.executable} -m simulator tui {TRIAGE}")
    terminal.until(lambda seen: "turn 1/5 · load 1/8" in seen)


def step_to_the_end(terminal: Terminal) -> None:
    """By phases, then all the way; every tab is looked at there."""
    for step in ("ingest 2/8", "understand 3/8", "decide 4/8", "run 5/8"):
        terminal.press("s")
        terminal.until(lambda seen, step=step: step in seen)
    terminal.press("c")
    terminal.until(lambda seen: "turn 5/5 · return 8/8" in seen)
    for key, shown in (
        ("1", "imovel"),
        ("2", "registrar"),
        ("3", "tokens"),
        ("4", "so far"),
        ("5", "over"),
        ("6", "✓ pass"),
        ("F", "other flows"),
    ):
        terminal.press(key)
        terminal.until(lambda seen, shown=shown: shown in seen)


def fork_at_turn_2(terminal: Terminal) -> None:
    terminal.press("v", ":")
    terminal.until(lambda seen: "go to" in seen)
    terminal.type("2.load")
    terminal.press("Enter")
    terminal.until(lambda seen: "turn 2/5 · load 1/8" in seen and "go to" not in seen)
    terminal.press("f")
    terminal.until(lambda seen: "the customer writes" in seen)
    terminal.press("Enter")
    terminal.until(lambda seen: "FORK of" in seen and "customer writes" not in seen)


def say_and_save(terminal: Terminal) -> None:
    terminal.press("i")
    terminal.until(lambda seen: "what happens" in seen)
    terminal.press("m")
    terminal.until(lambda seen: "message of the customer" in seen and "what happens" not in seen)
    terminal.type("sim, pode ser")
    terminal.press("Enter")
    terminal.until(lambda seen: "nothing answers it" in seen)
    terminal.press("F2")
    terminal.until(lambda seen: "turn 3/3" in seen and "nothing answers" not in seen)
    terminal.press("D")
    terminal.until(lambda seen: "save as a scenario" in seen)
    terminal.type("saved.yaml")
    terminal.press("Enter")
    terminal.until(lambda seen: "Saved." in seen)
    terminal.press("q")


def play_saved(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "simulator", "run", "saved.yaml"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
