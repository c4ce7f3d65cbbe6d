"""The public errors: their messages to the letter, and what they carry."""

import asyncio
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from falai import (
    Action,
    Agent,
    EmptyReplyError,
    ErrorKind,
    Field,
    FlowConfigurationError,
    Idle,
    InvalidSessionError,
    ProviderError,
    ScriptError,
    SessionConflictError,
    from_spec,
)

KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
TRANSIENT = {"timeout", "network", "overload", "rate"}
HOPELESS = {"aborted", "context", "content", "invalid"}
"""Kinds that another model or key would share."""


# --- the sample messages of the contract ------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """An agent that is refused, and the message to the letter."""

    id: str
    message: str
    flows: tuple[Any, ...] = ()
    idle: Idle | None = None


def triagem(*steps: dict[str, Any]) -> tuple[Any, ...]:
    return ({"id": "triagem", "name": "Triagem", "steps": list(steps)},)


FLOW_SAMPLES = [
    Sample(
        "unknown-field",
        'flow "triagem", step "grana": unknown field "orcamento" in collect. '
        "Add it to the agent's fields or fix the slug.",
        triagem({"id": "grana", "collect": ["orcamento"]}),
    ),
    Sample(
        "step-that-does-not-exist",
        'flow "triagem", step "quem": then points at step "fim", which does not exist. '
        'Use an existing step id or "end".',
        triagem({"id": "quem", "collect": ["nome"], "then": "fim"}),
    ),
    Sample(
        "unknown-action",
        'flow "triagem", step "avisa": unknown action "notify". '
        "Register it in actions or fix the name.",
        triagem({"id": "avisa", "do": "notify"}),
    ),
    Sample(
        "no-steps-list",
        'flow "triagem": has no steps list. Write steps as a list, even an empty one.',
        ({"id": "triagem", "name": "Triagem"},),
    ),
    Sample(
        "declared-twice",
        'flow "a" is declared twice: flow ids must be unique. Rename one of them.',
        ({"id": "a", "name": "A", "steps": []}, {"id": "a", "name": "A", "steps": []}),
    ),
    Sample(
        "unknown-tool",
        'idle: unknown tool "buscar_preco". Register it in the agent\'s tools or fix the name.',
        idle=Idle(tools=("buscar_preco",)),
    ),
]


@pytest.mark.parametrize("case", FLOW_SAMPLES, ids=lambda case: case.id)
def test_a_flow_that_cannot_run_is_refused_to_the_letter(case: Sample):
    with pytest.raises(FlowConfigurationError) as caught:
        Agent(
            name="Ana",
            fields={"nome": Field("string", ask="Pergunte.")},
            actions={"avisar": Action(print)},
            flows=[from_spec(flow) for flow in case.flows],
            idle=case.idle,
        )
    assert str(caught.value) == f"[FlowConfigurationError] {case.message}"


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        (1, 2, "was modified concurrently: expected version 1, found 2. Reload the session"),
        (0, None, "was modified concurrently: expected version 0, found none. Reload the session"),
        (0, 3, "was modified concurrently: expected version 0, found 3. Reload the session"),
    ],
)
def test_a_conflict_says_what_was_expected_and_found(
    expected: int, actual: int | None, message: str
):
    error = SessionConflictError("s1", expected, actual)
    assert str(error) == (f'[SessionConflictError] Session "s1" {message} and retry the operation.')
    assert (error.session_id, error.expected_version, error.actual_version) == (
        "s1",
        expected,
        actual,
    )


def test_a_conflict_on_a_row_that_is_gone_says_what_a_load_will_do():
    said = str(SessionConflictError("s1", 4, None))
    assert said.startswith('[SessionConflictError] Session "s1" is gone from the store: ')
    assert "version 4" in said
    assert "starts a new conversation" in said


@pytest.mark.parametrize(
    "reason",
    [
        "v is 3, expected 4",
        'expected an object, got "garbage"',
        "data is missing, expected an object; not a 3.x session either",
    ],
)
def test_a_row_that_is_no_session_is_refused_to_the_letter(reason: str):
    error = InvalidSessionError("s1", reason)
    assert str(error) == (
        f'[InvalidSessionError] stored session "s1" is unreadable: {reason}. '
        "Repair or delete the row; it is never replaced by a fresh conversation."
    )
    assert error.session_id == "s1"


# --- provider failures ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_says_whether_waiting_or_another_model_helps(kind: ErrorKind):
    error = ProviderError("openai", kind)
    assert error.is_transient == (kind in TRANSIENT)
    assert error.is_backup_eligible == (kind not in HOPELESS)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ProviderError("openai", "rate"), "openai: rate"),
        (
            ProviderError("openai", "rate", status=429, body='{"error":1}'),
            'openai 429: {"error":1}',
        ),
        (ProviderError("openai", "overload", status=503), "openai 503: overload"),
        (ProviderError("openai", "auth", "wrong key", status=401, body="x"), "wrong key"),
        (ProviderError("openai", "invalid", "", status=400), "openai 400: invalid"),
    ],
)
def test_a_failure_speaks_in_the_provider_s_own_words(error: ProviderError, message: str):
    assert str(error) == message


def test_a_failure_carries_what_the_provider_stated():
    error = ProviderError(
        "openai",
        "quota",
        status=429,
        code="insufficient_quota",
        retry_after_ms=1_000,
        reset_at_ms=2_000,
        window="weekly",
        should_retry=False,
    )
    assert (error.provider, error.kind, error.status, error.code) == (
        "openai",
        "quota",
        429,
        "insufficient_quota",
    )
    assert (error.retry_after_ms, error.reset_at_ms, error.window) == (1_000, 2_000, "weekly")
    assert error.should_retry is False


@pytest.mark.parametrize(("given", "kept"), [(None, None), ("", ""), ("x" * 9_000, "x" * 2_000)])
def test_a_body_is_cut(given: str | None, kept: str | None):
    error = ProviderError("openai", "invalid", body=given)
    assert error.body == kept
    assert len(str(error)) < 2_100


@dataclass(frozen=True)
class Wrapped:
    """Something thrown, and what it is taken for."""

    thrown: BaseException
    kind: ErrorKind
    message: str

    @property
    def id(self) -> str:
        return type(self.thrown).__name__


WRAPPED = [
    Wrapped(asyncio.CancelledError(), "aborted", "CancelledError"),
    Wrapped(TimeoutError("60 s"), "timeout", "60 s"),
    Wrapped(ConnectionResetError("peer"), "network", "peer"),
    Wrapped(ConnectionRefusedError(), "network", "ConnectionRefusedError"),
    Wrapped(ValueError("bad"), "unknown", "bad"),
    Wrapped(EmptyReplyError("openai"), "unknown", "No response from openai"),
]


@pytest.mark.parametrize("case", WRAPPED, ids=lambda case: case.id)
def test_anything_thrown_is_wrapped_with_its_own_text(case: Wrapped):
    error = ProviderError.wrap("openai", case.thrown)
    assert (error.provider, error.kind, str(error)) == ("openai", case.kind, case.message)
    assert error.__cause__ is case.thrown


def test_a_provider_failure_passes_through():
    error = ProviderError("openai", "rate")
    assert ProviderError.wrap("fallback", error) is error


def test_each_error_is_an_exception_of_its_own():
    errors = (
        FlowConfigurationError,
        SessionConflictError,
        InvalidSessionError,
        ProviderError,
        EmptyReplyError,
        ScriptError,
    )
    assert all(error.__bases__ == (Exception,) for error in errors)
    assert str(EmptyReplyError("litellm")) == "No response from litellm"
