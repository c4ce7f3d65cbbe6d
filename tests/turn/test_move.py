"""Moving: where a run goes, how it ends, and who has the floor then."""

from typing import Any

import pytest

from falai import (
    Action,
    Branch,
    Chain,
    Do,
    Event,
    EventDef,
    Field,
    Goto,
    Mention,
    Message,
    Say,
    Silence,
    Talk,
    Wait,
)
from tests.turn.kit import Chat, codes, flow, judged, said, statuses, texts

FIELDS = {name: Field("boolean") for name in ("um", "dois", "tres")}
EVENTS = {"pago": EventDef()}
ACTIONS = {"agir": Action(lambda _, __: {"ok": True})}
ALWAYS = [Message(["quero"], repeat="always")]


def asks(name: str, slug: str, **options: Any) -> Any:
    return flow(Talk("t", collect=[slug]), id=name, **({"on": ALWAYS} | options))


def chat_with(*flows: Any, **parts: Any) -> Chat:
    return Chat(*flows, fields=FIELDS, events=EVENTS, actions=ACTIONS, **parts)


# --- the stack --------------------------------------------------------------------------------


def test_the_one_that_was_suspended_last_comes_back_whichever_started_last():
    chat = chat_with(asks("a", "um"), asks("b", "dois"), asks("c", "tres"))
    for minute, name in enumerate(["a", "b", "a", "c"]):
        chat.clock.advance("1m")
        chat.hear(id=f"m{minute}", understand=judged(flows={name: 90}), speak=said())
    chat.know(tres=True)
    assert statuses(chat.hear(id="m9", understand=judged(), speak=said())) == {
        "a": "asking",
        "b": "suspended",
    }


def test_a_run_that_takes_the_floor_suspends_the_asker_at_that_moment():
    chat = chat_with(asks("a", "um"), asks("b", "dois"))
    chat.hear(id="m1", understand=judged(flows={"a": 90}), speak=said())
    chat.clock.advance("1h")
    result = chat.hear(id="m2", understand=judged(flows={"b": 90}), speak=said())
    assert [run.suspended_at for run in result.session.runs] == ["2026-01-05T10:00:00.000Z", None]


# --- staying ----------------------------------------------------------------------------------

STAYS = {"on_end": "stay"}
HELP = Talk("t", prompt="Ajude.")


def test_a_run_that_comes_to_stay_answers_the_message_that_brought_it_there():
    chat = chat_with(flow(HELP, Do("d", "agir"), id="a", on=None, **STAYS))
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    assert texts(chat.hear(speak=said("Pois não?"))) == ["Pois não?"]


def test_a_run_that_comes_to_stay_without_a_message_waits_for_one():
    steps = [Wait("w", wait="1h"), Do("d", "agir", then="end"), HELP]
    chat = chat_with(flow(*steps, on=None, **STAYS))
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    result = chat.take(wake=wake.key)
    assert (result.messages, statuses(result)) == ([], {"a": "asking"})


def test_a_run_that_comes_to_stay_behind_a_closed_gate_waits():
    chat = chat_with(flow(Do("d", "agir", then="end"), HELP, id="a", on=[Mention()], **STAYS))
    result = chat.hear(silenced="pausa")
    assert (codes(result), statuses(result)) == ([None], {"a": "asking"})


def test_a_detector_that_comes_to_stay_answers_where_nobody_else_would():
    chat = chat_with(flow(Do("d", "agir", then="end"), HELP, id="a", on=[Mention()], **STAYS))
    assert texts(chat.hear(speak=said("Pois não?"))) == ["Pois não?"]


def test_a_run_that_comes_to_stay_waits_behind_an_asker():
    detector = flow(Do("d", "agir", then="end"), HELP, id="d", on=[Mention()], **STAYS)
    chat = chat_with(asks("a", "um", on=None), detector)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    result = chat.hear(speak=said("E um?"))
    assert (texts(result), statuses(result)) == (["E um?"], {"a": "asking", "d": "suspended"})


def test_a_run_that_the_message_woke_takes_the_floor_to_stay():
    waits = flow(Wait("w", wait="1h", else_="end"), HELP, id="w", on=None, **STAYS)
    chat = chat_with(asks("a", "um", on=None), waits)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    chat.take(start={"flow": "w", "key": "k"})
    result = chat.hear(speak=said("Pois não?"))
    assert statuses(result) == {"a": "suspended", "w": "asking"}
    assert texts(result) == ["Pois não?"]


def test_a_run_that_the_message_woke_takes_the_floor_also_when_it_comes_to_stay_later():
    waits = flow(
        Wait("w", wait="1h", else_="d"), Do("d", "agir", then="end"), HELP, id="w", on=None, **STAYS
    )
    chat = chat_with(asks("a", "um", on=None), waits)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    chat.take(start={"flow": "w", "key": "k"})
    result = chat.hear(speak=said("Pois não?"))
    assert statuses(result) == {"a": "suspended", "w": "asking"}
    assert result.messages[0].run_id == "w#k"


