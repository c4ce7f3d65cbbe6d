"""What is secret does not reach a tape, however it is spelled; all else does."""

import base64
import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.cassette.bodies import Body, read_body
from simulator.cassette.scrub import SCRUBBED, Scrubber
from simulator.cassette.tape import tape_data
from simulator.yamlout import yaml_text
from tests.cassette.kit import body_of, post, recorder, tape_of
from tests.modelserver.answers import events, gzipped, json_body, said
from tests.modelserver.server import ModelServer

NOTHING = Scrubber({})

KEYS = [
    "sk-abcdefgh12345678",
    "sk-proj-Ab12_Cd34-Ef56",
    "sk-ant-api03-abcdefgh",
    "sk-abc***********5678",
    "AIzaSyA1234567890abcdefghij",
    "ya29.a0AfH6SMBxxxxxxxxxxxx",
    "gsk_abcdefghijklmnop1234",
    "hf_abcdefghijklmnopqr",
    "xai-abcdefghijklmnop1234",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghijklmnopqrst1234",
    "xoxb-1234567890-abcdef",
    "sk_live_abcdefgh1234",
    "Bearer abcdefghijklmnop.1234",
    "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "org-AbCdEfGh1234",
    "proj_AbCdEfGh1234",
    "req_011CQabcdefgh",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
]
NO_KEYS = [
    "task-oriented-dialogue",
    "org-chart and org-structure",
    "the bearer of good news",
    "gpt-4.1-mini",
    "chatcmpl-abcdefgh12345678",
    "https://api.openai.com/v1/chat/completions",
    "monkey=banana",
    "call-1-0",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_known_by_its_shape(key: str):
    assert NOTHING.text(f"use {key}, please") == f"use {SCRUBBED}, please"
    [secret] = NOTHING.found(f"use {key}, please")
    assert (secret.start, secret.end) == (4, 4 + len(key))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("before", ["\n", "\t", "\r", "\f", "\b", "\x1f", " "])
def test_a_key_is_known_in_json_within_a_text(before: str, key: str):
    text = json.dumps({"text": f"use{before}{key}"})
    for _ in range(3):
        clean = NOTHING.text(text)
        assert (key.split("\n")[0] in clean, SCRUBBED in clean) == (False, True)
        text = json.dumps(text)


@pytest.mark.parametrize("text", NO_KEYS)
def test_other_texts_are_left_alone(text: str):
    assert NOTHING.text(text) == text
    assert list(NOTHING.found(text)) == []


# --- the environment --------------------------------------------------------------------------

SECRET = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=6).filter(
    lambda text: (
        len(text.strip()) >= 6 and not text.strip().islower() and text.strip() not in SCRUBBED
    )
)


@given(SECRET, st.text(max_size=5), st.text(max_size=5))
def test_no_spelling_of_a_value_in_the_environment_is_left(secret: str, before: str, after: str):
    scrubber = Scrubber({"MY_API_KEY": secret})
    value = secret.strip()
    inner = json.dumps({"key": value})
    body = {
        "text": f"{before}{value}{after}",
        value: 1,
        "arguments": inner,
        "deeper": json.dumps({"inner": inner}, ensure_ascii=False),
        "list": [value, {"a": value}],
        "link": str(httpx.URL("https://a.b/", params={"q": value})),
    }
    content = json.dumps(body).encode(errors="replace")
    shown = yaml_text({"json": scrubber.body(read_body(content)).value})
    for spelling in (value, json.dumps(value)[1:-1]):
        assert spelling not in shown
    assert value not in scrubber.text(f"{before}{value}{after}")


@given(SECRET, st.text(st.sampled_from("sk-SCRUBED abc1"), max_size=30))
def test_scrubbing_twice_is_scrubbing_once(secret: str, text: str):
    scrubber = Scrubber({"KEY": secret})
    once = scrubber.text(text + secret + text)
    assert scrubber.text(once) == once
    url = scrubber.url("https://u:p@a.b/v1/projects/p1/x?key=k&a=b")
    assert scrubber.url(url) == url


def test_names_that_end_in_key_token_or_secret_count():
    environment = {
        "A_KEY": "value-of-a",
        "b_token": "value-of-b",
        "C_SECRET": "value-of-c\n",
        "KEYBOARD": "value-of-d",
        "SHORT_KEY": "abc12",
        "WORD_KEY": "production",
        "EMPTY_KEY": "",
    }
    text = "value-of-a value-of-b value-of-c value-of-d abc12 production"
    shown = f"{SCRUBBED} {SCRUBBED} {SCRUBBED} value-of-d abc12 production"
    assert Scrubber(environment).text(text) == shown
    found = [secret.what for secret in Scrubber(environment).found(text)]
    assert found == ["the value of A_KEY", "the value of b_token", "the value of C_SECRET"]


def test_of_two_values_the_longer_one_goes_first():
    assert Scrubber({"A_KEY": "abc-123", "B_KEY": "abc-123-456"}).text("abc-123-456") == SCRUBBED


# --- where it stands ----------------------------------------------------------------------------


