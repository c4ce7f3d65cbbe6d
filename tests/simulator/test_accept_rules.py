"""What holds of `falai accept` whatever a file looks like and whatever was expected in it."""

import json
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.load import Document
from tests.simulator.accept_kit import (
    accepted,
    bare,
    comments_of,
    failures_of,
    proposed,
    without_expectations,
)

AGENT = {
    "name": "Ana",
    "fields": {"nome": {"type": "string"}},
    "flows": [
        {
            "id": "oi",
            "name": "Oi",
            "on": [{"message": ["quer"]}],
            "steps": [
                {"id": "quem", "question": "Quem é?", "collect": ["nome"]},
                {"id": "fim", "say": "Tchau!"},
            ],
        }
    ],
    "idle": {"prompt": "Responda."},
}
TEXTS = ("Oi!", "Quem é?", "a: b", "- # não", "'aspas' \"duplas\"", "{now}", "1", "no", "é 😀")
RIGHT = "what was said"
"""In a block: the reply that comes."""
BLOCKS: tuple[Any, ...] = (
    {},
    {"replies": [RIGHT], "llmCalls": 2},
    {"replies": [RIGHT], "llmCalls": 9},
    {"replies": ["nada disso", RIGHT, "nem isto"]},
    {"replies": []},
    {"replies": ["duas\nlinhas"]},
    {"replies": [{"$contains": "zzz"}]},
    {"replies": {"$unordered": ["x", "y"]}, "calls": ["speak"]},
    {"replies": {"$includes": [RIGHT]}, "llmCalls": {"$atMost": 0}},
    {"floor": "nenhum", "session": {"version": 40}},
    {"outcomes": {"$length": 7}},
    {"outcomes": [{"kind": "flow"}, {"kind": "idle", "llmCalls": 5}]},
    {"data": {"nome": "Zoé", "outro": 1}},
)
EXACT: tuple[Any, ...] = ({"llmCalls": 4}, {"replies": [RIGHT, RIGHT]})


def lines_of(draw: st.DrawFn, value: Any, step: int) -> list[str]:
    """A value as people write it: in brackets or line by line, in one of the kinds of quotes.

    The first line may stand behind a key, unless it is the first of several.
    """
    if isinstance(value, dict) and value and draw(st.booleans()):
        return ["", *pair_lines(draw, value, step)]
    if isinstance(value, list) and value and draw(st.booleans()):
        return ["", *dashed_lines(draw, value, step)]
    if isinstance(value, str) and "\n" in value and draw(st.booleans()):
        return ["|-", *value.split("\n")]
    if isinstance(value, str) and "\n" not in value and draw(st.booleans()):
        return ["'" + value.replace("'", "''") + "'"]
    return [json.dumps(value, ensure_ascii=False)]


def pair_lines(draw: st.DrawFn, value: dict[str, Any], step: int) -> list[str]:
    lines: list[str] = []
    for key, item in value.items():
        first, *rest = lines_of(draw, item, step)
        name = draw(st.sampled_from([json.dumps(key), f"'{key}'", key]))
        lines += [f"{name}: {first}{remark(draw)}".rstrip(), *indented(rest, step)]
        lines += draw(st.sampled_from([[], [], ["# entre chaves"], [""]]))
    return lines


def dashed_lines(draw: st.DrawFn, value: list[Any], step: int) -> list[str]:
    lines: list[str] = []
    for item in value:
        first, *rest = lines_of(draw, item, step)
        if not first:
            first, *rest = rest
            lines += [f"- {first}", *indented(rest, 2)]
        else:
            lines += [f"- {first}{remark(draw)}", *indented(rest, 2)]
    return lines


def remark(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["", "", "  # um comentário", " # expect: {}"]))


def indented(lines: list[str], by: int) -> list[str]:
    return [f"{' ' * by}{line}" if line else "" for line in lines]


