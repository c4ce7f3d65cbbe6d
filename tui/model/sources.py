"""Who changed a value at a step, as far as the record of its turn tells."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from falai.shapes import is_mapping
from falai.turn.needs import Phase
from simulator.trace import CallRecord
from tui.model.timeline import Step, Timeline

_FLOW = "the flow"


def source_of(timeline: Timeline, path: str, at: int) -> str:
    """Who set what stands at a path: `understand call`, `action charge`, `event paid` …"""
    record = timeline.record(at)
    if path.startswith("clock"):
        return "the clock"
    if record.phases is UNSET:
        return "this turn"
    match timeline.phase_of(at):
        case Phase.LOAD:
            return "the store"
        case Phase.INGEST:
            return input_name(record.input)
        case Phase.UNDERSTAND | Phase.DECIDE:
            heard = any(call.purpose == "understand" for call in timeline.step(at).calls)
            return "understand call" if heard else input_name(record.input)
        case Phase.RUN:
            return _of_run(timeline, path, at)
        case _:
            return _of_speaker(timeline, path, at)


def input_name(given: Mapping[str, Any]) -> str:
    """What came in, in a word or two."""
    if "event" in given:
        return f"event {given['event']}"
    return next((word for word in ("message", "wake", "start") if word in given), "the input")


def _of_run(timeline: Timeline, path: str, at: int) -> str:
    """An action that ran in the phase: only its code writes data."""
    if not path.startswith("data"):
        return _FLOW
    step = timeline.step(at)
    names = [action.do for action in step.actions[len(timeline.step(at - 1).actions) :]]
    return f"action {_or(names)}" if names else _FLOW


def _of_speaker(timeline: Timeline, path: str, at: int) -> str:
    """What was spoken, a tool that was used for it, or an action of the run that went on."""
    if not path.startswith("data"):
        return _FLOW
    step = timeline.step(at)
    slug = path.removeprefix("data.").partition(".")[0].partition("[")[0]
    if any(slug in reply for reply in _spoken(step)):
        return "speak call"
    if len(step.actions) > len(timeline.step(at - 1).actions):
        return _of_run(timeline, path, at)
    tools = _tools(step)
    if tools:
        return f"tool {_or(tools)}"
    return "speak call" if any(call.purpose == "speak" for call in step.calls) else _FLOW


def _spoken(step: Step) -> Iterator[Mapping[str, Any]]:
    """The fields of each speak call's reply, however it gave them."""
    for reply in _replies(step.calls):
        found = reply.get("structured")
        if found is None:
            try:
                found = msgspec.json.decode(str(reply.get("message", "")))
            except msgspec.DecodeError:
                continue
        if is_mapping(found):
            yield found


def _tools(step: Step) -> list[str]:
    used = [call for reply in _replies(step.calls) for call in reply.get("toolCalls", ())]
    return [str(call.get("tool")) for call in used]


def _replies(calls: Sequence[CallRecord]) -> Iterator[Mapping[str, Any]]:
    for call in calls:
        if call.purpose == "speak" and is_mapping(call.reply):
            yield call.reply


def _or(names: list[str]) -> str:
    """Each name once; the record does not tell which of several it was."""
    return " or ".join(dict.fromkeys(names))
