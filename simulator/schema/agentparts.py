"""The parts of an agent that are plain data: fields, events, opening hours and the like."""

from collections.abc import Mapping
from dataclasses import fields

from falai.compaction import Compaction
from falai.hours import DAYS, TIME, BusinessHours
from falai.spec.agent_parts import DIRECTIONS, EXTRACTS
from falai.spec.pieces import SCALARS
from falai.words.field import Field
from falai.words.registry import EventDef, Idle
from simulator.reading import SECRETS
from simulator.schema.parts import (
    DATE,
    Schema,
    barred,
    closed,
    flag,
    many,
    nullable,
    text,
    texts,
    whole,
    word,
)
from simulator.schema.pieces import SCALAR, instructions

_FIELD: Mapping[str, Schema] = {
    "type": word("What the value is.", SCALARS),
    "enum": many("The values that are allowed.", SCALAR),
    "description": text("What the field means, for the model."),
    "label": text("A name for people; the model never sees it."),
    "ask": text("How to ask for it, for the model."),
    "extract": word(
        "Whether any message may give it, or only the reply to the step that asks.", EXTRACTS
    ),
}

_EVENT: Mapping[str, Schema] = {
    "direction": word(
        "inbound when the customer acted, outbound when somebody spoke for the assistant.",
        DIRECTIONS,
    ),
}

_IDLE: Mapping[str, Schema] = {
    "prompt": text("What the model should say, as a guideline."),
    "tools": texts("The tools that the model may use then."),
    "instructions": instructions("Rules for these replies only."),
}

_TIME_FIX = "Write a time of day such as 09:00, in quotes."
_HOURS: Mapping[str, Schema] = {
    "days": many("The days on which it is open.", {"enum": list(DAYS)}, minItems=1),
    "open": text(
        "The first minute that is open.",
        pattern=f"^(?!24)({TIME.pattern})$",
        patternErrorMessage=_TIME_FIX,
    ),
    "close": text(
        "The first minute that is closed again; on the next day, when it is not after open.",
        pattern=f"^({TIME.pattern})$",
        patternErrorMessage=_TIME_FIX,
    ),
    "timezone": text("A name such as America/Sao_Paulo; UTC, when it is left out."),
    "holidays": many(
        "Days on which nothing opens.",
        {
            "type": "string",
            "pattern": f"^{DATE}$",
            "patternErrorMessage": "Write a date such as 2026-12-25.",
        },
    ),
}

_COMPACTION: Mapping[str, Schema] = {
    "maxTokens": whole("How many tokens the history may take.", 1),
    "compactionThreshold": {
        "description": "The share of it at which the history is made shorter; 0.8 by default.",
        "type": "number",
        "minimum": 0.5,
        "maximum": 0.95,
    },
    "preserveRecentCount": whole("How many of the newest messages stay as they are.", 2),
    "maxToolResultChars": whole("Where an older tool result is cut.", 1),
    "enabled": flag("Whether it happens at all."),
}

_PROVIDER: Mapping[str, Schema] = {
    "model": text("The model's name, such as openai/gpt-4.1-mini."),
    "cassette": text("The tape that holds its recorded answers."),
}


def definitions() -> dict[str, Schema]:
    """What the parts are; none of them says its type, which is for the place to say."""
    hours = tuple(field.name for field in fields(BusinessHours))
    needed = ("days", "open", "close")
    return {
        "field": closed(Field.__struct_fields__, nullable(_FIELD, but=["type"]), required=["type"]),
        "event": closed(EventDef.__struct_fields__, nullable(_EVENT)),
        "idle": closed(Idle.__struct_fields__, nullable(_IDLE)),
        "hours": closed(hours, nullable(_HOURS, but=needed), required=needed),
        "compaction": closed(
            Compaction.__struct_encode_fields__, _COMPACTION, required=["maxTokens"]
        ),
        "provider": _provider(),
    }


def _provider() -> Schema:
    secret = "Remove it: keys come from the environment, never from a file."
    return {
        "properties": dict(_PROVIDER),
        "required": ["model"],
        "allOf": [barred(secret, *SECRETS)],
    }
