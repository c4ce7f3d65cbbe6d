"""What each entry lets happen: inputs, their ids, and what the host knows at them."""

from typing import Any

import pytest

from tests.simulator.kit import (
    START,
    TALKER,
    agent,
    entries,
    failures,
    flow,
    played,
    replies,
    said,
    say,
)

# --- messages -----------------------------------------------------------------------------------


def test_a_message_has_the_number_of_its_entry_as_id():
    record = played("[{expect: {}}, {message: oi}, {message: tchau, id: wamid.1}]")
    assert [turn.input["id"] for turn in record.turns] == ["m2", "wamid.1"]
    assert not record.failures


def test_a_message_may_come_without_an_id():
    assert not failures(
        """
        - message: oi
          id: null
          expect: {session: {inputs: []}}
        - message: de novo
          expect: {session: {inputs: [m2]}}
        """
    )


def test_a_message_may_have_been_written_earlier():
    assert not failures(
        """
        - message: oi
          at: ${now-5m}
          expect: {session: {lastUserAt: "2026-01-05T08:55:00.000Z"}}
        - message: oi
          expect: {session: {lastUserAt: "2026-01-05T09:00:00.000Z"}}
        """
    )


def test_times_in_a_message_are_those_of_its_turn():
    record = played(
        """
        - advance: 1h
        - message: "são ${now}, começou ${start}, e $${now} fica"
        """
    )
    assert record.turns[0].input["message"] == (
        f"são 2026-01-05T10:00:00.000Z, começou {START}, e ${{now}} fica"
    )


# --- events and starts --------------------------------------------------------------------------

ORDER = agent(
    flow("f", say("{{input.item}}")),
    flow("g", say("{{input}}"), on=None),
    actions={"agir": {}},
)


def test_an_event_has_a_key_of_its_own_and_carries_its_payload():
    assert not failures(
        """
        - event: oi
          payload: {item: lamp}
          expect: {started: [{runId: "f#e1"}], replies: [lamp]}
        - event: oi
          key: pedido-7
          expect: {started: [{runId: "f#pedido-7"}], replies: ["{{input.item}}"]}
        """,
        agent=ORDER,
    )


def test_a_payload_of_null_is_carried_too():
    assert not failures(
        """
        - {event: oi, payload: null, expect: {replies: [""]}}
        - {start: f, input: null, expect: {replies: [""]}}
        - {start: f, expect: {replies: ["{{input.item}}"]}}
        """,
        agent=ORDER,
    )


def test_a_start_has_a_key_of_its_own_and_carries_its_input():
    assert not failures(
        """
        - {start: g, input: um, expect: {started: [{runId: "g#k1"}], replies: [um]}}
        - {start: g, key: x, input: dois, expect: {started: [{runId: "g#x"}], replies: [dois]}}
        - start: {flow: g, key: y, input: três}
          expect: {started: [{runId: "g#y"}], replies: [três]}
        """,
        agent=ORDER,
    )


def test_hops_of_the_host_count():
    assert not failures(
        """
        - {event: oi, hop: 4, payload: {item: a}, expect: {replies: [a]}}
        - {event: oi, hop: 5, expect: {skipped: [{code: hop-limit}]}}
        - {start: g, hop: 5, expect: {skipped: [{code: hop-limit}]}}
        - {start: {flow: g, hop: 5}, expect: {skipped: [{code: hop-limit}]}}
        """,
        agent=ORDER,
    )


def test_times_in_payloads_and_keys_are_filled_in():
    record = played("- {event: oi, key: 'k-${ms(now)}', payload: {item: '${now}'}}", agent=ORDER)
    assert record.turns[0].input["key"] == "k-1767603600000"
    assert said(record) == [[START]]


def test_a_flow_that_is_not_there_is_skipped():
    assert not failures("- {start: nada, expect: {skipped: [{flowId: nada, code: flow-gone}]}}")


# --- looking without an input -------------------------------------------------------------------


