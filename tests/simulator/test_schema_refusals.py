"""What a reader refuses for its shape a schema refuses too, at the place that the reader names."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from simulator.load import Document, load_document
from simulator.place import KeyPath
from tests.simulator import test_agentfile, test_entry, test_matchers, test_reading, test_reply
from tests.simulator.schema_kit import ROOT, complaint, errors, paths, places, ways
from tests.spec import test_shapes

# --- the bad files of the readers' own tests ----------------------------------------------------


class Bad(NamedTuple):
    """A file that its reader refuses."""

    kind: str
    document: Document
    message: str
    seen: bool
    """Whether a schema can see what is wrong."""

    def __str__(self) -> str:
        return self.message


ENTRY = "scenario: t\nagent: {name: A}\nturns:\n- "
IN_SCENARIOS = (
    "there is no file",
    "the given session has the id",
    "a race is over one session",
    "given.pendin",
    "has no value. ",  # a key in braces without a colon is null
    "leads through something that is no mapping",
    'unknown name "nwo" in an expression',
)
IN_REPLIES = tuple(  # any other key may be the value of a field, or mean nothing
    f'unknown key "{key}"'
    for key in ("mesage", "Message", "mesasge", "messge", "emty", "toolCall", "usge", "flow")
)
IN_AGENTS = ("there is no file", "unknown condition", "unknown tool", "unknown field")


def bad(kind: str, document: Document, *unseen: str) -> Bad:
    message = str(complaint(kind, document))
    known = f"{document.text}\n{message}"
    return Bad(kind, document, message, not any(part in known for part in unseen))


def yaml(kind: str, text: str, *unseen: str) -> Bad:
    return bad(kind, Document(Path("s.yaml"), text), *unseen)


def mistakes() -> Iterator[Bad]:
    for text, message in test_reading.MISTAKES:
        turns = "turns: []" if "no entries" in (message or "") else "turns: [expect: {}]"
        text = text.replace("turns: []", turns)
        yield yaml("scenario", test_reading.HEAD + text, *IN_SCENARIOS)
    for text, _ in test_entry.MISTAKES:
        yield yaml("scenario", ENTRY + text)
    for text, _ in test_reply.MISTAKES:
        yield yaml("scenario", f"{ENTRY}message: a\n  model:\n    {text}", *IN_REPLIES)
    for text, _ in test_matchers.BAD:
        yield yaml("scenario", f"{ENTRY}message: a\n  expect: {text}", "$regex cannot be read")
    for text, _ in test_agentfile.REFUSED:
        yield yaml("agent", text, *IN_AGENTS)
    for spec, _ in test_shapes.TABLE:
        yield bad("flow", Document(Path("f.json"), json.dumps(spec)), "is declared twice")


BAD = [*mistakes()]


def test_the_tables_are_read_whole():
    assert len(BAD) > 300
    assert "None" not in {one.message for one in BAD}


@pytest.mark.parametrize("one", [one for one in BAD if one.seen], ids=str)
def test_what_a_reader_refuses_is_refused_where_the_reader_says(one: Bad):
    told = complaint(one.kind, one.document)
    assert told is not None
    # The engine names a flow or a step, and the schema the value in it.
    seen = ways if "[FlowConfigurationError]" in str(told) else places
    assert errors(one.kind, one.document.value) != []
    assert told.place in seen(one.kind, one.document)


@pytest.mark.parametrize("one", [one for one in BAD if not one.seen], ids=str)
def test_what_is_no_matter_of_shape_is_left_to_falai_check(one: Bad):
    assert errors(one.kind, one.document.value) == []


# --- agents that must be refused ----------------------------------------------------------------

CASES = load_document(ROOT / "tests" / "conformance" / "specs.yaml").value
NAMES = re.compile(
    "an unknown |equals with (text|a number|a boolean) |with (has|lacks|is) |"
    "a flow id declared twice|(else|onFail) to a step that does not exist|"
    "a step target that does not exist|an if that jumps to itself"
)
"""Wrong for what other parts of the agent say."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_agent_is_admitted_unless_its_shape_is_wrong(case: dict[str, Any]):
    wrong = "error" in case and not NAMES.match(case["name"])
    assert (errors("agent", case["agent"]) != []) == wrong


# --- to the key ---------------------------------------------------------------------------------

HEAD = {"scenario": "t", "agent": {"name": "A"}}
FLOW = {"id": "f", "name": "F"}


def refused(kind: str, value: Any) -> list[KeyPath]:
    return [path for error in errors(kind, value) for path in paths(error, value)]


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"message": "a", "event": "b"}, ("event",)),
        ({"advance": "1d", "clock": "2026-01-06"}, ("clock",)),
        ({"mesage": "a", "wake": "next"}, ("mesage",)),
        ({"advance": "1 day"}, ("advance",)),
        ({"wake": "nxt"}, ("wake",)),
        ({"advance": "1d", "fired": [{"wake": "next"}]}, ("fired", 0, "wake")),
        ({"race": [{"message": "a"}] * 3}, ("race",)),
        ({"race": [{"wake": "next"}, {"event": "a", "id": "b"}]}, ("race", 1, "id")),
        ({"message": "a", "agent": {"name": "A", "flow": []}}, ("agent", "flow")),
        ({"message": "a", "actions": {"x": {"throw": 1}}}, ("actions", "x", "throw")),
        ({"message": "a", "silenced": {"why": "b", "reason": "c"}}, ("silenced", "why")),
        (
            {"message": "a", "model": {"speak": [{"raw": "x", "message": "y"}]}},
            ("model", "speak", 0, "message"),
        ),
        (
            {"message": "a", "expect": {"data": {"a": [{"$contians": "x"}]}}},
            ("expect", "data", "a", 0, "$contians"),
        ),
        (
            {"expect": {"outcomes": [{"$any": True, "code": "x"}]}},
            ("expect", "outcomes", 0, "code"),
        ),
        (
            {"exactly": {"sent": {"$length": {"$atMost": []}}}},
            ("exactly", "sent", "$length", "$atMost"),
        ),
    ],
)
def test_an_entry_is_refused_at_what_is_wrong_and_nowhere_else(entry: Any, path: KeyPath):
    assert set(refused("scenario", {**HEAD, "turns": [entry]})) == {("turns", 0, *path)}


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ({"say": "a", "do": "b"}, ("do",)),
        ({"collect": ["a"], "wait": "1d"}, ("wait",)),
        ({"kind": "talk", "say": "a"}, ("kind",)),
        ({"kind": "say", "do": "a"}, ("kind",)),
        ({"kind": "say"}, ()),
        ({"do": "a", "onfail": "b"}, ("onfail",)),
        ({"wait": {"event": "a", "upTo": "soon"}}, ("wait", "upTo")),
        ({"wait": "1d", "else": {"step": "a", "flow": "b"}}, ("else", "step")),
        ({"prompt": "a", "branches": [{"then": "end"}]}, ("branches", 0)),
        ({"prompt": "a", "question": "b"}, ("question",)),
        ({"if": {"silenced": "yes"}}, ("if", "silenced")),
        ({"if": {"vip": True}, "then": {"step": 3}}, ("then", "step")),
    ],
)
def test_a_step_is_refused_at_what_is_wrong_and_nowhere_else(step: Any, path: KeyPath):
    found = refused("flow", {**FLOW, "steps": [{"id": "s", **step}]})
    assert set(found) == {("steps", 0, *path)}
