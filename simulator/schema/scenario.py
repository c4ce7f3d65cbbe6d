"""The schema of a scenario file."""

from collections.abc import Mapping

from simulator.promised import ALL, PROMISES
from simulator.reading import BUDGET, KEYS, PROVIDERS, SCRIPTS, STORES, VARIED
from simulator.scenario import Given, PendingWake
from simulator.schema import agent, entry, expect, host, reply, stubs
from simulator.schema.parts import (
    Schema,
    anything,
    closed,
    document,
    instant,
    many,
    mapping,
    nullable,
    of,
    or_null,
    ref,
    shaped,
    text,
    texts,
    whole,
)

_BUDGET: Mapping[str, Schema] = {
    "llmCalls": whole("Model calls in all."),
    "perTurn": whole("Model calls in any one turn."),
    "promptTokens": whole("Tokens of all prompts."),
    "completionTokens": whole("Tokens of all replies."),
    "costUsd": {"description": "What all of it costs.", "type": "number", "minimum": 0},
}
_PENDING: Mapping[str, Schema] = {
    "key": text("The key of the wake."),
    "at": instant("The time at which it fires."),
}
_GIVEN: Mapping[str, Schema] = {
    "session": anything(
        "A stored session, or the path of a file with one.", type=["string", "object"]
    ),
    "pending": many(
        "The wakes that wait; worked out when it is left out.",
        {
            "type": "object",
            **closed(PendingWake.__struct_fields__, _PENDING, required=["key", "at"]),
        },
    ),
    "history": host.conversation("The conversation so far."),
}
_PROMISE: Schema = {"anyOf": [{"enum": [ALL, *PROMISES]}, {"pattern": ":"}], "type": "string"}
_SIZE: Schema = {"type": "object", **closed(["size"], {"size": whole("Bytes of a session.")})}

_SCENARIO: Mapping[str, Schema] = {
    "scenario": text(
        "The title: what is played, in a few words.",
        pattern=r"\S",
        patternErrorMessage="Say in a few words what is played.",
    ),
    "description": text("A text for people."),
    "tags": texts("Words by which falai run chooses scenarios."),
    "agent": shaped(
        "The agent: a path, module:attribute, or the agent itself.", ("string", "object"), "agent"
    ),
    "stubs": shaped("What stands in for the agent's own code, by name.", "object", "stubs"),
    "clock": instant("When time starts; 2026-01-05T09:00:00Z by default.", expressions=False),
    "session": text("The id of the conversation; s1 by default."),
    **host.HOST,
    "store": text(
        "Where sessions are kept: memory (the default), sqlite, or a store URL.",
        pattern=f"^({'|'.join(STORES)})$|://",
        patternErrorMessage="Write memory, sqlite or a store URL.",
    ),
    "provider": anything(
        "Who answers for the model: scripted (the default), offline, or a model.",
        anyOf=[{"enum": list(PROVIDERS)}, {"type": "object", **of("provider")}],
    ),
    "given": anything(
        "Where the conversation stands before the first entry.",
        type="object",
        **closed(Given.__struct_fields__, nullable(_GIVEN)),
    ),
    "budget": anything(
        "Upper bounds; the scenario fails when it spends more.",
        type="object",
        **closed(BUDGET, _BUDGET),
    ),
    "script": anything(
        "exact (the default): the model is asked for the replies that are written, and no others.",
        enum=list(SCRIPTS),
    ),
    "promises": anything(
        "What every turn is held to: all, names, {size: bytes}, module:function.",
        anyOf=[_PROMISE, {"type": "array", "items": {"anyOf": [_PROMISE, _SIZE]}}],
    ),
    "turns": many("What happens, in order.", ref("entry"), minItems=1),
}


def scenario_schema() -> Schema:
    """JSON Schema of a scenario file."""
    table = {**_SCENARIO, "matrix": _matrix()}
    has_agent = {"required": ["matrix"], "properties": {"matrix": {"required": ["agent"]}}}
    root = {
        "type": "object",
        **closed(KEYS, table, required=["scenario", "turns"]),
        # A matrix may bring the agent in.
        "if": {"not": has_agent},
        "then": {"required": ["agent"]},
    }
    parts = (part.definitions() for part in (entry, reply, expect, host, agent))
    return document("Scenario", root, {"stubs": stubs.scenario_stubs()}, *parts)


def _matrix() -> Schema:
    """Lists of values for what is varied: a key, or with dots a value somewhere below it."""
    below = rf"^({'|'.join(VARIED)})\."
    varied = mapping(
        "Plays the scenario once for each combination of these values.",
        properties={key: _axis(key) for key in VARIED},
        patternProperties={below: {"type": "array", "minItems": 1}},
        additionalProperties=False,
    )
    return or_null(varied)


def _axis(key: str) -> Schema:
    return many(f"What {key} is, one after the other.", _SCENARIO[key], minItems=1)
