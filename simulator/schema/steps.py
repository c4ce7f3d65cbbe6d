"""Steps: one shape for each kind, chosen by the body of the step, or else by its kind."""

from collections.abc import Mapping

from falai.spec.steps import COMMON, KEYS
from simulator.schema.parts import (
    Schema,
    anything,
    choose,
    closed,
    duration,
    flag,
    is_set,
    mapping,
    needs,
    nullable,
    ref,
    says,
    shaped,
    stranger,
    strangers,
    text,
    texts,
    whole,
    word,
)
from simulator.schema.pieces import branches, instructions, target

_ID = text(
    "The name of the step, by which others lead to it.",
    minLength=1,
    pattern="^(?!end$)",
    patternErrorMessage='The id "end" is reserved: it ends the run.',
)
_COMMON: Mapping[str, Schema] = {
    "id": _ID,
    "label": text("A name for people."),
    "then": target("Where it leads; the next step of the list, when it is left out."),
    "ui": anything("What a form keeps for itself."),
}
_TALK: Mapping[str, Schema] = {
    "prompt": text("What the model should say, as a guideline."),
    "collect": texts("Fields to ask for, until each is known or was asked often enough."),
    "question": text("The first ask, word for word."),
    "ask": mapping("How to ask for a field in this step, by field.", {"type": "string"}),
    "maxAsks": whole("How often a field is asked for; 3, when it is left out.", 1),
    "branches": branches("Forks, judged at the customer's answer; the first that holds wins."),
    "tools": texts("The tools that the model may use in this step."),
    "instructions": instructions("Rules for this step only."),
}
_EVENT: Mapping[str, Schema] = {
    "event": text("The event to wait for.", minLength=1),
    "upTo": duration("How long to wait for it; 30 days, when it is left out."),
}
_GIVEN: Schema = {"type": ["string", "number", "boolean", "array", "null"]}
_KINDS: Mapping[str, Mapping[str, Schema]] = {
    "collect": _TALK,
    "prompt": {
        **_TALK,
        "question": stranger("A question has nothing to collect: give the step collect."),
    },
    "say": {
        "say": text("The text to send, as it is written."),
        "media": anything(
            "A medium that the host attaches.",
            type="object",
            **closed(["slug"], {"slug": text("The name of the medium.")}, required=["slug"]),
        ),
        "once": flag("Whether it is sent only once in a conversation."),
    },
    "do": {
        "do": text("The action to run."),
        "with": mapping("What the action is given, by parameter.", _GIVEN),
        "onFail": target("Where it leads when the action failed."),
    },
    "wait": {
        "wait": duration("How long to wait."),
        "businessHours": flag("Whether the wait ends no sooner than the business opens."),
        "else": target("Where it leads when the customer writes before the wait is over."),
        "branches": branches("Forks with an if, judged when the wait is over."),
    },
    "waitEvent": {
        "wait": anything(
            "The event to wait for, and how long.",
            type="object",
            **closed(_EVENT, nullable(_EVENT, but=["event"]), required=["event"]),
        ),
        "else": target("Where it leads when the event does not come; the end, when left out."),
    },
    "if": {
        "if": shaped("The condition that decides.", "object", "condition"),
        "else": target("Where it leads when the condition does not hold; the end, when left out."),
    },
}
_BODIES = ("collect", "prompt", "say", "do", "wait", "if")
_ALL = tuple(dict.fromkeys((*COMMON, *(key for keys in KEYS.values() for key in keys))))


def definitions() -> dict[str, Schema]:
    """A shape for each kind of step, and the choice between them."""
    return {
        "step": _step(),
        **{_name(kind): _kind(kind) for kind in KEYS},
        "blankStep": _blank(),
        "strangerInStep": stranger("This belongs to another kind of step: a step does one thing."),
    }


def _name(kind: str) -> str:
    return f"{kind}Step"


def _step() -> Schema:
    waits_for_event = {"properties": {"wait": {"type": "object"}}}
    wait = choose([(waits_for_event, ref(_name("waitEvent")))], ref(_name("wait")))
    bodies = [(is_set(body), wait if body == "wait" else ref(_name(body))) for body in _BODIES]
    kinds = [(says("kind", kind), ref(_name(kind))) for kind in KEYS]
    return choose([*bodies, *kinds], ref("blankStep"))


def _kind(kind: str) -> Schema:
    body = "wait" if kind == "waitEvent" else kind
    own = _KINDS[kind]
    kind_key = word("What the step does; it follows from the rest.", [kind])
    table = nullable({**_COMMON, "kind": kind_key, **own}, but=["id", body])
    found = closed((*COMMON, *KEYS[kind]), table, required=["id", body])
    others = [key for key in _ALL if key not in found["properties"]]
    found["properties"] |= strangers(others, "strangerInStep")
    return {**found, **_question()} if kind == "collect" else found


def _question() -> Schema:
    collect = {"collect": {"minItems": 1}}
    return {"if": is_set("question"), "then": {"properties": collect}}


def _blank() -> Schema:
    """A step that does nothing yet: any body may come."""
    merged = {key: schema for table in _KINDS.values() for key, schema in table.items()}
    merged |= {**_COMMON, **_TALK, "kind": word("What the step does.", KEYS)}
    merged["wait"] = anything(
        "How long to wait, or {event, upTo} to wait for an event.", type=["string", "object"]
    )
    merged["else"] = target("Where a wait or an if leads when it fails.")
    does = f"Say what the step does: give it one of {', '.join(_BODIES)}."
    return {
        **closed(_ALL, nullable(merged, but=["id"]), required=["id"]),
        "allOf": [needs("say", "string", does)],
    }
