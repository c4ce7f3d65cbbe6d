"""What one step brought, in a line each: what came in, what changed, what was decided and said."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from falai.predicate import same_json
from falai.shapes import is_mapping
from falai.words.outcome import Outcome
from tui.model.predicates import arrival
from tui.model.shown import value, when
from tui.model.sources import source_of
from tui.model.timeline import PHASES, Timeline

T = TypeVar("T")


def moment(timeline: Timeline, at: int) -> Iterator[str]:
    """Everything that was not there before the step."""
    if not timeline.turns:
        return
    record, phase = timeline.record(at), timeline.phase_of(at)
    if phase is PHASES[0]:
        yield came(record.input)
    if not timeline.step(at).ran:
        yield "! the turn never came to this phase"
    yield from (f"call {it.purpose}" for it in _new(timeline, at, "calls", record.calls))
    yield from _started(timeline, at)
    yield from _acted(timeline, at)
    yield from _fields(timeline, at)
    yield from _decided(timeline, at)
    if phase is PHASES[-1]:
        yield from _end(timeline, at)


def came(given: Mapping[str, Any]) -> str:
    """The input of a turn."""
    if "message" in given:
        return f"customer: {given['message']}"
    if "event" in given:
        return f"event {given['event']}" + (
            f" {value(given['payload'])}" if "payload" in given else ""
        )
    if "wake" in given:
        return f"wake {given['wake']}"
    start = given.get("start")
    return f"the host starts {start.get('flow') if is_mapping(start) else start}"


def _new(timeline: Timeline, at: int, what: str, items: Sequence[T]) -> list[T]:
    """Those that came with this very step."""
    turn = timeline.turn_of(at)
    return [it for place, it in enumerate(items) if arrival(timeline, turn, what, place) == at]


def _started(timeline: Timeline, at: int) -> Iterator[str]:
    result = timeline.record(at).result
    if result is None:
        return
    for run in _new(timeline, at, "started", result.started):
        yield f"{run.flow_id} starts"
    for skip in _new(timeline, at, "skipped", result.skipped):
        yield f"{skip.flow_id} may not start  {skip.code}: {skip.message}"


def _acted(timeline: Timeline, at: int) -> Iterator[str]:
    for action in _new(timeline, at, "actions", timeline.record(at).actions):
        failed = is_mapping(action.result) and "failed" in action.result
        yield f"did {action.do}" + ("  ! it failed" if failed else "")


def _decided(timeline: Timeline, at: int) -> Iterator[str]:
    result = timeline.record(at).result
    if result is None:
        return
    for line in _new(timeline, at, "outcomes", result.outcomes):
        yield _told(line)
    for message in _new(timeline, at, "messages", result.messages):
        yield f"assistant: {message.text}"
    for wake in _new(timeline, at, "schedule", result.schedule):
        yield f"wake at {when(wake.at)}  {wake.key}"


def _told(line: Outcome) -> str:
    where = f"{line.flow_id}/{line.step_id}" if line.flow_id else "idle"
    code = f"  {line.code}: {line.detail or line.message}" if line.code else ""
    return f"{where} {line.kind} {line.status}{code}"


def _fields(timeline: Timeline, at: int) -> Iterator[str]:
    before, after = timeline.before(at).data, timeline.state(at).data
    for slug in dict.fromkeys([*before, *after]):
        old, new = before.get(slug), after.get(slug)
        if not same_json(old, new):
            who = source_of(timeline, f"data.{slug}", at)
            yield f"{slug}: {value(old)} → {value(new)}  by {who}"


def _end(timeline: Timeline, at: int) -> Iterator[str]:
    record = timeline.record(at)
    for run in record.result.ended if record.result is not None else ():
        yield f"{run.flow_id} ends: {run.reason}"
    if record.error is not None:
        yield f"! the turn failed: {record.error.get('message', '')}"
    for failure in timeline.failures(timeline.turn_of(at)):
        where = f"line {failure.line}  {failure.path}".rstrip()
        yield f"✗ {where}: {failure.message}"
