"""Expectations rewritten from what came: the rest of the file stays byte for byte."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.find import find_scenarios
from simulator.load import Document, load_document
from tests.simulator.accept_kit import (
    ROOT,
    accepted,
    blocks,
    comments_of,
    failures_of,
    leaves,
    proposed,
    span_of,
    value_at,
    with_value,
    without_expectations,
)

FILES = find_scenarios([ROOT / "scenarios"])


def name(file: Path) -> str:
    return file.stem


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def plain_values(value: Any) -> Any:
    """The ways to what is compared as it stands: replies and calls, in the order of the file."""
    for way, block in blocks(value["turns"], ("turns",)):
        for leaf in leaves(block, way):
            if "replies" in leaf or leaf[-1] == "llmCalls":
                yield leaf


# --- every file of the project ------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_file_that_holds_is_left_as_it_is(file: Path):
    proposal = proposed(load_document(file))
    assert (list(proposal.problems), proposal.is_change) == ([], False)


@pytest.mark.parametrize("file", FILES, ids=name)
def test_expectations_that_are_gone_are_written_anew(file: Path):
    stripped = without_expectations(load_document(file))
    result = accepted(stripped)
    assert failures_of(result) == []
    if not stripped.is_json:
        assert comments_of(result.text) == comments_of(stripped.text)
    assert "expect" in result.text


@pytest.mark.parametrize(
    "file",
    [file for file in FILES if next(plain_values(load_document(file).value), None)],
    ids=name,
)
def test_one_wrong_value_is_mended_in_its_place(file: Path):
    document = load_document(file)
    way = next(plain_values(document.value))
    wrong = with_value(document, way, other_than(value_at(document.value, way)))
    assert failures_of(wrong) != []
    result = accepted(wrong)
    start, end = span_of(document, way)
    assert result.text[:start] == document.text[:start]
    assert result.text.endswith(document.text[end:])
    assert failures_of(result) == []


def other_than(value: object) -> object:
    return f"{value} e mais" if isinstance(value, str) else 7


# --- how an edit reads --------------------------------------------------------------------------

HEAD = (
    "scenario: T\nagent: {name: Ana, idle: {prompt: x}, fields: {nome: {type: string}}}\nturns:\n"
)


def text_after(turns: str) -> str:
    result = accepted(Document(Path("t.yaml"), HEAD + turns))
    assert result.text.startswith(HEAD)
    return result.text.removeprefix(HEAD)


EDITS = {
    "a value in brackets": (
        "  - {message: oi, model: {speak: {message: Oi}}, expect: {replies: [Tchau]}} # why\n",
        "  - {message: oi, model: {speak: {message: Oi}}, expect: {replies: [Oi]}} # why\n",
    ),
    "a value on a line of its own": (
        "  - message: oi\n    model: {speak: {message: Oi}}\n    expect:\n      llmCalls: 2 # calls\n",
        "  - message: oi\n    model: {speak: {message: Oi}}\n    expect:\n      llmCalls: 1 # calls\n",
    ),
    "a matcher that holds stays": (
        "  - message: oi\n    model: {speak: {message: Oi}}\n"
        "    expect: {replies: [{$startsWith: O}], llmCalls: {$atMost: 2}, floor: f}\n",
        "  - message: oi\n    model: {speak: {message: Oi}}\n"
        "    expect: {replies: [{$startsWith: O}], llmCalls: {$atMost: 2}, floor: null}\n",
    ),
    "no block at all": (
        "  # first\n  - message: oi\n    model: {speak: {message: Oi}}\n",
        "  # first\n  - message: oi\n    model: {speak: {message: Oi}}\n"
        "    expect: {llmCalls: 1, replies: [Oi], floor: null}\n",
    ),
    "a text with an expression's signs": (
        '  - message: oi\n    model: {speak: {message: "$${now}"}}\n    expect: {replies: [x]}\n',
        '  - message: oi\n    model: {speak: {message: "$${now}"}}\n'
        '    expect: {replies: ["$${now}"]}\n',
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_keeps_the_style_around_it(edit: str):
    before, after = EDITS[edit]
    assert text_after(before) == after
    assert text_after(before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


def test_json_is_accepted_too():
    value = {
        "scenario": "T",
        "agent": {"name": "Ana", "idle": {"prompt": "x"}},
        "turns": [
            {"message": "oi", "model": {"speak": {"message": "Oi"}}, "expect": {"replies": []}}
        ],
    }
    result = accepted(Document(Path("t.json"), json.dumps(value, indent=2)))
    assert json.loads(result.text)["turns"][0]["expect"] == {"replies": ["Oi"]}
    assert failures_of(result) == []


@pytest.mark.parametrize(
    ("turn", "problem"),
    [
        ("  - message: oi\n", "unscripted speak call"),
        ("  - {message: oi, model: {speak: [{message: a}, {message: b}]}}\n", "no call asked for"),
    ],
)
def test_what_no_expectation_can_mend_is_said(turn: str, problem: str):
    proposal = proposed(Document(Path("t.yaml"), HEAD + turn))
    assert any(problem in told for told in proposal.problems)


# --- what is left to its author ------------------------------------------------------------------

ANSWERED = "  - message: oi\n    model: {speak: {message: Oi}}\n"
DIFFERS = "the combinations of the matrix differ here: edit it by hand"
REPEATED = "*same repeats it elsewhere: edit it by hand"
ALIAS = "it is an alias of &same: edit it by hand"
MATRIX = "matrix: {clock: [2026-03-29T00:30:00Z, 2026-02-28T23:50:00Z]}\n"


@pytest.mark.parametrize(
    ("head", "first", "second", "problem"),
    [
        (MATRIX, "{session: {lastUserAt: x}}", "{}", f"t.yaml:7:13: {DIFFERS}"),
        ("", "&same {replies: [Tchau]}", "*same", f"t.yaml:4:5: {REPEATED}"),
        ("", "&same {replies: [Oi], llmCalls: 1}", "*same", None),
    ],
)
def test_what_several_places_share_is_left_alone(
    head: str, first: str, second: str, problem: str | None
):
    turns = f"{ANSWERED}    expect: {first}\n{ANSWERED}    expect: {second}\n"
    document = Document(Path("t.yaml"), head + HEAD + turns)
    proposal = proposed(document)
    assert list(proposal.problems) == ([problem] if problem else [])
    assert proposal.text == document.text


def test_an_alias_is_not_written_over():
    turns = f"{ANSWERED}    expect: &same {{replies: [Oi]}}\n{ANSWERED}    expect: *same\n"
    document = Document(
        Path("t.yaml"), HEAD + turns.replace("Oi}}", "Ho}}").replace("Ho}}", "Oi}}", 1)
    )
    proposal = proposed(document)
    assert (list(proposal.problems), proposal.text) == ([f"t.yaml:7:5: {ALIAS}"], document.text)