def test_a_lone_expect_looks_at_what_is_stored():
    record = played(
        """
        - expect: {stored: null, session: null, data: {$exactly: {}}, runs: [], floor: null}
        - event: oi
        - expect: {stored: {version: 1, id: s1}, session: {version: 1}, sent: [{text: Oi!}]}
        - {session: outra, expect: {stored: null}}
        - exactly: {runs: [], pending: []}
        """
    )
    assert not record.failures
    assert entries(record) == ["2"]


def test_a_lone_expect_sees_no_turn():
    assert not failures(
        """
        - event: oi
        - expect:
            {replies: [], messages: null, outcomes: null, llmCalls: null, calls: [], error: null}
        """
    )


def test_a_lone_expect_that_does_not_hold_fails():
    assert failures("[{event: oi}, {expect: {sent: [], stored: {version: 2}}}]") == [
        (3, "sent[0]", "not expected: the list has 1 element, not 0"),
        (3, "stored.version", "it differs"),
    ]


# --- what is recorded ---------------------------------------------------------------------------


def test_a_failed_entry_does_not_stop_the_others():
    record = played(
        """
        - {event: oi, expect: {replies: [Olá!]}}
        - {event: oi, expect: {replies: [Oi!]}}
        - {event: oi, expect: {floor: hello}}
        """
    )
    assert record.status == "failed"
    assert [failure.line for failure in record.failures] == [3, 5]
    assert entries(record) == ["1", "2", "3"]


def test_a_play_says_what_it_was_and_what_it_cost():
    record = played("- {message: oi, model: {speak: {message: Olá}}}", agent=TALKER)
    assert (record.file, record.scenario, record.status) == ("s.yaml", "t", "passed")
    assert (record.llm_calls, record.usage) == (1, None)
    assert record.duration_ms >= 0


def test_usage_is_the_sum_of_what_was_counted():
    record = played(
        """
        - message: oi
          model: {speak: {message: a, usage: {promptTokens: 10, completionTokens: 2}}}
        - message: oi
          model: {speak: {message: b, usage: {promptTokens: 5, cachedInputTokens: 3}}}
        - message: oi
          model: {speak: {message: c}}
        """,
        agent=TALKER,
    )
    assert record.usage is not None
    counted = record.usage
    assert (counted.prompt_tokens, counted.completion_tokens) == (15, 2)
    assert counted.cached_input_tokens == 3


def test_sessions_are_apart():
    assert not failures(
        """
        - {event: oi, session: a}
        - {event: oi, session: b, expect: {stored: {id: b, version: 1}}}
        - {session: a, expect: {stored: {version: 1}, sent: [{sessionId: a}, {sessionId: b}]}}
        - expect: {stored: null}
        """
    )


def test_the_session_of_a_scenario_is_where_its_entries_play():
    record = played(
        "[{event: oi}, {expect: {stored: {id: 'whatsapp:+55'}}}]", session="whatsapp:+55"
    )
    assert not record.failures
    assert record.turns[0].input["sessionId"] == "whatsapp:+55"


def test_the_clock_of_a_scenario_is_where_time_starts():
    record = played("- {event: oi}", clock="2026-09-20T10:00:00-03:00")
    assert record.turns[0].now == "2026-09-20T13:00:00.000Z"
    assert played("- {event: oi}").turns[0].now == START


# --- what the host knows ------------------------------------------------------------------------

KNOWING = agent(
    flow("hello", say("Oi!")),
    flow("f", say("{{context.nome}}"), on=[{"silence": "1h"}], anchor="lead"),
)


def seen(turn: Any) -> list[str]:
    """What a start of `f` shows of what the host knows."""
    result = turn.result
    anchors = [started.anchor for started in result.started]
    return [*anchors, *[skip.code for skip in result.skipped], *replies(turn)]


class Known:
    """Something that the host knows, in two ways, and what `f` shows then."""

    def __init__(
        self, key: str, *, one: Any, shows: list[str], other: Any, then: list[str]
    ) -> None:
        self.key, self.one, self.shows = key, one, shows
        self.other, self.then = other, then


