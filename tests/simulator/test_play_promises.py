"""The `promises` and the `script` of a scenario, as they are read and played."""

from pathlib import Path
from typing import Any

import pytest

from simulator.load import Document
from simulator.place import ScenarioFileError
from simulator.promised import PROMISES, SIZE
from simulator.reading import read_scenario
from tests.simulator.conftest import Write
from tests.simulator.kit import TALKER, TIMER, agent, do, failures, flow, played, shown, text_of

COLLECT = {"id": "quem", "kind": "collect", "collect": ["nome"], "maxAsks": 99}
ASKER = agent(
    flow("f", COLLECT, on=[{"message": []}], anchor="cliente"), fields={"nome": {"type": "string"}}
)
LOOSE: dict[str, Any] = {"script": "loose"}


def read(promises: Any) -> Any:
    text = text_of("- {event: oi}", agent=TALKER, promises=promises)
    [scenario] = read_scenario(Document(Path("s.yaml"), text))
    return scenario.promises


def test_all_are_named_by_one_word():
    assert (read("all").names, read("all").size) == (PROMISES, SIZE)


def test_some_are_named_in_a_list_with_bytes_and_checks_of_ones_own():
    promises = read(["claims", {"size": 500}, "shop.checks:polite"])
    assert (promises.names, promises.size) == (("size", "claims"), 500)
    assert [spot.value for spot in promises.own] == ["shop.checks:polite"]


@pytest.mark.parametrize(
    ("promises", "what"),
    [
        (["claim"], 'cannot be the text "claim". Did you mean "claims"?'),
        ([{"bytes": 5}], 'unknown key "bytes"'),
        ([{"size": -1}], "a whole number, 0 or more"),
        (5, "promises must be"),
    ],
)
def test_what_nobody_knows_is_refused(promises: Any, what: str):
    with pytest.raises(ScenarioFileError) as caught:
        read(promises)
    assert what in str(caught.value)


def test_a_broken_promise_fails_the_scenario_at_its_entry():
    turns = "- {event: oi}\n- {message: oi, model: {speak: {message: Nome?}}}"
    assert failures(turns, agent=ASKER, promises="all") == [
        (4, "promises.asks", 'flow "f": it asks for ever when nobody answers')
    ]


def test_a_promise_that_stays_broken_is_told_once():
    entry = "- {message: oi, model: {speak: {message: Nome?}}}\n"
    again = "- {message: oi, model: {understand: {}, speak: {message: Nome?}}}"
    assert len(failures(entry + again, agent=ASKER, promises="all")) == 1


def test_nothing_is_promised_unless_it_is_asked_for():
    assert failures("- {message: oi, model: {speak: {message: Nome?}}}", agent=ASKER) == []


OWN = """\
def polite(turn):
    return "rude: " + turn.result.messages[0].text if turn.result.messages else None

def strict(turn):
    assert turn.entry != "1", "the first turn"

def odd(turn):
    raise KeyError("x")

def fine(turn):
    return True

number = 5
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("polite", ["rude: Oi!"]),
        ("strict", ["the first turn"]),
        ("odd", ["the check raised KeyError: 'x'"]),
        ("fine", []),
    ],
)
def test_a_check_of_the_authors_own(write: Write, name: str, told: list[str]):
    write("own_checks.py", OWN)
    turns = "- {message: oi, model: {speak: {message: Oi!}}}"
    found = failures(turns, agent=TALKER, promises=[f"own_checks:{name}"])
    assert [(path, what) for _, path, what in found] == [
        (f"promises.own_checks:{name}", what) for what in told
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("own_checks:number", "own_checks:number cannot be called. Name a function of one turn."),
        ("own_checks:polit", 'own_checks has no polit. Did you mean "polite"?'),
        ("nowhere:f", "there is no module nowhere"),
    ],
)
def test_a_check_that_is_none_is_refused_at_its_place(write: Write, name: str, what: str):
    write("own_checks.py", OWN)
    with pytest.raises(ScenarioFileError) as caught:
        played("- {message: oi}", agent=TALKER, promises=[name])
    assert what in str(caught.value)


def test_a_replay_that_comes_to_something_else(write: Write):
    write(
        "counting.py",
        "from falai import Action, Agent, Do, Event, EventDef, Flow\n\n"
        "def made():\n"
        "    runs = []\n"
        "    def act(args, ctx):\n"
        "        runs.append(1)\n"
        "        return {'ok': True, 'detail': str(len(runs))}\n"
        "    flow = Flow(id='f', name='f', on=[Event('oi')], steps=[Do(id='a', do='act')])\n"
        "    return Agent(name='Ana', flows=[flow], actions={'act': Action(act, {})},\n"
        "                 events={'oi': EventDef()}, idle='silent')\n",
    )
    turns = "- {event: oi, crash: before-save}"
    assert failures(turns, agent="counting:made", promises=["replay"]) == [
        (3, "promises.replay", "the same input came to something else the second time")
    ]


# --- a script that is a guess -------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry",
    [
        "{message: oi}",
        "{message: oi, model: {speak: [{message: Oi!}, {message: Sobra}]}}",
        "{message: oi, model: {understand: {flows: {}}}}",
        "{wake: next}",
        "{wake: {flow: f}}",
        "{wake: 'f#e1:w:1'}",
        "{race: [{message: oi}, {wake: next}]}",
    ],
)
def test_a_loose_script_may_lack_or_leave_over(entry: str):
    assert failures(f"- {entry}", agent=TALKER, **LOOSE) == []
    assert failures(f"- {entry}", agent=TALKER) != [] or "w:1" in entry


def test_a_model_that_fails_is_no_failure_of_a_loose_script():
    made = agent(flow("f", do(), on=[{"message": ["x"]}]), actions={"agir": {}}, idle=None)
    made["idle"] = {"prompt": "Responda."}
    turns = "- {message: oi, model: {understand: {fail: rate}}}"
    assert [path for path, *_ in shown(turns, agent=made)] == ["error"]
    assert failures(turns, agent=made, **LOOSE) == []


def test_code_that_raises_is_a_failure_all_the_same():
    made = agent(
        flow("f", do(), on=[{"event": "oi", "if": {"ruim": 1}}]),
        actions={"agir": {}},
        conditions={"ruim": {"path": "context.x", "op": "equals"}},
    )
    turns = "- {event: oi, context: 5}"
    assert failures(turns, agent=made, **LOOSE) == failures(turns, agent=made)


def test_a_wake_is_never_early_in_a_loose_script():
    turns = "- {event: oi}\n- {wake: 'uma#oi:start:1767607200000', session: s1}\n- {wake: next}"
    record = played(turns, agent=TIMER, **LOOSE)
    assert [turn.entry for turn in record.turns][-1] == "3"


def test_what_raised_is_not_delivered_twice_in_a_loose_script():
    made = agent(flow("f", do(), on=[{"message": ["x"]}]), actions={"agir": {}})
    made["idle"] = {"prompt": "Responda."}
    turns = "- {message: oi, deliver: twice, model: {understand: {fail: rate}}}"
    assert len(played(turns, agent=made, **LOOSE).turns) == 1


def test_a_wake_that_is_scheduled_anew_under_its_key_is_no_repeat():
    made = agent(flow("f", do()), actions={"agir": {"returns": [{"defer": "1h"}, {"defer": "0s"}]}})
    turns = "- {event: oi}\n- {wake: next, deliver: twice}"
    assert failures(turns, agent=made) == []
