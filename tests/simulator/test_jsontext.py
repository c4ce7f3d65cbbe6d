"""JSON is read strictly, and its values are found again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.jsontext import JsonPlaces, parse_json
from simulator.place import TextError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
_FIX = "Check the commas, quotes and brackets just before."


@pytest.mark.parametrize(
    ("text", "offset", "what"),
    [
        ('{"a": 1,}', 8, "not valid JSON: expecting property name enclosed in double quotes"),
        ('{"a": 1', 6, "not valid JSON: expecting ',' delimiter"),
        ("{a: 1}", 1, "not valid JSON: expecting property name enclosed in double quotes"),
        ('{"a": "x', 6, "not valid JSON: unterminated string"),
        ('{"a": 1} x', 9, "not valid JSON: extra data"),
        ('{"a": "\x01"}', 7, "not valid JSON: invalid control character"),
    ],
)
def test_what_is_no_json(text: str, offset: int, what: str):
    with pytest.raises(TextError) as caught:
        parse_json(text)
    assert (caught.value.offset, caught.value.what, caught.value.fix) == (offset, what, _FIX)


@pytest.mark.parametrize(
    ("text", "offset", "what"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 2}}', 23, 'the key "c" stands twice in one mapping'),
        ('[{"a": "NaN"}, NaN]', 15, "NaN is no JSON number"),
        ("[-Infinity]", 1, "-Infinity is no JSON number"),
        ('["\\ud83d\\ude00", "\\ud83d"]', 18, "half of a surrogate pair"),
        ("[" * 100_000, 0, "the file is nested too deeply"),
        ("[" + "9" * 5000 + "]", 0, "a number in it has too many digits"),
    ],
)
def test_json_that_is_refused(text: str, offset: int, what: str):
    with pytest.raises(TextError) as caught:
        parse_json(text)
    assert (caught.value.offset, caught.value.what) == (offset, what)


def test_an_escaped_backslash_is_no_surrogate():
    assert parse_json('["\\\\ud83d"]') == ["\\ud83d"]


@given(VALUES, st.sampled_from([None, 1, "\t"]))
def test_every_value_is_found_again(value: object, indent: int | str | None):
    text = json.dumps(value, indent=indent)
    places = JsonPlaces(text)

    def check(part: object, path: tuple[str | int, ...]) -> None:
        found, _ = json.JSONDecoder().raw_decode(text, places.offset(path))
        assert found == part
        entries = part.items() if isinstance(part, dict) else ()
        entries = enumerate(part) if isinstance(part, list) else entries
        for name, inner in entries:
            check(inner, (*path, name))

    check(value, ())


def test_keys_and_ancestors():
    text = '{"a" : {"b": [1, 2]}}'
    places = JsonPlaces(text)
    assert text[places.offset(("a",), key=True) :].startswith('"a"')
    assert text[places.offset(("a", "b", 1)) :].startswith("2]")
    assert text[places.offset(("a", "x", "y")) :].startswith('{"b"')
    assert text[places.offset(("a", "b", 5)) :].startswith("[1")
