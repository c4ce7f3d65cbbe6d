"""Replies: the JSON in them, however it is wrapped or cut off."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falai.providers.base import ModelReply, ToolCall
from falai.text.reply import is_blank, object_of, read_arguments, read_object, read_text

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
OBJECTS = st.dictionaries(
    st.text(),
    st.recursive(
        SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4
    ),
    min_size=1,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n',
        'Claro! {"a": 1} Algo mais?',
        '```json\n{"a": 1}\n```',
        '```json {"a": 1} ```',
        '```{"a": 1}```',
        'Use {nome} aqui: {\n "a" : 1\n}',
        '[{"a": 1}]',
        '"{\\"a\\": 1}"',
        '{"a": 1,}',
        '{"a": 1} {"b": 2}',
        '{"b" 2} {"a": 1}',
    ],
)
def test_the_object_is_found_in_its_wrapping(text: str):
    assert read_object(text) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    ["", "  ", "Só texto.", "Oi {nome}!", "{nome}", "[1, 2]", '"oi"', "30", "null", "Use {} aqui."],
)
def test_a_text_without_an_object_has_none(text: str):
    assert read_object(text) is None


@pytest.mark.parametrize(
    "text",
    ["{}", "```json\n{}\n```", "{", '{"', '{"mess', '{"message"', '{"a": ', "{'a': 1}", "{ \n"],
)
def test_a_text_that_is_nothing_but_a_failed_object_is_an_empty_one(text: str):
    assert read_object(text) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "x", "b": "y', {"a": "x"}),
        ('{"a": "x"', {"a": "x"}),
        ('{"a": "x",', {"a": "x"}),
        ('{"a": "x", "b', {"a": "x"}),
        ('{"a": "x", "b":', {"a": "x"}),
        ('{"a": 12', {}),
        ('{"a": 12.', {}),
        ('{"a": 1.5e', {}),
        ('{"a": 12 ', {"a": 12}),
        ('{"a": true', {"a": True}),
        ('{"a": tru', {}),
        ('{"a": {"b": 1, "c": "x', {"a": {"b": 1}}),
        ('{"a": {', {"a": {}}),
        ('{"a": {}', {"a": {}}),
        ('{"a": [1, 2', {"a": [1]}),
        ('{"a": [', {"a": []}),
        ('{"a": [ ], "b": [[1], {"c": ', {"a": [], "b": [[1], {}]}),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": 1, b: 2}', {"a": 1}),
        ('{"a": 1, 2: 3}', {"a": 1}),
        ('{"a": 1 "b": 2}', {"a": 1}),
        ('Claro: ```json\n{"a": "x", "b": "', {"a": "x"}),
        ('{"flows": {"a": 90}, "mentions": {"b": tr', {"flows": {"a": 90}, "mentions": {}}),
    ],
)
def test_what_is_complete_of_a_broken_object_counts(text: str, found: dict[str, Any]):
    assert read_object(text) == found


def test_line_breaks_inside_a_text_are_let_through():
    assert read_object('{"a": "x\ny\tz"}') == {"a": "x\ny\tz"}


def test_half_characters_are_replaced_as_no_store_could_write_them():
    text = r'{"a": "x\ud83dy", "\ude00": ["\ud83d\ude00", {"b": "\ude00"}]}'
    found = read_object(text)
    assert found == {"a": "x\ufffdy", "\ufffd": ["😀", {"b": "\ufffd"}]}
    json.dumps(found, ensure_ascii=False).encode()


def test_a_raw_half_character_does_no_harm():
    assert read_object('{"a": "\ud83d"}') == {"a": "\ufffd"}


def test_a_number_out_of_range_is_infinite():
    assert read_object('{"a": 1e999}') == {"a": float("inf")}


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_beyond_reason_is_not_followed(opening: str):
    assert read_object('{"x": 1, "y": ' + opening * 100_000) == {}
    assert read_object('Olá: {"x": 1, "y": ' + opening * 100_000) is None


@settings(max_examples=50)
@given(OBJECTS)
def test_any_object_is_read_back(value: dict[str, Any]):
    assert read_object(json.dumps(value, ensure_ascii=False)) == value
    assert read_object(f"Olá.\n```json\n{json.dumps(value)}\n```") == value


@settings(max_examples=50)
@given(OBJECTS, st.integers(min_value=0))
def test_a_cut_never_makes_up_a_value(value: dict[str, Any], cut: int):
    text = json.dumps(value)
    found = read_object(text[: cut % len(text)])
    for key, part in (found or {}).items():
        if not isinstance(part, dict | list):
            assert part == value[key]


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        (None, {}),
        ("", {}),
        ("oi", {}),
        ('{"dia": "sexta"}', {"dia": "sexta"}),
        ('"{\\"dia\\": \\"sexta\\"}"', {"dia": "sexta"}),
        ('{"dia": "sexta", "hora": "1', {"dia": "sexta"}),
        ({"dia": "sexta"}, {"dia": "sexta"}),
    ],
)
def test_read_arguments(raw: Any, arguments: dict[str, Any]):
    assert read_arguments(raw) == arguments


@pytest.mark.parametrize(
    ("value", "text"),
    [("oi", "oi"), (30.0, "30"), (True, "true"), (None, ""), (["oi"], ""), ({"a": 1}, "")],
)
def test_read_text(value: object, text: str):
    assert read_text(value) == text


def test_what_the_provider_parsed_is_taken_first():
    assert object_of(ModelReply(message='{"a": 1}', structured={"b": 2})) == {"b": 2}
    assert object_of(ModelReply(message='{"a": 1}')) == {"a": 1}
    assert object_of(ModelReply(message="oi")) is None


@pytest.mark.parametrize(
    ("reply", "blank"),
    [
        (ModelReply(), True),
        (ModelReply(message=" \n"), True),
        (ModelReply(message="x"), False),
        (ModelReply(structured={}), False),
        (ModelReply(tool_calls=[ToolCall("t")]), False),
    ],
)
def test_is_blank(reply: ModelReply, blank: bool):
    assert is_blank(reply) is blank
