"""`falai run --executor`: the same run, played by the workers of somebody else's engine."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

ROOT = Path(__file__).parents[2]
SCENARIO = """\
scenario: Story {number}
agent: {{name: Ana, idle: {{prompt: Answer.}}}}
turns:
  - {{message: hello, model: {{speak: {{message: Hi!}}}}, expect: {{replies: ["{reply}"]}}}}
"""
MAKERS = """\
from concurrent.futures import ThreadPoolExecutor

def threads():
    return ThreadPoolExecutor(2)

def nothing():
    return 5
"""


@pytest.fixture
def stories(write: Write) -> None:
    for number in range(12):
        reply = "Bye!" if number == 7 else "Hi!"
        write(f"s/{number:02}.yaml", SCENARIO.format(number=number, reply=reply))
    write("makers.py", MAKERS)


def lines(falai: Command, *args: str) -> tuple[int, list[str]]:
    result = falai("run", "s", *args)
    told = [line for line in result.output.splitlines() if " in " not in line]
    return result.exit_code, [line.rpartition(", ")[0] if "(" in line else line for line in told]


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers, each in a process of its own, on this machine alone."""
    pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    folder = tmp_path_factory.mktemp("dask")
    place = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = [address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    started = [
        part(folder, "scheduler", *place),
        part(folder, "worker", *worker),
        part(folder, "worker", *worker),
    ]
    yield address
    for process in reversed(started):
        process.terminate()
        process.wait()


def part(folder: Path, kind: str, *options: str) -> "subprocess.Popen[bytes]":
    """One process of a cluster; what it logs is nobody's."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
    null = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=null, stderr=null)


@pytest.mark.usefixtures("stories")
def test_a_cluster_plays_the_same(falai: Command, scheduler: str):
    here = lines(falai)
    folder = str(Path("s").resolve())
    result = falai("run", folder, "--executor", f"dask:{scheduler}")
    told = result.output.replace(folder, "s").splitlines()
    assert (result.exit_code, told[:-1]) == (1, here[1][:-1])


@pytest.mark.usefixtures("stories")
def test_any_executor_plays_the_same(falai: Command):
    assert lines(falai, "--executor", "makers:threads") == lines(falai)


@pytest.mark.usefixtures("stories")
def test_the_first_failure_ends_it(falai: Command):
    code, told = lines(falai, "-x", "--executor", "makers:threads")
    assert (code, len([line for line in told if line.startswith("ok")])) == (1, 7)


@pytest.mark.usefixtures("stories")
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("dask:tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9"),
        ("dask:nonsense://x", "no scheduler answers at nonsense://x"),
        ("makers", '--executor is "makers". Write dask:ADDRESS, or module:attribute.'),
        ("makers:nothing", "makers:nothing makes a int, no executor"),
        ("makers:thread", 'makers has no thread. Did you mean "threads"?'),
        ("nowhere:threads", "there is no module nowhere"),
    ],
)
def test_what_is_no_executor_is_told_in_one_line(
    falai: Command, monkeypatch: pytest.MonkeyPatch, name: str, what: str
):
    monkeypatch.setattr("simulator.cli.executors._PATIENCE", 1)
    result = falai("run", "s", "--executor", name)
    assert (result.exit_code, what in result.output) == (2, True), result.output
    assert len(result.output.splitlines()) == 1