def test_a_run_that_comes_to_stay_before_the_message_is_read_has_its_branches_judged():
    talk = Talk("t", prompt="Ajude.", branches=[Branch(when="quer sair", then="s")])
    steps = [Wait("w", wait="1h", else_="end"), Say("s", say="Tchau."), talk]
    chat = chat_with(flow(*steps, on=None, **STAYS))
    chat.take(start={"flow": "a", "key": "k"})
    result = chat.hear(understand=judged(branches={"t/0": True}), speak=said())
    assert codes(result) == ["replied", "branch", None, None]


def test_one_that_a_wake_woke_waits_behind_the_asker_to_stay():
    waits = flow(Wait("w", wait="1h"), Do("d", "agir", then="end"), HELP, id="w", on=None, **STAYS)
    chat = chat_with(asks("a", "um", on=None), waits)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    (wake,) = chat.take(start={"flow": "w", "key": "k"}).schedule
    assert statuses(chat.take(wake=wake.key)) == {"a": "asking", "w": "suspended"}


def test_a_flow_without_a_talk_step_does_not_stay():
    chat = chat_with(flow(Say("s", say="Oi"), **STAYS))
    assert [run.reason for run in chat.hear().ended] == ["end"]


def test_a_run_stays_on_the_talk_step_that_it_took_last():
    steps = [
        Talk("one", collect=["um"], then="end"),
        Talk("two", collect=["dois"]),
        Talk("three", collect=["tres"]),
    ]
    chat = chat_with(flow(*steps, on=None, **STAYS))
    result = chat.take(start={"flow": "a", "key": "k"}, speak=said(um=True))
    (run,) = result.session.runs
    assert (run.step_id, run.staying, run.visits) == ("one", True, {"one": 2})


def test_a_staying_run_says_once_that_a_field_ran_out_of_asks():
    steps = [Do("d", "agir", then="end"), Talk("t", collect=["um"], max_asks=2)]
    chat = chat_with(flow(*steps, on=None, **STAYS))
    chat.take(start={"flow": "a", "key": "k"})
    lines = [codes(chat.hear(speak=said())) for _ in range(3)]
    assert lines == [[None], [None, "max-asks"], [None]]


def test_each_answer_of_a_staying_run_is_a_visit_of_its_own():
    chat = chat_with(flow(HELP, on=None, **STAYS))
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    keys = [chat.hear(speak=said()).messages[0].key for _ in range(3)]
    assert keys == ["a#k:t:2", "a#k:t:3", "a#k:t:4"]


# --- ending and starting anew -----------------------------------------------------------------


def test_a_chain_hands_the_floor_to_its_child():
    parent = flow(Do("d", "agir", then=Chain("b")), id="a", on=ALWAYS)
    chat = chat_with(parent, asks("b", "um", on=None), asks("c", "dois", on=None))
    chat.take(start={"flow": "c", "key": "k"}, speak=said())
    result = chat.hear(understand=judged(flows={"a": 90}), speak=said("E um?"))
    assert (texts(result), statuses(result)) == (["E um?"], {"c": "suspended", "b": "asking"})
    assert [run.reason for run in result.ended] == ["flow"]


def test_a_child_that_stays_after_its_parent_had_the_floor_suspends_the_asker():
    parent = flow(Do("d", "agir", then=Chain("b")), id="a", on=ALWAYS)
    child = flow(Do("d", "agir", then="end"), HELP, id="b", on=None, **STAYS)
    chat = chat_with(asks("c", "dois", on=None), parent, child)
    chat.take(start={"flow": "c", "key": "k"}, speak=said())
    result = chat.hear(understand=judged(flows={"a": 90}), speak=said("Pois não?"))
    assert (texts(result), statuses(result)) == (["Pois não?"], {"c": "suspended", "b": "asking"})


def test_a_child_of_a_detector_does_not_take_the_message_from_the_asker():
    detector = flow(Do("d", "agir", then=Chain("b")), id="d", on=[Mention()])
    child = flow(Do("d", "agir", then="end"), HELP, id="b", on=None, **STAYS)
    chat = chat_with(asks("a", "um", on=None), detector, child)
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    result = chat.hear(speak=said("E um?"))
    assert (texts(result), statuses(result)) == (["E um?"], {"a": "asking", "b": "suspended"})


def test_a_child_takes_the_floor_that_nobody_has_after_a_refused_start():
    detector = flow(Do("d", "agir", then=Chain("b")), id="d", on=[Mention()])
    child = flow(Do("d", "agir", then="end"), HELP, id="b", on=None, **STAYS)
    parked = flow(Wait("w", wait="1h"), id="r", on=ALWAYS)
    chat = chat_with(asks("a", "um", on=None), detector, child, parked)
    chat.take(start={"flow": "r", "key": "k"})
    chat.take(start={"flow": "a", "key": "k"}, speak=said())
    result = chat.hear(understand=judged(flows={"r": 90}), speak=said("Pois não?"))
    assert [skip.code for skip in result.skipped] == ["already-running"]
    assert statuses(result) == {"r": "waiting", "a": "suspended", "b": "asking"}


