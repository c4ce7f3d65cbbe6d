"""Matchers are checked when a file is read."""

from pathlib import Path

import pytest

from simulator.load import Document, ScenarioFileError
from simulator.matchers import BLOCK_KEYS, read_block

GOOD = [
    "{data: {a: {$exactly: {b: {$any: true}}}}}",
    "{replies: {$unordered: [{$regex: '^a'}, {$contains: [a, b]}, {$startsWith: a}]}}",
    "{llmCalls: {$atMost: 3, $atLeast: 1}, runs: {$length: {$between: [1, 2]}}}",
    "{floor: {$oneOf: [a, null, {$not: {$absent: true}}]}, outcomes: {$includes: [], $excludes: []}}",
    "{schedule: [{key: 'x${ms(now)}', at: {$atLeast: '${now}'}}], data: {'${now}': 1, '$${x': 2}}",
]

BAD = [
    ("{data: {a: {$contians: x}}}", '13: unknown matcher "$contians". Did you mean "$contains"?'),
    (
        "{data: {a: {$qqq: x}}}",
        '13: unknown matcher "$qqq". Write one of: $any, $absent, $exactly, $includes, '
        "$excludes, $unordered, $length, $contains, $regex, $startsWith, $atMost, $atLeast, "
        "$between, $not, $oneOf.",
    ),
    (
        "{data: {a: {$contains: x, b: 1}}}",
        "27: b cannot stand beside the matcher $contains. "
        "Put b under $exactly, or remove $contains.",
    ),
    (
        "{replies: [{$contains: Oi, tudo bem}]}",
        "28: tudo bem cannot stand beside the matcher $contains. "
        "Put tudo bem under $exactly, or remove $contains. "
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "{replies: [a], tudo: }",
        '16: unknown key "tudo". Write one of: '
        f"{', '.join(BLOCK_KEYS)}. "
        "If it belongs to the text before it, put that text in quotes.",
    ),
    ("{data: {$any: false}}", "15: $any must be true, not false. Use $not to say the opposite."),
    (
        "{data: {$absent: 1}}",
        "18: $absent must be true, not the number 1. Use $not to say the opposite.",
    ),
    ("{data: {a: {$includes: 1}}}", "24: $includes must be a list, not the number 1."),
    ("{data: {a: {$oneOf: {}}}}", "21: $oneOf must be a list, not a mapping."),
    (
        "{data: {a: {$length: -1}}}",
        "22: $length must be a whole number, 0 or more, not the number -1.",
    ),
    (
        "{data: {a: {$contains: [1]}}}",
        "25: $contains[0] must be text, not the number 1. Put it in quotes.",
    ),
    (
        "{data: {a: {$contains: 1}}}",
        "24: $contains must be text or a list of texts, not the number 1.",
    ),
    (
        "{data: {a: {$regex: '('}}}",
        "21: $regex cannot be read: missing ), unterminated subpattern. See Python's re.",
    ),
    ("{data: {a: {$startsWith: []}}}", "26: $startsWith must be text, not a list."),
    ("{data: {a: {$atMost: true}}}", "22: $atMost must be a number or a text, not true."),
    (
        "{data: {a: {$between: [1]}}}",
        "23: $between must have 2 bounds, not 1. Write [least, most].",
    ),
    (
        "{data: {a: {$between: 1}}}",
        "23: $between must be a list, not the number 1. Write [least, most].",
    ),
    (
        "{data: {a: {$between: [1, null]}}}",
        "27: $between[1] must be a number or a text, not null.",
    ),
    (
        "{data: {a: {$not: {$any: 3}}}}",
        "26: $any must be true, not the number 3. Use $not to say the opposite.",
    ),
    ("{data: [[{$qq: 1}, {$regexp: a}]]}", None),
    ("{$exactly: {}}", None),
]


@pytest.mark.parametrize("text", GOOD)
def test_good_blocks_stay_as_they_are_written(text: str):
    document = Document(Path("s.yaml"), text)
    assert read_block(document.spot) is document.value


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_ones(text: str, message: str | None):
    with pytest.raises(ScenarioFileError) as caught:
        read_block(Document(Path("s.yaml"), text).spot)
    if message is not None:
        assert str(caught.value) == f"s.yaml:1:{message}"
    else:
        assert "unknown" in str(caught.value)
