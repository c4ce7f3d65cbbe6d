"""What a run holds while it goes on: no more than somebody wants, however many files there are."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.playing import Playing
from simulator.cli.selection import Alike, Selection
from simulator.cli.workers import OtherVersionError, play_apart
from simulator.options import PlayOptions
from simulator.trace import ScenarioRecord
from tests.simulator.conftest import Write

SCENARIO = """\
scenario: Story {number}
agent: {{name: Ana, idle: {{prompt: Answer.}}}}
turns:
  - {{message: hello, model: {{speak: {{message: Hi!}}}}, expect: {{replies: ["{reply}"]}}}}
  - {{message: you?, model: {{speak: {{message: Well!}}}}}}
"""
ALL = (Selection(None, ()), Alike(PlayOptions()))


@pytest.fixture
def files(write: Write) -> list[Path]:
    return [
        write(f"{number}.yaml", SCENARIO.format(number=number, reply="Hi!" if number else "Bye!"))
        for number in range(6)
    ]


def failed(record: ScenarioRecord) -> bool:
    return record.status == "failed"


def test_what_nobody_wants_is_counted_and_let_go(files: list[Path]):
    playing = Playing(*ALL, wants=failed)
    playing.play(files)
    assert [record.scenario for record in playing.records] == ["Story 0"]
    tally = playing.tally
    assert (tally.passed, tally.failed, tally.turns, tally.calls) == (5, 1, 12, 12)


@pytest.mark.parametrize("workers", [1, 2])
def test_everything_is_kept_unless_somebody_says_which(files: list[Path], workers: int):
    playing = Playing(*ALL)
    playing.play(files, workers=workers)
    assert [len(record.turns) for record in playing.records] == [2] * 6


def test_turns_that_nobody_reads_do_not_leave_their_worker(files: list[Path]):
    playing = Playing(*ALL, slim=True)
    playing.play(files, workers=2)
    assert [len(record.turns) for record in playing.records] == [2, 0, 0, 0, 0, 0]
    assert (playing.tally.turns, playing.tally.calls) == (12, 12)


class AtOnce(Executor):
    """Does everything as soon as it is asked for; counts what was not taken yet."""

    def __init__(self) -> None:
        self.asked = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        done = Future[Any]()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as an executor does
            done.set_exception(error)
        return done


def test_only_so_many_files_are_ahead(files: list[Path]):
    executor = AtOnce()
    seen = [
        (record.scenario, executor.asked)
        for record, _ in play_apart(files, *ALL, executor, ahead=2)
    ]
    assert seen == [(f"Story {number}", min(number + 3, 6)) for number in range(6)]


def test_a_worker_with_another_version_is_refused(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
):
    versions = iter(["1.0", "2.0"] * 9)
    monkeypatch.setattr("simulator.cli.workers.version", lambda _: next(versions))
    with pytest.raises(OtherVersionError, match=r"a worker has falai 2.0, and the command 1.0"):
        list(play_apart(files[:1], *ALL, AtOnce(), ahead=1))
