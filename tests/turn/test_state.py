"""What belongs to the turn alone: neither the session that was passed nor the agent is written to."""

import copy
from collections.abc import Sequence
from typing import Any

from falai import (
    Action,
    ActionCtx,
    Agent,
    Chain,
    Do,
    Event,
    EventDef,
    Field,
    Message,
    Say,
    Session,
    Talk,
)
from falai.words.flow import Trigger
from tests.turn.kit import SESSION_ID, Chat, codes, flow, judged

ALWAYS = [Message(repeat="always")]
ACT = Do("d", "agir")


def session(**data: Any) -> Session:
    return Session(
        id=SESSION_ID, v=4, version=3, data=data, runs=[], claims={}, inputs=[], metadata={"a": [1]}
    )


def add_one(_: Any, ctx: ActionCtx[Any]) -> Any:
    """An action that takes what it is shown for its own."""
    for seen in (ctx.data.get("lista"), ctx.input):
        if isinstance(seen, list):
            seen.append(1)
    return {"ok": True, "detail": str(ctx.input)}


def acting(on: Sequence[Trigger]) -> Agent:
    return Chat(
        flow(ACT, on=on),
        flow(ACT, id="b", on=on),
        actions={"agir": Action(add_one)},
        events={"pago": EventDef()},
    ).agent


def test_an_action_that_changes_a_value_in_place_leaves_the_passed_session_alone():
    given = session(lista=[0])
    before = copy.deepcopy(given)
    acting(on=ALWAYS).turn_sync(session_id=SESSION_ID, session=given, message="oi")
    assert given == before


def test_an_action_that_changes_its_input_leaves_the_agent_alone():
    parent = flow(Say("s", say="Oi", then=Chain("b", input=[])), on=None)
    agent = Chat(parent, flow(ACT, id="b", on=None), actions={"agir": Action(add_one)}).agent
    details = [
        agent.turn_sync(session_id=f"s{n}", start={"flow": "a", "key": "k"}).outcomes[-1].detail
        for n in range(2)
    ]
    assert details == ["[1]", "[1]"]


def test_an_action_that_changes_its_input_leaves_other_runs_alone():
    agent, payload = acting(on=[Event("pago")]), [0]
    result = agent.turn_sync(session_id=SESSION_ID, event="pago", key="e1", payload=payload)
    assert [line.detail for line in result.outcomes] == ["[0, 1]", "[0, 1]"]
    assert payload == [0]


def test_what_the_host_keeps_in_the_session_is_handed_on():
    given = session()
    given.history = [{"role": "user", "content": "oi"}]
    result = Chat().agent.turn_sync(session_id=SESSION_ID, session=given, message="oi")
    assert (result.session.metadata, result.session.history) == (given.metadata, given.history)
    assert result.session.version == 3


def test_a_line_alone_is_a_change():
    chat = Chat(
        *(flow(Talk("t", collect=["nota"]), id=name, on=[Message(["oi"])]) for name in ("a", "b")),
        fields={"nota": Field("number")},
    )
    before = chat.hear(understand=judged()).session
    result = chat.hear(understand=judged(fields={"nota": "muito"}))
    assert (codes(result), result.changed) == (["bad-value"], True)
    assert result.session == before


def test_a_message_that_changes_nothing_else_still_changes_the_session():
    result = Chat().agent.turn_sync(session_id=SESSION_ID, session=session(), message="oi")
    assert result.changed
    again = Chat().agent.turn_sync(session_id=SESSION_ID, session=result.session, message="oi")
    assert not again.changed
