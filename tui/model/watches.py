"""A value of the session followed over the steps: what it is, when it changed, and who did it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from falai.shapes import is_list, is_mapping
from falai.turn.needs import Phase
from tui.model.timeline import State, Timeline

ROOTS = ("data", "runs", "claims", "inputs", "floor", "clock")
_PART = re.compile(r"[^.\[\]]+")


class PathError(Exception):
    """A text names no value that can be followed."""


def check_path(path: str) -> str:
    """The path, when it begins with something there is; a bare slug is a field. Raises PathError."""
    path = path.strip()
    parts = _PART.findall(path)
    if not parts:
        raise PathError(f"write a path that begins with {', '.join(ROOTS)}: data.name.")
    return path if parts[0] in ROOTS else f"data.{path}"


def value_at(timeline: Timeline, path: str, at: int) -> Any:
    """What stands at a path after a step; None where there is nothing."""
    root, *rest = _PART.findall(path)
    if root == "clock":
        return timeline.record(at).now
    return _inside(_root(timeline.state(at), root), rest)


def _root(state: State, root: str) -> Any:
    if root == "floor":
        return next((run.flow_id for run in state.runs if run.status == "asking"), None)
    if root == "runs":
        return [msgspec.to_builtins(run) for run in state.runs]
    return msgspec.to_builtins(getattr(state, root, None))


def _inside(value: Any, parts: Sequence[str]) -> Any:
    for part in parts:
        if is_mapping(value):
            value = value.get(part)
        elif is_list(value):
            value = _of_list(value, part)
        else:
            return None
    return value


def _of_list(items: Sequence[Any], part: str) -> Any:
    """By position, or the run of a flow."""
    if part.isdecimal():
        return items[int(part)] if int(part) < len(items) else None
    runs = (it for it in items if is_mapping(it) and part in (it.get("flowId"), it.get("id")))
    return next(runs, None)


# --- changes ------------------------------------------------------------------------------------


def changed(timeline: Timeline, path: str, at: int) -> bool:
    """Whether a step changed what stands at a path, within the session of its turn."""
    return value_at(timeline, path, at) != value_before(timeline, path, at)


def value_before(timeline: Timeline, path: str, at: int) -> Any:
    """What stood at a path before a step."""
    root, *rest = _PART.findall(path)
    if root == "clock":
        return timeline.record(at - 1).now if at else None
    return _inside(_root(timeline.before(at), root), rest)


def who_set(timeline: Timeline, path: str, at: int, direction: int = -1) -> int | None:
    """The step at which the value at a path last changed, this one included, or changes next.

    Only turns of the same session count: the others have a value of their own.
    """
    for step in _same_session(timeline, at, direction):
        if changed(timeline, path, step):
            return step
    return None


def _same_session(timeline: Timeline, at: int, direction: int) -> Iterator[int]:
    session = timeline.session_of(timeline.turn_of(at))
    steps = range(at, -1, -1) if direction < 0 else range(at + 1, len(timeline))
    for step in steps:
        if timeline.session_of(timeline.turn_of(step)) == session:
            yield step


def source_of(timeline: Timeline, path: str, at: int) -> str:
    """Who changed a value at a step, as far as the record tells."""
    match timeline.phase_of(at):
        case Phase.LOAD:
            return "stored"
        case Phase.INGEST:
            return _input_name(timeline.record(at).input)
        case Phase.UNDERSTAND | Phase.DECIDE:
            return "understand call"
        case Phase.RUN:
            return _action_of(timeline, path, at)
        case Phase.SPEAK | Phase.SETTLE:
            return _speaker_of(timeline, at)
        case _:
            return "the turn's end"


def _input_name(given: Mapping[str, Any]) -> str:
    if "event" in given:
        return f"event {given['event']}"
    return next((word for word in ("message", "wake", "start") if word in given), "the input")


def _action_of(timeline: Timeline, path: str, at: int) -> str:
    """The last action that ran in the phase: code writes with `ctx.set`."""
    step = timeline.step(at)
    done = len(timeline.step(at - 1).actions)
    names = [action.do for action in step.actions[done:]]
    return f"action {', '.join(names)}" if names and path.startswith("data") else "the flow"


def _speaker_of(timeline: Timeline, at: int) -> str:
    calls = timeline.step(at).calls
    tools = [
        str(call.get("tool"))
        for it in calls
        if it.purpose == "speak" and is_mapping(it.reply)
        for call in it.reply.get("toolCalls", ())
    ]
    if tools and timeline.phase_of(at) is Phase.SPEAK:
        return f"tool {', '.join(tools)}"
    return "speak call" if any(call.purpose == "speak" for call in calls) else "the flow"
