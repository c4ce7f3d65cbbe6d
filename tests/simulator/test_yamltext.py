"""What plain YAML means, and what is refused; both readers of PyYAML agree."""

import math

import pytest

from simulator.place import TextError
from simulator.yamltext import (
    SlowReader,
    bare_keys,
    is_left_out,
    parse_yaml,
    plain_value,
    yaml_offset,
)

TRAPS = {
    "yes": "yes",
    "no": "no",
    "on": "on",
    "off": "off",
    "y": "y",
    "012": "012",
    "0o17": "0o17",
    "0x1F": "0x1F",
    "12:30": "12:30",
    "12:30:45": "12:30:45",
    "1_000": "1_000",
    "2026-01-05": "2026-01-05",
    "2026-01-05T09:00:00Z": "2026-01-05T09:00:00Z",
    "+5511999990000": "+5511999990000",
    "1.2.3": "1.2.3",
    "-": "-",
    ".": ".",
    "1e": "1e",
    "=": "=",
    "nan": "nan",
    "9" * 5000: "9" * 5000,
    "30": 30,
    "-7": -7,
    "0": 0,
    "-0": 0,
    "1.5": 1.5,
    ".5": 0.5,
    "5.": 5.0,
    "1e3": 1000.0,
    "-1.5E-2": -0.015,
    ".inf": math.inf,
    "-.INF": -math.inf,
    "true": True,
    "True": True,
    "FALSE": False,
    "null": None,
    "Null": None,
    "~": None,
    "": None,
}


@pytest.mark.parametrize(("text", "value"), TRAPS.items(), ids=lambda value: str(value)[:20])
def test_a_plain_scalar_is_what_json_would_make_of_it(text: str, value: object):
    made = plain_value(text)
    assert (made, type(made)) == (value, type(value))


def test_nan_is_a_number():
    assert math.isnan(plain_value(".nan"))


@pytest.mark.parametrize("reader", [None, SlowReader], ids=["libyaml", "python"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "on: 1\nyes: 2\n12: 3\nnull: 4\n2026-01-05: 5\n~: 6",
            dict(zip(("on", "yes", "12", "null", "2026-01-05", "~"), range(1, 7), strict=True)),
        ),
        (
            "a: \"12\"\nb: 'true'\nc: |\n  12\nd: >-\n  null",
            {"a": "12", "b": "true", "c": "12\n", "d": "null"},
        ),
        (
            "a: !!str 12\nb: !!int 3\nc: !!float 3\nd: !!null null",
            {"a": "12", "b": 3, "c": 3.0, "d": None},
        ),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("a: &x {p: 1, q: 2}\nb: {q: 3, <<: *x}", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
        (
            "- &x {p: 1}\n- &y {p: 2, r: 2}\n- {<<: [*x, *y]}",
            [{"p": 1}, {"p": 2, "r": 2}, {"p": 1, "r": 2}],
        ),
        ('"<<": 1', {"<<": 1}),
        ("? a\n: 1", {"a": 1}),
        ("!!map {a: !!seq [1]}", {"a": [1]}),
    ],
)
def test_values(reader: type | None, text: str, value: object):
    assert (parse_yaml(text, reader) if reader else parse_yaml(text))[0] == value


def test_aliases_do_not_share_their_value():
    value, _ = parse_yaml("a: &x [1]\nb: *x")
    assert value["a"] is not value["b"]


