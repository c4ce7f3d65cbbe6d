"""Promises: each looks at one turn, and says when it does not hold."""

from typing import Any

import pytest
from msgspec.structs import replace

from falai.words.session import fresh_session
from falai.words.turn import Wake
from simulator.agentfile import load_agent
from simulator.promised import PROMISES
from simulator.promises.keys import remember
from simulator.promises.moment import Memory, Moment
from simulator.promises.table import TABLE
from simulator.trace import ActionRecord, ScenarioRecord
from tests.simulator.kit import agent, do, flow, played, say

COLLECT = {"id": "quem", "collect": ["nome"], "kind": "collect"}
PARTS: dict[str, Any] = {"fields": {"nome": {"type": "string"}, "ok": {"type": "boolean"}}}


def moment_of(made: dict[str, Any], turns: str, at: int = -1, **changes: Any) -> Moment:
    """The moment of one turn of a play, with something of it changed afterwards."""
    record: ScenarioRecord = played(turns, agent=made)
    turn = record.turns[at]
    assert turn.result is not None, turn.error
    before = [it.result.session for it in record.turns[:at] if it.result and it.result.changed]
    loaded = replace(before[-1], version=before[-1].version + 1) if before else None
    parts: dict[str, Any] = {
        "agent": load_agent(made).build().agent,
        "before": loaded,
        "result": turn.result,
        "record": turn,
        "memory": Memory(),
        "size": 1_000_000,
    }
    return Moment(**{**parts, **changes})


def broken(name: str, moment: Moment) -> list[str]:
    return [it.what for it in TABLE[name](moment)]


ASKS = agent(flow("f", COLLECT, say("Oi!", "b"), on=[{"message": []}]), **PARTS)
ONE = "- {message: oi, model: {speak: {message: Nome?}}}"


def test_every_name_has_its_promise():
    assert {*TABLE, "replay"} == set(PROMISES)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_an_ordinary_turn_keeps_all_of_them(name: str):
    assert broken(name, moment_of(ASKS, ONE)) == []


def changed(moment: Moment, **session: Any) -> Moment:
    """The moment with another session in its result."""
    result = replace(moment.result, session=replace(moment.result.session, **session))
    return replace(moment, result=result)


def test_two_runs_that_ask():
    moment = moment_of(ASKS, ONE)
    runs = [moment.result.session.runs[0]] * 2
    assert broken("one-asker", changed(moment, runs=runs)) == ["more than one run asks at once"]


def test_a_run_without_its_claim():
    moment = changed(moment_of(ASKS, ONE), claims={})
    assert broken("claims", moment) == ['a run of flow "f" lives without its claim']


def test_a_turn_that_raises_the_version():
    moment = changed(moment_of(ASKS, ONE), version=7)
    assert broken("saves", moment) == ["the turn changed the session's version"]


def test_a_turn_that_speaks_and_changes_nothing():
    moment = moment_of(ASKS, ONE)
    moment = replace(moment, result=replace(moment.result, changed=False))
    what = "a turn that changed nothing sent, scheduled or started something"
    assert broken("saves", moment) == [what]


def test_a_session_that_is_too_large():
    assert broken("size", moment_of(ASKS, ONE, size=10)) == ["the session is too large"]


def test_calls_beyond_the_rounds_of_tools():
    moment = moment_of(ASKS, ONE)
    calls = [*moment.record.calls] * 7
    result = replace(moment.result, llm_calls=7)
    moment = replace(moment, record=replace(moment.record, calls=calls), result=result)
    assert broken("calls", moment) == ["the turn made more speak calls than any turn may"]


def test_calls_that_are_not_owned_up_to():
    moment = moment_of(ASKS, ONE)
    moment = replace(moment, result=replace(moment.result, llm_calls=0))
    assert broken("calls", moment) == ["llmCalls is not what the turn spent"]


# --- keys ---------------------------------------------------------------------------------------

WAITS = agent(flow("f", {"id": "w", "wait": "1h"}, say("Oi!", "b")))
WOKEN = "- {event: oi}\n- {wake: next}"
KEY = "f#e1:w:1767607200000"


def test_a_wake_that_its_run_waits_for_is_honoured_once():
    moment = moment_of(WAITS, WOKEN)
    assert broken("wakes", moment) == []
    remember(moment)
    assert broken("wakes", moment) == ['a wake of flow "f" was honoured twice']


def test_a_wake_that_is_scheduled_anew_may_be_honoured_anew():
    moment = moment_of(WAITS, WOKEN)
    wake = Wake(key=KEY, at="2026-01-05T10:00:00.000Z")
    remember(replace(moment, result=replace(moment.result, schedule=[wake])))
    assert broken("wakes", moment) == []


def test_a_wake_that_nobody_waited_for():
    moment = moment_of(WAITS, WOKEN, before=fresh_session("s1"))
    assert broken("wakes", moment) == ['a wake of flow "f" was honoured, and nobody waited for it']


