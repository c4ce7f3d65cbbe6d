"""The quick way of reading YAML comes to what the careful one does, or leaves it to that one."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.place import TextError
from simulator.yamlfast import read_plain
from simulator.yamlout import yaml_text
from simulator.yamltext import bare_keys, parse_yaml, yaml_offset

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("scenarios/**/*.yaml"), *ROOT.glob("tests/conformance/**/*.yaml")])
PIECES = (
    "a",
    "b: ",
    "- ",
    "\n",
    "  ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ": ",
    "'",
    '"',
    "&x ",
    "*x",
    "!t ",
)
PIECES += ("<<: ", "---\n", "...\n", "|\n", ">\n", "? ", "#c", "null", "~", "012", "1", ".5", "yes")


def same(text: str) -> None:
    """The quick reader gives what the careful one gives, or nothing."""
    plain = read_plain(text)
    if plain is None:
        return
    value, root = parse_yaml(text)
    assert repr(plain.value) == repr(value)
    assert root is not None
    for path, offset in plain.items.items():
        assert offset == yaml_offset(root, path)
    if not plain.may_leave_out:
        assert list(bare_keys(root, text)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_files_of_the_project(file: Path):
    same(file.read_text(encoding="utf-8"))


def test_most_of_them_are_read_quickly():
    quick = [read_plain(file.read_text(encoding="utf-8")) is not None for file in FILES]
    assert sum(quick) > 0.9 * len(quick)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@settings(max_examples=300)
@given(st.dictionaries(st.text(min_size=1, max_size=4), JSON, min_size=1))
def test_anything_that_can_be_written(value: dict[str, Any]):
    same(yaml_text(value))


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("a: {b}")
@example("a: {b: }")
@example("a: &x 1\nb: *x")
@example("a: !t 1")
@example("a: 1\na: 2")
@example("a: 1\n---\nb: 2")
@example("<<: {a: 1}")
@example("[a]")
@example("? [a]\n: b")
@example("")
def test_anything_that_looks_like_yaml(text: str):
    try:
        parse_yaml(text)
    except TextError:
        assert read_plain(text) is None
    else:
        same(text)


@pytest.mark.parametrize("depth", [99, 100, 101])
def test_a_file_is_as_deep_as_the_careful_reader_allows(depth: int):
    text = "a: " + "[" * depth + "]" * depth
    try:
        parse_yaml(text)
    except TextError:
        assert read_plain(text) is None
    else:
        assert read_plain(text) is not None
