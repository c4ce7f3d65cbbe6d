"""Inputs that arrive twice, and processes that die before the save or before the sending."""

from typing import Any

import pytest

from falai import Action, Agent, Do, Event, EventDef, Flow, If, Say
from tests.simulator.kit import (
    TALKER,
    TIMER,
    agent,
    do,
    entries,
    failures,
    flow,
    played,
    said,
    say,
)

HANDLED = "the second delivery was handled, not ignored"

# --- what arrives twice -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("{message: oi, model: {speak: {message: Olá}}, deliver: twice}", "duplicate-input"),
        ("{event: oi, deliver: twice}", "already-claimed"),
        ("{start: uma, deliver: twice}", "already-claimed"),
        ("{wake: next, deliver: twice}", "stale-wake"),
    ],
    ids=["message", "event", "start", "wake"],
)
def test_what_arrives_twice_happens_once(entry: str, code: str):
    parts = {**TIMER, "idle": {"prompt": "Responda."}}
    record = played(f"[{{event: oi, session: x}}, {entry}]", agent=parts)
    assert not record.failures
    first, again = record.turns[1:]
    assert again.input == first.input
    assert code in str(again.result)


def test_a_fired_wake_may_arrive_twice():
    record = played(
        "[{event: oi}, {advance: 1h, fired: [{deliver: twice, expect: {sent: [{}]}}]}]", agent=TIMER
    )
    assert not record.failures
    assert entries(record) == ["1", "2.1", "2.1 again"]


def test_the_second_delivery_comes_after_the_save():
    record = played("[{event: oi, deliver: twice, expect: {stored: {version: 1}}}]")
    assert not record.failures
    versions = [turn.result.session.version for turn in record.turns if turn.result]
    assert versions == [0, 1]


def test_an_event_that_starts_nothing_new_is_known_by_its_claim():
    assert not failures(
        """
        - {event: oi, key: k}
        - {event: oi, key: k, expect: {skipped: [{code: already-claimed, triggerKey: k}]}}
        - {event: oi, expect: {started: [{runId: "hello#e3"}]}}
        """
    )


def test_a_message_without_an_id_cannot_be_known():
    turns = "[{message: oi, id: null, deliver: twice, model: {speak: {message: Olá}}}]"
    assert failures(turns, agent=TALKER) == [(3, "deliver", HANDLED)]


def test_a_message_without_an_id_that_two_waits_take_is_not_ignored():
    first, second = ({"id": name, "wait": "1h", "else": then} for name, then in ("ab", "bc"))
    patient = agent(flow("f", first, second, say("Ah!", "c")))
    turns = "- event: oi\n- {message: oi, id: null, deliver: twice}"
    assert failures(turns, agent=patient) == [(4, "deliver", HANDLED)]
    assert not failures(turns.replace("id: null", "id: m"), agent=patient)


def test_a_second_delivery_that_starts_a_run_fails():
    often = {"message": [], "repeat": {"cooldown": "0s"}}
    quick = agent(flow("f", {"id": "a", "if": {"silenced": True}}, on=[often]))
    turns = "- {message: oi, id: null, deliver: twice}"
    [(_, path, message)] = failures(turns, agent=quick)
    assert (path, message) == ("deliver", "the second delivery started f#2026-01-05T09:00:00.000Z")


def waiting(*then: dict[str, Any]) -> dict[str, Any]:
    """An agent that waits for the same event twice."""
    first, second = ({"id": name, "wait": {"event": "pago"}} for name in ("a", "b"))
    return agent(flow("f", first, second, *then))


def test_an_event_that_two_waits_take_is_not_ignored():
    turns = "- event: oi\n- {event: pago, deliver: twice}"
    assert failures(turns, agent=waiting(say("Pago!", "c"))) == [(4, "deliver", HANDLED)]


def test_an_event_that_two_waits_take_without_a_word_is_not_ignored_either():
    turns = "- event: oi\n- {event: pago, deliver: twice}"
    assert failures(turns, agent=waiting({"id": "c", "wait": "1h"})) == [(4, "deliver", HANDLED)]


# --- a crash before the save --------------------------------------------------------------------

ACTS = agent(
    flow("f", do(), say("Feito", "b"), {"id": "c", "wait": "1h"}),
    actions={"agir": {"returns": [{"ok": True, "detail": n} for n in "123"]}},
)


def test_a_crash_before_the_save_plays_the_turn_again_under_the_same_keys():
    record = played("- {event: oi, crash: before-save}", agent=ACTS)
    assert entries(record) == ["1", "1 again"]
    assert [action.key for turn in record.turns for action in turn.actions] == ["f#e1:a:1"] * 2
    assert record.turns[0].result == record.turns[1].result


