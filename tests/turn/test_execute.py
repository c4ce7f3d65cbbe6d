"""Executing a step: what it sends, what it waits for, and what stops it."""

from dataclasses import dataclass
from typing import Any

import pytest

from falai import (
    Action,
    Chain,
    Do,
    EventDef,
    Field,
    Goto,
    If,
    Mention,
    Message,
    OutMessage,
    Say,
    Talk,
    Wait,
    WaitEvent,
)
from tests.turn.kit import START, Chat, codes, flow, judged, only, said, statuses, texts

FIELDS = {"um": Field("boolean"), "dois": Field("boolean")}
SAY = Say("s", say="Oi")
ACTIONS = {"agir": Action(lambda _, __: {"ok": True})}
SKIP = {"reason": "humano", "skip": True}


def started(*steps: Any, **parts: Any) -> Chat:
    return Chat(flow(*steps, on=None), fields=FIELDS, actions=ACTIONS, **parts)


def start(chat: Chat, **given: Any) -> Any:
    return chat.take(start={"flow": "a", "key": "k"}, **given)


# --- say --------------------------------------------------------------------------------------


def test_a_text_is_sent_as_the_step_s_own():
    (message,) = start(started(Say("s", say="Oi", media="catálogo"))).messages
    assert message == OutMessage(
        text="Oi",
        kind="verbatim",
        media={"slug": "catálogo"},
        after_ms=0,
        key="a#k:s:1",
        run_id="a#k",
        step_id="s",
    )


@pytest.mark.parametrize(
    ("context", "text"), [(None, "{{context.x}}"), ({}, "{{context.x}}"), ({"x": 1}, "1")]
)
def test_a_path_that_leads_nowhere_stays_to_be_seen(context: Any, text: str):
    assert texts(start(started(Say("s", say="{{context.x}}")), context=context)) == [text]


def test_a_text_that_renders_to_nothing_is_sent_empty():
    assert texts(start(started(Say("s", say="{{context.x}}")), context={"x": ""})) == [""]


@pytest.mark.parametrize("held", ["session", "elsewhere"])
def test_a_text_that_goes_out_once_is_passed_over_where_it_was_sent(held: str):
    chat = started(Say("s", say="Oi", once=True))
    claims = {"held": {"a:s:s1": START}}
    if held == "session":
        start(chat)
        claims = None
    result = chat.take(start={"flow": "a", "key": "k2"}, claims=claims)
    assert (codes(result), result.messages) == (["already-sent"], [])


def test_a_text_that_may_go_out_again_looks_at_no_claim():
    claims = {"held": {"a:s:s1": START}}
    assert texts(start(started(SAY), claims=claims)) == ["Oi"]


def test_a_text_passed_over_in_silence_may_still_go_out_once():
    chat = started(Say("s", say="Oi", once=True))
    assert codes(start(chat, silenced=SKIP)) == ["silenced"]
    assert texts(chat.take(start={"flow": "a", "key": "k2"})) == ["Oi"]


# --- silenced ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hushed:
    """A step under a closed gate, and what it leaves."""

    id: str
    step: Any
    silenced: Any
    end: list[str]
    next: str | None = None
    key: str | None = None


HUSHED = [
    Hushed("say", Say("x", say="Oi"), "humano", ["skipped"]),
    Hushed("talk", Talk("x", collect=["um"]), "humano", ["skipped"]),
    Hushed("say-skipped", Say("x", say="Oi", then="z"), SKIP, ["end"], "z", "a#k:x:1"),
    Hushed("talk-skipped", Talk("x", prompt="Oi", then="z"), SKIP, ["end"], "z", "a#k:x:1"),
]


@pytest.mark.parametrize("case", HUSHED, ids=lambda case: case.id)
def test_a_step_that_would_speak_ends_its_run_or_is_passed_over(case: Hushed):
    chat = started(case.step, Do("y", "agir"), Do("z", "agir"))
    result = start(chat, silenced=case.silenced)
    line = only(result.outcomes, "x")
    assert (line.code, line.detail) == ("silenced", "humano")
    assert (line.next, line.key) == (case.next, case.key)
    assert [run.reason for run in result.ended] == case.end


