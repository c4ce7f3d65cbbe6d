"""A flow read place by place: the flow itself, then its triggers, then its steps, in order."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, get_args

import msgspec

from falai.errors import FlowConfigurationError
from falai.shapes import is_mapping
from falai.spec.part import Part
from falai.spec.pieces import read_instruction
from falai.spec.steps import read_step
from falai.spec.triggers import read_trigger
from falai.spec.wording import quote
from falai.words.flow import Flow, OnEnd, Step, Trigger

KEYS = (
    "id",
    "name",
    "description",
    "on",
    "anchor",
    "while",
    "collect",
    "clearOnStart",
    "steps",
    "onEnd",
    "instructions",
    "tools",
)

What: TypeAlias = Flow | Trigger | Step


class Place(msgspec.Struct, frozen=True):
    """One place of a flow, its shape already checked."""

    where: str
    """As messages name it."""
    what: What
    """The flow without its triggers and steps, a trigger, or a step."""
    index: int
    """Position in its list."""
    steps: Mapping[str, int]
    """Position of every step of the flow, by id."""


def read_flow(raw: object) -> Flow:
    """Read a plain flow; raise FlowConfigurationError on the first wrong shape."""
    places = list(read_places(raw))
    flow = next(place.what for place in places if isinstance(place.what, Flow))
    triggers = tuple(p.what for p in places if isinstance(p.what, get_args(Trigger)))
    steps = tuple(p.what for p in places if isinstance(p.what, get_args(Step)))
    return msgspec.structs.replace(flow, on=None if flow.on is None else triggers, steps=steps)


def read_places(raw: object) -> Iterator[Place]:
    """Read a plain flow; a wrong shape raises only when its own place is reached."""
    part = Part(raw, "flow")
    where = f"flow {quote(part.needed_name('id'))}"
    part.where = where
    flow = _read_head(part)
    steps = part.entries("steps") or ()
    positions = _positions(steps)
    yield Place(where, flow, 0, positions)
    for index, entry in enumerate(part.entries("on") or ()):
        place = f"{where}, trigger #{index + 1}"
        yield Place(place, read_trigger(Part(entry, place)), index, positions)
    for index, entry in enumerate(steps):
        step = _identified(entry, where, index, positions)
        yield Place(step.where, read_step(step), index, positions)


def _read_head(part: Part) -> Flow:
    part.close(KEYS)
    ends: tuple[OnEnd, ...] = get_args(OnEnd)
    triggers, steps = part.entries("on"), part.entries("steps")
    if steps is None:
        raise part.refusal("has no steps list", "Write steps as a list, even an empty one.")
    if triggers and not steps:
        raise part.refusal("has triggers but no steps", "Add a step, or leave out on.")
    return Flow(
        id=part.needed_name("id"),
        name=part.needed_text("name"),
        description=part.text("description"),
        on=None if triggers is None else (),
        anchor=part.text("anchor"),
        while_=part.predicate("while"),
        collect=part.texts("collect"),
        clear_on_start=part.texts("clearOnStart"),
        on_end=part.choice("onEnd", ends),
        instructions=part.parts("instructions", read_instruction),
        tools=part.texts("tools"),
    )


def _positions(steps: tuple[Any, ...]) -> dict[str, int]:
    """Positions by id, steps of a wrong shape passed over."""
    positions: dict[str, int] = {}
    for index, step in enumerate(steps):
        step_id = step.get("id") if is_mapping(step) else None
        if isinstance(step_id, str):
            # Of two steps with one id the second is refused, at its own place.
            positions.setdefault(step_id, index)
    return positions


def _identified(entry: object, where: str, index: int, positions: Mapping[str, int]) -> Part:
    """Make the part of one step, placed by its id from here on."""
    part = Part(entry, f"{where}, step #{index + 1}")
    step_id = part.needed_name("id")
    part.where = f"{where}, step {quote(step_id)}"
    if step_id == "end":
        raise part.refusal('the id "end" is reserved: it ends the run', "Choose another id.")
    if positions[step_id] != index:
        raise FlowConfigurationError(
            f"{part.where} is declared twice: step ids must be unique in a flow. "
            "Rename one of them."
        )
    return part
