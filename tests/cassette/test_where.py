"""Where a scenario's tape lies."""

from pathlib import Path

import pytest

from simulator.cassette.where import tape_path
from simulator.load import Document, load_document
from simulator.place import ScenarioFileError
from simulator.reading import read_scenario
from tests.simulator.conftest import Write

TEXT = "scenario: t\nagent: {name: A}\nprovider: {model: x%s}\nturns: [{expect: {}}]\n"


def where(file: str, name: str = "", folder: Path | None = None) -> str:
    text = TEXT % (f", cassette: {name}" if name else "")
    [scenario] = read_scenario(Document(Path(file), text))
    return str(tape_path(scenario, folder))


def test_it_is_named_after_the_file_or_as_the_file_says(write: Write):
    assert where("s01.yaml") == "cassettes/s01.yaml"
    assert where("s01.yaml", "triage") == "cassettes/triage.yaml"
    assert where("s01.yaml", "shop/triage.yaml") == "cassettes/shop/triage.yaml"
    assert where("s01.yaml", folder=Path("tapes")) == "tapes/s01.yaml"


def test_it_lies_in_the_nearest_folder_above_or_in_a_new_one_beside(write: Write):
    file = "a/b/s.yaml"
    write(file, "")
    assert where(file) == "a/b/cassettes/s.yaml"
    for folder in ("cassettes", "a/cassettes", "a/b/cassettes"):
        Path(folder).mkdir()
        assert where(file) == f"{folder}/s.yaml"


def test_a_folder_above_the_current_one_is_found(write: Write, monkeypatch: pytest.MonkeyPatch):
    write("a/s.yaml", "")
    Path("cassettes").mkdir()
    full = Path("cassettes").resolve()
    monkeypatch.chdir("a")
    assert where("s.yaml") == f"{full}/s.yaml"


@pytest.mark.parametrize(
    "name",
    ["../x", "/x", "a/../x", "..", "''", "a//b", "a/", ".x", "a/.x", "'a\\b'", '"a\\nb"', "~x"],
)
def test_a_name_leads_nowhere_else(name: str):
    with pytest.raises(ScenarioFileError, match="cannot lead out of its folder"):
        where("s.yaml", name)


def combinations(matrix: str) -> list[str]:
    text = (TEXT % "").replace("turns", f"matrix: {matrix}\nturns")
    scenarios = read_scenario(Document(Path("s.yaml"), text))
    return [tape_path(scenario).name for scenario in scenarios]


def test_a_combination_is_named_by_its_values_and_not_by_its_place():
    matrix = "{context.lead.owner: [ai, human], session: [s1]}"
    names = combinations(matrix)
    assert names == [
        "s.context.lead.owner-ai.session-s1.yaml",
        "s.context.lead.owner-human.session-s1.yaml",
    ]
    assert combinations(matrix.replace("[ai", "[new, ai"))[1:] == names


def test_two_values_never_share_a_name():
    values = [
        '"a b"',
        "a-b",
        '"a/b"',
        '"a:b"',
        '"a?b"',
        "1",
        '"1x"',
        "true",
        "null",
        "{a: 1}",
        "[a]",
        '""',
    ]
    long = [f'"{"x" * 60}{end}"' for end in "ab"]
    names = combinations(f"{{context.a: [{', '.join(values + long)}]}}")
    assert len(set(names)) == len(names)
    assert all(len(name) < 80 and "/" not in name and ":" not in name for name in names)


def test_the_folder_of_this_project_is_found_from_its_scenarios():
    root = Path(__file__).parents[2]
    file = root / "scenarios" / "taped" / "31-first-words.yaml"
    [scenario] = read_scenario(load_document(file))
    assert tape_path(scenario).resolve() == root / "cassettes" / "31-first-words.yaml"
