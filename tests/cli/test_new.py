"""`falai new`: what it makes plays, passes and breaks in no fuzzed conversation."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command

FILES = [
    ".github/workflows/scenarios.yaml",
    ".gitignore",
    "README.md",
    "agents/demo.yaml",
    "flows/repair.yaml",
    "pytest.ini",
    "scenarios/01-a-repair.yaml",
    "scenarios/02-another-question.yaml",
    "scenarios/03-nobody-chooses.yaml",
    "tests/test_agent.py",
]


@pytest.fixture
def demo(falai: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = falai("new", "demo")
    assert made.output == "demo is made. Play its scenarios:  cd demo && falai run .\n"
    monkeypatch.chdir(tmp_path / "demo")
    return tmp_path / "demo"


def test_everything_is_there_under_the_name_of_the_project(demo: Path):
    made = [str(path.relative_to(demo)) for path in demo.rglob("*") if path.is_file()]
    assert sorted(made) == FILES
    assert not any("NAME" in path.read_text(encoding="utf-8") for path in demo.rglob("*.*ml"))


@pytest.mark.usefixtures("demo")
def test_it_plays_reaches_everything_and_is_well_written(falai: Command):
    played = falai("run", ".", "--min-coverage", "100")
    assert (played.exit_code, "3 passed" in played.output) == (0, True), played.output
    assert falai("check", ".").exit_code == 0


@pytest.mark.usefixtures("demo")
def test_nothing_breaks_it(falai: Command):
    result = falai("fuzz", "agents/demo.yaml", "--seed", "1", "--examples", "300")
    assert result.exit_code == 0, result.output


def test_its_tests_pass(demo: Path):
    command = [sys.executable, "-m", "pytest", "-q"]
    run = subprocess.run(command, cwd=demo, capture_output=True, text=True, check=False)
    assert (run.returncode, "4 passed" in run.stdout) == (0, True), run.stdout


def test_a_changed_reply_fails_and_says_where(demo: Path, falai: Command):
    file = demo / "scenarios" / "01-a-repair.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('See you then!"]', 'Bye!"]'), encoding="utf-8")
    result = falai("run", ".")
    line = text[: text.index("See you then!")].count("\n") + 1
    told = f"scenarios/01-a-repair.yaml:{line}: replies[0]: it differs"
    assert (result.exit_code, told in result.output) == (1, True)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("demo", "demo is there already. Choose another name."),
        ("1st", '"1st" cannot be the name of a project.'),
        ("a b", '"a b" cannot be the name of a project.'),
    ],
)
def test_nothing_that_is_there_is_touched(
    falai: Command, demo: Path, monkeypatch: pytest.MonkeyPatch, name: str, what: str
):
    monkeypatch.chdir(demo.parent)
    result = falai("new", name)
    assert (result.exit_code, what in result.output) == (2, True)


def test_an_empty_folder_may_be_there(falai: Command, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert falai("new", str(tmp_path / "empty")).exit_code == 0
    assert (tmp_path / "empty" / "agents" / "empty.yaml").exists()
