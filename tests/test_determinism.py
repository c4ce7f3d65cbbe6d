"""The same conversation in two processes, whatever the seed of their hashes: byte for byte."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "conformance"
SAMPLE = sorted(FOLDER.glob("*.yaml"))[::6] + sorted(FOLDER.glob("random/*.json"))[::6]
SEEDS = ("0", "4242")


def trace(folder: Path, seed: str) -> dict[str, Any]:
    """Play the sample in a fresh process; give its trace without what a clock measured."""
    file = folder / f"{seed}.json"
    command = [sys.executable, "-m", "simulator", "run", *map(str, SAMPLE), "--json", str(file)]
    subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
    )
    played = json.loads(file.read_bytes())
    for scenario in played["scenarios"]:
        del scenario["durationMs"]
    return played


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("traces")
    return [trace(folder, seed) for seed in SEEDS]


def test_the_sample_holds_many_turns(traces: list[dict[str, Any]]):
    turns = [turn for scenario in traces[0]["scenarios"] for turn in scenario["turns"]]
    assert len(turns) > 300
    assert sum(len(turn["calls"]) for turn in turns) > 100


def test_two_processes_come_to_the_same_bytes(traces: list[dict[str, Any]]):
    first, second = (json.dumps(played, ensure_ascii=False) for played in traces)
    assert first == second


SCRIPT = """
import sys
import msgspec
from tests.property.stage import play
from tests.property.strategies import drawn

for seed in range(120):
    for played in play(drawn(seed)):
        sys.stdout.buffer.write(msgspec.json.encode((played.result, played.calls)) + b"\\n")
"""


def drawn_sessions(seed: str) -> bytes:
    env = {**os.environ, "PYTHONHASHSEED": seed}
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, cwd=root, capture_output=True, check=True
    )
    return done.stdout


def test_drawn_sessions_come_to_the_same_bytes_too():
    first, second = map(drawn_sessions, SEEDS)
    assert first.count(b"\n") > 300
    assert first == second