@st.composite
def turns(draw: st.DrawFn) -> list[str]:
    """An entry: a message or a step in time, with the right expectations, wrong ones, or none."""
    said = draw(st.sampled_from(TEXTS))
    model = {"understand": {}, "speak": {"message": said}}
    parts: dict[str, Any] = {"message": draw(st.sampled_from(TEXTS)), "model": model}
    if not draw(st.integers(0, 4)):
        parts = {"advance": "1h"}
    key = draw(st.sampled_from([None, "expect", "expect", "expect", "exactly"]))
    if key is not None and "advance" in parts:
        parts["expect"] = draw(st.sampled_from([{}, {"floor": "x"}, {"data": {"nome": "Zoé"}}]))
    elif key is not None:
        block = draw(st.sampled_from(EXACT if key == "exactly" else BLOCKS))
        parts[key] = filled(block, said)
    parts = dict(draw(st.permutations(list(parts.items()))))
    if draw(st.booleans()):
        return [f"- {json.dumps(parts, ensure_ascii=False)}{remark(draw)}"]
    first, *rest = pair_lines(draw, parts, draw(st.integers(1, 4)))
    gap = draw(st.integers(1, 3))
    return [f"-{' ' * gap}{first}", *indented(rest, gap + 1)]


def filled(block: Any, said: str) -> Any:
    if isinstance(block, dict):
        return {key: filled(item, said) for key, item in block.items()}
    if isinstance(block, list):
        return [filled(item, said) for item in block]
    return said if block == RIGHT else block


DROPPED = """\
- message: oi
  model: {understand: {}, speak: {message: Oi!}}
  expect:
    replies:
      - Oi!
      - Tchau!  # um comentário
      # mais um
      - E isto?
""".splitlines()


@settings(deadline=None)
@example([DROPPED], 2, "\n")
@given(
    st.lists(turns(), min_size=1, max_size=3), st.integers(0, 4), st.sampled_from(["\n", "\r\n"])
)
def test_what_is_accepted_passes_and_the_rest_of_the_file_stays(
    entries: list[list[str]], indent: int, end: str
):
    body = indented([line for entry in entries for line in entry], indent)
    head = ["scenario: t  # o título", f"agent: {json.dumps(AGENT, ensure_ascii=False)}", "turns:"]
    document = Document(Path("t.yaml"), end.join([*head, *body, "# no fim", ""]))
    after = accepted(document)
    assert failures_of(after) == []
    assert comments_of(after.text) == comments_of(document.text)
    assert outside(after) == outside(document)
    assert accepted(after).text == after.text


@settings(deadline=None)
@given(st.sampled_from(BLOCKS), st.sampled_from(TEXTS), st.sampled_from([None, 0, 2, "\t"]))
def test_json_is_accepted_in_its_own_spacing(block: Any, said: str, indent: int | str | None):
    model = {"understand": {}, "speak": {"message": said}}
    turn = {"message": "oi", "expect": filled(block, said), "model": model}
    value = {"scenario": "t", "agent": AGENT, "turns": [turn, {"advance": "1h"}]}
    document = Document(Path("t.json"), json.dumps(value, indent=indent))
    after = accepted(document)
    assert failures_of(after) == []
    assert bare(after.value) == bare(value)
    tail = document.text[document.text.index('"model"', document.text.index('"expect"')) :]
    assert after.text.endswith(tail)
    assert accepted(after).text == after.text


def outside(document: Document) -> list[str]:
    """The lines that expect nothing; a comment in what is expected may get a line of its own."""
    lines = without_expectations(document).text.splitlines(keepends=True)
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def test_a_prompt_is_never_written_into_a_file():
    text = (
        f"scenario: t\nagent: {json.dumps(AGENT)}\nturns:\n"
        "  - {message: oi, model: {understand: {}, speak: {message: Oi}}, "
        "expect: {prompts: {speak: old}}}\n"
    )
    proposal = proposed(Document(Path("t.yaml"), text))
    assert proposal.text == text
    assert any("a whole prompt is no expectation" in told for told in proposal.problems)
