"""What is written of a trace: everything but secrets."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from falai.words.data import Data
from simulator.trace import ActionRecord, Failure, Trace, trace_of
from simulator.tracefile import trace_text
from tests.simulator.kit import TALKER, played

KEYS = (
    "sk-abcdefgh12345678",
    "AIzaabcdefghijklmnop",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghijklmnopqrstuvwx",
    "xoxb-1234567890-abc",
    "Bearer abcdefghijklmnop",
    "eyJhbGciOiJI.eyJzdWIiOiIx",
)
PLAYED = played("- {message: oi, model: {speak: {message: Oi}}}", agent=TALKER)
PLAIN = st.text(st.sampled_from('aé \n"\\{[$😀'), max_size=40)


def trace(text: str) -> Trace:
    """One turn that holds a text wherever one may stand."""
    [turn] = PLAYED.turns
    assert turn.result is not None
    session = replace(turn.result.session, data=Data({"nome": text, text: 1}))
    [call] = turn.calls
    held = replace(
        turn,
        input={"message": text, "context": {"deep": [{"er": text}]}},
        result=replace(turn.result, session=session),
        calls=[replace(call, prompt=text, system=text, reply={"message": text})],
        actions=[ActionRecord(do="agir", with_={"x": text}, key=text, result=text)],
        error={"class": "ProviderError", "message": text},
    )
    failure = Failure(line=1, path="data", wanted=text, got=text, message=text)
    return trace_of([replace(PLAYED, turns=[held], failures=[failure])])


@given(said=PLAIN)
def test_what_holds_no_secret_is_written_as_it_is(said: str):
    made = trace(said)
    assert trace_text(made, {}) == msgspec.json.encode(made)


@pytest.mark.parametrize("key", KEYS)
@given(before=PLAIN, behind=st.sampled_from(["", "\n", " e", '"', ".", "}"]))
def test_a_key_is_gone_from_every_place(key: str, before: str, behind: str):
    text = trace_text(trace(f"{before}\n{key}{behind}"), {})
    assert key.split()[-1].encode() not in text
    assert text.count(b"SCRUBBED") > 10


@given(secret=st.text(st.characters(exclude_categories=["Cs"]), min_size=12, max_size=40))
def test_a_value_of_the_environment_is_gone_however_it_is_spelled(secret: str):
    secret = f"7{secret.strip()}7"
    text = msgspec.json.decode(trace_text(trace(f"x {secret} y"), {"ANY_TOKEN": secret}))
    [turn] = text["scenarios"][0]["turns"]
    assert turn["input"]["message"] == "x SCRUBBED y"
    assert secret not in turn["calls"][0]["reply"]["message"]


def test_what_is_nested_deeply_is_written_too():
    deep: list[object] = ["sk-abcdefgh12345678"]
    for _ in range(800):
        deep = [deep]
    [turn] = PLAYED.turns
    made = trace_of([replace(PLAYED, turns=[replace(turn, input={"context": deep})])])
    wanted = msgspec.json.encode(made).replace(b"sk-abcdefgh12345678", b"SCRUBBED")
    assert trace_text(made, {}) == wanted
