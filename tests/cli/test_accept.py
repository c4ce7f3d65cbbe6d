"""`falai accept`: what is shown, what is written, and what is left alone."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

SCENARIO = """\
scenario: It greets # a title
tags: [hello]
agent: {name: Ana, idle: {prompt: Responda.}}
turns:
  - message: oi
    model: {speak: {message: "Oi!"}}
    expect: {replies: ["Olá!"]} # a greeting
"""
ACCEPTED = SCENARIO.replace("Olá!", "Oi!")


@pytest.fixture(autouse=True)
def _scenario(write: Write) -> None:
    write("a.yaml", SCENARIO)


def text() -> str:
    return Path("a.yaml").read_text(encoding="utf-8")


def test_what_is_accepted_is_shown_and_written(falai: Command):
    result = falai("accept", "a.yaml", "--yes")
    assert result.exit_code == 0
    assert '-    expect: {replies: ["Olá!"]} # a greeting\n' in result.output
    assert '+    expect: {replies: ["Oi!"]} # a greeting\n' in result.output
    assert result.output.endswith("1 file accepted: 1 written, 0 not written, 0 as before\n")
    assert text() == ACCEPTED
    assert falai("run", "a.yaml").exit_code == 0


def test_without_a_terminal_nothing_is_written_unasked(falai: Command):
    result = falai("accept", ".")
    assert result.exit_code == 1
    assert (
        "Nothing is written: there is no terminal to ask on. Say --yes to write." in result.output
    )
    assert text() == SCENARIO


def test_what_holds_is_left_alone(write: Write, falai: Command):
    write("a.yaml", ACCEPTED)
    result = falai("accept", ".", "--yes")
    assert (result.exit_code, text()) == (0, ACCEPTED)
    assert result.output == "1 file accepted: 0 written, 0 not written, 1 as before\n"


@pytest.mark.parametrize(
    ("args", "written"),
    [(("-k", "greets"), 1), (("-k", "other"), 0), (("--tag", "hello"), 1), (("--tag", "x"), 0)],
)
def test_only_what_is_wanted_is_accepted(falai: Command, args: tuple[str, ...], written: int):
    result = falai("accept", ".", "--yes", *args)
    assert (result.exit_code, text() == ACCEPTED) == (0 if written else 2, bool(written))


def test_what_cannot_be_mended_is_said_and_left_alone(write: Write, falai: Command):
    broken = SCENARIO.replace('    model: {speak: {message: "Oi!"}}\n', "")
    write("a.yaml", broken)
    result = falai("accept", "a.yaml", "--yes")
    assert (result.exit_code, text()) == (1, broken)
    assert "a.yaml: cannot be accepted\n" in result.output
    assert "unscripted speak call" in result.output


def test_a_bad_file_ends_with_2(write: Write, falai: Command):
    write("a.yaml", "scenario: x\nagnt: y\n")
    result = falai("accept", "a.yaml", "--yes")
    assert result.exit_code == 2
    assert result.stderr.startswith('a.yaml:2:1: unknown key "agnt"')
    assert falai("accept", "nowhere.yaml").exit_code == 2
