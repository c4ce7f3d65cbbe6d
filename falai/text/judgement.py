"""Reads the reply to an understand call into what it judged."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from falai.limits import DATA_DEPTH
from falai.providers.base import ModelReply
from falai.shapes import is_deeper, is_mapping
from falai.text.envelope import Envelope
from falai.text.names import Names
from falai.text.reply import object_of
from falai.words.field import is_given, read_boolean, read_number

_SECTIONS = frozenset({"flows", "mentions", "extract", "branches", "fields", "asks"})
_AS_WRITTEN = Names()
_LOG = logging.getLogger(__name__)


class Judgement(Struct, frozen=True, kw_only=True):
    """What a message means, in real names; what was not judged is absent."""

    flows: Mapping[str, float] = {}
    """Flow id to its score, 0 to 100."""
    mentions: Mapping[str, bool] = {}
    """Flow id to whether the message brings it up; also flows that were not asked about."""
    extract: Mapping[str, Mapping[str, Any]] = {}
    """Flow id to what its mention carries, `{}` when nothing was given."""
    branches: Mapping[str, bool] = {}
    """`runId/stepId/index` to the verdict on its `when`."""
    fields: Mapping[str, Any] = {}
    """Slug to the raw value, in the reply's order; also slugs that were not asked for."""
    asks: bool | None = None
    """Whether the message asks something."""


def read_judgement(reply: ModelReply, envelope: Envelope) -> Judgement:
    """Read a reply as tolerantly as it can be; one without usable JSON judged nothing."""
    found = object_of(reply)
    if found is None:
        return Judgement()
    if found and _SECTIONS.isdisjoint(found):
        _LOG.warning(
            "The understand reply has none of the sections %s: it counts as no judgement.",
            ", ".join(sorted(_SECTIONS)),
        )
    return Judgement(
        flows=_scores(found.get("flows"), envelope.flows),
        mentions=_verdicts(found.get("mentions"), envelope.flows),
        extract=_extracts(found.get("extract"), envelope),
        branches=_branches(found.get("branches"), envelope.branches),
        fields=_given(found.get("fields"), envelope.fields),
        asks=read_boolean(found.get("asks")),
    )


def _scores(section: Any, names: Names) -> dict[str, float]:
    read = ((names.real(name), read_number(raw)) for name, raw in _members(section))
    return {name: max(0, min(100, score)) for name, score in read if score is not None}


def _verdicts(section: Any, names: Names) -> dict[str, bool]:
    read = ((names.real(name), read_boolean(raw)) for name, raw in _members(section))
    return {name: verdict for name, verdict in read if verdict is not None}


def _branches(section: Any, spellings: Mapping[str, str]) -> dict[str, bool]:
    """The verdicts under the branches' own keys; a key of no branch that was asked is dropped."""
    verdicts = _verdicts(section, _AS_WRITTEN)
    return {spellings[name]: verdict for name, verdict in verdicts.items() if name in spellings}


def _extracts(section: Any, envelope: Envelope) -> dict[str, dict[str, Any]]:
    entries = ((envelope.flows.real(name), raw) for name, raw in _members(section))
    return {
        flow_id: _given(raw, envelope.params.get(flow_id, _AS_WRITTEN))
        for flow_id, raw in entries
        # The run keeps it as written; one that no session could keep gives nothing.
        if is_mapping(raw) and not is_deeper(raw, DATA_DEPTH)
    }


def _given(section: Any, names: Names) -> dict[str, Any]:
    return {names.real(name): raw for name, raw in _members(section) if is_given(raw)}


def _members(section: Any) -> Iterable[tuple[str, Any]]:
    """What a section holds; one of another shape, or one left out, holds nothing."""
    if section is None:
        return ()
    return section.items() if is_mapping(section) else ()
