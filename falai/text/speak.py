"""Writes the speak call: what a model is told about the message that it has to phrase."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from falai.providers.base import ModelCall, ToolOffer
from falai.shapes import compact
from falai.text.brief import Brief
from falai.text.envelope import MESSAGE, Envelope, speak_envelope
from falai.text.phrases import split_phrases
from falai.text.profile import Profile
from falai.text.prompt import (
    QUOTING,
    Kept,
    fill,
    indent,
    join,
    keep_sections,
    known_lines,
    quote,
    section,
    value_line,
)
from falai.text.speech import Speech
from falai.text.template import render
from falai.words.flow import Instruction, Talk
from falai.words.turn import HistoryItem

_MANNERS = f"""\
Write as this person, in the customer's language, and only what the customer should read.
{QUOTING}"""

_COLLECT = "Collect what is still missing below as the talk goes, one or two things per message."
_ANSWER = "Answer the customer's message."
_BEFORE_QUESTION = """\
Answer the customer's message, and ask nothing yourself. Right behind your message this question \
goes out word for word, so neither ask nor announce it: {question}"""
_ASIDE = (
    "For the answer, the author's guideline of this step, which the question will see to: {prompt}"
)

_TO_COLLECT = """\
In this order, at the pace of the guideline. Ask for nothing that the customer's message answers \
already."""

_OPENING = "There is no new message from the customer: you speak first."
_OWED = """\
There is no new message, but the customer's last one, at the end of the history, still waits for \
its answer: give it now."""

_SENT = "The customer gets these texts ahead of yours. Go on from them and repeat nothing of them."

_FORMAT = "Answer with one JSON object of this shape, and nothing before or after it:"
_FORMAT_MESSAGE = f'"{MESSAGE}": the text to send, complete and not blank.'
_FORMAT_FIELD = """\
{name}: the value that the customer has given for it, in the latest message; null otherwise, never \
a guess."""


def speak_call(  # noqa: PLR0913 - everything that goes into the call
    profile: Profile,
    speech: Speech,
    *,
    data: Mapping[str, Any],
    roots: Mapping[str, Any],
    history: Sequence[HistoryItem],
    context: Any,
    tools: Sequence[ToolOffer],
) -> tuple[ModelCall, Envelope]:
    """The call that phrases a message, and what is needed to read its reply."""
    envelope = _envelope(profile, tuple(speech.fields))
    speaker = _speaker(profile, speech, data, roots)
    changing = [section(title, [render(text, roots)]) for title, text in profile.changing]
    call = ModelCall(
        purpose="speak",
        system=_system(profile),
        history=history,
        prompt=join(
            [
                *changing,
                *speaker,
                section("Instructions", _instructions(speech.instructions, roots)),
                section("The customer's latest message", _message(speech)),
                section("Already sent in this turn", _sent(speech.sent)),
                _format(profile, envelope.slugs),
            ]
        ),
        schema=envelope.schema,
        tools=tools,
        context=context,
        brief=Brief(profile=profile, about=speech, envelope=envelope, data=data, roots=roots),
    )
    return call, envelope


@lru_cache(maxsize=256)
def _system(profile: Profile) -> str:
    return join([profile.identity, _MANNERS])


@lru_cache(maxsize=1024)
def _envelope(profile: Profile, slugs: tuple[str, ...]) -> Envelope:
    return speak_envelope({slug: profile.fields[slug] for slug in slugs})


def _speaker(
    profile: Profile, speech: Speech, data: Mapping[str, Any], roots: Mapping[str, Any]
) -> list[str]:
    flow, step = speech.flow, speech.step
    if flow is None or step is None:
        return [section("Guideline", [render(speech.idle_prompt or "", roots)])]
    return [
        fill(_flow(profile, flow.id), roots),
        section("Guideline", _guideline(step, speech, roots)),
        fill(_to_collect(profile, flow.id, step.id, tuple(speech.fields)), roots),
        section("Already known: never ask for it again", known_lines(profile, data)),
    ]


@lru_cache(maxsize=1024)
def _flow(profile: Profile, flow_id: str) -> Kept:
    flow = profile.by_id[flow_id]
    return keep_sections(("Current flow", [flow.name, *filter(None, [flow.description])]))


def _guideline(step: Talk, speech: Speech, roots: Mapping[str, Any]) -> list[str]:
    written = render(step.prompt or "", roots)
    if speech.question is None:
        return [written or (_COLLECT if speech.fields else _ANSWER)]
    told = [_BEFORE_QUESTION.format(question=compact(speech.question))]
    return [*told, _ASIDE.format(prompt=written)] if written else told


@lru_cache(maxsize=1024)
def _to_collect(profile: Profile, flow_id: str, step_id: str, slugs: tuple[str, ...]) -> Kept:
    wire = _envelope(profile, slugs).fields.wire
    lines = [_TO_COLLECT] if slugs else []
    for slug in slugs:
        lines.append(value_line(slug, wire(slug), profile.fields[slug]))
        ask = profile.ask_of(flow_id, step_id, slug)
        lines += [f"  How to ask: {indent(ask)}"] if ask else []
    return keep_sections(("Still to collect", lines))


def _instructions(
    instructions: Sequence[tuple[str, Instruction]], roots: Mapping[str, Any]
) -> Iterator[str]:
    for _, instruction in instructions:
        kind = (instruction.kind or "should").upper()
        yield f"- {kind}: {indent(render(instruction.prompt, roots))}"
        when = split_phrases(instruction.when)
        if when.matches:
            yield f"  only when one of these fits: {compact(when.matches)}"
        if when.exclusions:
            yield f"  never when one of these fits: {compact(when.exclusions)}"


def _message(speech: Speech) -> list[str]:
    if speech.message is not None:
        return [quote(speech.message)]
    return [_OWED if speech.awaiting_answer else _OPENING]


def _sent(sent: Sequence[str]) -> list[str]:
    texts = [f"{number}. {compact(text)}" for number, text in enumerate(sent, 1)]
    return [_SENT, *texts] if texts else []


@lru_cache(maxsize=1024)
def _format(profile: Profile, slugs: tuple[str, ...]) -> str:
    envelope = _envelope(profile, slugs)
    names = [compact(envelope.fields.wire(slug)) for slug in slugs]
    fields = [f"- {_FORMAT_FIELD.format(name=name)}" for name in names]
    return section("Response format", [_FORMAT, envelope.skeleton, f"- {_FORMAT_MESSAGE}", *fields])