KNOWN = [
    Known(
        "context",
        one={"nome": "Ana"},
        shows=["s1", "Ana"],
        other={"x": 1},
        then=["s1", "{{context.nome}}"],
    ),
    Known(
        "anchors",
        one={"lead": {"key": "l1"}},
        shows=["l1", "{{context.nome}}"],
        other=None,
        then=["s1", "{{context.nome}}"],
    ),
    Known(
        "claims",
        one={"active": ["f:s1"]},
        shows=["already-running"],
        other=None,
        then=["s1", "{{context.nome}}"],
    ),
    Known(
        "silenced",
        one="humano",
        shows=["s1"],
        other=None,
        then=["s1", "{{context.nome}}"],
    ),
]
all_known = pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.key)


@all_known
def test_an_entry_replaces_a_default_for_its_turn(known: Known):
    record = played(
        f"""
        - {{start: f}}
        - {{start: f, {known.key}: {known.other or "null"}}}
        - {{start: f}}
        """,
        agent=KNOWING,
        **{known.key: known.one},
    )
    assert [seen(turn) for turn in record.turns] == [known.shows, known.then, known.shows]


@all_known
def test_a_fired_wake_inherits_from_its_entry_or_has_its_own(known: Known):
    turns = f"""
        - {{event: oi, silenced: null}}
        - {{event: oi, session: b, silenced: null}}
        - advance: 1h
          {known.key}: {known.one}
          fired: [{{}}, {{{known.key}: {known.other or "null"}}}]
        """
    record = played(turns, agent=KNOWING)
    own = ["b" if word == "s1" else word for word in known.then]
    assert [seen(turn) for turn in record.turns[2:]] == [known.shows, own]


@all_known
def test_a_wake_that_is_not_listed_knows_what_its_entry_knows(known: Known):
    record = played(f"[{{event: oi}}, {{advance: 1h, {known.key}: {known.one}}}]", agent=KNOWING)
    assert seen(record.turns[-1]) == known.shows


@all_known
def test_a_fired_wake_falls_back_on_the_scenario(known: Known):
    turns = "[{event: oi, silenced: null}, {advance: 1h, fired: [{}]}]"
    record = played(turns, agent=KNOWING, **{known.key: known.one})
    assert seen(record.turns[-1]) == known.shows


@all_known
def test_a_race_hands_down_what_the_host_knows(known: Known):
    record = played(
        f"""
        - {known.key}: {known.one}
          race: [{{start: f}}, {{start: f, {known.key}: {known.other or "null"}}}]
        """,
        agent=KNOWING,
    )
    first, *_, second = record.turns
    assert (seen(first), seen(second)) == (known.shows, known.then)


def test_times_in_what_the_host_knows_are_those_of_the_turn():
    record = played(
        """
        - advance: 1h
        - {start: f}
        - {start: f, context: {nome: "às ${now}"}}
        """,
        agent=KNOWING,
        context={"nome": "${now-1h}"},
    )
    assert said(record) == [[START], ["às 2026-01-05T10:00:00.000Z"]]


def test_a_silence_may_let_the_message_be_read():
    reader = agent(
        flow("f", {"id": "a", "collect": ["nome"]}, on=[{"message": ["x"]}]),
        fields={"nome": {"type": "string", "ask": "Pergunte."}},
        idle={"prompt": "Responda."},
    )
    assert not failures(
        """
        - message: sou a Ana
          silenced: {reason: humano, understand: true}
          model: {understand: {flows: {f: 90}, fields: {nome: Ana}}}
          expect: {calls: [understand], data: {nome: Ana}}
        - {message: de novo, silenced: humano, expect: {calls: []}}
        """,
        agent=reader,
    )


def test_a_wake_for_a_session_that_is_not_there_is_ignored():
    turns = '- {wake: "x#1:a:1", expect: {changed: false, outcomes: [{code: no-session}], stored: null}}'
    assert not failures(turns)
