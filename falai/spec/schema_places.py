"""The variants of a trigger and of a step in the schema that a model writes flows by."""

from collections.abc import Iterator

from falai.limits import EVENT_WAIT, MAX_ASKS
from falai.spec.registries import Registries
from falai.spec.schema_parts import (
    Schema,
    argument,
    closed,
    either,
    flag,
    many,
    optional,
    ref,
    some,
    text,
    word,
)
from falai.words.registry import Action

_FILLED = "{{data.FIELD}}, {{context.NAME}} and {{input.NAME}} are filled in."


def triggers(registries: Registries) -> Iterator[Schema]:
    """Every trigger that the agent allows."""
    phrases, duration = ref("phrases"), ref("duration")
    about = "Starts when a message means one of the phrases; without any, on every message."
    yield _trigger(about, {"message": phrases})
    about = "Starts beside all else when a message brings one of the phrases up."
    yield _trigger(about, {"mention": phrases})
    about = "Starts when the customer has not answered for this long."
    yield _trigger(about, {"silence": duration, "businessHours": _hours()})
    if registries.events:
        after = optional(duration, "How long after the event; null: at once.")
        body = {"event": ref("event"), "after": after, "businessHours": _hours()}
        yield _trigger("Starts when the host reports the event.", body)


def _trigger(about: str, body: dict[str, Schema]) -> Schema:
    needed = optional(ref("condition"), "What must hold besides.")
    return closed(about, {**body, "if": needed, "repeat": ref("repeat")})


def repeat() -> Schema:
    """How often a trigger may start its flow."""
    cooldown = closed("Again once this long has passed.", {"cooldown": ref("duration")})
    about = "How often it may start the flow; null: once, but always for an event."
    return optional(either(word(("once", "always")), cooldown), about)


def _hours() -> Schema:
    return optional(flag(), "Whether to put it off to the next business hour.")


# --- steps --------------------------------------------------------------------------------------


def steps(registries: Registries) -> Iterator[Schema]:
    """Every step that the agent allows."""
    yield _prompt()
    if registries.fields:
        yield _collect()
    yield _say()
    for name, action in registries.actions.items():
        yield from _do(name, action)
    yield _wait()
    if registries.events:
        yield _wait_event()
    yield _if()


def _step(kind: str, about: str, body: dict[str, Schema]) -> Schema:
    label = optional(text(), "A name for people.")
    head = {"id": ref("stepId"), "kind": word([kind]), "label": label}
    return closed(about, {**head, **body, "then": ref("then")})


def _prompt() -> Schema:
    body = {"prompt": text(f"What the model is to talk about. {_FILLED}"), **_talk()}
    return _step("prompt", "The model writes to the customer.", body)


def _collect() -> Schema:
    question = "Sent word for word as the first ask while no field is known; null: the model asks."
    body = {
        "collect": some(ref("field"), "The fields to ask for, in order."),
        "prompt": optional(text(), "How the model is to ask."),
        "question": optional(text(), question),
        **_talk(),
    }
    return _step("collect", "The model asks for fields until they are known.", body)


def _talk() -> dict[str, Schema]:
    asks = f"How often a field is asked for until the run goes on without it; null: {MAX_ASKS}."
    forks = "Where the answer leads instead of then: the first that holds."
    return {
        "maxAsks": optional({"type": "integer", "minimum": 1}, asks),
        "branches": optional(many(ref("branch")), forks),
    }


def _say() -> Schema:
    media = closed(None, {"slug": text("Name of a medium that the host attaches.")})
    once = optional(flag(), "Whether to send it only once in a conversation.")
    body = {"say": text(f"Sent as written. {_FILLED}"), "media": optional(media), "once": once}
    return _step("say", "Sends a fixed text.", body)


def _do(name: str, action: Action) -> Iterator[Schema]:
    """The step that runs one action; none when it needs a parameter that can take no value."""
    given: dict[str, Schema] = {}
    needed = False
    for parameter, param in (action.parameters or {}).items():
        value = argument(param)
        if value is not None:
            given[parameter] = optional(value) if param.optional else value
            needed = needed or not param.optional
        elif not param.optional:
            return
    fail = optional(ref("target"), "Where it goes when the action fails; null: where then leads.")
    with_ = closed(f"Its parameters. In text {_FILLED}", given)
    body = {
        "do": word([name]),
        **({"with": with_ if needed else optional(with_)} if given else {}),
        "onFail": fail,
    }
    yield _step("do", "Runs an action of the host.", body)


def _wait() -> Schema:
    reply = "Where a message of the customer leads, which ends the wait; null: none ends it."
    forks = "Where such a message leads instead of else: the first whose condition holds."
    body = {
        "wait": ref("duration"),
        "businessHours": _hours(),
        "else": optional(ref("target"), reply),
        "branches": optional(many(ref("check")), forks),
    }
    return _step("wait", "Waits for some time.", body)


def _wait_event() -> Schema:
    up_to = optional(ref("duration"), f"How long at most; null: {EVENT_WAIT}.")
    late = "Where it goes when the event does not come in time; null ends the run."
    body = {
        "wait": closed(None, {"event": ref("event"), "upTo": up_to}),
        "else": optional(ref("target"), late),
    }
    return _step("waitEvent", "Waits for an event.", body)


def _if() -> Schema:
    fails = (
        "Where it goes when the condition does not hold; null ends the run. Needed when then "
        "goes back to an earlier step."
    )
    body = {"if": ref("condition"), "else": optional(ref("target"), fails)}
    return _step("if", "Goes where then leads when the condition holds, otherwise to else.", body)
