"""Values nested beyond reason: a turn copies what a session keeps, so that none gets into one."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import UNSET

from falai import (
    Action,
    Do,
    Event,
    EventDef,
    Field,
    InvalidSessionError,
    Mention,
    Say,
    Talk,
    Tool,
    ToolCall,
    Wait,
    assert_session,
)
from falai.limits import DATA_DEPTH
from tests.turn.kit import Chat, calling, flow, judged, only, said

DEEPEST = DATA_DEPTH
NEXT = DATA_DEPTH + 1
SESSION: dict[str, Any] = {
    "id": "s1",
    "v": 4,
    "version": 1,
    "data": {},
    "runs": [],
    "claims": {},
    "inputs": [],
    "metadata": {},
}
RUN: dict[str, Any] = {
    "id": "a#e1",
    "flowId": "a",
    "anchor": "s1",
    "dedupeKey": "a:s1:e1",
    "stepId": None,
    "status": "running",
    "trigger": {"kind": "event", "key": "e1"},
    "hop": 0,
    "startedAt": "2026-01-05T09:00:00.000Z",
    "asked": {},
    "visits": {},
    "outcomes": [],
}


def nested(levels: int, *, mapping: bool = False) -> Any:
    """A value of so many levels, its scalar not counted."""
    value: Any = "x"
    for _ in range(levels):
        value = {"a": value} if mapping else [value]
    return value


def cyclic() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


# --- stored sessions --------------------------------------------------------------------------


@pytest.mark.parametrize("mapping", [False, True], ids=["lists", "mappings"])
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ('data["x"]', lambda value: {"data": {"nome": "Ana", "x": value}}),
        ("runs[0].input", lambda value: {"runs": [RUN | {"input": value}]}),
        (
            "runs[0].trigger.payload",
            lambda value: {"runs": [RUN | {"trigger": RUN["trigger"] | {"payload": value}}]},
        ),
    ],
    ids=["data", "input", "payload"],
)
def test_a_stored_value_that_is_nested_too_deeply_is_named(name: str, place: Any, mapping: bool):
    fits = SESSION | place(nested(DEEPEST, mapping=mapping))
    assert assert_session(fits, "s1").id == "s1"
    with pytest.raises(InvalidSessionError) as caught:
        assert_session(SESSION | place(nested(NEXT, mapping=mapping)), "s1")
    assert f": {name} is nested more than {DATA_DEPTH} levels deep. " in str(caught.value)


def test_the_deepest_session_that_is_read_lives_through_a_turn():
    chat = Chat(flow(Say("s", "Oi")))
    chat.session = assert_session(SESSION | {"data": {"x": nested(DEEPEST)}}, "s1")
    result = chat.hear()
    assert result.session.data["x"] == nested(DEEPEST)
    assert result.session.data["x"] is not chat.session.data


# --- what the host's code writes --------------------------------------------------------------


def write(value: Any) -> Any:
    def act(_: Any, ctx: Any) -> dict[str, Any]:
        ctx.set({"nome": "Ana", "x": value})
        return {"ok": True}

    chat = Chat(
        flow(Do("d", "agir")), fields={"nome": Field("string")}, actions={"agir": Action(act)}
    )
    return chat.hear()


def test_an_action_writes_the_deepest_value():
    result = write(nested(DEEPEST))
    assert only(result.outcomes, "d").status == "ok"
    assert result.session.data == {"nome": "Ana", "x": nested(DEEPEST)}


@pytest.mark.parametrize("value", [nested(NEXT), cyclic()], ids=["deeper", "holds-itself"])
def test_an_action_that_writes_a_deeper_one_has_failed_and_wrote_nothing(value: Any):
    result = write(value)
    line = only(result.outcomes, "d")
    assert (line.status, line.code) == ("failed", "action-failed")
    assert line.detail == f'"x" is nested more than {DATA_DEPTH} levels deep: flatten it'
    assert result.session.data == {}


def test_a_tool_that_gives_deeper_data_is_told_so_and_nothing_is_written():
    def use(_: Any, __: Any) -> Mapping[str, Any]:
        return {"value": 1, "data": {"x": nested(NEXT)}}

    tool = Tool(id="t", description="", parameters={"type": "object"}, handler=use)
    chat = Chat(flow(Talk("s", "Fale.")), tools=[tool])
    result = chat.hear(speak=[calling(ToolCall("t", {})), said("Certo!")])
    [answer] = [item["content"] for item in chat.calls[-1].history if item["role"] == "tool"]
    assert "is nested more than 100 levels deep" in answer
    assert result.session.data == {}


# --- what comes in ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("payload", lambda value: {"event": "pago", "key": "e1", "payload": value}),
        ("start.input", lambda value: {"start": {"flow": "a", "key": "k1", "input": value}}),
    ],
    ids=["event", "start"],
)
def test_an_input_that_carries_a_deeper_value_is_refused_by_name(name: str, given: Any):
    chat = Chat(flow(Wait("w", "1h"), on=[Event("pago")]), events={"pago": EventDef()})
    with pytest.raises(TypeError, match=f"^{name} is nested more than {DATA_DEPTH} levels deep"):
        chat.take(**given(nested(NEXT)))
    [run] = chat.take(**given(nested(DEEPEST))).session.runs
    assert run.input == nested(DEEPEST)
    assert assert_session(chat.session, "s1").runs[0].input == nested(DEEPEST)


def test_a_mention_that_the_model_read_something_deeper_for_carries_nothing():
    chat = Chat(flow(Wait("w", "1h"), on=[Mention(["visita"])]))
    value = {"x": nested(DATA_DEPTH)}
    [run] = chat.hear(understand=judged(mentions={"a": True}, extract={"a": value})).session.runs
    assert (run.input, run.trigger.payload) == (UNSET, UNSET)


def test_a_mention_carries_what_the_model_read_down_to_the_deepest():
    chat = Chat(flow(Wait("w", "1h"), on=[Mention(["visita"])]))
    value = {"x": nested(DATA_DEPTH - 1)}
    [run] = chat.hear(understand=judged(mentions={"a": True}, extract={"a": value})).session.runs
    assert run.input == value
    assert assert_session(chat.session, "s1").runs[0].input == value
