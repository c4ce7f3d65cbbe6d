"""Bodies become data and bytes again, and mean the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.cassette.bodies import Body, read_body, write_body

EVENTS = "text/event-stream; charset=utf-8"
TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@given(st.binary())
def test_bytes_of_no_known_kind_come_back_as_they_were(content: bytes):
    body = read_body(content, "application/octet-stream")
    if body.form == "json":
        assert json.loads(write_body(body)) == json.loads(content)
    else:
        assert write_body(body) == content


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_json_of_any_spelling_comes_back_with_its_value(value: Any, escaped: bool, indent: int):
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    content = text.encode(errors="replace")
    assert json.loads(write_body(read_body(content))) == json.loads(content)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>503</html>",
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\\ud83d"}',
        '{"a": ' + "[" * 200 + "]" * 200 + "}",
        "[" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
        '{"a": 1} and more',
    ],
    ids=["empty", "html", "twice", "nan", "huge", "half", "deep", "deeper", "digits", "more"],
)
def test_what_is_no_plain_json_stays_as_it_is(text: str):
    body = read_body(text.encode())
    assert body == Body("text", text)
    assert write_body(body) == text.encode()


def test_what_is_no_text_is_base64():
    body = read_body(b"\xff\x00")
    assert body == Body("base64", "/wA=")
    assert write_body(body) == b"\xff\x00"


def test_a_stream_is_its_events():
    stream = (
        ": a comment\n\n"
        'data: {"delta": "Oi"}\n\n'
        "event: message_stop\nid: 7\nretry: 100\ndata: a\ndata: b\n\n"
        "data:  two\n\n"
        "event: ping\n\n"
        "data: [DONE]\n\n"
    )
    body = read_body(stream.encode(), EVENTS)
    assert body.form == "events"
    assert body.value == [
        {"data": {"delta": "Oi"}},
        {"event": "message_stop", "id": "7", "retry": "100", "text": "a\nb"},
        {"text": " two"},
        {"event": "ping"},
        {"text": "[DONE]"},
    ]
    assert write_body(body).decode() == stream.removeprefix(": a comment\n\n").replace(
        '{"delta": "Oi"}', '{"delta":"Oi"}'
    )


@pytest.mark.parametrize(
    "stream",
    [
        "data: a\n\ndata: b",
        "data: a\n",
        "data: a\nname: b\n\n",
        "event: a\nevent: b\n\n",
        "data: \0\n\n",
    ],
    ids=["cut", "unfinished", "unknown", "twice", "nul"],
)
def test_a_stream_with_more_to_it_stays_as_it_is(stream: str):
    assert read_body(stream.encode(), EVENTS) == Body("text", stream)


LINE = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"))
EVENT = st.fixed_dictionaries(
    {},
    optional={"event": LINE, "id": LINE, "retry": LINE},
)


def data_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@given(
    st.lists(st.tuples(EVENT, st.one_of(LINE, JSON)), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_every_stream_comes_back_with_its_events(events: list[Any], end: str):
    text = ""
    for fields, data in events:
        lines = [f"{name}: {value}" for name, value in fields.items()]
        shown = (
            data
            if isinstance(data, str) and "\r" not in data and "\n" not in data
            else json.dumps(data)
        )
        text += end.join([*lines, f"data: {shown}", "", ""])
    content = text.encode(errors="replace")
    once = read_body(content, EVENTS)
    again = read_body(write_body(once), EVENTS)
    assert again == once
    assert once.form == "events"
    assert len(once.value) == len(events)
    for got, (fields, _) in zip(once.value, events, strict=True):
        assert {key: got[key] for key in fields} == fields
