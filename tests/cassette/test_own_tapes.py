"""The tapes of the house: they are what `make tapes` records, and clean."""

from pathlib import Path

import pytest

from falai.clock import FakeClock
from simulator.cassette.tape import read_tape
from simulator.check import check_paths
from simulator.load import Document, load_document
from tests.cassette.kit import no_network, played_all
from tests.tapes import ANSWERS, CASSETTES, SCENARIOS, record, timeless

FILES = sorted(SCENARIOS.glob("*.yaml"))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_each_scenario_has_its_answers():
    assert [file.stem for file in FILES] == list(ANSWERS)


@each_file
def test_recording_it_again_changes_nothing_but_the_day(file: Path, tmp_path: Path):
    assert {one.status for one in record(file, tmp_path)} == {"passed"}
    for tape in tmp_path.iterdir():
        old = (CASSETTES / tape.name).read_text(encoding="utf-8")
        assert timeless(tape.read_text(encoding="utf-8")) == timeless(old)


@each_file
def test_it_plays_strictly_and_without_a_network(file: Path):
    with no_network() as tried:
        records = played_all(file, strict=True)
    assert [one.failures for one in records] == [[] for _ in records]
    assert tried == []


def test_nothing_is_left_on_them_and_none_is_left_over():
    days = [read_tape(load_document(tape)).recorded for tape in CASSETTES.iterdir()]
    clock = FakeClock(f"{max(days)}T12:00:00Z")
    findings = list(check_paths([SCENARIOS, CASSETTES], clock=clock))
    assert {finding.status for finding in findings} == {"ok"}
    assert {finding.kind for finding in findings} == {"cassette", "scenario"}


def test_the_tape_on_the_page_is_one():
    page = (SCENARIOS.parents[1] / "docs" / "guides" / "cassettes.md").read_text(encoding="utf-8")
    shown = page[page.index("```text\ncassette: 1") + len("```text\n") :].partition("```")[0]
    whole = "\n".join(line for line in shown.splitlines() if line.strip() != "…")
    tape = read_tape(Document(Path("page.yaml"), whole))
    assert [call.name for call in tape.calls] == ["speak call of turn 1"]
