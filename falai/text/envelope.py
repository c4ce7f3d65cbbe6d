"""The closed JSON schemas of the two replies, and the names under which their parts travel."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from falai.shapes import compact
from falai.text.judging import Judging
from falai.text.names import Names
from falai.text.profile import Profile
from falai.words.field import Field
from falai.words.flow import Param

MESSAGE = "message"
"""The property of the speak envelope that holds the text to send."""


class Envelope(Struct, frozen=True, kw_only=True):
    """The shape of one reply. Its parts are shared between calls: do not change them."""

    schema: Mapping[str, Any]
    skeleton: str
    """The shape as JSON with placeholder values, for the prompt."""
    fields: Names = Names()
    slugs: tuple[str, ...] = ()
    """The fields asked for, in order."""
    flows: Names = Names()
    params: Mapping[str, Names] = {}
    """The names of what each flow's mention carries, by flow id."""
    branches: Mapping[str, str] = {}
    """Every spelling of a branch key to the key itself."""


class _Part(Struct, frozen=True):
    """A property of an envelope: its schema, and what stands for its value in the skeleton."""

    schema: Mapping[str, Any]
    placeholder: Any = None


_SCORE = _Part({"type": ["integer", "null"]}, 0)
_VERDICT = _Part({"type": ["boolean", "null"]}, False)
_TEXT = _Part({"type": ["string", "null"], "description": "The text to send to the customer."}, "…")


def understand_envelope(profile: Profile, judging: Judging) -> Envelope:
    """The reply to an understand call: only the sections with something to judge."""
    slugs = tuple(judging.fields)
    schema, skeleton = _judgement(
        profile,
        tuple([flow.id for flow in judging.candidates]),
        tuple([flow.id for flow, _ in judging.mentions]),
        len(judging.branches),
        slugs,
        judging.asks,
    )
    return Envelope(
        schema=schema,
        skeleton=skeleton,
        fields=profile.field_names,
        slugs=slugs,
        flows=profile.flow_names,
        params=profile.params,
        branches=_spellings(judging) if judging.branches else {},
    )


def speak_envelope(fields: Mapping[str, Field]) -> Envelope:
    """The reply to a speak call: the message, and a value for each of the fields."""
    names = Names.of(fields, "field", reserved={MESSAGE})
    parts = {MESSAGE: _TEXT}
    parts |= {names.wire(slug): _value(field) for slug, field in fields.items()}
    schema, skeleton = _root(parts)
    return Envelope(schema=schema, skeleton=skeleton, fields=names, slugs=tuple(fields))


def branch_alias(number: int) -> str:
    """What the n-th branch is called, from 1: a real key holds a `/`, so the two never meet."""
    return f"branch_{number}"


@lru_cache(maxsize=1024)
def _judgement(
    profile: Profile,
    flows: tuple[str, ...],
    mentions: tuple[str, ...],
    branches: int,
    fields: tuple[str, ...],
    asks: bool,
) -> tuple[Mapping[str, Any], str]:
    flow, field = profile.flow_names.wire, profile.field_names.wire
    params = {flow(flow_id): _params(profile, flow_id) for flow_id in mentions}
    sections = {
        "flows": {flow(flow_id): _SCORE for flow_id in flows},
        "mentions": {flow(flow_id): _VERDICT for flow_id in mentions},
        "extract": {name: _object(parts) for name, parts in params.items() if parts},
        "branches": {branch_alias(number + 1): _VERDICT for number in range(branches)},
        "fields": {field(slug): _value(profile.fields[slug]) for slug in fields},
    }
    asked = {name: _object(parts) for name, parts in sections.items() if parts}
    return _root(asked | ({"asks": _VERDICT} if asks else {}))


def _params(profile: Profile, flow_id: str) -> dict[str, _Part]:
    wire = profile.params[flow_id].wire
    declared = profile.mentions[flow_id].extract or {}
    return {wire(name): _value(param) for name, param in declared.items()}


def _root(parts: Mapping[str, _Part]) -> tuple[Mapping[str, Any], str]:
    whole = _object(parts)
    return {**whole.schema, "type": "object"}, compact(whole.placeholder)


def _object(parts: Mapping[str, _Part]) -> _Part:
    schema = {
        "type": ["object", "null"],
        "properties": {name: part.schema for name, part in parts.items()},
        "required": list(parts),
        "additionalProperties": False,
    }
    return _Part(schema, {name: part.placeholder for name, part in parts.items()})


def _value(declared: Field | Param) -> _Part:
    schema = _scalar(declared)
    if isinstance(declared, Param) and declared.items is not None:
        schema["items"] = _scalar(declared.items)
    return _Part({**schema, "type": [declared.type, "null"]})


def _scalar(declared: Field | Param) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": declared.type}
    # A description that changes from call to call stands in the prompt, filled in.
    if declared.description and "{{" not in declared.description:
        schema["description"] = declared.description
    if declared.enum is not None:
        schema["enum"] = list(declared.enum)
    return schema


def _spellings(judging: Judging) -> dict[str, str]:
    spellings: dict[str, str] = {}
    for number, question in enumerate(judging.branches, 1):
        spellings[question.key] = question.key
        spellings[branch_alias(number)] = question.key
        if judging.step is not None:
            index = question.key.rpartition("/")[2]
            spellings[f"{judging.step.id}/{index}"] = question.key
    return spellings
