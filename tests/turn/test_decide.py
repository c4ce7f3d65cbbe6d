"""Decide: who takes a message, and what else it started."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from falai import Branch, Field, Flow, Goto, Mention, Message, Param, Say, Talk, Wait
from tests.turn.kit import Chat, codes, flow, judged, only, said, statuses, texts

FIELDS = {
    "um": Field("boolean"),
    "dois": Field("boolean"),
    "nome": Field("string"),
    "porte": Field("string", enum=["P", "G"]),
}
PHRASED = [Message(["quero isso"])]


def says(name: str, **options: Any) -> Flow:
    """A flow that is scored, and says its name."""
    return flow(Say("s", say=name), id=name, **({"on": PHRASED} | options))


def asks(name: str, slug: str = "um", *branches: Branch, **options: Any) -> Flow:
    step = Talk("t", collect=[slug], branches=branches or None)
    return flow(step, id=name, **({"on": PHRASED} | options))


# --- scores -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Routed:
    """Scores, and the flow that takes the message."""

    id: str
    scores: dict[str, Any]
    to: str | None
    asker: bool = False


ROUTED = [
    Routed("enough", {"a": 40}, "a"),
    Routed("a-point-too-few", {"a": 39}, None),
    Routed("a-fraction-too-few", {"a": 39.9}, None),
    Routed("the-best", {"a": 60, "b": 61}, "b"),
    Routed("a-tie-keeps-the-earlier", {"b": 60, "a": 60}, "a"),
    Routed("text", {"b": "75"}, "b"),
    Routed("beyond-a-hundred", {"a": 100, "b": 900}, "a"),
    Routed("no-score", {"a": None, "b": "alto"}, None),
    Routed("of-nobody", {"x": 100}, None),
    Routed("from-an-asker-by-fifteen", {"z": 50, "a": 65}, "a", asker=True),
    Routed("not-by-fourteen", {"z": 50, "a": 64}, None, asker=True),
    Routed("not-below-forty", {"z": 0, "a": 39}, None, asker=True),
    Routed("from-an-asker-without-a-score", {"a": 40}, "a", asker=True),
    Routed("never-to-the-asker-itself", {"z": 100, "a": 90}, None, asker=True),
]


@pytest.mark.parametrize("case", ROUTED, ids=lambda case: case.id)
def test_a_score_routes_the_message(case: Routed):
    always = [Message(["quero"], repeat="always")] if case.asker else None
    chat = Chat(asks("z", "dois", on=always), says("a"), says("b"), fields=FIELDS)
    if case.asker:
        chat.take(start={"flow": "z", "key": "k"}, speak=said())
    unanswered = case.asker and case.to is None
    result = chat.hear(understand=judged(flows=case.scores), speak=[said()] if unanswered else [])
    assert [start.flow_id for start in result.started] == ([case.to] if case.to else [])
    assert result.skipped == []


def test_a_lone_flow_starts_without_a_score_where_nobody_is_idle():
    assert texts(Chat(says("a")).hear()) == ["a"]


def test_a_lone_flow_is_scored_where_somebody_would_answer():
    chat = Chat(says("a"), idle=None)
    assert texts(chat.hear(understand=judged(flows={"a": 10}), speak=said("Hein?"))) == ["Hein?"]


def test_a_lone_flow_is_scored_beside_a_catch_all():
    chat = Chat(says("a"), says("c", on=[Message()]))
    assert texts(chat.hear(understand=judged(flows={"a": 10}))) == ["c"]


def test_a_message_that_ended_a_wait_is_routed_nowhere_else():
    ask = Talk("t", collect=["um"])
    waiting = flow(Wait("w", wait="1h", else_="t"), ask, id="w", on=None)
    chat = Chat(waiting, says("a"), says("b"), fields=FIELDS)
    chat.take(start={"flow": "w", "key": "k"})
    result = chat.hear(understand=judged(flows={"a": 100}), speak=said("Que bom!"))
    assert (texts(result), result.started) == (["Que bom!"], [])


def test_a_message_that_ended_a_run_in_its_wait_is_routed():
    waiting = flow(Wait("w", wait="1h", else_="end"), id="w", on=None)
    chat = Chat(waiting, says("a"))
    chat.take(start={"flow": "w", "key": "k"})
    assert texts(chat.hear()) == ["a"]


def test_the_first_run_that_a_message_wakes_has_the_floor():
    first = flow(Wait("w", wait="1h", else_="t"), Talk("t", collect=["um"]), id="a", on=None)
    second = flow(Wait("w", wait="1h", else_="s"), Say("s", say="b"), id="b", on=None)
    chat = Chat(second, first, asks("c", "dois"), fields=FIELDS)
    for name in ("a", "b"):
        chat.take(start={"flow": name, "key": "k"})
    result = chat.hear(understand=judged(flows={"c": 100}))
    assert codes(result)[:2] == ["replied", "replied"]
    assert (texts(result), statuses(result)) == (["b"], {"a": "asking"})


def test_a_routed_flow_that_is_suspended_comes_back_instead_of_starting():
    always = [Message(["quero"], repeat="always")]
    chat = Chat(asks("a", "um", on=always), asks("b", "dois", on=always), fields=FIELDS)
    chat.hear(id="m1", understand=judged(flows={"a": 90}), speak=said())
    chat.hear(id="m2", understand=judged(flows={"b": 90}), speak=said())
    result = chat.hear(id="m3", understand=judged(flows={"a": 90}), speak=said())
    assert (statuses(result), result.started) == ({"a": "asking", "b": "suspended"}, [])


# --- mentions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extracted:
    """What the model read for a mention, and the payload of the run."""

    id: str
    sections: dict[str, Any]
    text: str
    mention: Mention = field(default_factory=lambda: Mention(["cupom"]))


TEXT = "[{{input.valor}}]"
EXTRACTED = [
    Extracted("a-value", {"extract": {"m": {"valor": 5}}}, "[5]"),
    Extracted("all-of-it-null", {"extract": {"m": {"valor": None}}}, TEXT),
    Extracted("no-entry", {}, TEXT),
    Extracted("of-another-flow", {"extract": {"x": {"valor": 5}}}, TEXT),
    Extracted("not-declared", {"extract": {"m": {"valor": True}}}, "[true]"),
    Extracted(
        "declared",
        {"extract": {"m": {"valor": "10"}}},
        "[10]",
        Mention(["cupom"], extract={"valor": Param("number")}),
    ),
]


@pytest.mark.parametrize("case", EXTRACTED, ids=lambda case: case.id)
def test_a_mention_carries_what_was_read_for_it(case: Extracted):
    chat = Chat(flow(Say("s", say=TEXT), id="m", on=[case.mention]))
    sections = {"mentions": {"m": True}} | case.sections
    assert texts(chat.hear(understand=judged(**sections))) == [case.text]


def test_a_detector_that_only_code_judges_carries_nothing():
    detector = flow(Say("s", say=TEXT), id="m", on=[Mention()])
    chat = Chat(detector, says("a"), says("b"))
    sections = {"mentions": {"m": False}, "extract": {"m": {"valor": 5}}}
    assert texts(chat.hear(understand=judged(**sections))) == [TEXT]


def test_a_detector_starts_though_the_gate_is_closed():
    chat = Chat(flow(Say("s", say="x"), id="m", on=[Mention()]))
    assert [start.flow_id for start in chat.hear(silenced="pausa").started] == ["m"]


def test_mentions_start_in_the_order_of_the_flows_and_before_the_routed_one():
    on = [Mention(["isso"])]
    chat = Chat(says("a"), says("c", on=on), says("b", on=on))
    result = chat.hear(understand=judged(mentions={"b": True, "c": "sim"}, flows={"a": 90}))
    assert [start.flow_id for start in result.started] == ["c", "b", "a"]


# --- values and branches ----------------------------------------------------------------------


def test_values_are_written_in_the_order_of_the_reply():
    chat = Chat(asks("a"), asks("b"), fields=FIELDS)
    found = {"inventado": 1, "porte": "enorme", "nome": "Ana", "um": 5}
    result = chat.hear(understand=judged(fields=found))
    assert [(line.code, line.detail) for line in result.outcomes] == [
        ("unknown-field", "inventado"),
        ("not-in-enum", "porte"),
        ("bad-value", "um"),
    ]
    assert chat.data == {"nome": "Ana"}


def test_a_value_that_is_known_gives_way_to_a_newer_one():
    chat = Chat(asks("a"), asks("b"), fields=FIELDS)
    chat.hear(understand=judged(fields={"nome": "Ana"}))
    chat.hear(understand=judged(fields={"nome": "Bia"}))
    assert chat.data == {"nome": "Bia"}


@pytest.mark.parametrize("verdict", [True, "sim", "true", "1"])
@pytest.mark.parametrize("key", ["a#k/t/0", "t/0", "branch_1"])
def test_a_branch_is_judged_under_any_of_its_names(key: str, verdict: Any):
    chat = Chat(asks("a", "um", Branch(when="quer sair", then="end"), on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    result = chat.hear(understand=judged(branches={key: verdict}))
    line = only(result.outcomes, "t")
    assert (line.code, line.next, statuses(result)) == ("branch", "end", {})


def test_the_first_branch_that_holds_is_taken():
    branches = [
        Branch(when="a", then="x"),
        Branch(if_={"known": ["nome"]}, then="y"),
        Branch(when="c", then="end"),
    ]
    steps = [
        Talk("t", collect=["um"], branches=branches),
        Say("x", say="x", then="end"),
        Say("y", say="y", then="end"),
    ]
    chat = Chat(flow(*steps, on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    found = judged(branches={"t/0": False, "t/2": True}, fields={"nome": "Ana"})
    assert texts(chat.hear(understand=found)) == ["y"]


def test_a_branch_may_forget_fields_and_how_often_they_were_asked():
    back = Branch(if_={"known": ["nome"]}, then=Goto("t", clear=["nome", "um"]))
    chat = Chat(asks("a", "um", back, on=None), fields=FIELDS)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    chat.know(nome="Ana")
    result = chat.hear(speak=said("De novo?"))
    (run,) = result.session.runs
    assert (run.visits, run.asked, chat.data) == ({"t": 2}, {"um": 1}, {})


def test_the_asker_follows_its_branch_in_a_message_that_goes_elsewhere():
    leave = Branch(when="chega", then="end")
    chat = Chat(asks("z", "dois", leave, on=None), says("a"), says("b"), fields=FIELDS)
    chat.take(start={"flow": "z", "key": "k"}, speak=said())
    result = chat.hear(understand=judged(flows={"a": 90}, branches={"t/0": True}))
    assert (texts(result), [run.reason for run in result.ended]) == (["a"], ["end", "end"])