def acted(*keys: str) -> Moment:
    made = agent(flow("f", do()), actions={"agir": {}})
    moment = moment_of(made, "- {event: oi}")
    actions = [ActionRecord(do="agir", with_={}, key=key) for key in keys]
    return replace(moment, record=replace(moment.record, actions=actions))


def test_an_action_that_runs_twice_under_one_key():
    assert broken("actions", acted("k", "k")) == ["action agir ran twice under one key"]


def test_an_action_of_an_earlier_turn_under_the_same_key():
    first, second = acted("k"), acted("k")
    remember(first)
    assert broken("actions", replace(second, memory=first.memory)) == [
        "action agir ran twice under one key"
    ]


def test_an_action_that_was_put_off_keeps_its_key():
    made = agent(flow("f", do()), actions={"agir": {"returns": [{"defer": "1h"}, {"ok": True}]}})
    first = moment_of(made, "- {event: oi}\n- {wake: next}", at=0)
    remember(first)
    second = moment_of(made, "- {event: oi}\n- {wake: next}", memory=first.memory)
    assert second.record.actions[0].key == first.record.actions[0].key
    assert broken("actions", second) == []


# --- ways ---------------------------------------------------------------------------------------

CLOSED = 'flow "f", step "quem": no way leads from here to an end'
BACK = {"step": "quem", "clear": ["nome"]}


@pytest.mark.parametrize(
    ("steps", "parts", "what"),
    [
        ([{**COLLECT, "then": BACK}], {}, [CLOSED]),
        ([{**COLLECT, "then": "b"}, say("Oi!", "b", then=BACK)], {}, [CLOSED]),
        ([{**COLLECT, "then": BACK}], {"while": {"known": []}}, []),
        ([COLLECT, {"id": "i", "if": {"known": ["ok"]}, "then": BACK, "else": BACK}], {}, [CLOSED]),
        ([COLLECT, {"id": "i", "if": {"known": ["ok"]}, "then": BACK, "else": "end"}], {}, []),
        ([{**COLLECT, "then": BACK, "branches": [{"when": "sai", "then": "end"}]}], {}, []),
        ([{**COLLECT, "then": "b"}, do("agir", "b", then=BACK, onFail="end")], {}, []),
        (
            [{**COLLECT, "then": "b"}, {"id": "b", "wait": "1h", "then": BACK, "else": "end"}],
            {},
            [],
        ),
        ([{**COLLECT, "then": "b"}, {"id": "b", "wait": "1h", "then": BACK}], {}, [CLOSED]),
        ([{**COLLECT, "then": "b"}, {"id": "b", "wait": {"event": "oi"}, "then": BACK}], {}, []),
        ([{**COLLECT, "then": {"flow": "g"}}], {}, []),
    ],
)
def test_whether_a_way_leads_out(
    steps: list[dict[str, Any]], parts: dict[str, Any], what: list[str]
):
    first = flow("f", *steps, on=[{"message": []}], **parts)
    made = agent(first, flow("g", say("Fim.")), actions={"agir": {}}, **PARTS)
    assert broken("ends", moment_of(made, ONE)) == what


@pytest.mark.parametrize(
    ("step", "asks"),
    [
        ({**COLLECT, "maxAsks": 20}, True),
        ({**COLLECT, "maxAsks": 10}, False),
        (COLLECT, False),
        ({**COLLECT, "then": BACK}, True),
    ],
)
def test_whether_who_answers_nothing_is_left_alone(step: dict[str, Any], asks: bool):
    made = agent(flow("f", step, on=[{"message": []}]), **PARTS)
    what = ['flow "f": it asks for ever when nobody answers'] if asks else []
    assert broken("asks", moment_of(made, ONE)) == what


def test_trying_out_whether_it_stops_runs_no_action():
    made = agent(
        flow("f", {**COLLECT, "maxAsks": 1}, do(), on=[{"message": []}]),
        actions={"agir": {"returns": [{"throw": "quebrou"}]}},
        **PARTS,
    )
    assert broken("asks", moment_of(made, ONE)) == []


# --- how a turn ends ----------------------------------------------------------------------------


def test_a_run_that_never_comes_to_rest():
    steps = [say("Oi!", then="b"), {"id": "b", "if": {"known": ["nome"]}, "else": "a"}]
    made = agent(flow("f", *steps), **PARTS)
    assert broken("step-loop", moment_of(made, "- {event: oi}")) == [
        'flow "f": it goes round and round within a turn'
    ]


CIRCLE = agent(
    flow("f", say("1", then={"flow": "g"})), flow("g", say("2", then={"flow": "f"}), on=[])
)


def test_a_chain_that_is_cut():
    assert broken("hop-limit", moment_of(CIRCLE, "- {event: oi}")) == [
        'flow "g": its chain is too long and was cut'
    ]


@pytest.mark.parametrize("entry", ["{event: oi, hop: 1}", "{start: {flow: g, hop: 1}}"])
def test_a_chain_that_the_host_began_is_its_own(entry: str):
    assert broken("hop-limit", moment_of(CIRCLE, f"- {entry}")) == []