def test_an_asker_goes_on_asking_behind_a_closed_gate():
    chat = started(Talk("t", collect=["um"]))
    start(chat, speak=said())
    result = chat.hear(silenced=SKIP)
    assert (result.outcomes, statuses(result)) == ([], {"a": "asking"})


# --- wait -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Short:
    """A wait with where it leads, and whether it rides on the next message."""

    id: str
    wait: str
    then: Any = None
    rides: bool = False


SHORT = [
    Short("ten-seconds", "10s", rides=True),
    Short("half-a-second", "0.5s", rides=True),
    Short("nothing", "0s", rides=True),
    Short("a-millisecond-more", "10.001s"),
    Short("to-a-say", "3s", "s", rides=True),
    Short("to-a-talk-step", "3s", "t", rides=True),
    Short("to-a-step-that-forgets", "3s", Goto("s", clear=["um"]), rides=True),
    Short("to-an-action", "3s", "d"),
    Short("to-the-end", "3s", "end"),
    Short("to-another-flow", "3s", Chain("b")),
]


@pytest.mark.parametrize("case", SHORT, ids=lambda case: case.id)
def test_a_short_wait_rides_on_the_message_of_the_next_step(case: Short):
    steps = [
        Wait("w", wait=case.wait, then=case.then),
        Say("s", say="Oi", then="end"),
        Talk("t", prompt="Oi", then="end"),
        Do("d", "agir"),
    ]
    chat = started(*steps, idle="silent")
    result = start(chat, speak=[said()] if case.then == "t" else [])
    assert (only(result.outcomes, "w").code == "inline-delay") == case.rides
    assert len(result.messages) == case.rides


def test_short_waits_add_up_and_ride_on_the_first_message():
    result = start(started(Wait("v", wait="3s"), SAY, Wait("w", wait="2s"), Say("x", say="E aí?")))
    assert [message.after_ms for message in result.messages] == [3_000, 2_000]
    assert [only(result.outcomes, step).detail for step in "vw"] == ["3000ms", "2000ms"]


def test_a_short_wait_that_forgets_fields_forgets_them_on_the_way():
    chat = started(Talk("t", collect=["um"]), Wait("w", wait="3s", then=Goto("s", ["um"])), SAY)
    result = start(chat, speak=said(um=True))
    assert (chat.data, result.messages[-1].after_ms) == ({}, 3_000)


def test_a_short_wait_before_a_step_that_is_passed_over_is_kept_for_the_next():
    steps = [Wait("w", wait="3s"), Talk("t", collect=["um"]), SAY]
    chat = started(*steps)
    start(chat, speak=said("Um?"))
    chat = started(*steps)
    chat.hear()
    chat.know(um=True)
    assert [message.after_ms for message in start(chat).messages] == [3_000]


def test_a_short_wait_that_nobody_rides_on_is_lost_with_the_turn():
    steps = [Wait("w", wait="3s"), Talk("t", collect=["um"]), Wait("v", wait="1h"), SAY]
    chat = started(*steps)
    chat.hear()
    chat.know(um=True)
    (wake,) = start(chat).schedule
    assert [message.after_ms for message in chat.take(wake=wake.key).messages] == [0]


def test_a_wait_parks_under_the_moment_it_is_over():
    result = start(started(Wait("w", wait="1.5h"), SAY))
    (wake,) = result.schedule
    line = only(result.outcomes, "w")
    assert (wake.key, wake.at) == ("a#k:w:1767609000000", "2026-01-05T10:30:00.000Z")
    assert (line.key, line.until, line.next) == ("a#k:w:1", wake.at, None)


def test_a_wait_for_an_event_lasts_thirty_days_unless_it_says_so():
    events = {"pago": EventDef()}
    month = start(started(WaitEvent("w", event="pago"), events=events))
    hour = start(started(WaitEvent("w", event="pago", up_to="1h"), events=events))
    assert [result.schedule[0].at for result in (month, hour)] == [
        "2026-02-04T09:00:00.000Z",
        "2026-01-05T10:00:00.000Z",
    ]


