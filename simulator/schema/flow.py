"""The schema of a flow file: one flow, or a list of them."""

from collections.abc import Mapping
from typing import get_args

from falai.spec import places, triggers
from falai.words.flow import OnEnd
from simulator.schema import pieces, steps
from simulator.schema.parts import (
    Schema,
    anything,
    choose,
    closed,
    document,
    duration,
    flag,
    is_set,
    many,
    needs,
    nullable,
    of,
    ref,
    shaped,
    stranger,
    strangers,
    text,
    texts,
    word,
)

_FLOW: Mapping[str, Schema] = {
    "id": text("The name of the flow, by which others start it.", minLength=1),
    "name": text("What the flow is called; the model reads it."),
    "description": text("What the flow is for; the model reads it when it scores."),
    "on": many("What starts the flow.", {"type": "object", **of("trigger")}),
    "anchor": text("The host's key for which it starts once; the session, when it is left out."),
    "while": shaped("What must go on holding, else the run ends.", "object", "condition"),
    "collect": texts("Fields that the flow listens for."),
    "clearOnStart": texts("Fields to forget when it starts."),
    "steps": many("What the flow does, in order.", {"type": "object", **of("step")}),
    "onEnd": word("What comes after the last step; end, when it is left out.", get_args(OnEnd)),
    "instructions": pieces.instructions("Rules for this flow only."),
    "tools": texts("The tools that the model may use in this flow."),
}
_REQUIRED = ("id", "name", "steps")

_COOLDOWN = {"cooldown": duration("How long it rests between two starts.")}
_TRIGGER: Mapping[str, Schema] = {
    "message": anything(
        "Phrases that the message must mean; none for any message, ! rules one out.",
        type="array",
        **of("phrases"),
    ),
    "mention": anything(
        "Phrases that the message must bring up, whatever else it is about.",
        type="array",
        **of("phrases"),
    ),
    "silence": duration("How long the customer must not have written."),
    "event": text("The event of the host that starts it.", minLength=1),
    "if": shaped("What must hold at that moment.", "object", "condition"),
    "repeat": anything(
        "How often it may start the flow.",
        anyOf=[
            {"enum": ["once", "always"]},
            {"type": "object", **closed(_COOLDOWN, _COOLDOWN, required=["cooldown"])},
        ],
    ),
    "extract": pieces.parameters("What to pick up from the message, by name."),
    "businessHours": flag("Whether it starts no sooner than the business opens."),
    "after": duration("How much later it starts."),
}


def flow_schema() -> Schema:
    """JSON Schema of a flow file."""
    root = {"type": ["object", "array"], **of("flow"), "items": {"type": "object", **of("flow")}}
    return document("Flow", root, definitions())


def definitions() -> dict[str, Schema]:
    """A flow and all that it is made of."""
    return {
        "flow": _flow(),
        "phrases": _phrases(),
        **_triggers(),
        **steps.definitions(),
        **pieces.definitions(),
    }


def _flow() -> Schema:
    starts = {"properties": {"on": {"type": "array", "minItems": 1}}}
    return {
        **closed(places.KEYS, nullable(_FLOW, but=_REQUIRED), required=_REQUIRED),
        "if": {"required": ["on"], **starts},
        "then": {"properties": {"steps": {"minItems": 1}}},
    }


def _phrases() -> Schema:
    """Phrases that are not all exclusions."""
    phrase = {"type": "string", "pattern": r"^\s*[^!\s]"}
    return {
        "items": {"type": "string"},
        "if": {"minItems": 1},
        "then": {"contains": phrase, "errorMessage": "Add a phrase that does not start with !."},
    }


def _triggers() -> dict[str, Schema]:
    kinds = {kind: f"{kind}Trigger" for kind in triggers.KEYS}
    cases = [(is_set(kind), ref(name)) for kind, name in kinds.items()]
    return {
        "trigger": choose(cases, ref("blankTrigger")),
        **{name: _kind(kind) for kind, name in kinds.items()},
        "blankTrigger": _blank(),
        "strangerInTrigger": stranger("This belongs to another kind of trigger."),
    }


def _kind(kind: str) -> Schema:
    keys = (kind, "if", "repeat", *triggers.KEYS[kind])
    table = nullable({key: _TRIGGER[key] for key in keys}, but=[kind])
    found = closed(keys, table, required=[kind])
    others = [key for key in _TRIGGER if key not in keys]
    found["properties"] |= strangers(others, "strangerInTrigger")
    return found


def _blank() -> Schema:
    """A trigger that names no kind yet."""
    kinds = triggers.KEYS
    every = (*kinds, "if", "repeat", *(key for keys in kinds.values() for key in keys))
    names = f"A trigger has one of {', '.join(kinds)}."
    return {**closed(every, nullable(_TRIGGER)), "allOf": [needs("event", "string", names)]}