REFUSED = [
    ("a: b: c", 4, 'not valid YAML: a second ": " in this place'),
    ("a: {b: [1, ${now}]}", 12, "not valid YAML: a list or mapping in brackets ends too early"),
    ("a: %x", 3, "not valid YAML: no value starts with %"),
    ("%YAML 3.0\n--- 1", 0, "not valid YAML: found incompatible YAML document"),
    ("a: *x", 3, "not valid YAML: this alias has no anchor"),
    ("a: 1\n---\nb: 2", 5, "not valid YAML: a second document begins here"),
    ("\ta: 1", 0, "not valid YAML: a tab where YAML wants spaces"),
    ('a: "x\nb: 1', 3, "not valid YAML: a quote that is never closed"),
    ("a: @x", 3, "not valid YAML: no value starts with @"),
    ("a: \x07", 3, "a control character"),
    ("a: &x [*x]", 3, "this value contains itself"),
    ("<<: 3", 4, "<< takes a mapping or a list of them"),
    ("? [a]\n: 1", 2, "a key must be text"),
    ("a: 1\nb: 2\na: 3", 10, 'the key "a" stands twice in one mapping'),
    ("a: !!int x", 3, '"x" is no int'),
    ("a: !!binary aGk=", 3, "unknown tag !!binary"),
    ("a: !foo 1", 3, "unknown tag !foo"),
    ("a: !!python/object/apply:os.system [ls]", 3, "unknown tag !!python/object/apply:os.system"),
]


@pytest.mark.parametrize("reader", [None, SlowReader], ids=["libyaml", "python"])
@pytest.mark.parametrize(("text", "offset", "what"), REFUSED)
def test_refusals(reader: type | None, text: str, offset: int, what: str):
    with pytest.raises(TextError) as caught:
        parse_yaml(text, reader) if reader else parse_yaml(text)
    assert caught.value.offset == offset
    assert caught.value.what.startswith(what)


@pytest.mark.parametrize(
    "text", ["a: " + "[" * 5000, "- " * 5000, "- " * 101, "[" * 200 + "]" * 200]
)
def test_deep_nesting_is_refused(text: str):
    with pytest.raises(TextError, match="nested too deeply"):
        parse_yaml(text)


def test_aliases_that_multiply_are_refused():
    levels = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(TextError, match="its aliases repeat it too often"):
        parse_yaml("\n".join(levels))


@pytest.mark.parametrize("reader", [None, SlowReader], ids=["libyaml", "python"])
def test_a_key_in_braces_with_nothing_behind_it(reader: type | None):
    text = "{a: Oi, tudo bem , c: , 'd': , e: null, f: {g, h: [i, {j}]}}\n"
    _, root = parse_yaml(text, reader) if reader else parse_yaml(text)
    assert root is not None
    assert list(bare_keys(root, text)) == [(8, "tudo bem"), (44, "g"), (55, "j")]
    paths = [("tudo bem",), ("c",), ("d",), ("e",), ("f", "h", 1, "j"), ("f", "h", 0), ("no",)]
    left_out = [is_left_out(root, path) for path in paths]
    assert left_out == [True, True, True, False, True, False, False]


@pytest.mark.parametrize(
    "text", ["a:\nb: 1", "? a\n? b", "{a: '', b: [c, '']}", "x: &x {a: }\ny: *x", "[a: , b]", "a"]
)
def test_a_value_that_is_left_out_on_purpose_is_no_cut_text(text: str):
    _, root = parse_yaml(text)
    assert root is not None
    assert list(bare_keys(root, text)) == []


def test_a_bare_key_is_found_once_however_often_it_is_repeated():
    text = "x: &x {a}\ny: [*x, *x]"
    _, root = parse_yaml(text)
    assert root is not None
    assert list(bare_keys(root, text)) == [(7, "a")]


def test_places_lead_through_aliases_and_merges():
    text = "a: &x {p: 1}\nb: {<<: *x, q: 2}\nc: [3, {d: 4}]"
    _, root = parse_yaml(text)
    assert root is not None

    def at(*path: str | int, key: bool = False) -> str:
        return text[yaml_offset(root, path, key=key) :]

    assert at("b", "p").startswith("1}")
    assert at("b", "q", key=True).startswith("q: 2")
    assert at("c", 1, "d").startswith("4}]")
    assert at("c", 7).startswith("[3")
    assert at("c", 1, "x", "y").startswith("{d")
    assert at("a", "p", "deeper").startswith("1}")
    assert at().startswith("a:")
