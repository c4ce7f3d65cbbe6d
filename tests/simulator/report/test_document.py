"""What is read of a trace, and what is said of a file that is none."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.report.document import ReportError, read_traces
from tests.simulator.conftest import Write
from tests.simulator.report.kit import TALK, call, failed_call, put, read, scenario, trace, turn

FIX = "Write a trace with: falai run scenarios --json trace.json"


def said_of(write: Write, text: str, name: str = "t.json") -> str:
    """What is said of a file that cannot be read."""
    path = write(name, text)
    with pytest.raises(ReportError) as caught:
        read_traces([path])
    return str(caught.value)


# --- traces -------------------------------------------------------------------------------------


def test_several_traces_are_read_in_order(tmp_path: Path):
    one, two = put(tmp_path, TALK, "1.json"), put(tmp_path, trace(scenario(title="z")), "2.json")
    titles = [played.scenario for played in read_traces([two, one])]
    assert titles == ["z", "Triage", "Idle"]


def strange(value: Any) -> Any:
    """The same document as another version may write it: with keys that this one does not know."""
    if isinstance(value, list):
        return [strange(item) for item in value]
    if not isinstance(value, dict):
        return value
    known = {key: item if key == "input" else strange(item) for key, item in value.items()}
    return {"zqxj": {"deep": [1]}, **known}


def test_keys_that_are_not_known_are_passed_over(tmp_path: Path):
    assert read(tmp_path, strange(TALK)) == read(tmp_path, TALK)


def test_what_an_older_trace_lacks_is_taken_as_unknown(tmp_path: Path):
    [played] = read(tmp_path, {"scenarios": [{"scenario": "t", "turns": [{"calls": [{}]}]}]})
    [only] = played.turns
    [made] = only.calls
    assert (played.file, played.status, only.line, only.result) == ("-", "-", None, None)
    assert (made.purpose, made.usage, made.cost_usd, made.duration_ms) == ("-", None, None, None)
    assert made.error is None


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (call(), None),
        (failed_call(kind="quota"), "quota"),
        (failed_call(kind=None), "ProviderError"),
        ({"reply": {"error": "it broke"}}, "it broke"),
        ({"reply": {"error": {}}}, "unknown"),
        ({"reply": "text"}, None),
        ({"reply": None}, None),
    ],
)
def test_a_call_failed_when_its_reply_is_an_error(tmp_path: Path, made: Any, error: str | None):
    [played] = read(tmp_path, trace(scenario(turn(calls=[made]))))
    assert played.turns[0].calls[0].error == error


# --- other files --------------------------------------------------------------------------------


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(ReportError) as caught:
        read_traces([Path("nada.json")])
    assert (
        str(caught.value) == "nada.json: cannot be read: No such file or directory. Check the path."
    )


def test_a_folder(tmp_path: Path):
    with pytest.raises(ReportError, match=r": cannot be read: Is a directory\. Check the path\.$"):
        read_traces([tmp_path])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "it is a JSON list"),
        ('[{"kind": "scenario", "status": "ok"}]', "it is a JSON list"),
        ("3", "it is a single JSON value"),
        ('"text"', "it is a single JSON value"),
        ("null", "it is a single JSON value"),
        ("{}", "it is a JSON object with other keys: none"),
        ('{"a": 1, "b": 2}', "it is a JSON object with other keys: a, b"),
        ('{"runs": [], "v": 4}', "it is of the kind session"),
        ('{"name": "Ana"}', "it is of the kind agent"),
        ('{"id": "f", "steps": []}', "it is of the kind flow"),
    ],
)
def test_another_document_is_said_to_be_what_it_is(write: Write, text: str, what: str):
    assert said_of(write, text) == f"t.json: not a trace: {what}. {FIX}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.yaml", "scenario: t\nagent: a.yaml\nturns: []\n"),
        ("s.json", '{"scenario": "t", "agent": "a.yaml", "turns": []}'),
    ],
)
def test_a_scenario_is_to_be_played_first(write: Write, name: str, text: str):
    wanted = (
        f"{name}: not a trace: it is a scenario. Play it with: falai run {name} --json trace.json"
    )
    assert said_of(write, text, name) == wanted


@pytest.mark.parametrize("name", ["t.json", "t.trace", "t"])
@pytest.mark.parametrize("text", ["", "{", "<html>", "a: 1", '{"scenarios": [}', "\ufeff{}"])
def test_a_file_that_is_not_json(write: Write, name: str, text: str):
    said = said_of(write, text, name)
    assert said.startswith(f"{name}: not a trace: it is not JSON: ")
    assert said.endswith(FIX)


def test_bytes_that_are_no_text(tmp_path: Path):
    path = tmp_path / "t.json"
    path.write_bytes(b'{"scenarios": [{"scenario": "\xff", "turns": []}]}')
    with pytest.raises(ReportError, match="not a trace"):
        read_traces([path])


def test_a_file_that_is_nested_too_deeply(write: Write):
    text = '{"scenarios": [{"scenario": "t", "turns": [{"input": {"a": %s}}]}]}'
    assert "not a trace: it is not JSON: " in said_of(write, text % ("[" * 200_000), "t.json")


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ({"scenarios": None}, "Expected `array`, got `null` - at `$.scenarios`"),
        (
            {"scenarios": [{"turns": []}]},
            "Object missing required field `scenario` - at `$.scenarios[0]`",
        ),
        (
            {"scenarios": [{"scenario": "t"}]},
            "Object missing required field `turns` - at `$.scenarios[0]`",
        ),
        (
            trace(scenario(turn(), turn(line=-1))),
            "Expected `int` >= 0 - at `$.scenarios[0].turns[1].line`",
        ),
    ],
)
def test_a_trace_that_is_broken_names_the_place(write: Write, document: Any, what: str):
    said = said_of(write, json.dumps(document))
    assert said == f"t.json: not a trace that can be read: {what}. {FIX}"


@pytest.mark.parametrize(
    "made",
    [
        call(tokens=(-1, 0, 0)),
        call(tokens=(10**13, 0, 0)),
        call(costUsd=-0.5),
        call(costUsd=1e300),
        call(durationMs="3"),
        call() | {"purpose": 3},
    ],
)
def test_a_number_that_cannot_be_is_refused(write: Write, made: Any):
    said = said_of(write, json.dumps(trace(scenario(turn(calls=[made])))))
    assert "not a trace that can be read: Expected" in said
    assert "at `$.scenarios[0].turns[0].calls[0]." in said
