"""Finds text anywhere in a play: what was said, asked, answered, decided and kept."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from falai.turn.needs import Phase
from simulator.trace import TurnRecord
from tui.model.timeline import Timeline

PaneName: TypeAlias = Literal["conversation", "state", "outcomes", "prompt", "calls"]
_AROUND = 30
"""Characters that an excerpt shows on each side."""


class Hit(msgspec.Struct, frozen=True):
    """One place where the text was found."""

    at: int
    pane: PaneName
    """The pane that shows it."""
    excerpt: str


class _Text(msgspec.Struct, frozen=True):
    at: int
    pane: PaneName
    text: str
    folded: str


class Index:
    """All the texts of a play, in order; made once, when somebody searches."""

    def __init__(self, timeline: Timeline) -> None:
        self._texts = [
            _Text(timeline.at(turn, phase), pane, text, text.casefold())
            for turn, record in enumerate(timeline.turns)
            for phase, pane, text in _texts(record)
            if text
        ]

    def find(self, wanted: str) -> list[Hit]:
        """Every text that holds what is wanted, in any case; nothing is found for nothing."""
        folded = wanted.casefold()
        if not folded:
            return []
        return [
            Hit(it.at, it.pane, _excerpt(it.text, it.folded.index(folded), len(folded)))
            for it in self._texts
            if folded in it.folded
        ]


def next_hit(hits: list[Hit], at: int, direction: int) -> Hit | None:
    """The hit that follows a step, or comes before it; there is no way around the ends."""
    if direction > 0:
        return next((hit for hit in hits if hit.at > at), None)
    return next((hit for hit in reversed(hits) if hit.at < at), None)


def _texts(record: TurnRecord) -> Iterator[tuple[Phase, PaneName, str]]:
    """The texts of one turn, in the order of the phases that show them."""
    yield Phase.INGEST, "conversation", _happened(record)
    spoken = [call for call in record.calls if call.purpose == "speak"]
    for call in record.calls:
        phase = Phase.SPEAK if call in spoken else Phase.UNDERSTAND
        yield phase, "prompt", f"{call.system or ''}\n{call.prompt}"
        yield phase, "calls", msgspec.json.encode(call.reply, enc_hook=repr).decode()
    if record.result is None:
        yield Phase.FINISH, "outcomes", str((record.error or {}).get("message", ""))
        return
    for line in record.result.outcomes:
        parts = (line.flow_id, line.step_id, line.code, line.detail, line.message)
        yield Phase.SETTLE, "outcomes", " ".join(part for part in parts if part)
    for message in record.result.messages:
        yield Phase.SETTLE, "conversation", message.text
    data = record.result.session.data
    yield Phase.FINISH, "state", msgspec.json.encode(data, enc_hook=repr).decode() if data else ""


def _happened(record: TurnRecord) -> str:
    given = record.input
    for word in ("message", "wake", "event"):
        if word in given:
            return str(given[word])
    return msgspec.json.encode(given.get("start"), enc_hook=repr).decode()


def _excerpt(text: str, start: int, length: int) -> str:
    return " ".join(text[max(0, start - _AROUND) : start + length + _AROUND].split())