def test_a_url_keeps_what_it_asks_for_and_no_credentials():
    url = (
        "https://user:pass@host.example:8443/v1/projects/acme-42/models/m:generate"
        "?api-version=2&key=abc&api_key=def&access_token=ghi&X-Amz-Signature=jkl&alt=sse#x"
    )
    assert NOTHING.url(url) == (
        "https://host.example:8443/v1/projects/SCRUBBED/models/m:generate"
        "?api-version=2&key=SCRUBBED&api_key=SCRUBBED&access_token=SCRUBBED"
        "&X-Amz-Signature=SCRUBBED&alt=sse"
    )


def test_few_headers_are_kept():
    secret = dict.fromkeys(("Authorization", "api-key", "x-api-key", "x-goog-api-key", "Cookie", "Set-Cookie", "OpenAI-Organization", "openai-project", "x-request-id", "cf-ray", "request-id", "x-amz-security-token", "user-agent", "date"), "secret-value-1")  # fmt: skip
    telling = {
        "Retry-After": "3",
        "retry-after-ms": "3000",
        "x-should-retry": "false",
        "x-ratelimit-remaining-tokens": "0",
        "anthropic-ratelimit-unified-reset": "1700000000",
    }
    plain = {"Content-Type": "application/json"}
    assert NOTHING.request_headers(secret | plain | telling) == {"content-type": "application/json"}
    kept = NOTHING.response_headers(secret | plain | telling)
    assert kept == {name.lower(): value for name, value in (telling | plain).items()}
    assert list(kept) == sorted(kept)


def test_an_answer_loses_the_ids_of_the_account():
    answer = {"request_id": "abc", "organization": "acme", "id": "chatcmpl-1", "org_id": 5}
    assert NOTHING.response_body(Body("json", {"error": answer})).value == {
        "error": {
            "request_id": SCRUBBED,
            "organization": SCRUBBED,
            "id": "chatcmpl-1",
            "org_id": 5,
        }
    }
    assert NOTHING.body(Body("json", {"organization": "acme"})).value == {"organization": "acme"}


def test_a_key_that_is_cut_over_the_events_of_a_stream_goes():
    pieces = ["Your key is sk-ab", "cdefgh", "12345678.", " Bye."]
    stream = events(*({"choices": [{"delta": {"content": piece}}]} for piece in pieces))
    content = b"".join(part for part in stream.parts if isinstance(part, bytes))
    body = read_body(content, "text/event-stream")
    clean = NOTHING.response_body(body)
    assert [event["data"]["choices"][0]["delta"]["content"] for event in clean.value] == [
        "Your key is SCRUBBED. Bye.", "", "", "",
    ]  # fmt: skip
    assert body.value[0]["data"]["choices"][0]["delta"]["content"] == pieces[0]


def test_bytes_that_are_no_text_hide_no_key():
    body = read_body(b"\xff\xfe sk-abcdefgh12345678 \xff")
    assert body.form == "base64"
    assert base64.b64decode(NOTHING.body(body).value) == b"\xff\xfe SCRUBBED \xff"


# --- over HTTP ----------------------------------------------------------------------------------


def text_of(recorder: Any) -> str:
    return yaml_text(tape_data(tape_of(*recorder.taken)))


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzipped"])
def test_nothing_planted_anywhere_reaches_the_tape(zipped: bool):
    planted = [f"planted-{number}-Xy" for number in range(8)]
    header, query, cookie, prompt, answered, set_cookie, request_id, organization = planted
    scrubber_environment = {"A_KEY": prompt, "B_TOKEN": answered}
    answer = said(f"{answered} and sk-planted-by-shape").__call__

    def respond(request: Any) -> Any:
        made = answer(request)
        more = {
            "Set-Cookie": set_cookie,
            "x-request-id": request_id,
            "openai-organization": organization,
        }
        return type(made)(status=200, headers={**made.headers, **more}, parts=made.parts)

    used = recorder(mode="all", environment=scrubber_environment)
    with ModelServer() as server:
        server.answer(gzipped(respond) if zipped else respond)
        answered_live = post(
            used,
            f"{server.url}/chat?key={query}",
            body_of(f"my key is {prompt}"),
            headers={"Authorization": f"Bearer {header}", "Cookie": cookie},
        )
    assert answered in answered_live.text
    assert [secret for secret in [*planted, "sk-planted"] if secret in text_of(used)] == []
    assert "my key is SCRUBBED" in text_of(used)


def test_the_client_sends_and_gets_what_it_would_without_a_tape():
    used = recorder(mode="all", environment={"A_KEY": "planted-1-Xy"})
    with ModelServer() as server:
        server.answer(lambda _: json_body({"said": "planted-1-Xy"}))
        answer = post(used, f"{server.url}/chat?key=k1", body_of("planted-1-Xy"))
        assert server.last.messages == [{"role": "user", "content": "planted-1-Xy"}]
        assert server.last.path == "/v1/chat?key=k1"
    assert answer.json() == {"said": "planted-1-Xy"}


def test_what_cannot_be_unpacked_is_not_recorded():
    def respond(request: Any) -> Any:
        made = json_body({"a": 1})
        headers = {**made.headers, "Content-Encoding": "zstd"}
        return type(made)(headers=headers, parts=[b"\x28\xb5\x2f\xfd"])

    used = recorder(mode="all")
    with ModelServer() as server:
        server.answer(respond)
        assert post(used, f"{server.url}/chat", {}).content.startswith(b"\x28")
    assert used.taken == []
