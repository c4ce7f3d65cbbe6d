"""Data laid out as YAML is the same data when it is read, and easy on the eye."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from simulator.yamlout import yaml_text
from simulator.yamltext import FastReader, SlowReader, parse_yaml

ODD = [
    "1e3", "null", "~", "yes", "0x1", "<<", ".5", "1.", "-", "?", "0?", "a: b", "a #b", "- a", "---",
    "a\n---\nb", "# x\ny", "\n", "a\n\n", "\n a", "a\n ", "\ta\n", "012", "12:30", "2026-01-05", "=",
    "x" * 2000, "a\r\nb", "\x85", "\u2028", "\ufeff", "'\"\\", "{a", "[", "@a", "`a", "%a", "*a", "&a", "!a",
]  # fmt: skip
TEXT = st.one_of(
    st.text(st.characters(codec="utf-8")),
    st.text(" \n\tab:#-'\"{}[],&*!|>%@`?0e1.~\r", max_size=20),
    st.sampled_from(ODD),
)
VALUE = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        TEXT,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)
READERS: list[type[yaml.SafeLoader | yaml.CSafeLoader]] = [FastReader, SlowReader]


@given(st.dictionaries(TEXT, VALUE, min_size=1, max_size=4))
def test_reading_gives_the_same_values_and_types(value: dict[str, Any]):
    text = yaml_text(value)
    for reader in READERS:
        assert repr(parse_yaml(text, reader)[0]) == repr(value)


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_text_is_text_wherever_it_stands(odd: str):
    value = {odd: odd, "list": [odd, {odd: [odd]}], "x" * 100: {odd: "y" * 100}}
    for reader in READERS:
        assert parse_yaml(yaml_text(value), reader)[0] == value


def test_it_reads_well():
    value = {
        "url": "https://api.openai.com/v1/chat/completions",
        "prompt": "Say:\n\tOi, João! \n\nYes.\n",
        "reply": '{"message": "It\'s \\"on\\""}',
        "ends": "a\n\n",
        "short": {"a": [1, 2.5, "três", None, True], "yes": "no"},
        "long": [{"name": "x" * 90, "empty": {}}, "y", []],
    }
    assert yaml_text(value) == (
        "url: https://api.openai.com/v1/chat/completions\n"
        "prompt: |\n"
        "  Say:\n"
        "  \tOi, João! \n"
        "\n"
        "  Yes.\n"
        'reply: \'{"message": "It\'\'s \\"on\\""}\'\n'
        "ends: |+\n"
        "  a\n"
        "\n"
        "short: {a: [1, 2.5, três, null, true], yes: no}\n"
        "long:\n"
        f"  - name: {'x' * 90}\n"
        "    empty: {}\n"
        "  - y\n"
        "  - []\n"
    )
