"""The file of a tape: written and read back, and refused by place when it is no tape."""

import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.cassette.bodies import Body
from simulator.cassette.recording import save_tape
from simulator.cassette.tape import (
    Tape,
    TapedCall,
    TapedRequest,
    TapedResponse,
    read_tape,
    tape_data,
)
from simulator.load import Document, load_document
from simulator.place import ScenarioFileError
from simulator.yamlout import yaml_text
from tests.cassette.kit import tape_of, taped
from tests.cassette.test_bodies import JSON, TEXT

NAME = st.text(string.ascii_lowercase + "-", min_size=1, max_size=12)
HEADERS = st.dictionaries(NAME, TEXT, max_size=2)
PLAIN_JSON = JSON.filter(lambda value: "\\ud" not in ascii(value))
EVENT = st.one_of(
    st.fixed_dictionaries({"data": PLAIN_JSON}, optional={"event": NAME}),
    st.fixed_dictionaries({"text": NAME}, optional={"id": NAME}),
)
BODY = st.one_of(
    st.just(Body()),
    st.builds(Body, st.just("json"), PLAIN_JSON),
    st.builds(Body, st.just("text"), TEXT),
    st.builds(Body, st.just("events"), st.lists(EVENT, max_size=3)),
    st.just(Body("base64", "/wA=")),
)
CALL = st.builds(
    TapedCall,
    turn=NAME,
    purpose=NAME,
    duration_ms=st.integers(0, 10**6),
    request=st.builds(
        TapedRequest,
        method=st.sampled_from(["GET", "POST"]),
        url=st.just("https://api.example/v1?a=b"),
        headers=HEADERS,
        body=BODY,
    ),
    response=st.builds(TapedResponse, status=st.integers(100, 599), headers=HEADERS, body=BODY),
)
TAPE = st.builds(
    Tape,
    recorded=st.dates().map(str),
    model=TEXT,
    versions=st.dictionaries(NAME, TEXT, max_size=2),
    calls=st.lists(CALL, max_size=3).map(tuple),
)


@given(TAPE)
def test_a_tape_that_is_read_back_is_the_same(tape: Tape):
    text = yaml_text(tape_data(tape))
    assert read_tape(Document(Path("t.yaml"), text)) == tape
    assert yaml_text(tape_data(read_tape(Document(Path("t.yaml"), text)))) == text


GOOD = yaml_text(tape_data(tape_of(taped())))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cassette: 1", "casette: 1", "t.yaml:1:1: this is no cassette: it has no cassette key."),
        ("cassette: 1", "cassette: 2", "t.yaml:1:11: this version reads cassettes of format 1 only."),
        ("recorded: 2026-05-04", "recorded: monday", "t.yaml:2:11: recorded is no time"),
        ("recorded: 2026-05-04", "recorded: 2026-05-04T10:00:00Z", "t.yaml:2:11: recorded is no day"),
        ("model: ", "modle: ", 't.yaml:3:1: unknown key "modle". Did you mean "model"?'),
        ('turn: "1"', "turn: 1", "t.yaml:6:11: turn must be text, not the number 1."),
        ("purpose: speak", "purpos: speak", 't.yaml:7:5: unknown key "purpos".'),
        ("durationMs: 7", "durationMs: fast", "t.yaml:8:17: durationMs must be a whole number"),
        ("https://api.example/v1/chat", '"http://["', "t.yaml:11:12: url is no URL."),
        ("status: 200", "status: 20", "must be a whole number, 100 or more"),
        ("text: hello", "text: hello, json: {}", "a body has one form only."),
        ("text: hello", "text: 5", "text must be text, not the number 5."),
        ("text: hello", "base64: a", "base64 is no base64."),
        ("text: hello", "json: .nan", "json is no json."),
        ("text: hello", "events: {}", "events must be a list, not a mapping."),
        ("text: hello", "events: [{date: 1}]", 'unknown key "date". Did you mean "data"?'),
        ("text: hello", "events: [{text: 1}]", "text must be text"),
        ("text: hello", "text: !!python/object:os.system hello", "unknown tag"),
        ("text: hello", "text: !secret hello", "unknown tag !secret."),
        ("calls:", "calls: [", "not valid YAML"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_at_its_place(old: str, new: str, says: str):
    assert old in GOOD
    with pytest.raises(ScenarioFileError) as caught:
        read_tape(Document(Path("t.yaml"), GOOD.replace(old, new)))
    assert says in str(caught.value)
    assert str(caught.value).startswith("t.yaml:")


def test_a_tape_is_written_into_a_new_folder_and_in_the_place_of_an_old_one(tmp_path: Path):
    file = tmp_path / "a" / "b" / "t.yaml"
    for answer in ("one", "olá"):
        save_tape(file, tape_of(taped(answer=answer)))
        assert read_tape(load_document(file)) == tape_of(taped(answer=answer))
        assert [path.name for path in file.parent.iterdir()] == ["t.yaml"]


def test_a_link_to_a_tape_stays_a_link(tmp_path: Path):
    (tmp_path / "link.yaml").symlink_to(tmp_path / "t.yaml")
    save_tape(tmp_path / "t.yaml", tape_of())
    save_tape(tmp_path / "link.yaml", tape_of(taped()))
    assert (tmp_path / "link.yaml").is_symlink()
    assert read_tape(load_document(tmp_path / "t.yaml")) == tape_of(taped())


def test_a_folder_that_is_a_file_is_told(tmp_path: Path):
    (tmp_path / "a").write_text("", encoding="utf-8")
    with pytest.raises(ScenarioFileError, match=r"the cassette cannot be written: .*--cassettes"):
        save_tape(tmp_path / "a" / "t.yaml", tape_of())


def test_a_failed_write_leaves_the_old_tape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "t.yaml"
    save_tape(file, tape_of(taped()))

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ScenarioFileError, match="No space left on device"):
        save_tape(file, tape_of())
    assert read_tape(load_document(file)) == tape_of(taped())
    assert list(tmp_path.iterdir()) == [file]
