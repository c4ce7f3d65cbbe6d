"""The conversation: who said what when, and never a word before its time."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from simulator.trace import TurnRecord
from tests.simulator.kit import agent, do, flow, say
from tests.tui.model.kit import ENTRIES, drawn
from tests.tui.panes.kit import house, lines, of_the_house, subject, texts
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes import conversation

BOTH = agent(
    flow("um", do(), {"id": "b", "prompt": "Fale.", "then": {"flow": "dois"}}),
    flow("dois", say("Depois", "c"), on=[]),
    actions={"agir": {}},
)
"""One flow acts, speaks, and leads to another."""


def test_what_was_said_and_what_happened_stand_in_order():
    assert texts("conversation", subject()) == [
        "· 2026-01-05 09:00Z",
        "customer  09:00",
        "  quero",
        "· pedido starts",
        "assistant  09:00",
        "  Quem é?",
        "customer  09:00",
        "  Bia",
        "· did cobrar",
        "assistant  09:00",
        "  Certo, Bia.",
        "· event oi",
        "· aviso starts",
        "assistant, verbatim  09:00",
        "  Pronto!",
        "· aviso ends: end",
        "· 2026-01-05 11:00Z",
        "· wake pedido#m1:pausa:1767610800000",
        "assistant, verbatim  11:00",
        "  Tchau, Bia!",
        "· pedido ends: end",
    ]


def test_nothing_stands_there_before_its_step():
    talk = subject()
    way = ["1.load", "1.decide", "1.speak", "1.settle", "2.load", "2.decide", "2.run"]
    last = [texts("conversation", talk, place)[-1].strip() for place in way]
    assert last == [
        "quero", "· pedido starts", "· pedido starts", "Quem é?", "Bia", "Bia", "· did cobrar",
    ]  # fmt: skip


def test_speakers_are_told_apart_by_meaning_and_by_word():
    spans = [line.spans[0] for line in lines("conversation", subject())]
    styles = {span.text: span.style for span in spans if span.text != "  "}
    assert styles["customer"] == "customer"
    assert styles["assistant"] == "assistant"
    assert styles["assistant, verbatim"] == "verbatim"
    assert styles["· event oi"] == "chip"


def test_a_long_message_is_wrapped_and_opens_whole():
    reply = "{understand: {}, speak: {message: Que bolo seria?}}"
    talk = subject(f"- message: quero um bolo bem grande\n  model: {reply}")
    assert texts("conversation", talk, width=16)[2:] == [
        "  quero um bolo", "  bem grande", "assistant  09:00", "  Que bolo", "  seria?",
    ]  # fmt: skip
    assert lines("conversation", talk, width=16)[-1].opens == "Que bolo seria?"


def test_sessions_are_named_where_there_are_several():
    talk = texts("conversation", subject("\n".join(ENTRIES)))
    assert {line for line in talk if line.startswith("customer")} == {
        "customer (s1)  09:00",
        "customer (b)  09:00",
    }


def test_a_turn_that_raised_says_so():
    talk = subject("- {message: oi}")
    assert texts("conversation", talk)[-1] == "! the turn failed: unscripted understand call"
    assert texts("conversation", talk, "1.settle")[-1] == "  oi"


def test_a_delay_is_told_and_so_is_silence():
    late = agent(flow("f", {"id": "w", "wait": "8s"}, say("Oi")))
    assert "assistant, verbatim, after 8s  09:00" in texts(
        "conversation", subject("- event: oi", agent=late)
    )
    quiet = texts("conversation", of_the_house("09-"))
    assert any(line.startswith("· silenced: ") for line in quiet)


def test_a_flow_that_another_leads_to_comes_where_it_began():
    talk = subject("- {event: oi, model: {speak: {message: Antes}}}", agent=BOTH)
    assert texts("conversation", talk, "1.speak")[2:] == ["· um starts", "· did agir"]
    assert texts("conversation", talk)[4:] == [
        "· dois starts",
        "assistant  09:00",
        "  Antes",
        "assistant, verbatim  09:00",
        "  Depois",
        "· um ends: flow",
        "· dois ends: end",
    ]


def said(record: TurnRecord) -> list[str]:
    return [it.text for it in record.result.messages] if record.result else []


def holds_what_was_said(looked_at: Subject, at: int) -> bool:
    """Whether exactly the messages stand there that had been sent by a step."""
    made = looked_at.timeline
    turn = made.turn_of(at)
    sent = [text for record in made.turns[:turn] for text in said(record)]
    sent += [it.text for it in made.step(at).messages]
    shown = conversation(View(subject=looked_at, at=at, width=10_000))
    spoken = [line.opens for line in shown if line.key.startswith("said-")]
    return list(dict.fromkeys(spoken)) == list(dict.fromkeys(sent))


def test_exactly_what_was_sent_by_a_step_stands_there():
    for looked_at in house():
        for at in range(len(looked_at.timeline)):
            assert holds_what_was_said(looked_at, at)


@given(drawn(1), st.integers(20, 90))
def test_each_step_only_adds_to_what_stands_there(play: Timeline, width: int):
    looked_at = Subject(name="s.yaml", timeline=play)
    made = [conversation(View(subject=looked_at, at=at, width=width)) for at in range(len(play))]
    assert all(list(more)[: len(less)] == list(less) for less, more in pairwise(made))
    assert all(holds_what_was_said(looked_at, at) for at in range(len(play)))
