"""Files that load, with their places, and files that do not."""

from pathlib import Path

import pytest

from simulator.load import Document, Place, ScenarioFileError, load_beside, load_document


def refusal(path: Path | str) -> str:
    with pytest.raises(ScenarioFileError) as caught:
        load_document(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "# first\nturns:\n  - message: oi\n    id: 3\n"),
        ("a.json", '{\n"turns": [\n  {"message": "oi",\n    "id": 3}]}'),
    ],
)
def test_a_value_and_its_key_have_places(write, name: str, text: str):
    document = load_document(write(name, text))
    assert document.value == {"turns": [{"message": "oi", "id": 3}]}
    key = document.place(("turns", 0, "id"), key=True)
    assert (key.file, key.line, key.column) == (name, 4, 5)
    assert str(document.place(("turns", 0, "id"))).startswith(f"{name}:4:")


def test_places_count_characters_and_every_kind_of_line_end():
    document = Document(Path("a.yaml"), "a: 1\r\nb: 2\nc: {é: 👍, d: 4}")
    assert document.place(("c", "d")) == Place("a.yaml", 3, 14)


def test_a_byte_order_mark_is_no_text(write):
    path = write("a.yaml", "\ufeffa: 1")
    document = load_document(path)
    assert document.value == {"a": 1}
    assert str(document.place(("a",), key=True)) == "a.yaml:1:1"


def test_the_ending_of_the_name_decides(write):
    assert load_document(write("a.JSON", "[1]")).is_json
    assert load_document(write("a.txt", "[1, b]")).value == [1, "b"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "", "a.yaml:1:1: the file is empty. Write something in it."),
        ("a.json", " \n ", "a.json:1:1: the file is empty. Write something in it."),
        (
            "a.yaml",
            "# a\n",
            "a.yaml:1:1: the file holds nothing but comments. Write something in it.",
        ),
        (
            "a.yaml",
            "a: 1\nb: x: y",
            'a.yaml:2:5: not valid YAML: a second ": " in this place. Put such a text in quotes.',
        ),
        (
            "a.json",
            '{\n  "a": 1\n  "b": 2\n}',
            "a.json:3:3: not valid JSON: expecting ',' delimiter. "
            "Check the commas, quotes and brackets just before.",
        ),
        (
            "a.yaml",
            "a: 1\na: 2",
            'a.yaml:2:1: the key "a" stands twice in one mapping. Remove one.',
        ),
    ],
)
def test_malformed_files(write, name: str, text: str, message: str):
    assert refusal(write(name, text)) == message


def test_files_that_cannot_be_read(write, tmp_path: Path):
    write("sub/x.yaml", "a: 1")
    Path("latin.yaml").write_bytes("a: 1\nb: ação".encode("latin-1"))
    assert refusal("no.yaml") == "no.yaml:1:1: there is no such file. Check the path."
    assert refusal("sub") == "sub:1:1: this is a folder. Name a file in it."
    assert refusal("latin.yaml") == "latin.yaml:2:5: the file is not UTF-8. Save it as UTF-8."
    assert refusal("a\0b") == (
        "a\0b:1:1: the file cannot be read: embedded null byte. Check its name and rights."
    )
    assert refusal("x" * 300) == (
        f"{'x' * 300}:1:1: the file cannot be read: file name too long. Check its name and rights."
    )


def test_a_file_beside_another(write):
    write("agents/a.yaml", "name: A")
    document = load_document(
        write("s/x.yaml", f"agent: ../agents/a.yaml\nother: no.yaml\ndir: ..\nlong: {'x' * 300}")
    )
    assert load_beside(document.spot.at("agent")).value == {"name": "A"}
    for key, what in (
        ("other", "there is no file s/no.yaml"),
        ("dir", ". is a folder"),
        ("long", f"there is no file s/{'x' * 300}"),
    ):
        with pytest.raises(ScenarioFileError) as caught:
            load_beside(document.spot.at(key))
        assert caught.value.what == what


def test_paths_are_tidy_and_stay_relative(write, tmp_path: Path):
    write("agents/a.yaml", "name: A")
    other = load_document(write("s/x.yaml", "agent: ../agents/a.yaml")).spot.at("agent")
    assert str(load_beside(other).path) == "agents/a.yaml"
    assert load_document("s/../agents/./a.yaml").place(("name",)) == Place("agents/a.yaml", 1, 7)
    above = Path("..") / tmp_path.name / "agents" / "a.yaml"
    assert load_document(above).path == above
    assert refusal("s/../no.yaml") == "no.yaml:1:1: there is no such file. Check the path."


def test_a_path_behind_a_link_leads_where_the_link_does(write):
    write("far/inner/a.yaml", "far: 1")
    write("far/b.yaml", "far: 2")
    write("b.yaml", "near: 3")
    Path("link").symlink_to("far/inner")
    assert load_document("link/../b.yaml").value == {"far": 2}


def test_a_file_knows_whether_matchers_and_expressions_may_be_in_it():
    plain = Document(Path("a.yaml"), "a: b")
    matching = Document(Path("a.yaml"), "a: {$any: true}")
    expressive = Document(Path("a.yaml"), "a: ${now}")
    assert (plain.has_matchers, plain.has_expressions) == (False, False)
    assert (matching.has_matchers, matching.has_expressions) == (True, False)
    assert (expressive.has_matchers, expressive.has_expressions) == (True, True)
    assert Document(Path("a.json"), '["\\u0024{now}"]').has_expressions
