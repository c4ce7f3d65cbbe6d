"""Short scenarios: the turns as YAML, the agent and the rest of the file as data."""

import asyncio
import json
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from falai import Agent, Idle, Tool, ToolCtx
from simulator.load import Document
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord, TurnRecord

START = "2026-01-05T09:00:00.000Z"
"""Where time starts, a Monday."""
START_MS = 1767603600000
HOUR_MS = 3_600_000
EVENTS = {"oi": {}, "pago": {}, "ping": {"direction": "inbound"}}


def agent(*flows: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A declared agent that says nothing of its own."""
    return {"name": "Ana", "idle": "silent", "events": EVENTS, "flows": list(flows), **parts}


def flow(name: str, *steps: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """A flow that the event `oi` starts, unless `on` says otherwise."""
    return {"id": name, "name": name, "on": [{"event": "oi"}], "steps": list(steps), **rest}


def say(text: str, name: str = "a", **rest: Any) -> dict[str, Any]:
    return {"id": name, "say": text, **rest}


def do(action: str = "agir", name: str = "a", **rest: Any) -> dict[str, Any]:
    return {"id": name, "do": action, **rest}


HELLO = agent(flow("hello", say("Oi!")))
"""Greets when the host reports `oi`."""
TALKER = agent(idle={"prompt": "Responda."})
"""Answers every message, with one speak call."""
ACTOR = agent(flow("f", do(), say("{{data.visto}}", "b")), actions={"agir": {}})
"""Acts when the host reports `oi`."""
TIMER = agent(
    flow("uma", say("1h"), on=[{"event": "oi", "after": "1h"}]),
    flow("duas", say("2h"), on=[{"event": "pago", "after": "2h"}]),
)
"""Speaks one hour after `oi`, and two hours after `pago`."""


# --- playing ------------------------------------------------------------------------------------


def text_of(turns: str, **head: Any) -> str:
    """A scenario's file; its first entry stands in line 3."""
    body = indent(dedent(turns).strip("\n"), "  ")
    rest = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    return "\n".join(["scenario: t", "turns:", body, *rest, ""])


def played_all(turns: str, **head: Any) -> list[ScenarioRecord]:
    """Play every combination of a scenario's matrix."""
    document = Document(Path("s.yaml"), text_of(turns, **head))
    return [asyncio.run(play(scenario)) for scenario in read_scenario(document)]


def played(turns: str, **head: Any) -> ScenarioRecord:
    """Play a scenario, with HELLO unless another agent is given."""
    [record] = played_all(turns, **({"agent": HELLO} | head))
    return record


def failures(turns: str, **head: Any) -> list[tuple[int, str, str]]:
    """Line, path and message of everything that did not hold."""
    return [(f.line, f.path, f.message) for f in played(turns, **head).failures]


def shown(turns: str, **head: Any) -> list[tuple[str, Any, Any]]:
    """Path of everything that did not hold, with what was wanted and what came."""
    return [(f.path, f.wanted, f.got) for f in played(turns, **head).failures]


# --- what was played ----------------------------------------------------------------------------


def entries(record: ScenarioRecord) -> list[str]:
    return [turn.entry for turn in record.turns]


def replies(turn: TurnRecord) -> list[str]:
    return [message.text for message in turn.result.messages] if turn.result else []


def said(record: ScenarioRecord) -> list[list[str]]:
    """The texts of each turn."""
    return [replies(turn) for turn in record.turns]


def times(record: ScenarioRecord) -> list[str]:
    """Hours and minutes of each turn's clock."""
    return [turn.now[11:16] for turn in record.turns]


# --- an agent built in Python -------------------------------------------------------------------


def _hear(_: Any, ctx: ToolCtx[Any]) -> dict[str, Any]:
    heard = [f"{item['role']}: {item['content']}" for item in ctx.history]
    return {"value": "ok", "data": {"heard": heard}}


hearing = Agent(
    name="Ana",
    idle=Idle(prompt="Responda."),
    tools=[
        Tool(
            id="hear",
            description="",
            parameters={"type": "object", "properties": {}},
            handler=_hear,
        )
    ],
)
"""Writes the history that its speak call got into the data, when the model calls `hear`."""
