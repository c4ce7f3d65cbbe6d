"""Agents whose code misbehaves while it plays: told like any other failure, with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from falai import Action, Agent, Ctx, Do, Event, EventDef, Flow, If, Say, Silence
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

STORED = """\
given:
  session:
    {id: s1, v: 4, version: 1, data: {}, runs: [], claims: {}, inputs: [], metadata: {},
     lastAssistantAt: 2026-01-05T08:59:00.000Z}
"""


class Thing:
    """What no store and no trace can hold."""


def acting(handler: Callable[[Any, Any], Any]) -> Agent:
    """An agent that runs an action when the host reports `oi`."""
    return Agent(
        name="Ana",
        idle="silent",
        events={"oi": EventDef()},
        actions={"agir": Action(handler)},
        flows=[Flow(id="f", name="f", on=[Event("oi")], steps=[Do("a", "agir"), Say("b", "Oi!")])],
    )


def _keep(value: Any) -> Callable[[Any, Any], Any]:
    def handle(_args: Any, ctx: Any) -> dict[str, bool]:
        ctx.set({"x": value})
        return {"ok": True}

    return handle


def _misses(ctx: Ctx[Any]) -> bool:
    return ctx.context["nada"]


raises_in_a_condition = Agent(
    name="Ana",
    idle="silent",
    events={"oi": EventDef()},
    flows=[Flow(id="f", name="f", on=[Event("oi")], steps=[If("a", _misses), Say("b", "Oi!")])],
)
raises_in_silence = Agent(
    name="Ana",
    idle="silent",
    events={"oi": EventDef()},
    flows=[Flow(id="f", name="f", on=[Silence("1h", if_=_misses)], steps=[Say("b", "Oi!")])],
)
keeps_a_thing = acting(_keep(Thing()))
keeps_half_a_sign = acting(_keep("\ud800"))
returns_a_thing = acting(lambda _args, _ctx: Thing())
explains_with_a_thing = acting(lambda _args, _ctx: {"ok": True, "detail": Thing()})


@pytest.fixture
def play(write: Write, falai: Command) -> Callable[..., Result]:
    """Play one event, in line 4, against an agent of this module."""

    def run(name: str, more: str = "") -> Result:
        agent = f"tests.cli.test_odd_agents:{name}"
        write("s.yaml", f"scenario: t\nagent: {agent}\nturns:\n  - event: oi\n{more}")
        return falai("run", "s.yaml", "--json", "t.json")

    return run


def test_a_condition_that_raises_fails_its_turn(play: Callable[..., Result]):
    result = play("raises_in_a_condition")
    assert result.exit_code == 1
    assert "  s.yaml:4: error: the turn raised KeyError: 'nada'" in result.output.splitlines()


def test_a_condition_that_raises_before_the_first_turn_is_told(play: Callable[..., Result]):
    result = play("raises_in_silence", STORED)
    assert result.exit_code in (1, 2)
    assert "s.yaml:" in result.output
    assert "KeyError" in result.output


@pytest.mark.parametrize("name", ["keeps_a_thing", "keeps_half_a_sign"])
def test_data_that_cannot_be_stored_fails_its_turn(play: Callable[..., Result], name: str):
    result = play(name)
    assert result.exit_code == 1
    assert "s.yaml:4: " in result.output


@pytest.mark.parametrize("name", ["returns_a_thing", "explains_with_a_thing"])
def test_a_result_of_any_kind_has_its_place_in_the_trace(play: Callable[..., Result], name: str):
    assert play(name).exit_code == 0
    [scenario] = json.loads(Path("t.json").read_text(encoding="utf-8"))["scenarios"]
    assert scenario["turns"][0]["actions"][0]["do"] == "agir"
