"""Texts that look like markup, move the cursor or never end: each is only text, in every pane."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.simulator.kit import agent, flow, say
from tests.tui.panes.kit import from_json, lines, texts
from tests.tui.panes.test_every_pane import faults
from tui.model.subject import Subject
from tui.model.view import View

NASTY = (
    "[/",
    "[/] [stage=x: [bold]oi[/bold]",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202eatad \u2066x\u2069",
    "a\u200bb\ufeffc\u0301\u0301",
    "👩\u200d💻👍🏽🇧🇷 日本語",
    "a\r\nb\tc\u2028d\x85e\x00f\x7f",
    "",
    " ",
    "\n\n\n",
    "{{data.nome}} %s \\n",
)
HOSTILE = st.sampled_from(NASTY) | st.text(
    st.sampled_from("ab [/]{}:=\n\r\t\x00\x1b\x7f\x85\u200b\u200d\u202e\u2028\ufe0f\u0301世🙂"),
    max_size=60,
)


def play_of(text: str) -> Subject:
    """A play in which a text stands wherever a customer, a model or a host can put one."""
    understood = {"flows": {"f": 90}, "fields": {"nome": text}}
    return from_json(
        {
            "scenario": "t",
            "agent": _agent(),
            "context": {"user": {"name": text}},
            "turns": [
                _message(text, understood, {"message": text or "-", "nome": text}),
                {"event": "oi", "payload": {text or "k": text}, "session": "b"},
                {"start": "g", "input": {"o": text}, "expect": {"replies": [text]}},
                {"message": text, "silenced": {"reason": text}},
                _message(text, {}, {"message": f"{text}!"}),
            ],
        }
    )


def _agent() -> dict[str, Any]:
    return agent(
        flow(
            "f",
            {"id": "q", "prompt": "Pergunte.", "collect": ["nome", "cor"]},
            on=[{"message": ["quer"]}],
        ),
        flow("g", say("Olá, {{data.nome}}{{input.o}}.")),
        fields={"nome": {"type": "string"}, "cor": {"type": "string"}},
        idle={"prompt": "Responda."},
    )


def _message(text: str, understand: dict[str, Any], speak: dict[str, Any]) -> dict[str, Any]:
    return {"message": text, "model": {"understand": understand, "speak": speak}}


def all_faults(looked_at: Subject, width: int) -> list[str]:
    opened = frozenset(f"open:{it.id}" for it in looked_at.flows)
    paths = ("data.nome", "runs", "inputs")
    return [
        fault
        for at in range(len(looked_at.timeline))
        for compare in (False, True)
        for fault in faults(
            View(
                subject=looked_at,
                at=at,
                width=width,
                watches=paths,
                folded=opened,
                compare=compare,
            )
        )
    ]


@settings(max_examples=40, deadline=None)
@given(HOSTILE, st.integers(20, 100))
@example(NASTY[0], 20)
@example(NASTY[2], 20)
@example(NASTY[5], 20)
def test_no_text_crashes_a_pane_or_leaves_its_place(text: str, width: int):
    looked_at = play_of(text)
    assert looked_at.timeline.turns
    assert all_faults(looked_at, width) == []


@pytest.mark.parametrize("text", ["x" * 100_000, "bom dia " * 12_500, "世" * 100_000, "\n" * 2_000])
def test_a_text_without_end_is_cut_where_a_line_is_and_opens_whole(text: str):
    looked_at = play_of(text)
    for at in range(0, len(looked_at.timeline), 3):
        assert list(faults(View(subject=looked_at, at=at, width=80))) == []


def test_markup_is_seen_as_it_was_written():
    looked_at = play_of("[bold]oi[/bold] \x1b[1m")
    assert "  [bold]oi[/bold] \\x1b[1m" in texts("conversation", looked_at)
    told = [line for line in texts("state", looked_at, "1.return") if "nome" in line]
    assert told[0].startswith('  nome  "[bold]oi[/bold]')


def test_a_text_keeps_its_meaning_whatever_stands_in_it():
    looked_at = play_of("[red]oi[/red]")
    spans = [span for line in lines("conversation", looked_at) for span in line.spans]
    assert {span.style for span in spans if span.text == "[red]oi[/red]"} == {
        "customer",
        "assistant",
    }
