"""The schema of an agent file."""

from collections.abc import Mapping

from simulator.agentfile import AGENT_KEYS
from simulator.load import SUFFIXES
from simulator.schema import agentparts, flow, stubs
from simulator.schema.parts import (
    Schema,
    anything,
    closed,
    document,
    many,
    mapping,
    named,
    nullable,
    of,
    shaped,
    text,
    whole,
)
from simulator.schema.pieces import instructions

_ANY_CASE = ("".join(f"[{a}{a.upper()}]" for a in suffix[1:]) for suffix in SUFFIXES)
_FLOW_FILE = rf"\.({'|'.join(_ANY_CASE)})$"
_FLOW: Schema = {
    "type": ["string", "object"],
    "pattern": _FLOW_FILE,
    "patternErrorMessage": "The path of a flow file ends in .yaml, .yml or .json.",
    **of("flow"),
}

_AGENT: Mapping[str, Schema] = {
    "name": text("The assistant's name."),
    "persona": text("Who the assistant is and how it talks; the model reads it."),
    "goal": text("What the assistant wants; the model reads it."),
    "knowledgeBase": mapping("Facts for the model."),
    "instructions": instructions("Rules for every reply."),
    "maxToolLoops": whole("How many rounds of tools a reply may take; 5, when it is left out."),
    "compaction": shaped("How long histories are made shorter.", "object", "compaction"),
    "fields": named("What can be collected, by name.", "field"),
    "events": named("What the host may report, by name.", "event", empty=True),
    "conditions": stubs.conditions("Tests that flows may name."),
    "actions": named("What do steps run, by name.", "action", empty=True),
    "tools": many(
        "What the model may look up while it writes.",
        {
            "type": "object",
            "required": ["parameters"],
            "properties": {"parameters": {"type": "object"}},
            **of("tool"),
        },
    ),
    "businessHours": shaped("When the business is open.", "object", "hours"),
    "idle": anything(
        "Who answers when no flow does; silent for nobody.",
        anyOf=[{"enum": ["silent"]}, {"type": "object", **of("idle")}],
    ),
    "provider": shaped("The model that record, live and chat ask.", "object", "provider"),
    "flows": many("The flows: each is written here, or the path of a file of flows.", _FLOW),
}


def agent_schema() -> Schema:
    """JSON Schema of an agent file."""
    return document("Agent", {"type": "object", **of("agent")}, definitions())


def definitions() -> dict[str, Schema]:
    """An agent and all that it is made of."""
    table = nullable(_AGENT, but=["name"])
    return {
        "agent": closed(AGENT_KEYS, table, required=["name"]),
        **agentparts.definitions(),
        **stubs.definitions(),
        **flow.definitions(),
    }
