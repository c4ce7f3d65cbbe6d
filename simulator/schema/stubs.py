"""What stands in for a host's code: actions, tools, conditions, and the results they give."""

from collections.abc import Mapping

from falai.spec.names import BUILT_IN
from simulator.agentparts import ACTION_KEYS, TOOL_KEYS
from simulator.schema.parts import (
    Schema,
    anything,
    barred,
    choose,
    closed,
    flag,
    has,
    many,
    mapping,
    named,
    nullable,
    of,
    ref,
    text,
    whole,
    word,
)
from simulator.schema.pieces import parameters
from simulator.standins import STUB_KEYS
from simulator.stubs import OPS, ROOTS

_ACTION: Mapping[str, Schema] = {
    "parameters": parameters("What the action takes, by name."),
    "returns": anything(
        "Its result, or a list used in order, whose last one repeats; {ok: true} by default.",
        **of("results"),
    ),
    "set": mapping("Fields to write when the result is ok."),
}

_RESULT: Mapping[str, Schema] = {
    "ok": anything("true: it was done."),
    "detail": anything("A text that is kept in the outcome."),
    "spoke": anything("true: the customer got a message."),
    "skipped": anything("Why there was nothing to do."),
    "failed": anything("Why it did not work."),
    "defer": anything("How long to wait before the step runs again, such as 10m."),
    "throw": anything("It raises, with this text."),
}
_THROWN = {"throw": text("It raises, with this text.")}

_TOOL_SCHEMA: Mapping[str, Schema] = {
    "type": {"description": "Always object.", "const": "object"},
    "properties": mapping("The arguments, by name, each a JSON Schema."),
    "required": anything("The names of the arguments that must be there."),
}
_TOOL: Mapping[str, Schema] = {
    "id": text("The name of the tool.", minLength=1),
    "description": text("What the tool is for; the model reads it."),
    "parameters": anything(
        "A JSON Schema object for its arguments.",
        type="object",
        properties=_TOOL_SCHEMA,
        required=["type"],
    ),
    "returns": anything(
        "What it returns, {value, data}, or a list used in order, whose last one repeats.",
        type=["object", "array"],
        **of("toolResults"),
    ),
    "isReadOnly": flag("Whether it changes nothing; it may run at the same time as others."),
    "isConcurrencySafe": flag("Whether it may run at the same time as others."),
    "isDestructive": flag("A remark for hosts."),
    "maxResultChars": whole("Where a long result is cut.", 1),
}
_TOOL_RESULT: Mapping[str, Schema] = {
    "value": anything("What the model reads."),
    "data": {"description": "Fields to write.", "type": ["object", "null"]},
}

_CONDITION: Mapping[str, Schema] = {
    "path": text(
        "The way to the value, beginning with context, data or input.",
        pattern=rf"^({'|'.join(ROOTS)})(\.|$)",
        patternErrorMessage=f"Begin it with {', '.join(ROOTS)}.",
    ),
    "op": word("How the value is compared with the argument.", OPS),
}


def conditions(about: str) -> Schema:
    taken = barred("Every agent has that condition built in: rename yours.", *sorted(BUILT_IN))
    return {**named(about, "agentCondition"), "allOf": [taken]}


def definitions() -> dict[str, Schema]:
    """The stand-ins, and what they give."""
    return {
        "action": closed(ACTION_KEYS, nullable(_ACTION)),
        "results": _one_or_more(ref("result"), ref("result")),
        "result": choose([(has("throw"), closed(_THROWN, _THROWN))], {"properties": dict(_RESULT)}),
        "tool": closed(TOOL_KEYS, nullable(_TOOL, but=["id"]), required=["id"]),
        "toolResults": _one_or_more({"type": "object", **of("toolResult")}, ref("toolResult")),
        "toolResult": _tool_result(),
        "agentCondition": closed(_CONDITION, _CONDITION, required=list(_CONDITION)),
    }


def _one_or_more(item: Schema, single: Schema) -> Schema:
    """One result, or a list of them that is not empty."""
    return choose([({"type": "array"}, {"minItems": 1, "items": item})], single)


def _tool_result() -> Schema:
    thrown, given = closed(_THROWN, _THROWN), closed(_TOOL_RESULT, _TOOL_RESULT)
    return choose([(has("throw"), thrown)], given)


def scenario_stubs() -> Schema:
    """The stand-ins of a scenario, which may leave out what the agent's own have."""
    tool: Schema = {"type": "object", **of("tool")}
    table = {
        "actions": named("Actions in the place of the agent's own, by name.", "action", empty=True),
        "tools": many("Tools in the place of the agent's own, by id.", tool),
        "conditions": conditions("Conditions in the place of the agent's own, by name."),
    }
    return closed(STUB_KEYS, nullable(table))
