"""Reading what a client raised, for exceptions of any shape."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import ErrorKind, FakeClock, ProviderError, ScriptError
from falai.providers.failures import read_failure
from tests.property.profile import checked

NOW = "2026-01-05T09:00:00.000Z"


class FakeResponse:
    """As much of an HTTP client's response as is looked at."""

    def __init__(self, status: int, body: str = "", **headers: str) -> None:
        self.status_code = status
        self.text = body
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class StatusError(Exception):
    """As an HTTP client raises it."""

    def __init__(self, response: object) -> None:
        super().__init__("the client's own words")
        self.response = response


def read(raised: BaseException, **options: Any) -> ProviderError:
    error = read_failure("p", raised, clock=FakeClock(NOW), **options)
    assert isinstance(error, ProviderError)
    return error


def answered(status: int, error: Mapping[str, Any] | None = None, **headers: str) -> ProviderError:
    body = json.dumps({"error": error}) if error is not None else ""
    return read(StatusError(FakeResponse(status, body, Content_Type="application/json", **headers)))


def wrapped(inner: BaseException, *, by: Exception) -> Exception:
    """An exception as if it was raised `from None` while another one was handled."""
    by.__context__ = inner
    by.__suppress_context__ = True
    return by


# --- answers ----------------------------------------------------------------------------------


def test_what_the_answer_says_is_on_the_error():
    error = answered(
        429,
        {
            "message": "Weekly limit reached.",
            "type": "usage_limit_reached",
            "resets_at": 1767700000,
        },
        Retry_After_Ms="1500",
        X_Should_Retry="false",
    )
    assert error.kind == "quota"
    assert error.status == 429
    assert error.code == "usage_limit_reached"
    assert error.window == "weekly"
    assert error.retry_after_ms == 1500
    assert error.reset_at_ms == 1767700000000
    assert error.should_retry is False
    assert error.body is not None
    assert str(error) == f"p 429: {error.body}"


def test_a_rate_that_names_a_usage_window_is_a_quota():
    claim = {"anthropic_ratelimit_unified_representative_claim": "five_hour"}
    error = answered(429, {"message": "Limit reached.", "type": "rate_limit_error"}, **claim)
    assert (error.kind, error.window) == ("quota", "5h")


def test_a_reset_is_no_business_of_a_server_that_is_overloaded():
    error = answered(529, {"message": "Overloaded"}, Anthropic_Ratelimit_Unified_Reset="1767700000")
    assert (error.kind, error.reset_at_ms) == ("overload", None)


def test_an_answer_is_found_behind_wrappers_without_one():
    inner = StatusError(FakeResponse(402, "Pay!", Content_Type="text/plain"))
    empty = StatusError(FakeResponse(500))
    assert read(wrapped(inner, by=empty)).kind == "quota"


def test_an_answer_is_found_inside_of_a_group():
    inner = StatusError(FakeResponse(404, "no", Content_Type="text/plain"))
    assert read(ExceptionGroup("several", [ValueError("x"), inner])).kind == "model"


def test_a_body_out_of_reach_is_none():
    class Unread(FakeResponse):
        @property
        def text(self) -> str:
            raise RuntimeError("read the stream first")

        @text.setter
        def text(self, _: str) -> None: ...

    error = read(StatusError(Unread(503, Content_Type="text/plain")))
    assert (error.kind, error.body, str(error)) == ("overload", None, "p 503: overload")


@pytest.mark.parametrize(
    "response",
    [None, {"Error": {"Code": "Throttling"}}, FakeResponse("x", "body")],  # type: ignore[arg-type]
)
def test_a_response_of_another_shape_is_none(response: Any):
    assert read(StatusError(response)).kind == "unknown"


def test_exceptions_that_lead_to_each_other_come_to_an_end():
    one, two = ValueError("one"), ValueError("two")
    one.__context__, two.__context__ = two, one
    assert read(one).kind == "unknown"


# --- no answer --------------------------------------------------------------------------------

