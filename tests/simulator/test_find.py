"""Scenario files are found in folders, and by name."""

from pathlib import Path

import pytest

from simulator.find import find_scenarios
from simulator.load import ScenarioFileError


def found(*paths: str) -> list[str]:
    return [str(path) for path in find_scenarios(paths)]


def test_a_folder_gives_its_scenarios_in_order_and_passes_over_the_rest(write):
    write("s/b.yaml", "scenario: b")
    write("s/a.yml", '"scenario": a')
    write("s/deep/c.json", '{"scenario": "c"}')
    write("s/flow.yaml", "{scenario: in flow style}")
    write("s/broken.yaml", "# one\nscenario: x\nturns: [")
    write("s/broken.json", '{"tags": [], "scenario": "x",')
    write("s/agent.yaml", "name: A\npersona: |\n  scenario: not a key")
    write("s/list.yaml", "- scenario: in a list")
    write("s/odd.yaml", "scenario [")
    write("s/notes.txt", "scenario: x")
    write("s/.hidden/d.yaml", "scenario: d")
    Path("s/latin.yaml").write_bytes("scenario: ação".encode("latin-1"))
    assert found("s") == [
        "s/a.yml",
        "s/b.yaml",
        "s/broken.json",
        "s/broken.yaml",
        "s/deep/c.json",
        "s/flow.yaml",
    ]


def test_each_file_comes_once(write):
    write("s/a.yaml", "scenario: a")
    write("s/b.yaml", "scenario: b")
    assert found("s/b.yaml", "s", "s/../s/a.yaml") == ["s/b.yaml", "s/a.yaml"]


def test_a_named_file_may_have_any_ending(write):
    write("a.txt", "scenario: a")
    assert found("a.txt") == ["a.txt"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x" * 300, None, f"{'x' * 300}:1:1: there is no such file or folder. Check the path."),
        ("no.yaml", None, "no.yaml:1:1: there is no such file or folder. Check the path."),
        (
            "a.yaml",
            "name: A",
            "a.yaml:1:1: this is no scenario: it has no scenario key. "
            "Begin it with a title, scenario: …",
        ),
        ("a.yaml", "\nscenari: A", 'a.yaml:2:1: unknown key "scenari". Did you mean "scenario"?'),
        ("a.yaml", "", "a.yaml:1:1: the file is empty. Write something in it."),
    ],
)
def test_a_named_file_that_is_no_scenario(write, name: str, text: str | None, message: str):
    if text is not None:
        write(name, text)
    with pytest.raises(ScenarioFileError) as caught:
        found(name)
    assert str(caught.value) == message
