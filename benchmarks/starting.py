"""How long commands and imports take to start: whole processes, everything loaded before."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

from benchmarks.figures import Table

_SCENARIO = """\
scenario: One turn
agent: {name: Ana, idle: {prompt: Answer.}}
turns: [{message: hello, model: {speak: {message: Hi!}}}]
"""


def starting(rounds: int) -> Table:
    """Milliseconds of each, the median of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "one.yaml")
        file.write_text(_SCENARIO, encoding="utf-8")
        falai = [sys.executable, "-m", "simulator"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import falai": [sys.executable, "-c", "import falai"],
            "falai --help": [*falai, "--help"],
            "falai run of one scenario": [*falai, "run", str(file)],
        }
        rows = [(name, *_times(command, rounds)) for name, command in commands.items()]
    return Table("starting", ("process", "wall, ms", "CPU, ms"), rows)


def _times(command: list[str], rounds: int) -> tuple[float, float]:
    walls: list[float] = []
    cpus: list[float] = []
    for _ in range(rounds + 1):
        used, began = getrusage(RUSAGE_CHILDREN), perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=_environment())
        walls.append(perf_counter() - began)
        now = getrusage(RUSAGE_CHILDREN)
        cpus.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    # The first one may have had to compile.
    return median(walls[1:]) * 1_000, median(cpus[1:]) * 1_000


def _environment() -> dict[str, str]:
    """The same, with compiled modules kept, as everywhere but on some build machines."""
    return {key: it for key, it in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