CONNECTIONS: dict[str, tuple[BaseException, ErrorKind]] = {
    "timeout": (TimeoutError("slow"), "timeout"),
    "refused": (ConnectionRefusedError("refused"), "network"),
    "reset": (ConnectionResetError("reset"), "network"),
    "nothing-known": (ValueError("what?"), "unknown"),
    "no-json": (json.JSONDecodeError("Expecting value", "<html>", 0), "unknown"),
}


@pytest.mark.parametrize(("raised", "kind"), CONNECTIONS.values(), ids=CONNECTIONS.keys())
def test_the_kind_is_that_of_what_happened_to_the_connection(raised: BaseException, kind: str):
    assert read(raised).kind == kind
    assert read(wrapped(raised, by=RuntimeError("a wrapper"))).kind == kind


def test_the_message_is_the_words_nearest_to_the_socket():
    error = read(wrapped(ConnectionRefusedError("refused"), by=RuntimeError("Connection error.")))
    assert str(error) == "p: refused"


def test_a_traceback_in_a_message_is_left_out():
    error = read(ValueError("Bad thing\nTraceback (most recent call last):\n  File x"))
    assert str(error) == "p: Bad thing"


def test_an_exception_without_words_is_called_by_its_class():
    assert str(read(ValueError())) == "p: ValueError"


# --- what passes through ----------------------------------------------------------------------


class MissError(ScriptError):
    pass


@pytest.mark.parametrize("wrap", [ValueError("x"), TimeoutError(), ConnectionError()])
def test_a_script_error_comes_before_every_kind(wrap: Exception):
    miss = MissError("not on the tape")
    for raised in (
        miss,
        wrapped(miss, by=wrap),
        wrapped(wrapped(miss, by=StatusError(FakeResponse(429, "x"))), by=wrap),
        ExceptionGroup("several", [wrap, miss]),
    ):
        assert read_failure("p", raised, clock=FakeClock(NOW)) is miss


def test_a_provider_error_stays_itself():
    error = ProviderError("other", "content", "refused")
    assert read(error) is error


def test_what_was_handled_before_the_call_is_left_out():
    before = MissError("an earlier one")
    raised = wrapped(before, by=ValueError("x"))
    assert read(raised, before=before).kind == "unknown"


# --- for every answer -------------------------------------------------------------------------

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["error", "message", "code", "type", "status", "details", "metadata", "resets_at"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=10,
)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["retry-after", "retry-after-ms", "x-should-retry", "x-ratelimit-reset", "content-type"]
    ),
    st.text(max_size=20) | st.integers().map(str) | st.floats().map(str),
)


@checked
@given(status=st.integers(100, 599), body=ANY_JSON.map(json.dumps) | st.text(), headers=HEADERS)
def test_every_answer_is_a_provider_error(status: int, body: str, headers: dict[str, str]):
    response = FakeResponse(status, body)
    response.headers = headers
    error = read(StatusError(response))
    assert error.retry_after_ms is None or error.retry_after_ms >= 0
    assert len(error.body or "") <= 2_000
    # An error behind a good status is none; the words of a body never undo a status of 5xx.
    if status >= 500 and (headers or body):
        assert (error.kind, error.status) == ("overload", status)
    if status < 400:
        assert error.status is None


@checked
@given(body=ANY_JSON)
def test_every_event_of_a_stream_is_a_provider_error(body: Any):
    raised = ValueError("x")
    raised.body = body  # type: ignore[attr-defined]
    assert read(raised).kind


@checked
@given(
    status=st.integers(400, 599),
    before=st.text(),
    after=st.text(),
    secret=st.from_regex(r"[A-Za-z0-9]{12,40}", fullmatch=True),
)
def test_a_known_secret_is_in_no_part_of_any_error(
    status: int, before: str, after: str, secret: str
):
    body = json.dumps({"error": {"message": f"{before}{secret}{after}", "code": secret}})
    response = StatusError(FakeResponse(status, body, Content_Type="application/json"))
    for raised in (response, ConnectionError(f"{before}{secret}{after}"), ValueError(secret)):
        error = read(raised, secrets=(secret,))
        assert secret not in f"{error} {error.body} {error.code} {error.__cause__}"
