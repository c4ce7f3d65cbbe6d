"""A whole suite of scenarios, its memory watched: `python -m benchmarks.million [TURNS]`.

Files of 1,000 turns over 100 sessions each, played by `falai run -n 2`.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

from benchmarks.figures import Table
from benchmarks.peers import talk

_FILE_TURNS, _FILE_SESSIONS = 1_000, 100
_HEAD = """\
scenario: Many conversations
agent:
  name: Ana
  idle: silent
  fields: {name: {type: string}, company: {type: string}, size: {type: string}, budget: {type: string}}
  flows:
    - id: triage
      name: Triage
      on: [{message: [wants a quote], repeat: always}]
      clearOnStart: [name, company, size, budget]
      steps:
        - {id: who, kind: collect, collect: [name, company, size, budget], prompt: Be brief.}
        - {id: bye, kind: prompt, prompt: Say goodbye.}
script: loose
turns:
"""


def million(sizes: Iterable[int]) -> Table:
    """What each number of turns takes, and the most that one of the processes holds."""
    rows = [_row(turns) for turns in sizes]
    columns = ("turns", "sessions", "seconds", "turns a second", "MiB at the peak")
    return Table("million", columns, rows)


def _row(turns: int) -> tuple[int, int, float, int, float]:
    files = turns // _FILE_TURNS
    # In a process of its own: the peak of its children is that of this run alone.
    with get_context("spawn").Pool(1) as pool:
        seconds, peak = pool.apply(_run, (files,))
    return turns, files * _FILE_SESSIONS, seconds, round(turns / seconds), peak / 1_024


def _run(files: int) -> tuple[float, int]:
    """Seconds, and KiB of the largest process."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            Path(folder, f"{number:05}.yaml").write_text(_text(number), encoding="utf-8")
        began = perf_counter()
        command = [sys.executable, "-m", "simulator", "run", "-n", "2", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - began, getrusage(RUSAGE_CHILDREN).ru_maxrss


def _text(file: int) -> str:
    return _HEAD + "".join(_entry(file, turn) for turn in range(_FILE_TURNS))


def _entry(file: int, turn: int) -> str:
    """The conversations of a file go on side by side, a turn of each in its turn."""
    session, place = f"s{file}-{turn % _FILE_SESSIONS}", turn // _FILE_SESSIONS
    fields = ", ".join(f"{name}: {value}" for name, value in talk.given_by(place).items())
    return (
        f"  - {{message: {talk.message(place)!r}, session: {session}, model: {{understand: "
        f"{{flows: {{triage: 90}}, fields: {{{fields}}}}}, speak: {{message: {talk.reply(place)!r}}}}}}}\n"
    )


if __name__ == "__main__":
    print(million([int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000]).rows)  # noqa: T201
