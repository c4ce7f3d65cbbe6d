"""One step of a spec as its struct: which kind it is, and what that kind may hold."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec import UNSET

from falai.errors import FlowConfigurationError
from falai.shapes import is_mapping
from falai.spec.part import Part
from falai.spec.pieces import (
    needed_duration,
    read_branch,
    read_duration,
    read_instruction,
    read_target,
)
from falai.spec.wording import quote
from falai.words.flow import Do, If, Say, Step, Talk, Wait, WaitEvent

COMMON = ("id", "kind", "label", "then", "ui")
_TALK = ("prompt", "collect", "question", "ask", "maxAsks", "branches", "tools", "instructions")
KEYS: Mapping[str, tuple[str, ...]] = {
    "prompt": _TALK,
    "collect": _TALK,
    "say": ("say", "media", "once"),
    "do": ("do", "with", "onFail"),
    "wait": ("wait", "businessHours", "else", "branches"),
    "waitEvent": ("wait", "else"),
    "if": ("if", "else"),
}
"""What each kind may hold besides the keys that they share."""

_ACTS = ("say", "do", "wait", "if")
"""Keys that are the body of a step each by itself; `prompt` and `collect` are one together."""

_TALK_ONLY = frozenset(_TALK) - {"branches"}


def read_step(part: Part) -> Step:
    """Read a step whose id is known to be good."""
    step = _READ[_kind(part)](part, part.needed_name("id"))
    return msgspec.structs.replace(
        step,
        then=read_target(part, "then"),
        label=part.text("label"),
        ui=part.raw.get("ui", UNSET),
    )


def _kind(part: Part) -> str:
    body = _body(part)
    stated = part.choice("kind", tuple(KEYS))
    every = dict.fromkeys(key for keys in KEYS.values() for key in keys)
    allowed = KEYS[body] if body else every
    if not (body and stated and body != stated):
        part.close((*COMMON, *allowed))
    if body is None:
        raise _does_nothing(part, stated)
    if stated not in (None, body):
        raise part.refusal(
            f"kind is {quote(stated)}, but its body is that of {quote(body)}",
            "Fix the kind or the body.",
        )
    return body


def _body(part: Part) -> str | None:
    """The kind that the body makes, whatever the step says of itself."""
    talks = [key for key in ("collect", "prompt") if part.raw.get(key) is not None]
    acts = [key for key in _ACTS if part.raw.get(key) is not None]
    bodies = [*talks[:1], *acts]
    if len(bodies) > 1:
        raise part.refusal(f"does two things: {bodies[0]} and {bodies[1]}", "Make them two steps.")
    if not bodies:
        return None
    waits_for_event = bodies[0] == "wait" and is_mapping(part.raw["wait"])
    return "waitEvent" if waits_for_event else bodies[0]


def _does_nothing(part: Part, stated: str | None) -> FlowConfigurationError:
    if stated in ("prompt", "collect") or (stated is None and _TALK_ONLY & set(part.raw)):
        return part.refusal("has neither prompt nor collect", "Give it one of them.")
    if stated:
        body = "wait" if stated == "waitEvent" else stated
        return part.refusal(f"does nothing: its kind is {quote(stated)}", f"Give it {body}.")
    return part.refusal("does nothing", "Give it one of prompt, collect, say, do, wait, if.")


def _read_talk(part: Part, step_id: str) -> Talk:
    step = Talk(
        step_id,
        prompt=part.text("prompt"),
        collect=part.texts("collect"),
        question=part.text("question"),
        ask=_read_asks(part),
        max_asks=_read_max_asks(part),
        branches=part.parts("branches", read_branch),
        tools=part.texts("tools"),
        instructions=part.parts("instructions", read_instruction),
    )
    if step.question is not None and not step.collect:
        raise part.refusal("question has nothing to collect", "Give it collect, or use say.")
    return step


def _read_asks(part: Part) -> dict[str, str] | None:
    asks = part.part("ask")
    return None if asks is None else {slug: asks.needed_text(slug) for slug in asks.raw}


def _read_max_asks(part: Part) -> int | None:
    raw = part.raw.get("maxAsks")
    if raw is None:
        return None
    whole = isinstance(raw, int) or (isinstance(raw, float) and raw.is_integer())
    if whole and not isinstance(raw, bool) and raw >= 1:
        return int(raw)
    raise part.refusal(
        f"maxAsks is {quote(raw)}, not a whole number of 1 or more", "Write one, such as 2."
    )


def _read_say(part: Part, step_id: str) -> Say:
    media = part.part("media")
    if media is not None:
        media.close(("slug",))
    return Say(
        step_id,
        part.needed_text("say"),
        media=None if media is None else media.needed_text("slug"),
        once=part.flag("once"),
    )


def _read_do(part: Part, step_id: str) -> Do:
    return Do(
        step_id,
        part.needed_text("do"),
        with_=part.mapping("with"),
        on_fail=read_target(part, "onFail"),
    )


def _read_wait(part: Part, step_id: str) -> Wait:
    return Wait(
        step_id,
        needed_duration(part, "wait"),
        business_hours=part.flag("businessHours"),
        else_=read_target(part, "else"),
        branches=part.parts("branches", read_branch),
    )


def _read_wait_event(part: Part, step_id: str) -> WaitEvent:
    wait = Part(part.raw["wait"], part.where, "wait")
    wait.close(("event", "upTo"))
    event = wait.text("event")
    if not event:
        raise part.refusal("wait names no event", 'Write {"event": name}.')
    return WaitEvent(
        step_id, event, up_to=read_duration(wait, "upTo"), else_=read_target(part, "else")
    )


def _read_if(part: Part, step_id: str) -> If:
    return If(step_id, part.needed_predicate("if"), else_=read_target(part, "else"))


_READ: Mapping[str, Callable[[Part, str], Step]] = {
    "prompt": _read_talk,
    "collect": _read_talk,
    "say": _read_say,
    "do": _read_do,
    "wait": _read_wait,
    "waitEvent": _read_wait_event,
    "if": _read_if,
}
