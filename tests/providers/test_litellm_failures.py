"""The table of failures, end to end: what the server does, and what becomes of the turn."""

from dataclasses import dataclass

import pytest

from falai import ErrorKind, FakeClock, ProviderError
from falai.providers.litellm import LiteLLMProvider
from tests.modelserver.answers import (
    CUT,
    HOLD,
    Answer,
    InStream,
    Response,
    called,
    cut,
    events,
    fails,
    gzipped,
    held,
    raw,
    said,
)
from tests.modelserver.server import ModelServer
from tests.providers.kit import KEY, START, call, chunks_of, failure_of, listener, provider, speaker

RETRY = "2026-01-05T09:01:00.000Z"
"""The first rung of the ladder."""


@dataclass(frozen=True)
class Row:
    """An answer of the server, and what it means."""

    id: str
    answer: Answer
    kind: ErrorKind
    code: str
    at: str | None = RETRY
    """When a wake tries again; None when it does not."""
    status: int | None = None
    timeout: float = 60


SILENCE_S = 0.05
"""How long a model may stay silent that will never speak."""


def html(status: int) -> Answer:
    return raw(b"<html>Bad gateway</html>", status)


def half_a_body(_: object) -> Response:
    return Response(headers={"Content-Type": "application/json"}, parts=[b'{"choi', CUT])


DOWN, QUOTA, AUTH = "provider-unavailable", "provider-quota", "provider-auth"
CONTEXT, INVALID = "provider-context", "provider-invalid"

