"""The JSON schema by which a model writes flows for one agent."""

from collections.abc import Iterator
from typing import Any, get_args

from falai.spec.registries import Registries
from falai.spec.schema_parts import (
    DURATION,
    NOT_EMPTY,
    NOT_END,
    PHRASE,
    Schema,
    anything,
    closed,
    either,
    field_value,
    flag,
    many,
    optional,
    ref,
    some,
    text,
    word,
)
from falai.spec.schema_places import repeat, steps, triggers
from falai.words.flow import InstructionKind, OnEnd


def flow_spec_schema(registries: Registries) -> dict[str, Any]:
    """Describe to a model the flows that it may write for the agent with these registries.

    The schema is closed, every property is required, and null means "not set". It holds the
    agent's fields, actions, events and conditions; what needs one of them is left out when there
    is none. So are, on purpose, `ui`, `tools`, the `instructions` of a step, `ask`, a mention's
    `extract`, a chain's `input`, and the phrases of a trigger that rule it out: no schema that
    vendors take can say that one phrase at least must be another.

    What it admits passes `from_spec`, as long as no two steps have one id. It then passes
    `validate_flow` when each target exists, and each `if` whose `then` goes back has an `else`:
    the schema can say none of the three. The registries are taken to be those of an agent.
    """
    return {**_flow(registries), "$defs": dict(_definitions(registries))}


def _flow(registries: Registries) -> Schema:
    properties = {
        "id": text("Id of the flow, such as book_visit.", NOT_EMPTY),
        "name": text("A short name."),
        "description": optional(text(), "What it is for, to the model that reads messages."),
        "on": optional(
            many(either(*triggers(registries))),
            "What starts it; null: only the host or another flow does.",
        ),
        "anchor": optional(
            text(), "Name of the host's key that a run belongs to; null: the conversation."
        ),
        "while": optional(
            ref("condition"), "Premise of a run, which ends as soon as it does not hold."
        ),
        **(_fields() if registries.fields else {}),
        "steps": some(either(*steps(registries)), "Run in order; no two have the same id."),
        "onEnd": optional(
            word(get_args(OnEnd)),
            "After the last step: end (null means it); stay in the last talk step and go on "
            "answering; or reset, which starts the flow over and keeps what is known.",
        ),
        "instructions": optional(many(_instruction()), "Rules for what the assistant says."),
    }
    about = "A flow of a conversation: triggers that start it, and steps that run in order."
    return closed(about, properties)


def _fields() -> dict[str, Schema]:
    collect = "Fields that it wants beside those that its steps collect."
    return {
        "collect": optional(many(ref("field")), collect),
        "clearOnStart": optional(many(ref("field")), "Fields to forget when it starts."),
    }


def _instruction() -> Schema:
    when = 'What a message must mean for it to apply; a text that begins with "!" rules it out.'
    properties = {
        "id": optional(text()),
        "kind": optional(word(get_args(InstructionKind)), "null means should."),
        "when": optional(either(text(), many(text())), when),
        "if": optional(ref("condition")),
        "prompt": text("The rule itself."),
    }
    return closed(None, properties)


# --- definitions --------------------------------------------------------------------------------


def _definitions(registries: Registries) -> Iterator[tuple[str, Schema]]:
    if registries.fields:
        yield "field", word(registries.fields)
    if registries.events:
        yield "event", word(registries.events)
    yield "stepId", text('Id of the step, unique in the flow, not "end".', NOT_END)
    yield "duration", text('A number and one of s, m, h, d: "30s", "1.5h", "2d".', DURATION)
    yield "phrases", many(text(pattern=PHRASE), "Each says in a few words what a message means.")
    yield "repeat", repeat()
    yield "condition", _condition(registries)
    yield "target", either(*_targets(registries))
    then = "Where the run goes after this step; null: to the next step of the list."
    yield "then", optional(ref("target"), then)
    yield "check", closed(None, {"if": ref("condition"), "then": ref("target")})
    judged = text("What the model judges of the customer's answer, such as: wants to stop.")
    yield "branch", either(closed(None, {"when": judged, "then": ref("target")}), ref("check"))


def _condition(registries: Registries) -> Schema:
    argument = either(*anything()["anyOf"], many(anything()))
    own = {
        name: optional(argument, "Argument of this condition of the host.")
        for name in registries.conditions
    }
    silenced = optional(flag(), "Whether the assistant is kept from speaking.")
    about = "Everything that is set must hold; null leaves one out."
    return closed(about, {**_data_conditions(registries), "silenced": silenced, **own})


def _data_conditions(registries: Registries) -> dict[str, Schema]:
    if not registries.fields:
        return {}
    known = {"known": optional(many(ref("field")), "Fields that must be known.")}
    values = {slug: field_value(field) for slug, field in registries.fields.items()}
    given = {slug: optional(value) for slug, value in values.items() if value is not None}
    if not given:
        return known
    about = "The value that each field must have; null for one that does not matter."
    return {"equals": optional(closed(about, given)), **known}


def _targets(registries: Registries) -> Iterator[Schema]:
    yield text('Id of a step of this flow, or "end", which ends the run.')
    if registries.fields:
        clear = "Fields to forget on the way: when going back, those to ask for again."
        body = {"step": text(), "clear": optional(many(ref("field")), clear)}
        yield closed("A jump that forgets fields.", body)
    yield closed("Ends the run and starts another flow.", {"flow": text("Id of that flow.")})
