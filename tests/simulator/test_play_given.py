"""Where a conversation stands at the start, what a matrix varies, and how far a play may go."""

import json
from typing import Any

import pytest

from simulator.place import ScenarioFileError
from tests.simulator.conftest import Write
from tests.simulator.kit import (
    HELLO,
    TALKER,
    agent,
    entries,
    failures,
    flow,
    played,
    played_all,
    said,
    say,
)

STORED: dict[str, Any] = {
    "id": "s1",
    "v": 4,
    "version": 6,
    "data": {"nome": "Ana"},
    "runs": [],
    "claims": {},
    "inputs": ["m1"],
    "metadata": {"canal": "whatsapp"},
    "lastUserAt": "2026-01-05T08:00:00.000Z",
    "lastAssistantAt": "2026-01-05T08:30:00.000Z",
}
PARKED: dict[str, Any] = {
    "id": "f#x",
    "flowId": "f",
    "anchor": "s1",
    "dedupeKey": "f:s1:x",
    "stepId": "a",
    "status": "waiting",
    "trigger": {"kind": "event", "key": "x"},
    "hop": 0,
    "startedAt": "2026-01-05T08:00:00.000Z",
    "waiting": {
        "kind": "timer",
        "key": "f#x:a:1767607200000",
        "until": "2026-01-05T10:00:00.000Z",
        "setAt": "2026-01-05T08:00:00.000Z",
    },
    "asked": {},
    "visits": {"a": 1},
    "outcomes": [],
}
WAITS = agent(
    flow("f", {"id": "a", "wait": "2h"}, say("Passou", "b")),
    flow("nudge", say("Ainda aí?"), on=[{"silence": "1h"}]),
)
SILENCE = "silence:nudge:s1:1767601800000"


# --- a stored session ---------------------------------------------------------------------------


def test_a_stored_session_goes_on_where_it_stood():
    record = played(
        """
        - expect: {stored: {version: 6}, data: {nome: Ana}, session: {metadata: {canal: whatsapp}}}
        - {message: de novo, id: m1, expect: {outcomes: [{code: duplicate-input}]}}
        - {event: oi, expect: {session: {version: 6}, stored: {version: 7}}}
        """,
        given={"session": STORED},
    )
    assert not record.failures


def test_what_a_stored_session_waits_on_is_worked_out():
    record = played(
        f"""
        - expect: {{pending: ["{SILENCE}", "f#x:a:1767607200000"]}}
        - advance: 1h
          fired: [{{expect: {{replies: [Ainda aí?]}}}}, {{expect: {{replies: [Passou]}}}}]
        """,
        agent=WAITS,
        given={"session": {**STORED, "runs": [PARKED]}},
    )
    assert not record.failures
    assert entries(record) == ["2.1", "2.2"]


def test_what_waits_may_be_said_instead():
    pending = [{"key": SILENCE, "at": "2026-01-05T11:00:00Z"}, {"key": "x#1", "at": "2026-01-05"}]
    record = played(
        f"""
        - {{advance: 1h, fired: [{{expect: {{outcomes: [{{code: stale-wake}}]}}}}]}}
        - expect: {{pending: ["{SILENCE}"]}}
        """,
        agent=WAITS,
        given={"session": {**STORED, "runs": [PARKED]}, "pending": pending},
    )
    assert not record.failures


def test_nothing_waits_when_that_is_said():
    given = {"session": STORED, "pending": []}
    assert not failures("- {advance: 9d, fired: []}", agent=WAITS, given=given)


def test_what_waits_may_be_said_in_times_of_the_scenario():
    pending = [{"key": "x#${ms(start)}", "at": "${start+1h}"}]
    assert not failures(
        "[{expect: {pending: ['x#${ms(start)}']}}, {advance: 1h, fired: [{}]}]",
        given={"session": STORED, "pending": pending},
    )


def test_what_waits_needs_no_session():
    pending = [{"key": "x#1", "at": "2026-01-05T10:00:00Z"}]
    turns = "- {advance: 1h, fired: [{expect: {outcomes: [{code: no-session}]}}]}"
    assert not failures(turns, given={"pending": pending})


