"""The line that tells how far a run has come: seen on a terminal, and nowhere else."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.simulator.conftest import Write

SCENARIO = """\
scenario: {title}
agent: {{name: Ana, flows: [], idle: {{prompt: Responda.}}}}
turns:
  - {{message: oi, model: {{speak: {{message: "Oi!"}}}}}}
"""


def shown_on_terminal(*arguments: str, term: str = "xterm") -> tuple[str, str]:
    """What a command writes to stdout, and what a terminal gets on its stderr."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "simulator", "run", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": term},
    )
    os.close(theirs)
    out, _ = process.communicate()
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:  # how a terminal ends on Linux
        pass
    os.close(ours)
    return out, seen.decode()


def test_a_terminal_sees_where_a_run_is_and_keeps_no_trace_of_it(write: Write):
    for name in ("a", "b"):
        write(f"{name}.yaml", SCENARIO.format(title=name))
    out, seen = shown_on_terminal(".")
    assert "1/2 files  a.yaml" in seen
    assert "2/2 files  b.yaml" in seen
    assert seen.endswith("\r\x1b[2K")
    assert "2 passed" in out
    assert "/2 files" not in out


def test_one_file_needs_no_such_line(write: Write):
    write("a.yaml", SCENARIO.format(title="a"))
    assert shown_on_terminal("a.yaml")[1] == ""


def test_a_terminal_that_cannot_write_over_a_line_gets_none(write: Write):
    for name in ("a", "b"):
        write(f"{name}.yaml", SCENARIO.format(title=name))
    assert shown_on_terminal(".", term="dumb")[1] == ""


def test_without_a_terminal_nothing_is_told(write: Write):
    for name in ("a", "b"):
        write(f"{name}.yaml", SCENARIO.format(title=name))
    command = [sys.executable, "-m", "simulator", "run", "."]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stderr == ""
