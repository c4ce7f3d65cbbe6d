"""Which agent plays: another one from some entry on, stand-ins, and results of a turn."""

from typing import Any

import pytest

from falai import Action, Agent, Do, Event, EventDef, Flow
from simulator.place import ScenarioFileError
from simulator.trace import ScenarioRecord
from tests.simulator.conftest import Write
from tests.simulator.kit import agent, do, failures, flow, played, said, say


def details(record: ScenarioRecord) -> list[str | None]:
    """What the actions said, in order."""
    lines = [line for turn in record.turns if turn.result for line in turn.result.outcomes]
    return [line.detail for line in lines if line.kind == "do"]


def counting(*texts: str, name: str = "f", **parts: Any) -> dict[str, Any]:
    """An agent whose action says these things in turn."""
    returns = [{"ok": True, "detail": text} for text in texts]
    return agent(flow(name, do()), actions={"agir": {"returns": returns}}, **parts)


# --- another agent ------------------------------------------------------------------------------


def test_another_agent_takes_over_from_its_entry_on():
    other = "{name: B, events: {oi: {}}, flows: [{id: h, name: h, on: [{event: oi}], steps: []}]}"
    record = played(
        f"""
        - {{event: oi}}
        - {{event: oi, agent: {other}, expect: {{started: [{{flowId: h}}]}}}}
        - {{event: oi, expect: {{started: [{{flowId: h}}]}}}}
        """.replace("steps: []", "steps: [{id: a, say: Tchau!}]")
    )
    assert not record.failures
    assert said(record) == [["Oi!"], ["Tchau!"], ["Tchau!"]]


def test_a_run_goes_on_in_the_new_version_of_its_flow():
    def version(text: str) -> dict[str, Any]:
        return agent(flow("f", {"id": "a", "wait": "1h"}, say(text, "b")))

    other = str(version("novo")).replace("'", '"')
    record = played(f"[{{event: oi}}, {{advance: 1h, agent: {other}}}]", agent=version("velho"))
    assert said(record)[-1] == ["novo"]


def test_an_agent_may_change_where_nothing_is_played():
    other = str(agent(flow("h", say("Tchau!")))).replace("'", '"')
    record = played(f"- {{agent: {other}, expect: {{stored: null}}}}\n- {{event: oi}}")
    assert said(record) == [["Tchau!"]]


def test_an_agent_file_is_read_from_the_folder_of_the_scenario(write: Write):
    write("b.yaml", "name: B\nevents: {oi: {}}\nflows: []\nidle: silent\n")
    assert said(played("- {event: oi, agent: b.yaml}")) == [[]]


def test_results_begin_anew_with_another_agent():
    other = str(counting("4", "5")).replace("'", '"').replace("True", "true")
    record = played(
        f"[{{event: oi}}, {{event: oi}}, {{event: oi, agent: {other}}}, {{event: oi}}]",
        agent=counting("1", "2", "3"),
    )
    assert details(record) == ["1", "2", "4", "5"]


def test_an_agent_that_cannot_be_read_ends_the_play():
    with pytest.raises(ScenarioFileError) as caught:
        played("- event: oi\n- {event: oi, agent: nada.yaml}")
    assert str(caught.value).startswith("s.yaml:4:24: there is no file nada.yaml.")


def test_another_agent_is_refused_where_nobody_would_deploy_it():
    for entry in (
        "{advance: 1h, fired: [{agent: b}]}",
        "{race: [{message: a, agent: b}, {message: b}]}",
    ):
        with pytest.raises(ScenarioFileError, match="agent"):
            played(f"- {entry}")


# --- stand-ins ----------------------------------------------------------------------------------


def test_stubs_take_the_place_of_an_action():
    stubs = {"actions": {"agir": {"returns": {"failed": "não deu"}, "set": {"x": 1}}}}
    assert not failures(
        "- {event: oi, expect: {outcomes: [{status: failed, detail: não deu}], data: {x: null}}}",
        agent=counting("1"),
        stubs=stubs,
    )


def test_stubs_take_the_place_of_a_condition():
    gated = agent(
        flow("f", say("Oi!"), on=[{"event": "oi", "if": {"vip": True}}]),
        conditions={"vip": {"path": "context.vip", "op": "equals"}},
    )
    assert said(played("- event: oi", agent=gated)) == [[]]
    stubs = {"conditions": {"vip": {"path": "context.nada", "op": "exists"}}}
    turns = "[{event: oi}, {event: oi, context: {nada: 1}}]"
    assert said(played(turns, agent=gated, stubs=stubs)) == [[], ["Oi!"]]


def test_stubs_take_the_place_of_a_tool():
    tool = {"id": "t", "description": "", "parameters": {"type": "object", "properties": {}}}
    parts: dict[str, Any] = {"idle": {"prompt": "Responda."}, "tools": [tool]}
    stubs = {"tools": [{"id": "t", "returns": [{"data": {"visto": 1}}, {"throw": "fora do ar"}]}]}
    assert not failures(
        """
        - message: oi
          model: {speak: [{toolCalls: [{tool: t}]}, {toolCalls: [{tool: t}]}, {message: Oi}]}
          expect: {data: {visto: 1}, replies: [Oi], tools: [t]}
        """,
        agent=agent(**parts),
        stubs=stubs,
    )


