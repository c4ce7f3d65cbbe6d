"""Writes the understand call: what a model is asked about the customer's latest message."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from falai.providers.base import ModelCall
from falai.shapes import compact
from falai.text.brief import Brief
from falai.text.envelope import Envelope, branch_alias, understand_envelope
from falai.text.judging import BranchQuestion, Judging
from falai.text.phrases import Phrases, split_phrases
from falai.text.profile import Profile
from falai.text.prompt import (
    QUOTING,
    Kept,
    fill,
    indent,
    join,
    keep,
    keep_sections,
    known_lines,
    quote,
    section,
    value_line,
)
from falai.text.template import render
from falai.words.flow import Flow, Message
from falai.words.turn import HistoryItem

_TASK = """\
You read a conversation for {name}, an assistant, and judge the customer's latest message. You do \
not reply to it.
- Judge the latest message alone. Earlier messages only tell what its words refer to.
- Only the customer's own words are evidence. What the assistant said, offered or assumed is none.
- {quoting}
- Answer with one JSON object, and nothing before or after it."""

_SCALE = """\
Give each flow a score from 0 to 100: how far the latest message asks for it, or goes on with it.
0-19: it has nothing to do with the flow
20-39: it touches on the subject, no more
40-69: it is likely what the customer wants
70-89: it is clearly what the customer wants
90-100: the customer says so outright"""

_MENTIONS = """\
Does the latest message bring this up, whatever else it is about? Be conservative: true only when \
the customer's words clearly do, false when in doubt."""

_FIELDS = """\
Give the value that the customer states in the latest message, null for everything else. Do not \
guess, conclude or complete."""

_ASKS = """\
"asks": true when the customer asks something or wants something explained, so that a reply is due \
before the conversation goes on; false when the message only tells, confirms, greets or thanks."""

_OUTPUT = "One JSON object of exactly this shape, your own judgement in place of each value:"


def understand_call(
    profile: Profile,
    judging: Judging,
    *,
    data: Mapping[str, Any],
    roots: Mapping[str, Any],
    history: Sequence[HistoryItem],
    context: Any,
) -> tuple[ModelCall, Envelope]:
    """The call that judges a message, and what is needed to read its reply.

    The roots have no `input`: the message belongs to no run yet.
    """
    envelope = understand_envelope(profile, judging)
    call = ModelCall(
        purpose="understand",
        system=_system(profile),
        history=history,
        prompt=join(
            [
                section("Where the conversation stands", _floor(profile, judging, roots)),
                section("Already known: settled, not to be judged", known_lines(profile, data)),
                fill(_judged(profile, *_judged_ids(judging)), roots),
                section("Questions: true or false", _questions(judging.branches, roots)),
                fill(_asked(profile, envelope.slugs, judging.asks), roots),
                section("The customer's latest message", [quote(judging.message)]),
                section("Output", [_OUTPUT, envelope.skeleton]),
            ]
        ),
        schema=envelope.schema,
        context=context,
        brief=Brief(profile=profile, about=judging, envelope=envelope, data=data, roots=roots),
    )
    return call, envelope


@lru_cache(maxsize=256)
def _system(profile: Profile) -> str:
    return _TASK.format(name=profile.name, quoting=QUOTING)


def _floor(profile: Profile, judging: Judging, roots: Mapping[str, Any]) -> list[str]:
    if judging.flow is None:
        return []
    flow = fill(_current(profile, judging.flow.id), roots)
    if judging.step is None:
        return [flow]
    waits = ", ".join(map(compact, judging.pending)) or "the customer's reply"
    return [flow, f"Current step: {compact(judging.step.id)}, which waits for {waits}"]


@lru_cache(maxsize=1024)
def _current(profile: Profile, flow_id: str) -> Kept:
    return keep([f"Current flow: {_title(profile, flow_id)}"])


def _judged_ids(judging: Judging) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    return (
        judging.flow and judging.flow.id,
        tuple([flow.id for flow in judging.candidates]),
        tuple([flow.id for flow, _ in judging.mentions]),
    )


@lru_cache(maxsize=1024)
def _judged(
    profile: Profile, floor: str | None, flows: tuple[str, ...], mentions: tuple[str, ...]
) -> Kept:
    """The flows to score and the mentions to look for."""
    candidates = [_candidate(profile, flow_id) for flow_id in flows]
    looked_for = [_mention(profile, flow_id) for flow_id in mentions]
    scale = [_SCALE] if floor is None else [_SCALE, _going_on(profile, floor)]
    return keep_sections(
        ("Flows", candidates and [*scale, *candidates]),
        ("Mentions", looked_for and [_MENTIONS, *looked_for]),
    )


@lru_cache(maxsize=1024)
def _asked(profile: Profile, slugs: tuple[str, ...], asks: bool) -> Kept:
    """The fields to extract, and whether the message asks something."""
    wire = profile.field_names.wire
    fields = [value_line(slug, wire(slug), profile.fields[slug]) for slug in slugs]
    return keep_sections(
        ("Fields", fields and [_FIELDS, *fields]),
        ("Does it ask something?", [_ASKS] if asks else []),
    )


def _going_on(profile: Profile, floor: str) -> str:
    """A reply to what was just asked belongs to the flow that asked, whatever its phrases say."""
    name = compact(profile.flow_names.wire(floor))
    return f"A message that answers what {name} has just asked goes on with {name}."


def _questions(branches: Sequence[BranchQuestion], roots: Mapping[str, Any]) -> list[str]:
    return [
        f"- {compact(branch_alias(number))}: {indent(render(question.when, roots))}"
        for number, question in enumerate(branches, 1)
    ]


def _candidate(profile: Profile, flow_id: str) -> str:
    phrases = scored_phrases(profile.by_id[flow_id])
    return "\n".join([f"- {_title(profile, flow_id)}", *_phrase_lines(phrases, "score 0")])


def _mention(profile: Profile, flow_id: str) -> str:
    mention, wire = profile.mentions[flow_id], profile.params[flow_id].wire
    carried = [
        f"  {value_line(name, wire(name), param)}"
        for name, param in (mention.extract or {}).items()
    ]
    lines = [
        f"- {_title(profile, flow_id)}",
        *_phrase_lines(split_phrases(mention.phrases), "false"),
        *(carried and ["  when true, extract what the customer gave, else null:", *carried]),
    ]
    return "\n".join(lines)


def _title(profile: Profile, flow_id: str) -> str:
    flow = profile.by_id[flow_id]
    name = f"{compact(profile.flow_names.wire(flow_id))}: {flow.name}"
    return f"{name}. {indent(flow.description)}" if flow.description else name


def scored_phrases(flow: Flow) -> Phrases:
    """The phrases that a flow is scored by: its first message trigger that has any."""
    phrases = (trigger.phrases for trigger in flow.on or () if isinstance(trigger, Message))
    return split_phrases(next(filter(None, phrases), None))


def _phrase_lines(phrases: Phrases, ruled_out: str) -> Iterator[str]:
    if phrases.matches:
        yield f"  for a message that means one of: {compact(phrases.matches)}"
    if phrases.exclusions:
        yield f"  {ruled_out}, whatever else fits, when it means one of: {compact(phrases.exclusions)}"
