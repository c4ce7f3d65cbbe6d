"""What holds of `falai accept` whatever a file looks like and whatever was expected in it."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from simulator.load import Document
from tests.simulator.accept_kit import accepted, comments_of, failures_of, proposed

AGENT = {
    "name": "Ana",
    "fields": {"nome": {"type": "string"}},
    "flows": [
        {
            "id": "oi",
            "name": "Oi",
            "on": [{"message": ["quer"]}],
            "steps": [{"id": "quem", "collect": ["nome"]}, {"id": "fim", "say": "Tchau!"}],
        }
    ],
    "idle": {"prompt": "Responda."},
}
TEXTS = ("Oi!", "Quem é?", "a: b", "- # não", "'aspas' \"duplas\"", "${now}", "1", "no", "é 😀")
BLOCKS: tuple[Any, ...] = (
    None,
    {},
    {"replies": ["nada disso"]},
    {"replies": [{"$contains": "zzz"}]},
    {"llmCalls": 9},
    {"llmCalls": {"$atMost": 0}},
    {"floor": "nenhum"},
    {"outcomes": {"$length": 7}},
    {"data": {"nome": "Zoé", "outro": 1}},
    {"replies": {"$unordered": ["x", "y"]}, "calls": ["speak"]},
    {"exactly": 1},
)


@st.composite
def turns(draw: st.DrawFn) -> str:
    """An entry in one of the ways in which people write one."""
    said = draw(st.sampled_from(TEXTS))
    reply = {"speak": {"message": draw(st.sampled_from(TEXTS)).replace("$", "")}}
    block = draw(st.sampled_from(BLOCKS))
    key = "expect"
    if block == {"exactly": 1}:
        key, block = "exactly", {"llmCalls": 4}
    model = {"understand": {}, **reply}
    parts = {"message": said.replace("$", ""), "model": model}
    if block is not None:
        parts[key] = block
    comment = draw(st.sampled_from(["", "  # um comentário", "  # expect: {}"]))
    if draw(st.booleans()):
        return f"- {json.dumps(parts, ensure_ascii=False)}{comment}\n"
    gap = " " * draw(st.integers(1, 4))
    lines = [f"{name}: {json.dumps(part, ensure_ascii=False)}" for name, part in parts.items()]
    body = f"\n {gap}".join(lines)
    above = draw(st.sampled_from(["", f" {gap}# acima\n", "\n"]))
    return f"-{gap}{body}{comment}\n{above}"


@given(
    st.lists(turns(), min_size=1, max_size=3), st.integers(0, 4), st.sampled_from(["\n", "\r\n"])
)
def test_what_is_accepted_passes_and_the_rest_of_the_file_stays(
    entries: list[str], indent: int, end: str
):
    listed = "".join(entries)
    body = "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in listed.splitlines())
    head = f"scenario: t  # o título\nagent: {json.dumps(AGENT, ensure_ascii=False)}\nturns:\n"
    text = f"{head}{body}# no fim\n".replace("\n", end)
    document = Document(Path("t.yaml"), text)
    after = accepted(document)
    assert failures_of(after) == []
    assert comments_of(after.text) == comments_of(text)
    assert without_blocks(after.value) == without_blocks(document.value)
    assert after.text.startswith(head.replace("\n", end))
    assert accepted(after).text == after.text


def without_blocks(value: Any) -> Any:
    entries = [
        {key: it for key, it in entry.items() if key not in ("expect", "exactly")}
        for entry in value["turns"]
    ]
    return {**value, "turns": entries}


def test_a_prompt_is_never_written_into_a_file():
    text = (
        f"scenario: t\nagent: {json.dumps(AGENT)}\nturns:\n"
        "  - {message: oi, model: {understand: {}, speak: {message: Oi}}, "
        "expect: {prompts: {speak: old}}}\n"
    )
    proposal = proposed(Document(Path("t.yaml"), text))
    assert proposal.text == text
    assert any("a whole prompt is no expectation" in told for told in proposal.problems)