def test_a_child_starts_under_its_parent_s_key_and_one_hop_on():
    chat = chat_with(flow(Say("s", say="x", then=Chain("b"))), flow(Say("s", say="y"), id="b"))
    result = chat.hear(id="m1")
    child = result.ended[-1]
    assert (child.id, child.hop, child.trigger.kind) == ("b#a#m1:s:1", 1, "flow")
    assert child.dedupe_key == "b:s1:a#m1:s:1"


def test_a_reset_keeps_what_is_known_and_a_chain_into_itself_forgets():
    steps = [Talk("t", collect=["um"]), Say("s", say="Anotado.")]
    reset = chat_with(flow(*steps, on=None, clear_on_start=["um"], on_end="reset"))
    loop = chat_with(
        flow(steps[0], Say("s", say="x", then=Chain("a")), on=None, clear_on_start=["um"])
    )
    for chat in (reset, loop):
        chat.take(start={"flow": "a", "key": "k"}, speak=said(um=True))
    assert (reset.data, loop.data) == ({"um": True}, {})


def test_an_empty_flow_ends_whatever_its_end_is():
    for on_end in ("reset", "stay", None):
        result = chat_with(flow(on=None, on_end=on_end)).take(start={"flow": "a", "key": "k"})
        assert [run.reason for run in result.ended] == ["end"]


@pytest.mark.parametrize("target", ["s", Goto("s"), Goto("s", clear=["um"])])
def test_a_jump_back_is_a_visit_more(target: Any):
    back = Wait("w", wait="1h", then=target)
    chat = chat_with(flow(Say("s", say="Oi"), back, on=None))
    (wake,) = chat.take(start={"flow": "a", "key": "k"}).schedule
    chat.clock.advance("1h")
    assert [message.key for message in chat.take(wake=wake.key).messages] == ["a#k:s:2"]


def test_a_flow_that_is_chained_to_and_gone_is_a_skip():
    chat = chat_with(flow(Say("s", say="x", then=Chain("{{context.para}}"))))
    (skip,) = chat.hear(id="m1", context={"para": "nada"}).skipped
    assert (skip.flow_id, skip.trigger_key, skip.code) == ("nada", "a#m1:s:1", "flow-gone")


def test_a_silence_run_that_chained_is_judged_no_more():
    nudge = flow(Say("s", say="Oi?", then=Chain("b")), id="n", on=[Silence("1h")])
    child = flow(Wait("w", wait="1h"), Say("s", say="Ainda aí?"), id="b", on=None)
    chat = chat_with(flow(Say("s", say="Olá")), nudge, child)
    (wake,) = chat.hear().schedule
    chat.clock.advance("1h")
    parked, *_ = chat.take(wake=wake.key).schedule
    chat.clock.advance("30m")
    chat.hear()
    chat.clock.advance("30m")
    assert texts(chat.take(wake=parked.key)) == ["Ainda aí?"]


def test_a_silence_run_ends_at_its_wake_once_the_customer_wrote():
    nudge = flow(Wait("w", wait="1h"), Say("s", say="Ainda aí?"), id="n", on=[Silence("1h")])
    chat = chat_with(flow(Say("s", say="Olá")), nudge)
    (wake,) = chat.hear().schedule
    chat.clock.advance("1h")
    (parked,) = chat.take(wake=wake.key).schedule
    chat.clock.advance("1m")
    chat.hear()
    result = chat.take(wake=parked.key)
    assert codes(result) == ["no-reply", "customer-replied"]


def test_an_event_that_starts_a_newer_run_replaces_the_one_that_waits_to_begin():
    chat = chat_with(flow(Say("s", say="Oi"), on=[Event("pago", after="1h")]))
    chat.take(event="pago", key="e1")
    result = chat.take(event="pago", key="e2")
    (ended,) = result.ended
    assert (ended.id, ended.reason, ended.status) == ("a#e1", "replaced", "waiting")
    assert ended.waiting is not None


def two_waiting(else_: str, *steps: Any) -> Chat:
    """A conversation in which two flows wait for the customer; `a` began first."""
    waits = [Wait("w", wait="1h", else_=else_), *steps]
    chat = chat_with(*(flow(*waits, id=name, on=None, **STAYS) for name in ("a", "b")))
    for name in ("a", "b"):
        chat.take(start={"flow": name, "key": "k"})
    return chat


def test_each_run_that_a_message_wakes_counts_as_the_one_it_went_to_while_it_follows():
    chat = two_waiting("end", HELP)
    assert statuses(chat.hear(speak=said())) == {"a": "suspended", "b": "asking"}


def test_once_it_has_followed_only_the_first_one_has_the_floor():
    chat = two_waiting("d", Do("d", "agir", then="end"), HELP)
    assert statuses(chat.hear(speak=said())) == {"a": "asking", "b": "suspended"}
