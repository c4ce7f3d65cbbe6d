"""Keys and ids are taken out of texts, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.providers.secrets import REDACTED, environment_secrets, named_secrets, scrub
from tests.property.profile import checked

SHAPES = [
    "sk-proj-Abc123_def-456",
    "sk-ant-api03-AAAA-bbbb",
    "sk-***************wxyz",
    "gsk_AbCdEf123456",
    "xai-AbCdEf123456",
    "AIzaSyA-1234567890abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "org-AbCdEfGh12345",
    "proj_AbCdEfGh12345",
]


@pytest.mark.parametrize("secret", SHAPES)
def test_what_has_the_shape_of_a_key_or_an_id_is_taken_out(secret: str):
    assert scrub(f'{{"message": "Incorrect: {secret}."}}').startswith(
        f'{{"message": "Incorrect: {REDACTED}'
    )


@pytest.mark.parametrize(
    ("text", "scrubbed"),
    [
        ("Authorization: Bearer abc.DEF-123", f"Authorization: Bearer {REDACTED}"),
        ("https://x/v1?key=abc123&alt=sse", f"https://x/v1?key={REDACTED}&alt=sse"),
        ("api_key=abc access_token=def", f"api_key={REDACTED} access_token={REDACTED}"),
    ],
)
def test_what_stands_where_a_key_stands_is_taken_out(text: str, scrubbed: str):
    assert scrub(text) == scrubbed


@pytest.mark.parametrize(
    "text",
    [
        "You exceeded your current quota, please check your plan.",
        "The model `gpt-4.1-mini` does not exist: ask-for-access, risk-free",
        "Rate limit reached. Keys and tokens: 30000 tokens, organization unknown.",
    ],
)
def test_other_words_stay(text: str):
    assert scrub(text) == text


@checked
@given(
    secrets=st.lists(st.from_regex(r"[A-Za-z0-9+/_-]{8,30}", fullmatch=True), max_size=4),
    words=st.lists(st.text(), min_size=5, max_size=5),
)
def test_no_known_secret_is_left_wherever_it_stands(secrets: list[str], words: list[str]):
    told = "".join(word + secret for word, secret in zip(words, [*secrets, ""], strict=False))
    left = scrub(told, secrets).replace(REDACTED, "\0")
    assert not [secret for secret in secrets if secret in left]


def test_a_short_value_is_no_secret():
    assert scrub("a1 b2", ["a1"]) == "a1 b2"


def test_names_tell_what_is_secret(monkeypatch: pytest.MonkeyPatch):
    options = {"api_key": "k1", "aws_secret_access_key": "k2", "azure_ad_token": "k3"}
    others = {"temperature": 0, "api_base": "http://x", "max_tokens": 5, "api_key_2": None}
    assert named_secrets(options | others) == ["k1", "k2", "k3"]
    monkeypatch.setenv("SHOP_API_KEY", "k4-from-the-environment")
    assert "k4-from-the-environment" in environment_secrets()