def test_what_was_lost_is_neither_stored_nor_sent_nor_scheduled():
    assert not failures(
        """
        - event: oi
          crash: before-save
          expect:
            stored: {version: 1}
            sent: [{text: Feito, key: "f#e1:b:1"}]
            pending: ["f#e1:c:${ms(now+1h)}"]
        - {advance: 1h, fired: [{}]}
        """,
        agent=ACTS,
    )


def test_what_was_lost_uses_up_no_results():
    record = played("[{event: oi, crash: before-save}, {event: oi, session: b}]", agent=ACTS)
    lines = [turn.result.outcomes[0] for turn in record.turns if turn.result]
    assert [line.detail for line in lines] == ["1", "1", "2"]


def test_a_crash_before_the_save_plays_the_same_script_twice():
    record = played(
        "- {message: oi, crash: before-save, model: {speak: {message: Olá}}, "
        "expect: {llmCalls: 1, sent: [{text: Olá}]}}",
        agent=TALKER,
    )
    assert not record.failures
    assert (record.llm_calls, said(record)) == (2, [["Olá"], ["Olá"]])


def test_a_fired_wake_may_crash():
    record = played(
        "[{event: oi}, {advance: 1h, fired: [{crash: before-save, expect: {sent: [{}]}}]}]",
        agent=TIMER,
    )
    assert not record.failures
    assert entries(record) == ["1", "2.1", "2.1 again"]


class Coin:
    """A condition that says something else each time, as no condition may."""

    def __init__(self) -> None:
        self.heads = False

    def toss(self, _ctx: Any, wanted: bool) -> bool:
        self.heads = not self.heads
        return self.heads is wanted


def erratic() -> Agent:
    """An agent that plays the same input in two ways."""
    steps = [If("c", {"coin": True}, else_="b"), Do("a", "agir"), Say("b", "Oi!")]
    return Agent(
        name="Ana",
        flows=[Flow(id="f", name="f", on=[Event("oi")], steps=steps)],
        conditions={"coin": Coin().toss},
        actions={"agir": Action(lambda _args, _ctx: {"ok": True})},
        events={"oi": EventDef()},
    )


def test_a_turn_that_makes_other_keys_the_second_time_fails():
    record = played(
        "- {event: oi, crash: before-save}", agent="tests.simulator.test_play_faults:erratic"
    )
    [failure] = record.failures
    assert (failure.line, failure.path) == (3, "crash")
    assert failure.message == "the turn made other keys when it was played again"
    assert (failure.wanted["actions"], failure.got["actions"]) == (["f#e1:a:1"], [])


# --- a crash before the sending -----------------------------------------------------------------


def test_a_crash_before_the_sending_sends_once_from_the_outbox():
    assert not failures(
        """
        - event: oi
          crash: before-send
          expect: {sent: [{text: Oi!, at: "${now}"}], stored: {version: 1}}
        - {event: oi, expect: {sent: [{key: "hello#e1:a:1"}, {key: "hello#e2:a:1"}]}}
        - expect: {sent: {$length: 2}}
        """
    )


def test_a_crash_before_the_sending_plays_the_turn_once():
    record = played("- {event: oi, crash: before-send}", agent=ACTS)
    assert entries(record) == ["1"]
    assert len(record.turns[0].actions) == 1


def test_wakes_survive_a_crash_before_the_sending():
    assert not failures(
        """
        - {event: oi, crash: before-send, expect: {pending: [{$startsWith: uma}]}}
        - {advance: 1h, fired: [{crash: before-send, expect: {replies: [1h], sent: [{}]}}]}
        """,
        agent=TIMER,
    )


def test_what_is_delivered_again_after_a_crash_is_known():
    record = played("- {event: oi, crash: before-send, deliver: twice, expect: {sent: [{}]}}")
    assert not record.failures
    assert said(record) == [["Oi!"], []]


# --- when a message goes out --------------------------------------------------------------------

PAUSES = agent(
    flow(
        "f",
        say("um"),
        {"id": "b", "wait": "2s"},
        say("dois", "c"),
        {"id": "d", "wait": "3s"},
        say("três", "e"),
    )
)


def test_messages_go_out_in_order_each_after_the_one_before():
    assert not failures(
        """
        - event: oi
          expect:
            sent:
              - {text: um, at: "${now}", sessionId: s1}
              - {text: dois, at: "${now+2s}", afterMs: 2000}
              - {text: três, at: "${now+5s}", afterMs: 3000}
        """,
        agent=PAUSES,
    )
