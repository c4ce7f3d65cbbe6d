"""Finds the place in an agent file that a refusal of the engine speaks of."""

import json
import re
from collections.abc import Sequence
from typing import Any

from falai.errors import FlowConfigurationError
from simulator.place import ScenarioFileError
from simulator.spot import Spot

_NAMED = re.compile(r'(?:\[FlowConfigurationError\] )?(flow|tool|condition) (?=")')
_PART = re.compile(r", (step|trigger) (?:#(\d+)|(?=\"))")
_KEYED = re.compile(r"\b(fields|actions|events|conditions|tools|instructions|idle)\b")
_DECODER = json.JSONDecoder()


def blamed(exc: FlowConfigurationError, agent: Spot, flows: Sequence[Spot]) -> ScenarioFileError:
    """The engine's own words at the place that they name, as nearly as it can be told."""
    return spoken_of(str(exc), agent, flows).error(str(exc))


def spoken_of(text: str, agent: Spot, flows: Sequence[Spot]) -> Spot:
    """The place that a refusal or a warning names: a step, a trigger, a flow, …, or the agent."""
    named = _NAMED.match(text)
    if named is None:
        keyed = _KEYED.search(text)
        # The places of flow files are not in the agent: a lone flow is itself the best guess.
        return agent.get(keyed[1]) or agent if keyed and agent.is_mapping else agent
    name, end = _DECODER.raw_decode(text, named.end())
    if named[1] == "flow":
        found = [flow for flow in flows if _has_id(flow, name)]
        return _part(found[-1], text, end) if found else agent
    if named[1] == "tool":
        return _with_id(_listed(agent, "tools"), name) or agent
    conditions = agent.get("conditions")
    return conditions.at(name) if conditions and conditions.has(name) else agent


def _part(flow: Spot, text: str, end: int) -> Spot:
    """The step or trigger that follows the flow's name, else the flow."""
    part = _PART.match(text, end)
    if part is None:
        return flow
    listed = _listed(flow, "steps" if part[1] == "step" else "on")
    if part[2] is not None:
        return listed[int(part[2]) - 1]
    name, _ = _DECODER.raw_decode(text, part.end())
    return _with_id(listed, name) or flow


def _listed(spot: Spot, key: str) -> list[Spot]:
    found = spot.get(key)
    return found.items() if found is not None else []


def _with_id(listed: Sequence[Spot], name: Any) -> Spot | None:
    """The last one that has an id: of two with the same, the second is refused."""
    found = [item for item in listed if _has_id(item, name)]
    return found[-1] if found else None


def _has_id(spot: Spot, name: Any) -> bool:
    return spot.is_mapping and spot.value.get("id") == name
