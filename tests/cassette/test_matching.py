"""Which recorded answer a request gets."""

import json
from typing import Any

import pytest
from hypothesis import given

from simulator.cassette.bodies import Body
from simulator.cassette.matching import Recorded, key_of
from simulator.cassette.tape import TapedRequest
from tests.cassette.kit import body_of, request_of, taped
from tests.cassette.test_bodies import JSON

URL = "https://api.example/v1/chat"


def key(body: Any = None, url: str = URL, method: str = "POST", **headers: str) -> str:
    given = body if isinstance(body, Body) else Body("json", body or body_of("hi"))
    return key_of(TapedRequest(method=method, url=url, headers=headers, body=given))


@pytest.mark.parametrize(
    "same",
    [
        key(url="http://localhost:1/v1/chat"),
        key(url=f"{URL}?key=SCRUBBED"),
        key(authorization="x"),
        key(dict(reversed(body_of("hi").items()))),
    ],
    ids=["host", "credentials", "headers", "order-of-keys"],
)
def test_this_takes_no_part(same: str):
    assert same == key()


@pytest.mark.parametrize(
    "other",
    [
        key(method="GET"),
        key(url="https://api.example/v2/chat"),
        key(url=f"{URL}?api-version=1"),
        key(body_of("hi ")),
        key({**body_of("hi"), "temperature": None}),
        key(Body("text", "hi")),
    ],
    ids=["method", "path", "query", "prompt", "one-key-more", "text"],
)
def test_this_does(other: str):
    assert other != key()


def test_numbers_are_compared_as_numbers_and_nothing_else_is():
    assert key({"n": 30}) == key({"n": 30.0})
    assert key({"n": 1}) != key({"n": True})
    assert key({"n": 1}) != key({"n": "1"})
    assert key({"n": 2**60}) != key({"n": 2**60 + 1})


@given(JSON, JSON)
def test_two_bodies_are_the_same_when_their_data_is(one: Any, other: Any):
    assert key({"a": one}) == key(json.loads(json.dumps({"a": one})))
    if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True) and one != other:
        assert key({"a": one}) != key({"a": other})


# --- equal requests -----------------------------------------------------------------------------

HI = key_of(request_of("hi"))


def test_equal_requests_play_in_the_order_recorded_each_once():
    calls = [taped(answer="a"), taped("other"), taped(answer="b", turn="2"), taped(answer="c")]
    recorded = Recorded(calls)
    played = [recorded.take(HI, "9", "speak", None) for _ in range(4)]
    assert played == [calls[0], calls[2], calls[3], None]
    assert recorded.leftovers == [calls[1]]
    assert recorded.times(HI) == 3


def test_a_call_in_company_gets_the_answer_that_was_its_own():
    calls = [
        taped(answer="a"),
        taped(answer="b", purpose="understand"),
        taped(answer="c"),
        taped(answer="d", turn="2"),
    ]
    recorded = Recorded(calls)
    assert recorded.take(HI, "2", "speak", 0) == calls[3]
    assert recorded.take(HI, "1", "speak", 1) == calls[2]
    assert recorded.take(HI, "1", "understand", 0) == calls[1]
    assert recorded.take(HI, "7", "speak", 0) == calls[0]
