"""The kind of an answer, from bodies as the field sends them."""

import json
from typing import Any

import pytest

from falai import ErrorKind
from falai.providers.kinds import kind_of_answer, read_complaint, window_of

BODIES: dict[str, tuple[int | None, str, ErrorKind]] = {
    "openai-rate": (
        429,
        '{"error": {"message": "Rate limit reached for gpt-4.1 on tokens per min (TPM): Limit '
        '30000, Used 29000. You can increase your rate limit by adding a payment method.", '
        '"type": "tokens", "code": "rate_limit_exceeded"}}',
        "rate",
    ),
    "openai-quota": (
        429,
        '{"error": {"message": "You exceeded your current quota, please check your plan and '
        'billing details.", "type": "insufficient_quota", "code": "insufficient_quota"}}',
        "quota",
    ),
    "openai-context": (
        400,
        '{"error": {"message": "This model\'s maximum context length is 128000 tokens.", '
        '"type": "invalid_request_error", "code": "context_length_exceeded"}}',
        "context",
    ),
    "openai-flagged": (
        400,
        '{"error": {"message": "Invalid prompt: your prompt was flagged as potentially violating '
        'our usage policy.", "type": "invalid_request_error", "code": "invalid_prompt"}}',
        "content",
    ),
    "openai-unknown-parameter": (
        400,
        '{"error": {"message": "Unrecognized request argument supplied: foo", '
        '"type": "invalid_request_error", "code": null}}',
        "invalid",
    ),
    "openai-model": (
        404,
        '{"error": {"message": "The model `x` does not exist or you do not have access to it.", '
        '"code": "model_not_found"}}',
        "model",
    ),
    "openai-country": (
        403,
        '{"error": {"code": "unsupported_country_region_territory", "message": "Country, region, '
        'or territory not supported"}}',
        "entitlement",
    ),
    "anthropic-overloaded": (
        529,
        '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}',
        "overload",
    ),
    "anthropic-context": (
        400,
        '{"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too '
        'long: 210000 tokens > 200000 maximum"}}',
        "context",
    ),
    "anthropic-credit": (
        400,
        '{"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit '
        'balance is too low to access the Anthropic API."}}',
        "quota",
    ),
    "anthropic-permission": (
        403,
        '{"type": "error", "error": {"type": "permission_error", "message": "Your API key does '
        'not have permission to use the specified resource."}}',
        "entitlement",
    ),
    "anthropic-too-large": (
        413,
        '{"type": "error", "error": {"type": "request_too_large", "message": "Too large"}}',
        "context",
    ),
    "google-key": (
        400,
        '{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", '
        '"status": "INVALID_ARGUMENT"}}',
        "auth",
    ),
    "google-rate-in-a-list": (
        429,
        '[{"error": {"code": 429, "message": "Resource has been exhausted.", '
        '"status": "RESOURCE_EXHAUSTED"}}]',
        "rate",
    ),
    "google-unavailable": (
        503,
        '{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}',
        "overload",
    ),
    "openrouter-credits": (
        402,
        '{"error": {"code": 402, "message": "Insufficient credits"}}',
        "quota",
    ),
    "openrouter-moderation": (
        403,
        '{"error": {"code": 403, "message": "Your input was flagged"}}',
        "content",
    ),
    "openrouter-model": (
        400,
        '{"error": {"code": 400, "message": "x/y is not a valid model ID"}}',
        "model",
    ),
    "azure-filter": (
        400,
        '{"error": {"code": "content_filter", "message": "The response was filtered"}}',
        "content",
    ),
    "groq-too-large": (
        413,
        '{"error": {"message": "Request too large on tokens per minute (TPM)", '
        '"type": "tokens", "code": "rate_limit_exceeded"}}',
        "context",
    ),
    "ollama-model": (404, '{"error": "model \\"x\\" not found, try pulling it first"}', "model"),
    "vllm-context": (
        400,
        '{"object": "error", "message": "This model\'s maximum context length is 4096 tokens. '
        'Please reduce the length of the messages.", "type": "BadRequestError", "code": 400}',
        "context",
    ),
    "fastapi": (422, '{"detail": [{"loc": ["body"], "msg": "field required"}]}', "invalid"),
    "fastapi-text": (400, '{"detail": "unknown model x"}', "model"),
    "error-type-with-a-status-that-blames-the-request": (
        400,
        '{"error": {"type": "api_error", "message": "Bad"}}',
        "invalid",
    ),
    "plain-text": (401, '"Unauthorized"', "auth"),
    "html": (502, "null", "overload"),
    "teapot": (418, "null", "invalid"),
    "stream-overloaded": (
        None,
        '{"message": "Overloaded", "type": "overloaded_error"}',
        "overload",
    ),
    "stream-context": (None, '{"message": "context window exceeded"}', "context"),
    "stream-unknown": (None, '{"message": "Something broke on our plan"}', "unknown"),
}


@pytest.mark.parametrize(("status", "body", "kind"), BODIES.values(), ids=BODIES.keys())
def test_a_body_of_the_field_has_its_kind(status: int | None, body: str, kind: ErrorKind):
    assert kind_of_answer(status, read_complaint(json.loads(body))) == kind


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ({"message": "You've hit your 5-hour limit"}, "5h"),
        ({"message": "five_hour window"}, "5h"),
        ({"message": "Your weekly limit resets on Monday"}, "weekly"),
        ({"type": "seven_day"}, "weekly"),
        ({"message": "Monthly spend limit reached"}, "monthly"),
        ({"message": "30 requests per minute, try in 15 hours"}, None),
    ],
)
def test_a_usage_window_is_named(said: dict[str, Any], window: str | None):
    assert window_of(read_complaint({"error": said})) == window