def test_the_context_counts_for_what_a_stored_session_waits_on():
    gated = agent(
        flow("nudge", say("Ainda aí?"), on=[{"silence": "1h", "if": {"vip": True}}]),
        conditions={"vip": {"path": "context.vip", "op": "equals"}},
    )
    turns = "- {expect: {pending: PENDING}}"
    for vip, pending in ((True, f'["{SILENCE}"]'), (False, "[]")):
        text = turns.replace("PENDING", pending)
        given = {"session": STORED}
        assert not failures(text, agent=gated, given=given, context={"vip": vip})


def test_times_in_what_the_host_knows_count_for_what_a_stored_session_waits_on():
    again = {"silence": "1h", "repeat": {"cooldown": "2h"}}
    nudges = agent(flow("nudge", say("Ainda aí?"), on=[again]))
    for ago, pending in (("1h", "[]"), ("3h", f'["{SILENCE}"]')):
        claims = {"held": {"nudge:s1:": f"${{start-{ago}}}"}}
        turns = f"- expect: {{pending: {pending}}}"
        assert not failures(turns, agent=nudges, given={"session": STORED}, claims=claims)


def test_a_stored_session_may_stand_in_a_file(write: Write):
    write("sessions/s.json", json.dumps(STORED))
    assert not failures("- expect: {stored: {version: 6}}", given={"session": "sessions/s.json"})


@pytest.mark.parametrize(
    "broken",
    [
        {"v": 3},
        {"runs": None},
        {"lastAssistantAt": "ontem"},
        {"runs": [{**PARKED, "waiting": {**PARKED["waiting"], "until": "ontem"}}]},
    ],
    ids=["version", "shape", "time", "time-of-a-wait"],
)
def test_what_is_no_session_is_refused_at_its_place(broken: dict[str, Any]):
    with pytest.raises(ScenarioFileError) as caught:
        played("- expect: {}", agent=WAITS, given={"session": {**STORED, **broken}})
    assert caught.value.place[:2] == ("s.yaml", 5)
    assert "InvalidSessionError" in str(caught.value)


# --- a matrix -----------------------------------------------------------------------------------


def test_a_matrix_plays_every_combination_and_names_it():
    records = played_all(
        "- {event: oi}",
        agent=agent(flow("f", say("{{context.lead.nome}} {{context.lead.dono}}"))),
        context={"lead": {"nome": "?", "dono": "?"}},
        matrix={"context.lead.nome": ["Ana", "Bia"], "context.lead.dono": ["ia", "humano"]},
    )
    assert [said(record) for record in records] == [
        [["Ana ia"]],
        [["Ana humano"]],
        [["Bia ia"]],
        [["Bia humano"]],
    ]
    assert records[1].scenario == "t [context.lead.nome=Ana, context.lead.dono=humano]"


def test_a_matrix_varies_the_clock():
    clocks = ["2026-03-29T00:30:00Z", "2024-02-28T23:50:00Z"]
    records = played_all(
        '- {event: oi, expect: {sent: [{at: "${start}"}]}}', agent=HELLO, matrix={"clock": clocks}
    )
    assert [record.turns[0].now[:10] for record in records] == ["2026-03-29", "2024-02-28"]
    assert not [record.failures for record in records if record.failures]


def test_each_combination_starts_from_nothing():
    turns = "- {event: oi, expect: {stored: {version: 1}, sent: [{text: Oi!}]}}"
    records = played_all(turns, agent=HELLO, matrix={"session": ["a", "b", "a"]})
    assert [record.status for record in records] == ["passed"] * 3


def test_one_combination_may_fail_alone():
    records = played_all(
        "- {event: oi, expect: {replies: [Ana]}}",
        agent=agent(flow("f", say("{{context.nome}}"))),
        matrix={"context.nome": ["Ana", "Bia"]},
    )
    assert [record.status for record in records] == ["passed", "failed"]


# --- how far a play may go ----------------------------------------------------------------------


def test_a_thousand_turns_play():
    entry = "- {message: oi, model: {speak: {message: Olá}}, expect: {llmCalls: 1, replies: [Olá]}}"
    turns = "\n".join([entry] * 1_000)
    record = played(turns, agent=TALKER, budget={"llmCalls": 1_000})
    assert (record.status, len(record.turns)) == ("passed", 1_000)
    assert record.llm_calls == 1_000


def test_a_thousand_wakes_fire():
    again = agent(
        flow("f", {"id": "a", "wait": "1h"}, say("Oi!", "b", then="a")),
    )
    record = played("[{event: oi}, {advance: 1000h, expect: {sent: {$length: 1000}}}]", agent=again)
    assert (record.failures, len(record.turns)) == ([], 1_001)
