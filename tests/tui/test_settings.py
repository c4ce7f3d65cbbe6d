"""The files that set up the inspector, and its command."""

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.tui.pilot import TRIAGE, opened
from tui.app import Inspector
from tui.cli.tui import command
from tui.settings import SettingsFileError, read_breaks, read_keys


def test_other_keys_do_what_the_old_ones_did(write: Write):
    keys = read_keys(write("keys.yaml", "step.forward: right, l\nturn.forward: t\n"))
    assert keys == {"step.forward": "right,l", "turn.forward": "t"}

    async def run() -> None:
        async with opened(Inspector(TRIAGE, keys=keys), (120, 36)) as driver:
            await driver.press("l", "t", "s", "n")
            assert driver.place == "2.ingest"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("step.forwards: x", "nothing is called step.forwards. Did you mean step.forward?"),
        ("step.forward: 3", "step.forward has no key"),
        ("- s", "this holds no keys"),
        ("a: [", "keys.yaml:1:4:"),
    ],
)
def test_keys_that_are_none_are_refused(text: str, told: str, write: Write):
    with pytest.raises(SettingsFileError) as refused:
        read_keys(write("keys.yaml", text))
    assert told in str(refused.value)


def test_breakpoints_are_read_as_texts_and_mappings(write: Write):
    file = write("breaks.yaml", "- failed\n- {code: max-asks}\n- {calls: 2}\n")
    assert list(read_breaks(file)) == ["failed", "code:max-asks", "calls>2"]


@pytest.mark.parametrize(("text", "told"), [("a: 1", "no list"), ("- cod:x", "Did you mean")])
def test_breakpoints_that_are_none_are_refused(text: str, told: str, write: Write):
    with pytest.raises(SettingsFileError, match=told):
        read_breaks(write("breaks.yaml", text))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none.yaml",), "none.yaml: there is no such file or folder"),
        (("a.yaml", "--break", "cod:x"), '--break: "cod:x" is no breakpoint'),
        (("a.yaml", "--break-file", "breaks.yaml"), "breaks.yaml: this is no list"),
        (("a.yaml", "--keys", "breaks.yaml"), "nothing is called a."),
        (("a.yaml",), "falai tui needs a terminal"),
        (("agent.yaml",), "agent.yaml:2"),
    ],
)
def test_what_cannot_be_shown_ends_with_two_and_a_sentence(
    arguments: tuple[str, ...], told: str, write: Write
):
    write("a.yaml", Path(TRIAGE).read_text(encoding="utf-8"))
    write("breaks.yaml", "a: 1")
    write("agent.yaml", "name: Ana\nflows: 3\n")
    result = CliRunner().invoke(command, list(arguments))
    assert (result.exit_code, told in result.stderr) == (2, True)
