"""The files of examples/ do what they say: their commands run, and pass."""

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from simulator.cli import main
from simulator.load import load_document

ROOT = Path(__file__).parents[1]
CI = sorted((ROOT / "examples" / "ci").glob("*.yaml"))


def commands_of(value: Any) -> Iterator[str]:
    """The shell commands of a pipeline, in the order of the file."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "run":
                yield item
            else:
                yield from commands_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from [item] if isinstance(item, str) and " " in item else commands_of(item)


@pytest.mark.parametrize("file", CI, ids=lambda file: file.stem)
def test_the_commands_of_a_pipeline_pass(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for folder in ("scenarios", "cassettes"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    lock = ["run", "scenarios", "--lock", "calls.lock.yaml", "--update-lock"]
    assert CliRunner().invoke(main, lock).exit_code == 0
    installed, *commands = commands_of(load_document(file).value)
    assert installed == 'pip install "falai[workbench]"'
    assert [command.split()[1] for command in commands] == ["check", "run", "report"]
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "falai"
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert (result.exit_code, command) == (0, command)
    assert {path.name for path in tmp_path.iterdir()} >= {"trace.json", "report.html", "junit.xml"}


AGENTS = {
    "clinic": "examples.clinic.agent:build",
    "instagram": "examples/instagram/agent.yaml",
    "triagem": "examples/triagem/agent.yaml",
}


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a reader of the examples stands."""
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("at_root")
@pytest.mark.parametrize("name", AGENTS)
class TestExample:
    """Each example plays, is well written, reaches everything and breaks in no conversation."""

    def test_it_passes_and_reaches_everything(self, name: str):
        command = ["run", f"examples/{name}", "--min-coverage", "100"]
        result = CliRunner().invoke(main, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output

    def test_it_is_well_written(self, name: str):
        result = CliRunner().invoke(main, ["check", f"examples/{name}"], catch_exceptions=False)
        assert (result.exit_code, "0 warnings" in result.output) == (0, True), result.output

    def test_nothing_breaks_it(self, name: str, tmp_path: Path):
        command = ["fuzz", AGENTS[name], "--seed", "1", "--examples", "100", "--out", str(tmp_path)]
        result = CliRunner().invoke(main, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output

    def test_its_readme_names_what_is_there(self, name: str):
        readme = (ROOT / "examples" / name / "README.md").read_text(encoding="utf-8")
        commands = [line.split() for line in readme.splitlines() if line.startswith("    falai ")]
        assert [command[1] for command in commands][:2] == ["run", "tui"]
        for _, _, path, *_ in commands:
            assert (ROOT / path).exists() or path == AGENTS[name]
