"""`falai schema`: what it prints, and the files that it writes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.cli.schema import command
from simulator.schema import agent_schema, flow_schema, scenario_schema, trace_schema
from tests.cli.conftest import Command
from tests.cli.test_process import HEAVY, PASSES, ROOT, simulator
from tests.simulator.conftest import Write

SCHEMAS = {
    "scenario": scenario_schema(),
    "agent": agent_schema(),
    "flow": flow_schema(),
    "trace": trace_schema(),
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schema_of_a_kind_is_printed(falai: Command, kind: str):
    result = falai("schema", kind)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.output) == SCHEMAS[kind]
    assert result.output.startswith('{\n  "$schema": ')


def test_a_scenario_is_what_most_people_write(falai: Command):
    assert falai("schema").output == falai("schema", "scenario").output


def test_all_of_them_are_written(write: Write, falai: Command):
    result = falai("schema", "--write", "made/schemas")
    assert result.exit_code == 0
    names = [f"{kind}.schema.json" for kind in SCHEMAS]
    assert result.output == "".join(f"{Path('made/schemas') / name} written\n" for name in names)
    assert sorted(file.name for file in Path("made/schemas").iterdir()) == sorted(names)
    for kind, name in zip(SCHEMAS, names, strict=True):
        text = Path("made/schemas", name).read_text(encoding="utf-8")
        assert text == falai("schema", kind).output


def test_one_of_them_is_written(write: Write, falai: Command):
    assert falai("schema", "flow", "--write", ".").exit_code == 0
    assert [file.name for file in Path().iterdir()] == ["flow.schema.json"]


def test_what_was_written_before_is_written_again(write: Write, falai: Command):
    write("s/flow.schema.json", "old")
    assert falai("schema", "flow", "--write", "s").exit_code == 0
    assert json.loads(Path("s/flow.schema.json").read_text(encoding="utf-8")) == SCHEMAS["flow"]


def test_a_folder_that_cannot_be_made_is_told(write: Write, falai: Command):
    write("file", "")
    result = falai("schema", "--write", "file/schemas")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{Path('file/schemas')}: cannot be made: ")
    assert result.stderr.endswith(". Choose another place.\n")


def test_a_file_that_cannot_be_written_is_told(write: Write, falai: Command):
    Path("flow.schema.json").mkdir()
    result = falai("schema", "flow", "--write", ".")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "flow.schema.json: cannot be written: Is a directory. Choose another place.\n"
    )


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["session"], "'session' is not one of 'scenario', 'agent', 'flow', 'trace'"),
        (["flow", "agent"], "unexpected extra argument"),
        (["--writ"], "No such option"),
        (["--write", "flow.json"], "is a file"),
    ],
)
def test_wrong_usage(write: Write, falai: Command, args: list[str], says: str):
    write("flow.json", "{}")
    result = falai("schema", *args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert " schema [OPTIONS] [scenario|agent|flow|trace]\n" in result.stderr


def test_help_shows_examples(falai: Command):
    shown = falai("schema", "--help").output
    assert "falai schema flow\n" in shown
    assert "falai schema --write schemas\n" in shown
    assert "# yaml-language-server: $schema=" in shown


def test_its_options_are_on_the_page():
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    options = [param for param in command.params if param.param_type_name == "option"]
    assert [option.opts for option in options] == [["--write"]]
    assert "`--write FOLDER`" in page


# --- in a process of its own --------------------------------------------------------------------


def loaded_by(*args: str) -> set[str]:
    """The modules that are there when the command has ended."""
    code = (
        "import sys\nfrom simulator.cli import main\n"
        f"try: main({list(args)!r})\n"
        "except SystemExit: print(*sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ended.stdout.splitlines()[-1].split())


def test_playing_loads_no_schemas(write: Write):
    write("s.yaml", PASSES)
    loaded = loaded_by("run", "s.yaml")
    assert "simulator.play" in loaded
    assert not {name for name in loaded if name.startswith("simulator.schema")}


def test_schemas_load_nothing_heavy(write: Write):
    loaded = loaded_by("schema", "agent")
    assert "simulator.schema.agent" in loaded
    assert not HEAVY & {name.partition(".")[0] for name in loaded}


def test_another_hash_seed_changes_no_byte():
    printed = {simulator("schema", "scenario", seed=seed).stdout for seed in ("1", "2", "3")}
    assert len(printed) == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_console_that_lacks_some_signs_prints_the_same(encoding: str):
    printed = simulator("schema", "flow", PYTHONIOENCODING=encoding).stdout
    assert json.loads(printed) == SCHEMAS["flow"]
