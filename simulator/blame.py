"""Finds the place in an agent file that a refusal of the engine speaks of."""

import json
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from falai.errors import FlowConfigurationError
from simulator.place import ScenarioFileError
from simulator.spot import Spot

_CLASS = "[FlowConfigurationError] "
_NAMED = re.compile(r'(flow|tool|condition) (?=")')
_PART = re.compile(r", (step|trigger) (?:#(\d+)|(?=\"))")
_ROOT = re.compile(r"(agent|idle): ")
_UNKNOWN = re.compile(r'unknown (\w+) (?=")')
_STRANGER = re.compile(r'(?:agent|idle|flow .+?): unknown key (?=")')
_NAME_OF = re.compile(r"the name of an? (\w+)")
_NAMED_IN = {"tool": "tools", "action": "do"}
"""The key under which a place names such a thing."""
_GOES_ON = re.compile(r"\w")
_INDEX = re.compile(r"\[(\d+)\]")
_DECODER = json.JSONDecoder()


@contextmanager
def placing(agent: Spot, flows: Sequence[Spot] = ()) -> Generator[None]:
    """Give the engine's refusals of an agent or its flows the places that they name."""
    try:
        yield
    except FlowConfigurationError as exc:
        raise blamed(exc, agent, flows) from exc


def blamed(exc: FlowConfigurationError, agent: Spot, flows: Sequence[Spot]) -> ScenarioFileError:
    """The engine's own words at the place that they name, as nearly as it can be told."""
    text = str(exc)
    spot = spoken_of(text, agent, flows)
    stranger = _STRANGER.match(text, len(_CLASS))
    if stranger is None or not spot.is_mapping:
        return spot.error(text)
    key, _ = _DECODER.raw_decode(text, stranger.end())
    return spot.stranger(key, text) if spot.has(key) else spot.error(text)


def spoken_of(text: str, agent: Spot, flows: Sequence[Spot]) -> Spot:
    """The place that a refusal or a warning names: a step, a trigger, a flow, …, or the agent."""
    text = text.removeprefix(_CLASS)
    if not agent.is_mapping:
        return agent
    named = _NAMED.match(text)
    if named is None:
        return _in_agent(agent, text)
    name, end = _DECODER.raw_decode(text, named.end())
    if named[1] == "flow":
        found = [flow for flow in flows if _has_id(flow, name)]
        return _part(found[-1], text, end) if found else agent
    if named[1] == "tool":
        return _with_id(_listed(agent, "tools"), name) or agent
    conditions = agent.get("conditions")
    return conditions.at(name) if conditions and conditions.has(name) else agent


def _in_agent(agent: Spot, text: str) -> Spot:
    """The part of an agent that a message is about, as deep as its path leads."""
    root = _ROOT.match(text)
    if root is None:
        return agent
    spot = agent.get("idle") or agent if root[1] == "idle" else agent
    if kind := _NAME_OF.match(text, root.end()):
        return agent.get(f"{kind[1]}s") or agent
    return _inside(spot, text, root.end() - len(": "))


def _around(spot: Spot, text: str, unknown: re.Match[str]) -> Spot:
    """What holds the name that is unknown, or the name itself where that has a place."""
    name, end = _DECODER.raw_decode(text, unknown.end())
    if text.startswith(" in ", end):
        spot = _deepest(spot, text[end + 4 :])
    elif unknown[1] in _NAMED_IN and spot.is_mapping:
        spot = spot.get(_NAMED_IN[unknown[1]]) or spot
    if spot.is_list:
        return next((item for item in spot.items() if item.value == name), spot)
    is_there = unknown[1] != "key" and spot.is_mapping and spot.has(name)
    return spot.at(name) if is_there else spot


def _deepest(spot: Spot, text: str) -> Spot:
    """Follow the path that a text begins with, such as `fields.nome.type`, while it leads on."""
    at = 0
    while (step := _step(spot, text, at)) is not None:
        key, at = step
        spot = spot.at(key)
    return spot


def _step(spot: Spot, text: str, at: int) -> tuple[str | int, int] | None:
    """The key or position that stands at an offset of the path, and where the next one begins."""
    if spot.is_list:
        index = _INDEX.match(text, at)
        return (int(index[1]), index.end()) if index and int(index[1]) < len(spot.value) else None
    if not spot.is_mapping or (at and not text.startswith(".", at)):
        return None
    start = at + 1 if at else 0
    ends = {key: start + len(key) for key in spot.value if key and text.startswith(key, start)}
    whole = [key for key, end in ends.items() if not _GOES_ON.match(text, end)]
    key = max(whole, key=len, default=None)
    return None if key is None else (key, ends[key])


# --- flows --------------------------------------------------------------------------------------


def _part(flow: Spot, text: str, end: int) -> Spot:
    """What a message about a flow speaks of: a step or trigger, and what inside of that."""
    part = _PART.match(text, end)
    if part is None:
        return _inside(flow, text, end)
    listed = _listed(flow, "steps" if part[1] == "step" else "on")
    if part[2] is not None:
        return _inside(listed[int(part[2]) - 1], text, part.end())
    name, end = _DECODER.raw_decode(text, part.end())
    found = _with_id(listed, name)
    return flow if found is None else _inside(found, text, end)


def _inside(spot: Spot, text: str, end: int) -> Spot:
    """As deep as the words behind the name of a place lead."""
    if not text.startswith(": ", end):
        return spot
    rest = text[end + 2 :]
    unknown = _UNKNOWN.match(rest)
    return _deepest(spot, rest) if unknown is None else _around(spot, rest, unknown)


def _listed(spot: Spot, key: str) -> list[Spot]:
    found = spot.get(key)
    return found.items() if found is not None else []


def _with_id(listed: Sequence[Spot], name: Any) -> Spot | None:
    """The last one that has an id: of two with the same, the second is refused."""
    found = [item for item in listed if _has_id(item, name)]
    return found[-1] if found else None


def _has_id(spot: Spot, name: Any) -> bool:
    return spot.is_mapping and spot.value.get("id") == name
