"""Settle: what becomes of an answer, and of one that did not come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from falai import ErrorKind, Field, ModelReply, Outcome, ProviderError, Talk
from falai.clock import to_ms
from tests.turn.kit import START, Chat, codes, flow, judged, only, said

FIELDS = {"nome": Field("string", extract="asked")}


def asking() -> Chat:
    """A conversation whose only flow asks for a name."""
    return Chat(flow(Talk("s", collect=["nome"])), fields=FIELDS)


def failure(kind: ErrorKind = "overload", **rest: Any) -> ProviderError:
    return ProviderError("scripted", kind, **rest)


@dataclass(frozen=True)
class Landing:
    """Where a failed speak call lands."""

    kind: ErrorKind
    code: str
    status: str
    told: bool | None = None
    """What the provider says of retrying."""

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.told}"


UNAVAILABLE: Sequence[ErrorKind] = ("timeout", "network", "overload", "rate", "unknown")
REFUSED: Mapping[ErrorKind, str] = {
    "aborted": "provider-unavailable",
    "quota": "provider-quota",
    "auth": "provider-auth",
    "entitlement": "provider-auth",
    "context": "provider-context",
    "model": "provider-invalid",
    "invalid": "provider-invalid",
    "content": "provider-invalid",
}
LANDINGS = [
    *(Landing(kind, "provider-unavailable", "deferred") for kind in UNAVAILABLE),
    *(Landing(kind, "provider-unavailable", "failed", told=False) for kind in UNAVAILABLE),
    *(Landing(kind, code, "failed") for kind, code in REFUSED.items()),
    *(Landing(kind, code, "deferred", told=True) for kind, code in REFUSED.items()),
]


@pytest.mark.parametrize("case", LANDINGS, ids=lambda case: case.id)
def test_the_kind_of_a_failure_decides_unless_the_provider_says_it(case: Landing):
    result = asking().hear(speak=failure(case.kind, should_retry=case.told))
    line = only(result.outcomes, "s")
    assert (line.status, line.code) == (case.status, case.code)
    assert len(result.schedule) == (case.status == "deferred")


def climb(chat: Chat, wake: str) -> Outcome:
    """Fire the retry that waits, and let it fail again."""
    chat.clock.advance(wake)
    assert chat.session is not None
    (run,) = chat.session.runs
    assert run.waiting is not None
    return only(chat.take(wake=run.waiting.key, speak=failure()).outcomes, "s")


def test_each_retry_waits_longer_and_the_sixth_failure_is_the_last():
    chat = asking()
    chat.hear(speak=failure())
    lines = [climb(chat, wait) for wait in ("1m", "5m", "15m", "1h", "6h")]
    assert [line.status for line in lines] == [*["deferred"] * 4, "failed"]
    assert chat.session is not None
    assert not chat.session.runs


def test_an_answer_takes_the_ladder_back_to_its_first_rung():
    chat = asking()
    chat.hear(speak=failure())
    climb(chat, "1m")
    chat.clock.advance("5m")
    key = chat.session.runs[0].waiting.key  # pyright: ignore[reportOptionalMemberAccess]
    chat.take(wake=key, speak=said())
    line = only(chat.hear(speak=failure()).outcomes, "s")
    assert line.until == "2026-01-05T09:07:00.000Z"


@dataclass(frozen=True)
class Reset:
    """A limit that says when it is lifted."""

    id: str
    kind: ErrorKind
    reset_at_ms: int
    until: str


NOW_MS = to_ms(START)
RESETS = [
    Reset("later-than-the-rung", "rate", NOW_MS + 90_000, "2026-01-05T09:01:30.000Z"),
    Reset("earlier-than-the-rung", "rate", NOW_MS + 1_000, "2026-01-05T09:01:00.000Z"),
    Reset("in-the-past", "overload", 0, "2026-01-05T09:01:00.000Z"),
    Reset("of-a-quota", "quota", NOW_MS + 86_400_000, "2026-01-06T09:00:00.000Z"),
]


@pytest.mark.parametrize("case", RESETS, ids=lambda case: case.id)
def test_a_stated_reset_is_waited_for_when_it_is_later(case: Reset):
    line = only(asking().hear(speak=failure(case.kind, reset_at_ms=case.reset_at_ms)).outcomes, "s")
    assert line.until == case.until


@pytest.mark.parametrize("reset_at_ms", [10**18, NOW_MS + 90_000.5])
def test_a_reset_that_is_no_moment_does_not_break_the_turn(reset_at_ms: Any):
    result = asking().hear(speak=failure("rate", reset_at_ms=reset_at_ms))
    assert codes(result) == ["provider-unavailable"]
    assert all(wake.key.rpartition(":")[2].isdecimal() for wake in result.schedule)


def test_a_retry_after_is_not_a_stated_reset():
    line = only(asking().hear(speak=failure("quota", retry_after_ms=5_000)).outcomes, "s")
    assert line.status == "failed"


@pytest.mark.parametrize("kind", ["auth", "context", "invalid", "aborted"])
def test_a_reset_does_not_make_a_hopeless_failure_worth_retrying(kind: ErrorKind):
    line = only(asking().hear(speak=failure(kind, reset_at_ms=NOW_MS + 1)).outcomes, "s")
    assert line.status == "failed"


def test_a_reset_that_is_stated_does_not_save_what_is_told_not_to_retry():
    reply = failure("quota", reset_at_ms=NOW_MS + 1, should_retry=False)
    assert only(asking().hear(speak=reply).outcomes, "s").status == "failed"


@pytest.mark.parametrize("message", ["", "  \n", None])
def test_a_blank_message_is_retried(message: str | None):
    line = only(asking().hear(speak=said(message, nome="Ana")).outcomes, "s")
    assert (line.status, line.code) == ("deferred", "provider-unavailable")


def test_what_came_beside_a_blank_message_is_dropped():
    chat = asking()
    chat.hear(speak=said("", nome="Ana"))
    assert not chat.data


def test_the_idle_speaker_has_no_step_to_try_again():
    chat = Chat(idle=None)
    result = chat.hear(speak=failure("auth"))
    (line,) = result.outcomes
    assert (line.kind, line.status, line.code) == ("idle", "deferred", "provider-auth")
    assert (line.llm_calls, line.key, result.schedule) == (1, None, [])


def test_a_turn_of_failures_still_takes_the_message_in():
    chat = asking()
    result = chat.hear(id="m1", speak=failure("auth"))
    assert result.changed
    assert result.session.inputs == ["m1"]
    assert [run.reason for run in result.ended] == ["failed"]


def test_a_refused_value_leaves_its_line_before_the_answer_s():
    chat = Chat(
        flow(Talk("s", collect=["grau"])),
        fields={"grau": Field("integer", enum=[1, 2], extract="asked")},
    )
    first, second = chat.hear(speak=said(grau=9)).outcomes
    assert (first.code, first.detail, first.run_id) == ("not-in-enum", "grau", None)
    assert (second.status, second.step_id) == ("ok", "s")


def test_a_field_that_ran_out_of_asks_leaves_its_line_when_the_last_one_is_given():
    steps = [Talk("s", collect=["nome"], max_asks=1), Talk("t", collect=["nome", "ok"], max_asks=1)]
    chat = Chat(flow(*steps), fields=FIELDS | {"ok": Field("boolean")})
    chat.hear(speak=said("Nome?"))
    result = chat.hear(speak=said("Obrigada.", ok=True))
    lines = [(line.code, line.detail) for line in result.outcomes if line.step_id == "t"]
    assert lines == [(None, None), ("max-asks", "nome")]


def test_the_same_reply_as_a_mapping_and_as_text_comes_to_the_same():
    text = ModelReply(message='Claro: ```json\n{"message": "Certo!", "nome": "Ana"}\n```')
    one, other = asking(), asking()
    assert one.hear(speak=text).session == other.hear(speak=said(nome="Ana")).session


def test_an_understand_call_that_finds_a_value_leaves_nothing_to_ask():
    chat = Chat(flow(Talk("s", collect=["nome"])), fields={"nome": Field("string")})
    chat.hear(speak=said("Seu nome?"))
    result = chat.hear("Ana", understand=judged(fields={"nome": "Ana"}))
    assert (result.messages, chat.data) == ([], {"nome": "Ana"})
