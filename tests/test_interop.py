"""What another implementation of the wire wrote is read, and written back the same.

The files of `interop/` are written by hand after the wire's shapes; no code of ours made them.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from falai import (
    EventDef,
    FakeClock,
    Flow,
    Message,
    Run,
    Say,
    Session,
    Talk,
    TurnResult,
    Wait,
    assert_session,
    falai,
    from_spec,
    to_spec,
)

FILES = Path(__file__).parent / "interop"
SESSIONS = sorted(FILES.glob("session-*.json"))
RESULTS = sorted(FILES.glob("result-*.json"))
SPECS = sorted(FILES.glob("spec-*.json"))


def canonical(row: bytes | str) -> str:
    """JSON with sorted keys and no blanks, its numbers as JavaScript spells them."""
    return json.dumps(
        json.loads(row, parse_float=number),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )


def number(text: str) -> float | int:
    """`1.0` is `1`: JavaScript has one sort of number."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 1e21 else value


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_the_canonical_form_is_one_for_all_spellings():
    assert canonical('{"b": 1.0, "a": [1.50, 1e3, 1E-7]}') == '{"a":[1.5,1000,1e-07],"b":1}'


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_a_session_comes_back_as_it_was(file: Path):
    row = file.read_bytes()
    read = msgspec.json.decode(row, type=Session)
    assert canonical(msgspec.json.encode(read)) == canonical(row)
    assert assert_session(json.loads(row), read.id) == read


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_a_result_comes_back_as_it_was(file: Path):
    row = file.read_bytes()
    read = msgspec.json.decode(row, type=TurnResult)
    assert canonical(msgspec.json.encode(read)) == canonical(row)


@pytest.mark.parametrize("file", SPECS, ids=lambda file: file.stem)
def test_a_spec_comes_back_without_its_nulls(file: Path):
    row = file.read_bytes()
    spec = to_spec(from_spec(json.loads(row)))
    assert canonical(json.dumps(spec)) == canonical(json.dumps(without_nulls(json.loads(row))))


def test_every_part_of_the_wire_is_in_some_file():
    text = "".join(file.read_text(encoding="utf-8") for file in (*SESSIONS, *RESULTS, *SPECS))
    for struct in (Session, Run, TurnResult, Flow):
        names = msgspec.structs.fields(struct)
        spellings = [field.encode_name for field in names]
        if struct is Flow:  # its wire names are the spec's
            spellings = ["while", "clearOnStart", "onEnd"]
        assert [name for name in spellings if f'"{name}"' not in text] == []


# --- in a turn ----------------------------------------------------------------------------------


@pytest.fixture
def agent() -> Any:
    """An agent that has the flows of the files, but for the one whose run would go on by itself."""
    f = falai()
    f.event("nobody_waits")
    f.event("meeting_booked")
    for flow_id in ("triagem", "comentario", "agenda", "lembrete", "ajuda"):
        talks = [Talk(step, "Fale.") for step in ("quem", "pergunta", "conversa")]
        waits = [Wait("espera", "2d"), Wait("reuniao", "2d"), Say("responde", "Oi!")]
        f.flow(flow_id, flow_id, on=[Message([flow_id])], steps=[*talks, *waits], on_end="stay")
    assert f.events["nobody_waits"] == EventDef()
    return f.agent("Ana", clock=FakeClock("2026-09-20T12:00:00Z"))


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_a_turn_keeps_what_it_has_no_reason_to_change(file: Path, agent: Any):
    row = json.loads(file.read_bytes())
    session = assert_session(row, row["id"])
    stale = agent.turn_sync(session_id=row["id"], session=session, wake="nothing:waits:here")
    assert stale.changed is False
    assert canonical(msgspec.json.encode(stale.session)) == canonical(json.dumps(row))

    again = agent.turn_sync(session_id=row["id"], session=session, event="nobody_waits", key="e1")
    kept = json.loads(msgspec.json.encode(again.session))
    runs = [run for run in row["runs"] if run["status"] != "running"]
    after = {run["id"]: run for run in kept["runs"]}
    assert [after[run["id"]] for run in runs] == runs
    for part in ("id", "v", "version", "data", "inputs", "metadata", "claims", "lastUserAt"):
        assert kept.get(part) == row.get(part)
    assert kept.get("history") == row.get("history")