def test_an_event_that_did_not_come_ends_the_run_unless_it_says_where_to_go():
    events = {"pago": EventDef()}
    chat = started(WaitEvent("w", event="pago"), SAY, events=events)
    (wake,) = start(chat).schedule
    result = chat.take(wake=wake.key)
    line = only(result.outcomes, "w")
    assert (line.code, line.next, line.key, result.messages) == ("no-event", "end", None, [])


# --- if ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holds", "then", "else_", "next", "said"),
    [
        (True, None, None, None, ["Oi"]),
        (True, "x", None, "x", ["x"]),
        (False, "x", None, "end", []),
        (False, None, "x", "x", ["x"]),
        (False, None, Goto("x"), "x", ["x"]),
        (False, None, Chain("b", input=1), "flow:b", []),
    ],
)
def test_a_fork_goes_one_way(holds: bool, then: Any, else_: Any, next: Any, said: list[str]):  # noqa: A002
    steps = [
        If("i", if_=lambda _: holds, then=then, else_=else_),
        Say("s", say="Oi", then="end"),
        Say("x", say="x"),
    ]
    result = start(started(*steps))
    assert (only(result.outcomes, "i").next, texts(result)) == (next, said)


# --- talk -------------------------------------------------------------------------------------


def test_a_step_with_nothing_to_collect_is_passed_over():
    chat = started(Talk("t", collect=["um"]), SAY)
    chat.hear()
    chat.know(um=False)
    result = start(chat)
    assert (codes(result), texts(result)) == (["already-known", None], ["Oi"])


def test_a_step_that_collects_nothing_is_passed_over():
    assert codes(start(started(Talk("t", collect=[]), SAY))) == ["already-known", None]


@pytest.mark.parametrize(("asks", "calls"), [(False, 0), (True, 1), (None, 1)])
def test_a_fixed_question_goes_out_alone_when_the_message_asks_nothing(asks: Any, calls: int):
    step = Talk("t", collect=["um"], question="Confirma?")
    chat = Chat(
        flow(step, on=[Message(["oi"])]), flow(SAY, id="b", on=[Message(["ei"])]), fields=FIELDS
    )
    reply = judged(flows={"a": 90}, asks=asks)
    result = chat.hear(understand=reply, speak=[said("Claro.")] * calls)
    assert texts(result) == ["Claro."] * calls + ["Confirma?"]
    assert codes(result) == [None] * calls + ["asked-fixed"]


@pytest.mark.parametrize("known", [{"um": True}, {"dois": False}])
def test_a_fixed_question_is_due_while_all_of_its_fields_are_open(known: dict[str, Any]):
    chat = started(Talk("t", collect=["um", "dois"], question="Confirma os dois?"))
    chat.hear()
    chat.know(**known)
    assert texts(start(chat, speak=said("E o outro?"))) == ["E o outro?"]


def test_a_fixed_question_counts_as_an_ask_of_each_of_its_fields():
    chat = started(Talk("t", collect=["um", "dois"], question="Confirma os dois?"))
    (run,) = start(chat).session.runs
    assert (run.asked, run.status) == ({"um": 1, "dois": 1}, "asking")


def test_another_run_s_words_answer_for_the_asker():
    detector = flow(SAY, id="d", on=[Mention()])
    chat = Chat(flow(Talk("t", collect=["um"]), on=None), detector, fields=FIELDS)
    start(chat, speak=said())
    result = chat.hear()
    assert (texts(result), only(result.outcomes, "t").code) == (["Oi"], "another-reply")
    assert statuses(result) == {"a": "asking"}


def test_a_run_s_own_words_do_not_answer_for_it():
    chat = started(SAY, Talk("t", collect=["um"]))
    chat.agent = chat.agent.replace(flows=[flow(SAY, Talk("t", collect=["um"]))])
    assert texts(chat.hear(speak=said("E um?"))) == ["Oi", "E um?"]


def test_words_of_another_run_do_not_stop_one_that_speaks_first():
    parent = flow(SAY, Do("d", "agir", then=Chain("b")), on=None)
    chat = Chat(
        parent, flow(Talk("t", collect=["um"]), id="b", on=None), fields=FIELDS, actions=ACTIONS
    )
    assert texts(start(chat, speak=said("E um?"))) == ["Oi", "E um?"]
