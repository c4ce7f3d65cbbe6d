"""The benchmarks run, with and without the peers; how fast anything is, no test says."""

import csv
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = ["curves", "loading", "million", "peers", "peers-long", "phases", "sessions", "starting"]


def test_a_quick_run_writes_the_page_and_every_table(tmp_path: Path):
    command = [sys.executable, "-m", "benchmarks", "--quick", "--out", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (run.returncode, run.stderr) == (0, "")
    tables = {file.stem.removeprefix("performance-"): rows(file) for file in tmp_path.glob("*.csv")}
    assert sorted(tables) == FILES
    page = (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert all(f"| {' | '.join(table[0])} |" in page for table in tables.values())


def rows(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))
