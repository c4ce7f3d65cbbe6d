"""Branches of a run that stays, and of a wait that the customer's words end."""

from dataclasses import dataclass
from typing import Any

import pytest

from falai import Branch, Chain, Field, Goto, Say, Talk, Wait
from tests.turn.kit import Chat, codes, flow, judged, only, said, texts

FIELDS = {"um": Field("boolean")}


@dataclass(frozen=True)
class Way:
    """A branch of a staying run, and whether it is taken."""

    id: str
    then: Any
    when: bool = False
    taken: bool = False


WAYS = [
    Way("code-to-the-end", "end"),
    Way("code-to-where-it-stands", "t"),
    Way("code-to-where-it-was", "s"),
    Way("code-to-where-it-was-forgetting", Goto("s", clear=["um"])),
    Way("code-to-a-new-step", "n", taken=True),
    Way("code-to-a-new-step-forgetting", Goto("n", clear=["um"]), taken=True),
    Way("code-to-another-flow", Chain("nada"), taken=True),
    Way("judged-to-the-end", "end", when=True, taken=True),
    Way("judged-to-where-it-was", "s", when=True, taken=True),
]


@pytest.mark.parametrize("case", WAYS, ids=lambda case: case.id)
def test_code_does_not_send_a_staying_run_back_to_where_it_was(case: Way):
    how: dict[str, Any] = {"when": "quer sair"} if case.when else {"if_": {"known": ["um"]}}
    steps = [
        Say("s", say="Oi", then="t"),
        Say("n", say="Novo!", then="t"),
        Talk("t", prompt="Ajude.", branches=[Branch(then=case.then, **how)]),
    ]
    chat = Chat(flow(*steps, on=None, on_end="stay"), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    chat.know(um=True)
    understand = [judged(branches={"t/0": True})] if case.when else []
    speaks = not isinstance(case.then, Chain)
    result = chat.hear(understand=understand, speak=[said()] * speaks)
    assert ("branch" in codes(result)) == case.taken


WAIT = [
    Wait(
        "w",
        wait="1h",
        else_="e",
        branches=[
            Branch(if_={"equals": {"um": True}}, then="x"),
            Branch(if_={"known": ["um"]}, then="y"),
        ],
    ),
    Say("t", say="then", then="end"),
    Say("e", say="else", then="end"),
    Say("x", say="x", then="end"),
    Say("y", say="y", then="end"),
]


@pytest.mark.parametrize(("data", "way"), [({}, "else"), ({"um": True}, "x"), ({"um": False}, "y")])
def test_a_reply_goes_by_the_first_branch_that_holds_or_by_else(data: dict[str, Any], way: str):
    chat = Chat(flow(*WAIT, on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"})
    chat.know(**data)
    result = chat.hear()
    line = only(result.outcomes, "w")
    assert (line.code, line.key, texts(result)) == ("replied", None, [way])


def test_a_wake_that_finds_a_reply_goes_by_else_and_looks_at_no_branch():
    chat = Chat(flow(*WAIT, on=None, anchor="lead"), fields=FIELDS)
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    chat.know(um=True)
    anchor = {"key": "s1", "lastInboundAt": "2026-01-05T09:00:00.001Z"}
    assert texts(chat.take(wake=wake.key, anchors={"lead": anchor})) == ["else"]


@pytest.mark.parametrize("at", ["2026-01-05T09:00:00.000Z", "2025-01-01T00:00:00Z"])
def test_words_that_are_not_later_than_the_wait_are_no_reply(at: str):
    chat = Chat(flow(*WAIT, on=None, anchor="lead"), fields=FIELDS)
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    anchor = {"key": "s1", "lastInboundAt": at}
    assert texts(chat.take(wake=wake.key, anchors={"lead": anchor})) == ["then"]


def test_a_wait_without_else_is_not_ended_by_words():
    chat = Chat(flow(Wait("w", wait="1h"), Say("s", say="Oi"), on=None))
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    assert texts(chat.hear()) == []
    assert codes(chat.take(wake=wake.key)) == ["no-reply", None]