def test_stubs_hold_for_every_agent_of_the_scenario():
    other = str(counting("2")).replace("'", '"').replace("True", "true")
    stubs = {"actions": {"agir": {"returns": {"ok": True, "detail": "posto"}}}}
    turns = f"[{{event: oi}}, {{event: oi, agent: {other}}}]"
    assert details(played(turns, agent=counting("1"), stubs=stubs)) == ["posto", "posto"]


# --- results of a turn --------------------------------------------------------------------------


def test_a_turns_own_results_come_first_and_hold_for_it_alone():
    record = played(
        "[{event: oi}, {event: oi, actions: {agir: {ok: true, detail: meu}}}, {event: oi}]",
        agent=counting("1", "2"),
    )
    assert details(record) == ["1", "meu", "2"]


def test_a_list_of_results_is_used_in_order_and_its_last_repeats():
    steps = [do(name=name) for name in "abc"]
    record = played(
        "- {event: oi, actions: {agir: [{ok: true, detail: x}, {ok: true, detail: y}]}}",
        agent=agent(flow("f", *steps), actions={"agir": {}}),
    )
    assert details(record) == ["x", "y", "y"]


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ("{failed: não}", "{status: failed, code: action-failed, detail: não}"),
        ("{skipped: não}", "{status: skipped, code: action-skipped, detail: não}"),
        ("{defer: 2h, detail: cedo}", '{status: deferred, until: "${now+2h}", detail: cedo}'),
        ("{throw: caiu}", "{status: failed, code: action-failed, detail: caiu}"),
        ("null", "{status: failed, code: action-failed}"),
        ("texto", "{status: failed, code: action-failed}"),
    ],
)
def test_a_result_may_be_anything_that_an_action_returns(result: str, line: str):
    turns = f"- {{event: oi, actions: {{agir: {result}}}, expect: {{outcomes: [{line}]}}}}"
    assert not failures(turns, agent=counting("1"))


def test_results_may_be_left_over():
    turns = "- {event: ping, actions: {agir: [{ok: true}, {ok: true}]}}"
    assert not failures(turns, agent=counting("1"))


def test_results_hold_for_a_fired_wake():
    waits = agent(
        flow("f", {"id": "w", "wait": "1h"}, do()), actions={"agir": {"returns": {"ok": True}}}
    )
    turns = "[{event: oi}, {advance: 1h, fired: [{actions: {agir: {failed: não}}}]}]"
    assert details(played(turns, agent=waits)) == ["não"]


def test_times_in_results_are_those_of_the_turn():
    turns = '- {event: oi, actions: {agir: {ok: true, detail: "${now+1h}"}}}'
    assert details(played(turns, agent=counting("1"))) == ["2026-01-05T10:00:00.000Z"]


def test_results_for_an_action_that_is_not_there_end_the_play():
    with pytest.raises(ScenarioFileError) as caught:
        played("- event: oi\n- {event: oi, actions: {agor: {ok: true}}}", agent=counting("1"))
    message = 's.yaml:4:27: the agent has no action "agor". Did you mean "agir"?'
    assert str(caught.value) == message


# --- an agent built in Python -------------------------------------------------------------------


def _act(_args: Any, _ctx: Any) -> dict[str, Any]:
    return {"ok": True, "detail": "em Python"}


built = Agent(
    name="Ana",
    flows=[Flow(id="f", name="f", on=[Event("oi")], steps=[Do("a", "agir")])],
    actions={"agir": Action(_act)},
    events={"oi": EventDef()},
)


def make() -> Agent:
    return built


async def make_later() -> Agent:
    return built


@pytest.mark.parametrize("name", ["built", "make", "make_later"])
def test_an_agent_of_python_plays_its_own_actions_and_gives_way_to_results(name: str):
    record = played(
        "[{event: oi}, {event: oi, actions: {agir: {ok: true, detail: meu}}}, {event: oi}]",
        agent=f"tests.simulator.test_play_agents:{name}",
    )
    assert details(record) == ["em Python", "meu", "em Python"]


# --- what this version cannot play --------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ({"budget": {"costUsd": 1}}, "s.yaml:5:21: no model answers that has a price."),
    ],
)
def test_what_cannot_be_played_is_refused(head: dict[str, Any], message: str):
    with pytest.raises(ScenarioFileError) as caught:
        played("- event: oi", **head)
    assert str(caught.value).startswith(message)


# --- what code of the host's own may raise ------------------------------------------------------

RAISING = """\
import asyncio
from falai import Action, Agent, Do, Event, EventDef, Flow

class Odd(BaseException):
    pass

def made(error):
    def act(args, ctx):
        raise error("x")
    flow = Flow(id="f", name="f", on=[Event("oi")], steps=[Do(id="a", do="act")])
    return Agent(name="Ana", flows=[flow], actions={"act": Action(act, {})},
                 events={"oi": EventDef()}, idle="silent")

def cancelled():
    return made(asyncio.CancelledError)

def odd():
    return made(Odd)

def stopped():
    return made(KeyboardInterrupt)
"""


@pytest.mark.parametrize(("made", "name"), [("cancelled", "CancelledError"), ("odd", "Odd")])
def test_whatever_an_action_raises_is_that_turns_failure(write: Write, made: str, name: str):
    write("raising.py", RAISING)
    assert failures("- {event: oi}\n- {expect: {}}", agent=f"raising:{made}") == [
        (3, "error", f"the turn raised {name}: x")
    ]


def test_an_interrupt_ends_the_play(write: Write):
    write("raising.py", RAISING)
    with pytest.raises(KeyboardInterrupt):
        played("- {event: oi}", agent="raising:stopped")
