"""What a miss says: which call, how near the tape comes, and what to do."""

import json
from typing import Any

import pytest

from simulator.cassette.bodies import Body
from simulator.cassette.calls import playing
from simulator.cassette.difference import difference, nearest
from simulator.cassette.miss import CassetteMissError
from simulator.cassette.recorder import HttpRequest, Recorder
from simulator.cassette.tape import TapedRequest
from tests.cassette.kit import body_of, recorder, request_of, tape_of, taped

URL = "https://proxy.example/v1/chat"
LONG = "\n".join(f"line {number}" for number in range(12))


def ask(used: Recorder, body: Any, url: str = URL) -> str:
    """What is answered; the call is the first speak call of turn 3, in line 41."""
    request = HttpRequest("POST", url, {}, json.dumps(body).encode())
    with playing("3", 41), used.call("speak") as call:
        answer = used.answer(call, request)
    assert answer is not None
    return answer.body.decode()


def missed(used: Recorder, body: Any, url: str = URL) -> str:
    with pytest.raises(CassetteMissError) as caught:
        ask(used, body, url)
    assert caught.value.line == 41
    return str(caught.value)


def test_it_names_the_call_and_shows_the_changed_line_of_the_prompt():
    used = recorder(tape_of(taped(LONG, turn="3")))
    assert missed(used, body_of(LONG.replace("line 6", "line six"))) == (
        "[CassetteMissError] speak call of turn 3 (line 41): the tape has no answer to this request\n"
        "  The nearest on it is the speak call of turn 3 (- recorded, + asked now):\n"
        "    the prompt:\n"
        "      …\n"
        "        line 4\n"
        "        line 5\n"
        "      - line 6\n"
        "      + line six\n"
        "        line 7\n"
        "        line 8\n"
        "To record it again: falai record"
    )


def test_without_a_tape_it_says_so():
    assert "there is no tape the tape\nTo record one: falai record" in missed(recorder(), {})


def test_a_tape_without_calls_has_nothing_near():
    assert "no answer to this request\nTo record it again" in missed(recorder(tape_of()), {})


def test_an_answer_that_was_played_is_not_played_again():
    used = recorder(tape_of(taped("a"), taped("a", "again")))
    assert [ask(used, body_of("a")), ask(used, body_of("a"))] == ["hello", "again"]
    assert "has the answer to this request 2 times, and it was played" in missed(used, body_of("a"))


def test_no_credential_is_shown():
    used = recorder(tape_of(taped("a")), environment={"A_KEY": "planted-1-Xy"})
    text = missed(used, body_of("planted-1-Xy"), f"{URL}?key=planted-2-Xy")
    assert "+ SCRUBBED" in text
    assert "planted" not in text


# --- the difference -----------------------------------------------------------------------------


def request(*messages: tuple[str, Any], **rest: Any) -> TapedRequest:
    said = [{"role": role, "content": content} for role, content in messages]
    return TapedRequest(
        method="POST", url="https://a.b/c", body=Body("json", {"messages": said, **rest})
    )


def parts(old: TapedRequest, new: TapedRequest) -> list[str]:
    """The headings and the changed lines."""
    return [line.strip() for line in difference(old, new) if not line.startswith("    ")]


def test_the_prompt_comes_first_then_what_stands_around_it():
    old = request(("system", "s"), ("user", "h"), ("user", "p"), temperature=0)
    new = request(("system", "S"), ("user", "H"), ("user", "P"), temperature=1)
    headings = [line for line in difference(old, new) if not line.startswith(" ")]
    assert headings == [
        "the prompt:",
        "the system prompt:",
        "the history:",
        "the rest of the body:",
    ]


def test_only_what_differs_is_shown():
    old = request(("system", "s"), ("user", "p"), temperature=0)
    new = request(("system", "s"), ("user", "p"), temperature=1)
    assert difference(old, new) == [
        "the rest of the body:",
        "  …",
        "  - temperature: 0",
        "  + temperature: 1",
    ]


def test_another_host_is_no_difference():
    old, new = request_of("a"), request_of("b", "http://localhost:1/v1/chat?key=1")
    assert not any("address" in line for line in difference(old, new))
    elsewhere = request_of("a", "https://api.example/v2/chat?a=b")
    assert difference(old, elsewhere) == [
        "the address:",
        "  …",
        "  - POST /v1/chat",
        "  + POST /v2/chat?a=b",
    ]


@pytest.mark.parametrize(
    "body",
    [
        Body("text", "x"),
        Body("json", [1]),
        Body("json", {"messages": []}),
        Body("json", {"messages": "x"}),
        Body("json", {"messages": ["x"]}),
        Body("json", {"messages": [{"role": "user"}]}),
        Body("json", {"messages": [{"role": "user", "content": [{"type": "text"}]}]}),
        Body("json", {"contents": [{"parts": [{"text": "x"}]}]}),
    ],
)
def test_bodies_of_other_shapes_are_compared_too(body: Body):
    other = TapedRequest(method="POST", url="https://api.example/v1/chat", body=body)
    assert difference(request_of("hi"), other)
    assert difference(other, request_of("hi"))
    assert difference(other, other) == []


def test_a_difference_that_is_long_is_cut():
    old, new = request_of("\n".join("abc" * 30)), request_of("\n".join("xyz" * 30))
    lines = difference(old, new)
    # All are a heading, a gap, the role, and 90 lines that go for 90 that come.
    assert len(lines) == 41
    assert lines[-1] == "… and 143 more lines"


# --- the nearest --------------------------------------------------------------------------------


def test_the_nearest_is_of_the_same_turn_and_purpose_before_all():
    asked = request_of("what time is it")
    same_words = taped("what time is it?", turn="1")
    same_purpose = taped("who", turn="2")
    same_call = taped("where", turn="3")
    understood = taped("what time is it?", turn="3", purpose="understand")
    calls = [same_words, same_purpose, same_call, understood]
    assert nearest(asked, "3", "speak", calls) == same_call
    assert nearest(asked, "4", "speak", calls) == same_words
    assert nearest(asked, "4", "summary", [same_purpose, understood]) == understood
    assert nearest(asked, "4", "speak", []) is None
