"""Sessions that come from elsewhere: checked, moved on from 3.x, or refused by name."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from falai import (
    FakeClock,
    Field,
    InvalidSessionError,
    Message,
    Say,
    ScriptedProvider,
    Session,
    Talk,
    assert_session,
    falai,
    migrate_session,
)
from falai.words.session import Claim, fresh_session

NOW = "2026-01-05T09:00:00.000Z"
THEN = "2025-12-24T18:30:00.000Z"
BEFORE = "2025-12-20T08:00:00.000Z"
WITHOUT_A_ZONE = datetime(2025, 12, 24, 18, 30)  # noqa: DTZ001 - as some drivers give them
V4: dict[str, Any] = {
    "id": "s1",
    "v": 4,
    "version": 7,
    "data": {"nome": "Ana"},
    "runs": [],
    "claims": {},
    "inputs": ["m1"],
    "metadata": {},
}
WAITING: dict[str, Any] = {"kind": "timer", "key": "a#m1:s:1", "until": NOW, "setAt": NOW}
RUN: dict[str, Any] = {
    "id": "a#m1",
    "flowId": "a",
    "anchor": "s1",
    "dedupeKey": "a:s1:",
    "stepId": "s",
    "status": "waiting",
    "trigger": {"kind": "message", "key": "m1"},
    "hop": 0,
    "startedAt": NOW,
    "waiting": WAITING,
    "asked": {},
    "visits": {},
    "outcomes": [],
}


def migrated(blob: Any, flow_id_of: Any = str) -> Session[Any]:
    return migrate_session(blob, "s1", flow_id_of, NOW)


def reason_of(blob: Any) -> str:
    with pytest.raises(InvalidSessionError) as raised:
        migrated(blob)
    assert raised.value.session_id == "s1"
    head, _, rest = str(raised.value).partition(" is unreadable: ")
    assert head == '[InvalidSessionError] stored session "s1"'
    return rest.removesuffix(
        ". Repair or delete the row; it is never replaced by a fresh conversation."
    )


# --- this version -----------------------------------------------------------------------------


def test_a_session_of_this_version_is_checked_and_read():
    for read in (assert_session(V4, "s1"), migrated(V4)):
        assert (read.version, read.data, read.inputs) == (7, {"nome": "Ana"}, ["m1"])


def test_a_session_object_is_one_too():
    session = fresh_session("s1")
    assert assert_session(session, "s1") == session


@pytest.mark.parametrize(
    ("blob", "reason"),
    [
        ({**V4, "v": 3}, "v is 3, expected 4"),
        ({**V4, "v": 5}, "v is 5, expected 4"),
        ({**V4, "v": None}, "v is null, expected 4"),
        ({**V4, "id": "s2"}, 'id is "s2", expected "s1"'),
        ({**V4, "data": []}, "data is [], expected an object"),
        ({**V4, "runs": {}}, "runs is {}, expected a list"),
        ({k: v for k, v in V4.items() if k != "claims"}, "claims is missing, expected an object"),
        ({**V4, "lastUserAt": "ontem"}, 'lastUserAt is "ontem", expected an ISO 8601 time'),
        ("garbage", 'expected an object, got "garbage"'),
        (None, "expected an object, got null"),
        ([V4], 'expected an object, got [{"id":"s1"'),
        ({}, "data is missing, expected an object; not a 3.x session either"),
        ({"data": 3}, "data is 3, expected an object; not a 3.x session either"),
    ],
)
def test_what_is_no_session_is_refused_by_name(blob: Any, reason: str):
    assert reason_of(blob).startswith(reason)


def running(**changes: Any) -> dict[str, Any]:
    return {**V4, "runs": [RUN, {**RUN, **changes}]}


def test_the_run_of_these_cases_is_one():
    assert [run.id for run in migrated(running()).runs] == ["a#m1", "a#m1"]


@pytest.mark.parametrize("key", V4)
def test_a_key_that_is_missing_is_named(key: str):
    assert key in reason_of({name: value for name, value in V4.items() if name != key})


@pytest.mark.parametrize("key", ["runs", "claims", "inputs"])
def test_a_session_of_this_version_that_lost_its_v_is_not_taken_for_an_old_one(key: str):
    blob = {"id": "s1", "version": 7, "data": {}, key: V4[key]}
    assert reason_of(blob).endswith("; not a 3.x session either")


TIME = ", expected an ISO 8601 time"
NAMED = [
    ({**V4, "runs": "x"}, 'runs is "x"'),
    ({**V4, "claims": []}, "claims is []"),
    ({**V4, "inputs": {}}, "inputs is {}"),
    ({**V4, "metadata": None}, "metadata is null"),
    ({**V4, "version": "7"}, "$.version"),
    ({**V4, "version": -1}, "version is -1, expected 0 or more"),
    ({**V4, "inputs": [1]}, "$.inputs[0]"),
    ({**V4, "history": {}}, "$.history"),
    ({**V4, "lastUserAt": 5}, "$.lastUserAt"),
    ({**V4, "lastAssistantAt": "ontem"}, f'lastAssistantAt is "ontem"{TIME}'),
    ({**V4, "claims": {"a:s1:": {}}}, "$.claims"),
    ({**V4, "claims": {"a:s1:": {"at": "ontem"}}}, f'claims["a:s1:"].at is "ontem"{TIME}'),
    (running(id=1), "$.runs[1].id"),
    (running(flowId=None), "$.runs[1].flowId"),
    (running(stepId=3), "$.runs[1].stepId"),
    (running(status="dormindo"), "$.runs[1].status"),
    (running(trigger={"kind": "sonho", "key": "k"}), "$.runs[1].trigger.kind"),
    (running(hop="0"), "$.runs[1].hop"),
    (running(asked={"nome": "x"}), "$.runs[1].asked"),
    (running(visits=[]), "$.runs[1].visits"),
    (running(outcomes=[{}]), "$.runs[1].outcomes[0]"),
    (running(waiting={"kind": "timer"}), "$.runs[1].waiting"),
    (running(startedAt="ontem"), f'runs[1].startedAt is "ontem"{TIME}'),
    (running(suspendedAt="ontem"), f'runs[1].suspendedAt is "ontem"{TIME}'),
    (running(waiting={**WAITING, "until": "x"}), f'runs[1].waiting.until is "x"{TIME}'),
    (running(waiting={**WAITING, "setAt": "x"}), f'runs[1].waiting.setAt is "x"{TIME}'),
]


@pytest.mark.parametrize(("blob", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_wrong_value_is_named_by_its_key(blob: Any, name: str):
    assert name in reason_of(blob)


@pytest.mark.parametrize("value", [object(), "\ud800", 1j])
def test_what_is_no_json_is_refused(value: Any):
    assert reason_of({**V4, "data": {"x": value}})


def test_a_value_that_holds_itself_is_refused():
    blob: dict[str, Any] = dict(V4)
    blob["data"] = blob
    assert reason_of(blob).startswith("is no JSON")


# --- 3.x --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flow", "step", "started"),
    [
        ("triagem", "quem", NOW),
        ({"id": "triagem"}, {"id": "quem"}, NOW),
        ({"id": "triagem", "enteredAt": THEN}, {"id": "quem", "enteredAt": NOW}, THEN),
        ({"id": "triagem", "enteredAt": WITHOUT_A_ZONE}, "quem", THEN),
        ({"id": "triagem", "enteredAt": "2025-12-24T15:30:00-03:00"}, "quem", THEN),
    ],
)
def test_the_flow_under_way_is_a_run_that_asks_at_its_step(flow: Any, step: Any, started: str):
    session = migrated({"data": {"nome": "Ana"}, "currentFlow": flow, "currentStep": step})
    [run] = session.runs
    assert (run.id, run.flow_id, run.step_id) == ("triagem#legacy", "triagem", "quem")
    assert (run.status, run.trigger.kind, run.trigger.key) == ("asking", "message", "legacy")
    assert (run.anchor, run.dedupe_key, run.started_at) == ("s1", "triagem:s1:", started)
    assert (run.visits, run.asked, run.hop) == ({"quem": 1}, {}, 0)
    assert session.claims == {"triagem:s1:": Claim(started)}
    assert (session.id, session.v, session.version, session.inputs) == ("s1", 4, 0, [])
    assert session.data == {"nome": "Ana"}


def test_a_flow_with_no_step_is_running():
    [run] = migrated({"data": {}, "currentFlow": "triagem"}).runs
    assert (run.status, run.step_id, run.visits) == ("running", None, {})


@pytest.mark.parametrize("blob", [{}, {"currentFlow": None}, {"currentStep": "quem"}])
def test_with_no_flow_under_way_there_is_no_run(blob: Any):
    session = migrated({"data": {}, **blob})
    assert (session.runs, session.claims) == ([], {})


def test_completed_flows_and_signals_are_claims():
    history = [
        {"flowId": "oi", "completed": True, "enteredAt": BEFORE, "exitedAt": THEN},
        {"flowId": "tour", "completed": True, "enteredAt": BEFORE},
        {"flowId": "fim", "completed": True},
        {"flowId": "meio", "completed": False, "exitedAt": THEN},
        {"flowId": "solto"},
    ]
    triggers = {
        "avisa": {"count": 2, "firstTriggeredAt": BEFORE, "lastTriggeredAt": THEN},
        "ouve": {"firstTriggeredAt": BEFORE},
        "nada": {},
        "so-conta": 3,
    }
    blob = {"data": {}, "flowHistory": history, "signals": {"triggers": triggers}}
    assert migrated(blob, lambda key: f"novo-{key}").claims == {
        "novo-oi:s1:": Claim(THEN),
        "novo-tour:s1:": Claim(BEFORE),
        "novo-fim:s1:": Claim(NOW),
        "novo-avisa:s1:": Claim(THEN),
        "novo-ouve:s1:": Claim(BEFORE),
        "novo-nada:s1:": Claim(NOW),
        "novo-so-conta:s1:": Claim(NOW),
    }


def test_what_has_no_place_is_dropped_and_the_host_s_own_is_kept():
    day = datetime(2025, 12, 24, 18, 30, tzinfo=UTC)
    blob = {
        "id": "s1",
        "data": {"nome": "Ana", "x": [1, {"y": None}]},
        "pendingDirective": {"goTo": "oi"},
        "metadata": {"criado": day, "tags": [{"em": day}], "n": 1},
        "history": [{"role": "user", "content": "oi", "at": day}],
    }
    session = migrated(blob)
    assert session.data == {"nome": "Ana", "x": [1, {"y": None}]}
    assert session.metadata == {"criado": THEN, "tags": [{"em": THEN}], "n": 1}
    assert session.history == [{"role": "user", "content": "oi", "at": THEN}]


OLD: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the smallest": ({"data": {}}, {}),
    "nothing but nulls": (
        {
            "data": {"nome": None},
            "currentFlow": None,
            "currentStep": None,
            "flowHistory": None,
            "signals": None,
            "pendingDirective": None,
            "metadata": None,
            "history": None,
        },
        {"data": {"nome": None}},
    ),
    "a step without a flow, which stands nowhere": ({"data": {}, "currentStep": {"id": "x"}}, {}),
    "at a version, with an id": ({"id": "s1", "version": 12, "data": {}}, {"version": 12}),
    "signals without triggers": ({"data": {}, "signals": {"state": {"a": 1}}}, {}),
    "over and done": (
        {"data": {"a": 1}, "flowHistory": [{"flowId": "oi", "completed": True, "exitedAt": THEN}]},
        {"data": {"a": 1}, "claims": {"oi:s1:": {"at": THEN}}},
    ),
    "a flow that is done, and under way once more": (
        {
            "data": {},
            "currentFlow": {"id": "oi", "enteredAt": THEN},
            "flowHistory": [{"flowId": "oi", "completed": True, "exitedAt": BEFORE}],
        },
        {
            "runs": [{"id": "oi#legacy", "status": "running", "stepId": None}],
            "claims": {"oi:s1:": {"at": THEN}},
        },
    ),
    "of a signal and a flow of one name, the signal's time": (
        {
            "data": {},
            "flowHistory": [{"flowId": "oi", "completed": True, "exitedAt": BEFORE}],
            "signals": {"triggers": {"oi": {"lastTriggeredAt": THEN}}},
        },
        {"claims": {"oi:s1:": {"at": THEN}}},
    ),
    "in the middle of everything": (
        {
            "id": "s1",
            "version": 3,
            "data": {"nome": "Ana", "extra": [1, {"a": None}]},
            "currentFlow": {"id": "triagem", "enteredAt": THEN, "title": "Triagem"},
            "currentStep": {"id": "quem", "enteredAt": NOW},
            "flowHistory": [
                {"flowId": "oi", "completed": True, "enteredAt": BEFORE},
                {"flowId": "triagem", "completed": False, "enteredAt": THEN},
            ],
            "signals": {"triggers": {"avisa": {"firstTriggeredAt": BEFORE}}},
            "pendingDirective": {"goTo": "fim"},
            "metadata": {"canal": "whatsapp"},
            "createdAt": BEFORE,
        },
        {
            "version": 3,
            "data": {"nome": "Ana", "extra": [1, {"a": None}]},
            "runs": [{"id": "triagem#legacy", "status": "asking", "stepId": "quem"}],
            "claims": {
                "oi:s1:": {"at": BEFORE},
                "avisa:s1:": {"at": BEFORE},
                "triagem:s1:": {"at": THEN},
            },
            "metadata": {"canal": "whatsapp"},
        },
    ),
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_session_of_this_shape_is_moved(name: str):
    old, expected = OLD[name]
    moved = msgspec.to_builtins(migrated(old))
    moved["runs"] = [{key: run[key] for key in ("id", "status", "stepId")} for run in moved["runs"]]
    fresh = msgspec.to_builtins(fresh_session("s1"))
    assert moved == {**fresh, **expected}


@pytest.mark.parametrize("name", OLD)
def test_an_old_session_that_was_moved_is_one_of_this_version(name: str):
    moved = migrated(OLD[name][0])
    assert migrated(msgspec.to_builtins(moved)) == moved
    assert {run.dedupe_key for run in moved.runs} <= moved.claims.keys()


def test_now_may_be_a_moment():
    blob = {"data": {}, "currentFlow": "oi"}
    at = datetime(2026, 1, 5, 10, tzinfo=UTC)
    assert migrate_session(blob, "s1", str, at).runs[0].started_at == "2026-01-05T10:00:00.000Z"


@pytest.mark.parametrize(
    ("blob", "reason"),
    [
        ({"id": "s2"}, 'id is "s2", expected "s1"'),
        ({"version": "1"}, 'version is "1", expected a whole number'),
        ({"version": -1}, "version is -1, expected a whole number"),
        ({"version": True}, "version is true, expected a whole number"),
        (
            {"currentFlow": {"id": 3}},
            'currentFlow is {"id":3}, expected text or an object with an id',
        ),
        (
            {"currentStep": {"id": "a", "enteredAt": "ontem"}},
            'currentStep.enteredAt is "ontem", expected an ISO 8601 time',
        ),
        (
            {"flowHistory": [{"flowId": "oi"}, {"flowId": 3, "completed": True}]},
            "flowHistory[1].flowId is 3, expected text",
        ),
        (
            {"flowHistory": [{"flowId": "oi", "completed": True, "enteredAt": "x"}]},
            'flowHistory[0].enteredAt is "x", expected an ISO 8601 time',
        ),
        (
            {"signals": {"triggers": {"a": {"firstTriggeredAt": "x"}}}},
            'signals.triggers["a"].firstTriggeredAt is "x", expected an ISO 8601 time',
        ),
        ({"currentFlow": 3}, "currentFlow is 3, expected text or an object with an id"),
        (
            {"currentFlow": ["\ud800"]},
            "currentFlow is ['\\ud800'], expected text or an object with an id",
        ),
        ({"currentFlow": {}}, "currentFlow is {}, expected text or an object with an id"),
        ({"currentStep": ["a"]}, 'currentStep is ["a"], expected text or an object with an id'),
        (
            {"currentFlow": {"id": "oi", "enteredAt": "ontem"}},
            'currentFlow.enteredAt is "ontem", expected an ISO 8601 time',
        ),
        ({"flowHistory": {}}, "flowHistory is {}, expected a list"),
        ({"flowHistory": ["oi"]}, 'flowHistory[0] is "oi", expected an object'),
        ({"flowHistory": [{"completed": True}]}, "flowHistory[0].flowId is missing, expected text"),
        (
            {"flowHistory": [{"flowId": "oi", "completed": True, "exitedAt": 5}]},
            "flowHistory[0].exitedAt is 5, expected an ISO 8601 time",
        ),
        ({"signals": []}, "signals is [], expected an object"),
        ({"signals": {"triggers": []}}, "signals.triggers is [], expected an object"),
        (
            {"signals": {"triggers": {"a": {"lastTriggeredAt": "x"}}}},
            'signals.triggers["a"].lastTriggeredAt is "x", expected an ISO 8601 time',
        ),
        ({"metadata": "x"}, 'metadata is "x", expected an object'),
        ({"history": "x"}, 'history is "x", expected a list'),
    ],
)
def test_a_3x_session_that_cannot_be_read_is_refused_by_name(blob: Any, reason: str):
    assert reason_of({"data": {}, **blob}) == reason


def test_a_migrated_conversation_goes_on_where_it_stood():
    f = falai({"nome": Field("string", ask="Pergunte o nome.")})
    f.flow(
        "triagem",
        "Triagem",
        on=[Message(["quer saber"])],
        steps=[Talk("quem", collect=["nome"]), Say("fim", "Obrigada, {{data.nome}}!")],
    )
    model = ScriptedProvider(understand=[{"fields": {"nome": "Ana"}}])
    agent = f.agent("Ana", provider=model, clock=FakeClock(NOW))
    session = migrated({"data": {}, "currentFlow": "triagem", "currentStep": "quem"})
    result = agent.turn_sync(session_id="s1", session=session, message="sou a Ana", id="m9")
    assert [message.text for message in result.messages] == ["Obrigada, Ana!"]
    assert [run.id for run in result.ended] == ["triagem#legacy"]