ROWS = [
    Row("silence", held(said("x")), "timeout", DOWN, timeout=SILENCE_S),
    Row("408", fails(408), "timeout", DOWN, status=408),
    Row("cut-before-the-answer", cut, "network", DOWN),
    Row("cut-inside-the-answer", half_a_body, "network", DOWN),
    Row("500", fails(500), "overload", DOWN, status=500),
    Row("502-html", html(502), "overload", DOWN, status=502),
    Row("503", fails(503), "overload", DOWN, status=503),
    Row("504", fails(504), "overload", DOWN, status=504),
    Row("529", fails(529, "Overloaded", type="overloaded_error"), "overload", DOWN, status=529),
    Row("429", fails(429, code="rate_limit_exceeded"), "rate", DOWN, status=429),
    Row("200-html", raw(b"<html>Sign in</html>"), "unknown", DOWN),
    Row("200-empty", raw(b""), "unknown", DOWN),
    Row("200-no-choices", raw(b"{}", Content_Type="application/json"), "unknown", DOWN),
    Row("499", fails(499), "aborted", DOWN, at=None, status=499),
    Row("402", fails(402), "quota", QUOTA, at=None, status=402),
    Row("429-quota", fails(429, code="insufficient_quota"), "quota", QUOTA, at=None, status=429),
    Row(
        "429-quota-with-a-reset",
        fails(429, code="insufficient_quota", X_RateLimit_Reset="1767682800"),
        "quota",
        QUOTA,
        at="2026-01-06T07:00:00.000Z",
        status=429,
    ),
    Row("401", fails(401, code="invalid_api_key"), "auth", AUTH, at=None, status=401),
    Row("403", fails(403), "auth", AUTH, at=None, status=403),
    Row(
        "403-country",
        fails(403, code="unsupported_country_region_territory"),
        "entitlement",
        AUTH,
        at=None,
        status=403,
    ),
    Row(
        "400-context",
        fails(400, code="context_length_exceeded"),
        "context",
        CONTEXT,
        at=None,
        status=400,
    ),
    Row("413", html(413), "context", CONTEXT, at=None, status=413),
    Row("404", fails(404, code="model_not_found"), "model", INVALID, at=None, status=404),
    Row("400", fails(400), "invalid", INVALID, at=None, status=400),
    Row("400-gzip", gzipped(fails(400)), "invalid", INVALID, at=None, status=400),
    Row("422", fails(422), "invalid", INVALID, at=None, status=422),
    Row(
        "400-content",
        fails(400, code="content_policy_violation"),
        "content",
        INVALID,
        at=None,
        status=400,
    ),
    Row("filtered", said("Bem…", finish="content_filter"), "content", INVALID, at=None),
    Row("refused", said(extra={"refusal": "I will not."}), "content", INVALID, at=None),
    Row("400-to-be-retried", fails(400, x_should_retry="true"), "invalid", INVALID, status=400),
    Row(
        "503-for-good",
        fails(503, x_should_retry="false"),
        "overload",
        DOWN,
        at=None,
        status=503,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_failed_speak_call_is_deferred_or_ends_the_run(row: Row, server: ModelServer):
    server.answer(row.answer)
    model = provider(server, timeout=row.timeout, clock=FakeClock(START))
    agent = speaker(model)
    result = agent.turn_sync(session_id="s1", message="oi", id="m1")

    line = result.outcomes[-1]
    assert (line.status, line.code) == ("failed" if row.at is None else "deferred", row.code)
    assert [wake.at for wake in result.schedule] == ([] if row.at is None else [row.at])
    assert len(result.ended) == (row.at is None)
    assert result.llm_calls == 1
    assert result.messages == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_failed_understand_call_is_raised_with_its_kind(row: Row, server: ModelServer):
    server.answer(row.answer)
    agent = listener(provider(server, timeout=row.timeout, name="shop"))
    with pytest.raises(ProviderError) as caught:
        agent.turn_sync(session_id="s1", message="oi", id="m1")

    error = caught.value
    assert (error.provider, error.kind, error.status) == ("shop", row.kind, row.status)
    assert len(server.requests) == 1


STREAM_ROWS = [row for row in ROWS if row.id != "cut-inside-the-answer"]


@pytest.mark.parametrize("row", STREAM_ROWS, ids=lambda row: row.id)
def test_a_stream_fails_with_the_same_kind(row: Row, server: ModelServer):
    server.answer(row.answer)
    error = failure_of(chunks_of(provider(server, timeout=row.timeout), call()))
    assert (error.kind, error.status) == (row.kind, row.status)


OVERLOADED = {"error": {"message": "Overloaded", "type": "overloaded_error", "code": None}}
BROKEN_OFF = {
    "cut": (InStream(said("Bom ", "dia"), 2, [CUT]), "network"),
    "ended-without-a-reason": (InStream(said("Bom ", "dia"), 2, []), "network"),
    "error-event": (InStream(said("Bom ", "dia"), 2, [OVERLOADED]), "overload"),
    "error-event-with-a-status": (
        InStream(said("Bom ", "dia"), 2, [{"error": {"message": "Slow down", "code": 429}}]),
        "rate",
    ),
}


@pytest.mark.parametrize(("answer", "kind"), BROKEN_OFF.values(), ids=BROKEN_OFF.keys())
def test_a_stream_that_breaks_off_is_a_failure(answer: Answer, kind: str, server: ModelServer):
    server.answer(answer)
    assert failure_of(chunks_of(provider(server), call())).kind == kind


def test_so_is_one_that_falls_silent(server: ModelServer):
    server.answer(InStream(said("Bom ", "dia"), 2, [HOLD]))
    assert failure_of(chunks_of(provider(server, timeout=SILENCE_S), call())).kind == "timeout"


def test_an_error_event_in_place_of_a_stream_is_a_failure(server: ModelServer):
    server.answer(lambda _: events(OVERLOADED))
    error = failure_of(chunks_of(provider(server), call()))
    assert (error.kind, error.code) == ("overload", "overloaded_error")


def test_a_server_that_is_not_there_is_a_broken_network(server: ModelServer):
    server.stop()
    result = speaker(provider(server)).turn_sync(session_id="s1", message="oi", id="m1")
    assert (result.outcomes[-1].status, result.outcomes[-1].code) == ("deferred", DOWN)
    assert failure_of(provider(server).generate(call())).kind == "network"


def test_a_blank_reply_is_no_failure_of_the_provider_and_is_retried(server: ModelServer):
    server.answer(said())
    result = speaker(provider(server)).turn_sync(session_id="s1", message="oi", id="m1")
    assert (result.outcomes[-1].status, result.outcomes[-1].code) == ("deferred", DOWN)
    assert [wake.at for wake in result.schedule] == [RETRY]


def test_a_model_that_litellm_does_not_know_is_a_wrong_model():
    error = failure_of(LiteLLMProvider("some-model", retries=0).generate(call()))
    assert error.kind == "model"


def test_a_call_without_any_key_is_told_to_authenticate(monkeypatch: pytest.MonkeyPatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    models = ("openai/x", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash")
    errors = [failure_of(LiteLLMProvider(model, retries=0).generate(call())) for model in models]
    assert [error.kind for error in errors] == ["auth"] * 3


# --- what an error carries --------------------------------------------------------------------


def test_an_error_carries_what_the_server_said(server: ModelServer):
    server.answer(
        fails(429, "Slow down.", code="rate_limit_exceeded", type="requests", Retry_After="7")
    )
    error = failure_of(provider(server, name="openai").generate(call()))
    assert error.code == "rate_limit_exceeded"
    assert error.retry_after_ms == 7_000
    assert error.body == (
        '{"error": {"message": "Slow down.", "type": "requests", "param": null, '
        '"code": "rate_limit_exceeded"}}'
    )
    assert str(error) == f"openai 429: {error.body}"


def test_a_long_body_is_cut(server: ModelServer):
    server.answer(raw(b"x" * 10_000, 500))
    error = failure_of(provider(server, name="p").generate(call()))
    assert error.body == "x" * 2_000
    assert str(error) == "p 500: " + "x" * 2_000


def test_no_secret_is_in_any_text_of_an_error(server: ModelServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_TOKEN", "o-valor-do-ambiente")
    org = "org-AbCdEf123456"
    told = f"Key {KEY}, Bearer abc.def-123456, {org}, o-valor-do-ambiente, sk-***********ABCD"
    server.answer(fails(401, told, code=KEY))
    error = failure_of(provider(server).generate(call()))
    texts = f"{error} {error!r} {error.body} {error.code} {error.__cause__} {error.__context__}"
    for secret in (KEY, "abc.def-123456", org, "o-valor-do-ambiente", "ABCD"):
        assert secret not in texts


def test_a_broken_connection_is_told_without_the_clients_own_words(server: ModelServer):
    server.answer(cut)
    error = failure_of(provider(server, name="p").generate(call()))
    assert str(error) == "p: Server disconnected"


# --- other makers of models -------------------------------------------------------------------

MAKERS = (
    "anthropic/claude-sonnet-4-5",
    "gemini/gemini-2.5-flash",
    "hosted_vllm/some-model",
    "mistral/mistral-large-latest",
    "ollama_chat/some-model",
    "openrouter/some/model",
)
SAME_EVERYWHERE = [
    row
    for row in ROWS
    if row.id
    in {
        "408",
        "cut-before-the-answer",
        "503",
        "529",
        "429",
        "429-quota",
        "402",
        "401",
        "403",
        "404",
    }
]


@pytest.mark.parametrize("model", MAKERS)
def test_failures_mean_the_same_whoever_makes_the_model(model: str, server: ModelServer):
    kinds: list[tuple[str, int | None]] = []
    for row in SAME_EVERYWHERE:
        server.answer(row.answer)
        error = failure_of(provider(server, model).generate(call()))
        kinds.append((error.kind, error.status))
    assert kinds == [(row.kind, row.status) for row in SAME_EVERYWHERE]


def test_the_words_of_a_prompt_do_not_name_the_kind(server: ModelServer):
    words = "rate limit, maximum context length, timeout, content_policy_violation"
    server.answer(fails(503, f"No capacity for: {words}"), raw(f"<p>{words}</p>".encode()))
    model = provider(server)
    assert failure_of(model.generate(call())).kind == "overload"
    assert failure_of(model.generate(call())).kind == "unknown"


def test_a_tool_call_that_was_filtered_is_a_failure(server: ModelServer):
    server.answer(called("busca", "{}", finish="content_filter"))
    assert failure_of(provider(server).generate(call())).kind == "content"
