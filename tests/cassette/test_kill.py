"""A process that dies while it records leaves the old tape, a new one, or none: never half of one."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from simulator.cassette.matching import key_of
from simulator.cassette.tape import read_tape
from simulator.load import load_document
from tests.cassette.kit import HELLO, ROSA, SCENARIO, model_server, no_network, played, recorded
from tests.modelserver.answers import held

ROOT = Path(__file__).parents[2]
TAPE = Path("cassettes/s.yaml")


def start(*arguments: str) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, *arguments]
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE)


@pytest.mark.parametrize("has_tape", [False, True], ids=["first", "again"])
def test_killed_between_two_calls(scenario: Path, has_tape: bool):
    if has_tape:
        recorded(HELLO, ROSA)
    before = TAPE.read_bytes() if has_tape else None
    arrived, released = threading.Event(), threading.Event()

    def second(request: object) -> object:
        arrived.set()
        return held(ROSA, released)(request)  # type: ignore[arg-type]

    with model_server(HELLO, second) as server:  # type: ignore[arg-type]
        process = start("-m", "simulator", "record", "--update", "s.yaml")
        assert arrived.wait(60)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        released.set()
    assert len(server.requests) == 2
    assert process.returncode == -signal.SIGKILL
    assert (TAPE.read_bytes() if TAPE.exists() else None) == before


WRITER = """
import sys
from pathlib import Path
from simulator.cassette.recording import save_tape
from tests.cassette.kit import tape_of, taped
for number in range(100_000):
    save_tape(Path("t.yaml"), tape_of(*[taped(f"{number} {'x' * 200}")] * 100))
    if number == 1:
        print("begun", flush=True)
"""


def test_killed_while_it_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        process = start("-c", WRITER)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
        process.communicate()
        tape = read_tape(load_document("t.yaml"))
        assert len(tape.calls) == 100
        assert len({key_of(call.request) for call in tape.calls}) == 1


def test_what_a_killed_process_left_beside_is_no_tape(scenario: Path):
    recorded(HELLO, ROSA)
    Path("cassettes/.s.yaml.123.tmp").write_text("cassette: 1\ncalls: [", encoding="utf-8")
    with no_network():
        assert played().status == "passed"
    assert Path("s.yaml").read_text(encoding="utf-8") == SCENARIO
