"""The line that tells how far a run has come: seen on a terminal, and nowhere else."""

import os
import pty
import re
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
    return out, all_of(ours)


def shown_on_one_terminal(*arguments: str) -> str:
    """What a terminal gets of both streams, with colours left out."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "simulator", "run", *arguments]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        return re.sub(r"\x1b\[\d*m", "", all_of(ours))


def all_of(terminal: int) -> str:
    """Read a terminal until nobody writes to it any more."""
    seen = b""
    try:
        while piece := os.read(terminal, 65536):
            seen += piece
    except OSError:  # how a terminal ends on Linux
        pass
    os.close(terminal)
    return seen.decode()


def test_a_terminal_sees_where_a_run_is_and_keeps_no_trace_of_it(write: Write):
    for name in ("a", "b"):
        write(f"{name}.yaml", SCENARIO.format(title=name))
    out, seen = shown_on_terminal(".")
    assert "1/2 files  a.yaml" in seen
    assert "2/2 files  b.yaml" in seen
    assert seen.endswith("\r\x1b[2K")
    assert "2 passed" in out
    assert "/2 files" not in out


def test_several_processes_tell_it_too_and_no_line_is_torn(write: Write):
    titles = [f"number {number}" for number in range(6)]
    for title in titles:
        write(f"{title}.yaml", SCENARIO.format(title=title))
    seen = shown_on_one_terminal(".", "-n", "2")
    assert "6/6 files  number 5.yaml" in seen
    lines = [line.rpartition("\x1b[2K")[2] for line in seen.split("\r\n")]
    assert lines[:6] == [f"ok  {title}  {title}.yaml, 1 call" for title in titles]
    assert (lines[6].startswith("6 passed, 0 failed"), lines[7:]) == (True, [""])


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
