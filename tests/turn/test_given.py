"""A turn's input: exactly one thing that happened, and what was given instead when it is not."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from falai import Anchor, Say, Silenced
from falai.words.turn import HeldClaims
from tests.turn.kit import START, Chat, flow, texts


def chat() -> Chat:
    return Chat(flow(Say("s", say="Oi"), anchor="lead"))


@dataclass(frozen=True)
class Wrong:
    """An input that is none, and what the error must name."""

    id: str
    named: tuple[str, ...]
    given: dict[str, Any] = field(default_factory=dict)


WRONG = [
    Wrong("nothing", ("none of them",)),
    Wrong("message-and-wake", ("message and wake",), {"message": "oi", "wake": "k"}),
    Wrong(
        "event-and-start",
        ("event and start",),
        {"event": "x", "key": "k", "start": {"flow": "a", "key": "k"}},
    ),
    Wrong(
        "all-four",
        ("message and wake and event and start",),
        {"message": "oi", "wake": "k", "event": "x", "start": {"flow": "a", "key": "k"}},
    ),
    Wrong("event-without-key", ("event", "key"), {"event": "x"}),
    Wrong("start-without-key", ("start", "key"), {"start": {"flow": "a"}}),
    Wrong("start-without-flow", ("start", "flow"), {"start": {"key": "k"}}),
    Wrong("start-that-is-null", ("start",), {"start": None}),
    Wrong("gate-without-a-reason", ("silenced",), {"message": "oi", "silenced": {}}),
    Wrong("claims-that-are-a-list", ("claims",), {"message": "oi", "claims": [1]}),
    Wrong("a-key-that-is-no-argument", ("claim",), {"message": "oi", "claim": {}}),
    Wrong("event-that-is-a-number", ("event",), {"event": 5, "key": "k"}),
    Wrong("message-that-is-null", ("message",), {"message": None}),
    Wrong("wake-that-is-null", ("wake",), {"wake": None}),
    Wrong("anchor-without-a-key", ("anchors", "lead"), {"message": "oi", "anchors": {"lead": {}}}),
    Wrong("id-of-a-wake", ("id", "wake"), {"wake": "k", "id": "m1"}),
    Wrong("payload-of-a-message", ("payload", "message"), {"message": "oi", "payload": 1}),
    Wrong("key-of-a-message", ("key", "message"), {"message": "oi", "key": "k"}),
    Wrong("a-time-that-is-none", ("at", "ontem"), {"message": "oi", "at": "ontem"}),
]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.id)
def test_what_is_no_input_is_named(case: Wrong):
    with pytest.raises(TypeError) as caught:
        chat().take(**case.given)
    assert all(name in str(caught.value) for name in case.named)


AT_ONCE = [
    Wrong("id-that-is-a-number", ("id",), {"message": "oi", "id": 5}),
    Wrong("key-that-is-a-number", ("key",), {"event": "pago", "key": 5}),
    Wrong("key-that-is-null", ("key",), {"event": "pago", "key": None}),
    Wrong("hop-that-is-text", ("hop",), {"event": "pago", "key": "k", "hop": "1"}),
    Wrong(
        "a-time-of-an-anchor",
        ("lastInboundAt", "ontem"),
        {"message": "oi", "anchors": {"lead": {"key": "k", "lastInboundAt": "ontem"}}},
    ),
    Wrong(
        "a-time-of-a-claim",
        ("held", "ontem"),
        {"message": "oi", "claims": {"held": {"x:s1:": "ontem"}}},
    ),
]


@pytest.mark.parametrize("case", AT_ONCE, ids=lambda case: case.id)
def test_what_would_break_later_is_named_at_once(case: Wrong):
    test_what_is_no_input_is_named(case)


def test_a_turn_without_a_session_id_is_named():
    with pytest.raises(TypeError, match="session_id"):
        chat().agent.steps(message="oi")  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize(
    "silenced",
    ["pausa", {"reason": "pausa"}, Silenced("pausa"), {"reason": "pausa", "understand": False}],
)
def test_a_closed_gate_may_be_written_in_three_ways(silenced: Any):
    result = chat().hear(silenced=silenced)
    assert (texts(result), result.outcomes[0].detail) == ([], "pausa")


def test_an_open_gate_may_be_null():
    assert texts(chat().hear(silenced=None, anchors=None, claims=None, history=None)) == ["Oi"]


@pytest.mark.parametrize(
    "anchor", [{"key": "lead:9"}, Anchor("lead:9"), {"key": "lead:9", "lastInboundAt": START}]
)
def test_anchors_are_read_from_mappings_and_records(anchor: Any):
    result = chat().hear(anchors={"lead": anchor})
    assert result.started[0].anchor == "lead:9"


@pytest.mark.parametrize(
    "claims", [{"held": {"a:s1:": START}}, HeldClaims(held={"a:s1:": START}), {"active": ["a:s1"]}]
)
def test_claims_are_read_from_mappings_and_records(claims: Any):
    assert not chat().hear(claims=claims).started


def test_a_time_may_lie_in_any_zone_and_is_kept_as_written():
    result = chat().hear(at="2026-01-05T05:00:00-03:00")
    assert result.session.last_user_at == "2026-01-05T05:00:00-03:00"


def test_a_message_without_an_id_is_not_remembered():
    talk = chat()
    talk.hear()
    assert talk.hear().session.inputs == []


def test_a_session_of_another_conversation_is_refused():
    other = chat().agent.turn_sync(session_id="s2", message="oi").session
    with pytest.raises(TypeError, match=r"s2.*s1"):
        chat().agent.steps(session_id="s1", session=other, message="oi")
