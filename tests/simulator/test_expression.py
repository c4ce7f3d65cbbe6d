"""Times in texts."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from falai.words.turn import Anchor
from simulator.expression import ExpressionError, Moments, check_expressions, expand
from simulator.load import Document
from simulator.place import ScenarioFileError

NOW = datetime(2026, 1, 6, 9, 0, 0, 500_000, tzinfo=UTC)
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
AT = Moments(NOW, START)
_SHAPE = "Write now or start, with durations added or taken: ${now+24h}, ${ms(start-5m)}."


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("${now}", "2026-01-06T09:00:00.500Z"),
        ("${start}", "2026-01-05T09:00:00.000Z"),
        ("${now+24h}", "2026-01-07T09:00:00.500Z"),
        ("${ start - 5m + 1s }", "2026-01-05T08:55:01.000Z"),
        ("${now+1.5d}", "2026-01-07T21:00:00.500Z"),
        ("silence:x:${ms(start)}", "silence:x:1767603600000"),
        ("${ms(start+1s)}", "1767603601000"),
        ("${ms( start )}, ${start}", "1767603600000, 2026-01-05T09:00:00.000Z"),
        ("custa $${10}", "custa ${10}"),
        ("$$${now}", "$${now}"),
        ("$ {now} {now} $now", "$ {now} {now} $now"),
    ],
)
def test_texts(text: str, expanded: str):
    assert expand(text, AT) == expanded


def test_any_depth_keys_included():
    value = {"a": ["${start}", 3], "${ms(start)}": {"b": ("${ms(start)}", None)}}
    assert expand(value, AT) == {
        "a": ["2026-01-05T09:00:00.000Z", 3],
        "1767603600000": {"b": ("1767603600000", None)},
    }


def test_numbers_are_for_what_a_model_answers():
    value = {"a": "${ms(start)}", "b": "x${ms(start)}", "c": "${start}"}
    assert expand(value, AT, numbers=True) == {
        "a": 1767603600000,
        "b": "x1767603600000",
        "c": "2026-01-05T09:00:00.000Z",
    }


def test_structs_are_copied_only_when_something_changes():
    plain, dated = Anchor("k"), Anchor("k", "${start}")
    assert expand(plain, AT) is plain
    assert expand({"a": dated}, AT) == {"a": Anchor("k", "2026-01-05T09:00:00.000Z")}
    assert dated.last_inbound_at == "${start}"


def test_nothing_to_expand_leaves_values_equal():
    value = {"a": [1, "x", None, True, 1.5], "b": msgspec.UNSET}
    assert expand(value, AT) == value


BAD = [
    ("${nwo}", f'unknown name "nwo" in an expression. Did you mean "now"? {_SHAPE}'),
    (
        "${10,00}",
        f'unknown name "10" in an expression. {_SHAPE} $${{ is a literal ${{.',
    ),
    ("${}", f'unknown name "" in an expression. {_SHAPE} $${{ is a literal ${{.'),
    ("${now+3x}", f'"3x" in ${{now+3x}} is no duration. {_SHAPE}'),
    ("${now+}", f"${{now+}} cannot be read. {_SHAPE}"),
    ("${now 3h}", f"${{now 3h}} cannot be read. {_SHAPE}"),
    ("${s(now)}", f'unknown function "s" in ${{s(now)}}. {_SHAPE}'),
    ("a ${now", "${ without a closing }. Close it, or write $${ for a literal ${."),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_errors(text: str, message: str):
    with pytest.raises(ExpressionError) as caught:
        expand(text, AT)
    assert str(caught.value) == message


def test_beyond_the_calendar():
    with pytest.raises(ExpressionError, match="beyond the calendar"):
        expand("${now-900000d}", AT)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [x, {b: '${nwo}'}]", "s.yaml:1:12: "),
        ("a: {'${nwo}': 1}", "s.yaml:1:5: "),
        ("a: ['$${x', '${now} ${nwo}']", "s.yaml:1:13: "),
    ],
)
def test_errors_have_their_place(text: str, place: str):
    with pytest.raises(ScenarioFileError) as caught:
        check_expressions(Document(Path("s.yaml"), text).spot)
    assert str(caught.value).startswith(f'{place}unknown name "nwo"')


def test_sound_expressions_pass():
    text = "a: ['$${x}', '${ms(now+1d-2h)}', {'${start}': 3}]"
    check_expressions(Document(Path("s.yaml"), text).spot)
