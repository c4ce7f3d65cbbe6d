"""Time in a play: wakes that fire one by one, time that passes, a clock that is set."""

import pytest

from tests.simulator.kit import (
    HELLO,
    HOUR_MS,
    START_MS,
    TIMER,
    agent,
    entries,
    failures,
    flow,
    played,
    said,
    say,
    shown,
    times,
)

UMA = f"uma#e1:start:{START_MS + HOUR_MS}"
"""The wake of TIMER's flow that speaks after an hour."""


# --- wake: next, and of a flow ------------------------------------------------------------------


def test_the_next_wake_is_the_earliest_of_all_sessions():
    record = played(
        """
        - {event: pago, session: a}
        - {event: oi, session: b}
        - {wake: next, expect: {replies: [1h], pending: []}}
        - {wake: next, expect: {replies: [2h], pending: []}}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert [turn.input["sessionId"] for turn in record.turns] == ["a", "b", "b", "a"]
    assert times(record) == ["09:00", "09:00", "10:00", "11:00"]


def test_the_next_wake_fires_alone():
    assert not failures(
        """
        - {event: oi, session: a}
        - {event: oi, session: b}
        - {wake: next, expect: {sent: [{sessionId: a}]}}
        - {session: b, expect: {pending: [{$startsWith: uma#}]}}
        """,
        agent=TIMER,
    )


def test_a_wake_that_is_overdue_does_not_turn_the_clock_back():
    record = played("[{event: oi}, {advance: 5h, fire: false}, {wake: next}]", agent=TIMER)
    assert times(record) == ["09:00", "14:00"]
    assert said(record)[-1] == ["1h"]


def test_a_flows_wake_is_its_earliest_in_all_sessions():
    record = played(
        """
        - {event: oi}
        - {event: pago, session: b}
        - advance: 30m
        - {event: pago, session: c}
        - {wake: {flow: duas}, expect: {replies: [2h], sent: [{sessionId: b}]}}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert times(record)[-1] == "11:00"


def test_a_flows_wake_may_be_of_its_silence():
    nudge = flow("nudge", say("Ainda aí?"), on=[{"silence": "1d"}])
    record = played(
        "[{event: oi}, {wake: {flow: nudge}, expect: {replies: [Ainda aí?]}}]",
        agent=agent(flow("hello", say("Oi!")), nudge),
    )
    assert not record.failures
    assert record.turns[-1].now == "2026-01-06T09:00:00.000Z"


def test_a_flow_whose_name_only_begins_alike_has_no_wake():
    assert failures("[{event: oi}, {wake: {flow: um}}]", agent=TIMER) == [
        (3, "wake", "there is no wake of flow um to fire")
    ]


def test_a_wake_that_is_not_there_fails_and_plays_nothing():
    record = played("[{event: pago}, {wake: {flow: uma}}, {wake: next}, {wake: next}]", agent=TIMER)
    none, last = record.failures
    assert none.got == [f"duas#e1:start:{START_MS + 2 * HOUR_MS}"]
    assert (last.message, last.got) == ("there is no wake to fire", None)
    assert entries(record) == ["1", "3"]


# --- wake: key ----------------------------------------------------------------------------------


def test_a_wake_by_its_key_fires_where_the_clock_stands():
    record = played(
        """
        - event: oi
        - wake: "uma#e1:start:${ms(now+1h)}"
          expect: {replies: [1h], pending: []}
        - {advance: 2h, fired: []}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert times(record) == ["09:00", "09:00"]


def test_a_wake_by_its_key_may_be_stale():
    assert not failures(
        f"""
        - event: oi
        - advance: 1h
        - wake: {UMA}
          expect: {{changed: false, outcomes: [{{code: stale-wake, key: "{UMA}"}}]}}
        """,
        agent=TIMER,
    )


def test_a_wake_by_its_key_is_of_the_entrys_session():
    assert not failures(
        f"""
        - {{event: oi, session: a, key: k}}
        - {{event: oi, session: b, key: k}}
        - wake: uma#k:start:{START_MS + HOUR_MS}
          session: b
          expect: {{replies: [1h], sent: [{{sessionId: b}}]}}
        - {{session: a, expect: {{pending: [{{$any: true}}]}}}}
        """,
        agent=TIMER,
    )


# --- advance ------------------------------------------------------------------------------------


def test_wakes_fire_in_time_order_each_with_the_clock_at_its_own_time():
    record = played(
        """
        - {event: pago}
        - {event: oi, session: b}
        - advance: 5h
          fired:
            - {expect: {replies: [1h], sent: [{at: "${start+1h}"}]}}
            - {expect: {replies: [2h], outcomes: [{at: "${now}"}]}}
          expect: {sent: [{}, {at: "${now-3h}"}]}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert times(record) == ["09:00", "09:00", "10:00", "11:00"]
    assert entries(record) == ["1", "2", "3.1", "3.2"]


def test_at_the_same_instant_the_first_scheduled_fires_first():
    record = played(
        """
        - {event: pago, session: c}
        - advance: 1h
        - {event: oi, session: b}
        - {event: oi, session: a}
        - {advance: 1h, fired: [{}, {}, {}]}
        """,
        agent=TIMER,
    )
    assert [turn.input["sessionId"] for turn in record.turns[3:]] == ["c", "b", "a"]
    assert times(record)[3:] == ["11:00"] * 3


CHAIN = agent(
    flow(
        "f",
        {"id": "a", "wait": "1h"},
        say("um", "b"),
        {"id": "c", "wait": "1h"},
        say("dois", "d"),
        {"id": "e", "wait": "1h"},
        say("três", "g"),
    )
)


def test_wakes_that_fired_turns_schedule_fire_too_when_they_are_due():
    record = played("[{event: oi}, {advance: 2h, fired: [{}, {}]}, {wake: next}]", agent=CHAIN)
    assert not record.failures
    assert said(record) == [[], ["um"], ["dois"], ["três"]]
    assert times(record) == ["09:00", "10:00", "11:00", "12:00"]


def test_a_wake_is_due_at_its_very_instant_and_not_before():
    turns = "[{event: oi}, {advance: 3599s, fired: []}, {advance: 1s, fired: [{}]}]"
    assert not failures(turns, agent=TIMER)


def test_without_fired_whatever_fires_is_fine():
    record = played("[{event: oi}, {advance: 3h}]", agent=CHAIN)
    assert (record.status, entries(record)) == ("passed", ["1", "2.1", "2.2", "2.3"])


def test_fewer_wakes_than_listed_fail():
    assert failures("[{event: oi}, {advance: 1h, fired: [{}, {}, {}]}]", agent=CHAIN) == [
        (3, "fired", "wakes that fired: 1, expected: 3")
    ]


def test_more_wakes_than_listed_fail_and_are_named():
    record = played("- event: oi\n- {advance: 2h, fired: [{}]}", agent=CHAIN)
    [failure] = record.failures
    key = f"f#e1:c:{START_MS + 2 * HOUR_MS}"
    assert (failure.line, failure.path, failure.got) == (4, "fired[1]", key)
    assert said(record)[-1] == ["dois"]


def test_nothing_may_fire_where_fired_is_empty():
    assert [
        path for path, _, _ in shown("[{event: oi}, {advance: 1h, fired: []}]", agent=CHAIN)
    ] == ["fired[0]"]


def test_a_wake_that_lacks_a_reply_is_named_by_its_place():
    nudge = flow("nudge", {"id": "a", "prompt": "Cutuque."}, on=[{"silence": "1h"}])
    talks = agent(flow("hello", say("Oi!")), nudge)
    turns = """
        - event: oi
        - advance: 1h
          fired:
            - note: sem resposta
        """
    [(line, path, message)] = failures(turns, agent=talks)
    assert (line, path) == (6, "model")
    assert message.startswith("turn 2.1 (line 6): unscripted speak call")


def test_what_a_fired_wake_expects_fails_at_its_own_line():
    turns = """
        - event: oi
        - advance: 1h
          fired:
            - expect:
                replies: [dois]
        """
    assert failures(turns, agent=CHAIN) == [(7, "replies[0]", "it differs")]


def test_time_may_pass_and_nothing_fire():
    record = played(
        """
        - event: oi
        - {advance: 3h, fire: false, expect: {pending: [{$startsWith: uma}]}}
        - {advance: 1m, fired: [{}]}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert times(record) == ["09:00", "12:00"]


def test_the_time_that_passed_is_what_advance_says():
    record = played("[{event: oi}, {advance: 90m}, {advance: 1.5h}, {event: ping}]", agent=TIMER)
    assert times(record) == ["09:00", "10:00", "12:00"]


def test_advance_looks_at_the_state_in_the_end():
    assert not failures(
        """
        - {event: oi, session: b}
        - advance: 2h
          session: b
          expect: {stored: {version: 2}, sent: [{at: "${now-1h}"}], replies: [], pending: []}
          exactly: {runs: [], data: {}}
        """,
        agent=TIMER,
    )


def test_a_wake_that_is_replaced_does_not_fire():
    nudge = flow("nudge", say("Ainda aí?"), on=[{"silence": "1h"}])
    assert not failures(
        """
        - event: oi
        - {advance: 30m}
        - event: oi
        - {advance: 30m, fired: []}
        - {advance: 30m, fired: [{expect: {replies: [Ainda aí?]}}]}
        """,
        agent=agent(flow("hello", say("Oi!")), nudge),
    )


def test_wakes_that_never_end_are_cut_off(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("simulator.play.MOST_WAKES", 20)  # thousands would take seconds
    again = agent(
        flow("f", {"id": "a", "do": "agir"}), actions={"agir": {"returns": {"defer": "0s"}}}
    )
    record = played("[{event: oi}, {advance: 1s}]", agent=again)
    assert [failure.message for failure in record.failures] == [
        "more than 20 wakes fired: they never end"
    ]
    assert len(record.turns) == 21


# --- the clock ----------------------------------------------------------------------------------


def test_the_clock_is_set_without_letting_anything_fire():
    record = played(
        """
        - event: oi
        - {clock: 2026-01-07T08:00:00Z, expect: {pending: [{$any: true}], sent: []}}
        - {event: ping}
        - {clock: "${start+3d}"}
        - {event: ping}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert [turn.now[8:16] for turn in record.turns] == ["05T09:00", "07T08:00", "08T09:00"]


def test_the_clock_does_not_go_back_by_accident():
    record = played("- clock: 2026-01-05T08:59:59Z\n- event: oi")
    [failure] = record.failures
    assert (failure.line, failure.path) == (3, "clock")
    assert times(record) == ["09:00"]


def test_the_clock_goes_back_when_told_to():
    record = played("[{clock: 2026-01-04T08:00:00Z, back: true}, {event: oi}]")
    assert (record.failures, record.turns[0].now) == ([], "2026-01-04T08:00:00.000Z")


def test_the_clock_may_be_set_to_where_it_stands():
    assert not failures("- clock: ${now}")


def test_start_stays_where_the_scenario_began():
    turns = '[{advance: 1h}, {message: "${start}"}]'
    assert played(turns, agent=HELLO).turns[0].input["message"] == "2026-01-05T09:00:00.000Z"
