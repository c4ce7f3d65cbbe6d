"""The streamed message: decoded as it arrives, and nothing but the message."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.providers.base import ModelReply
from falai.text.envelope import speak_envelope
from falai.text.reply import MessageStream
from falai.text.speech import read_speech

WRAPPINGS = st.sampled_from(
    ["{}", "```json\n{}\n```", "```json {} ```", "Claro, {{nome}}!\n{}", " {} fim"]
)


def streamed(chunks: list[str]) -> str:
    stream = MessageStream()
    return "".join([*map(stream.feed, chunks), stream.finish()])


def cut(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(place % (len(text) + 1) for place in cuts)})
    return [text[start:end] for start, end in pairwise(places)]


@given(
    message=st.text(),
    before=st.dictionaries(
        st.text().filter(lambda key: key != "message"), st.text() | st.lists(st.text())
    ),
    wrapping=WRAPPINGS,
    ascii_only=st.booleans(),
    cuts=st.lists(st.integers(min_value=0)),
)
def test_however_it_is_cut_the_message_is_whole(
    message: str, before: dict[str, object], wrapping: str, ascii_only: bool, cuts: list[int]
):
    envelope = {**before, "message": message, "message ": "não", "nome": {"message": "não"}}
    text = wrapping.format(json.dumps(envelope, ensure_ascii=ascii_only))
    assert streamed(cut(text, cuts)) == message


@given(st.text(), st.lists(st.integers(min_value=0)))
def test_a_plain_reply_is_its_own_message(text: str, cuts: list[int]):
    assert (
        streamed(cut(text, cuts))
        == read_speech(ModelReply(message=text), speak_envelope({})).message
    )


@given(
    st.text(alphabet='{}[]":,\\ua8d3message \n1`', max_size=30), st.lists(st.integers(min_value=0))
)
def test_a_broken_reply_streams_what_is_read_in_the_end(rest: str, cuts: list[int]):
    for text in (rest, '{"message": "' + rest, '{"a": ' + rest):
        whole = read_speech(ModelReply(message=text), speak_envelope({})).message
        assert streamed(cut(text, cuts)) == whole


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        (['{"mess', 'age": "O', 'i!"}'], ["", "O", "i!"]),
        (['{"message": "a\\', "n\\u00", "e9\\", '"b"}'], ["a", "\n", "é", '"b']),
        (['{"message": "\\ud83d', '\\ude00!"}'], ["", "😀!"]),
        (['{"message": "\\ud83d', 'x\\ude00\\ud83d"}'], ["", "\ufffdx\ufffd\ufffd"]),
        (['{"message": "\\ud83d\\ud83d\\ude00"}'], ["\ufffd😀"]),
        (['{"message": "\\ud83d\\n\\/\\q"}'], ["\ufffd\n/q"]),
        (
            ['{"nome": "mess', 'age\\"", "x": [1, {"message": "n"}, "]"],', ' "message": "sim"}'],
            ["", "", "sim"],
        ),
        (['{"message": null, "b": "c"}'], [""]),
        (['{"message": "a", "message": "b"}', '{"message": "c"}'], ["a", ""]),
        (['{"a": 1} {"message": "b"}'], [""]),
        (['{"message": "a\\uZZ', 'b"}'], ["a", ""]),
        (["Claro", "!"], ["", ""]),
    ],
)
def test_each_chunk_gives_what_is_certain_by_then(chunks: list[str], said: list[str]):
    stream = MessageStream()
    assert [stream.feed(chunk) for chunk in chunks] == said


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("", ""),
        ("Só texto.", "Só texto."),
        ("Oi {nome}!", "Oi {nome}!"),
        ('{"a": 1}', ""),
        ('{"mess', ""),
        ('{"message": 30}', "30"),
        ('{"message": "oi"}', ""),
        ('"{\\"message\\": \\"oi\\"}"', "oi"),
    ],
)
def test_the_end_hands_over_what_was_held_back(text: str, rest: str):
    stream = MessageStream()
    stream.feed(text)
    assert stream.finish() == rest
