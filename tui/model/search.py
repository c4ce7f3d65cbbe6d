"""Finds text anywhere in a play: what was said, asked, answered, decided and kept."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from falai.predicate import same_json
from falai.shapes import compact
from falai.words.outcome import Outcome
from simulator.trace import TurnRecord
from tui.model.predicates import arrival
from tui.model.timeline import PHASES, Timeline
from tui.model.watches import changes

PaneName: TypeAlias = Literal["conversation", "state", "outcomes", "prompt", "calls", "wakes"]
_AROUND = 30
"""Characters that an excerpt shows on each side."""


class Hit(msgspec.Struct, frozen=True):
    """One place where the text was found."""

    at: int
    """The step from which on it is there."""
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
        texts = [*_kept(timeline), *_brought(timeline)]
        folded = (_Text(at, pane, text, text.casefold()) for at, pane, text in texts if text)
        self._texts = sorted(folded, key=lambda it: it.at)

    def find(self, wanted: str) -> list[Hit]:
        """Every text that holds what is wanted, in any case; nothing is found for nothing."""
        folded = wanted.casefold()
        if not folded:
            return []
        return [
            Hit(it.at, it.pane, _excerpt(it, folded)) for it in self._texts if folded in it.folded
        ]


def next_hit(hits: Sequence[Hit], at: int, direction: int) -> Hit | None:
    """The first hit of the next step that has one, or the last of the one before `at`.

    There is no way around the ends.
    """
    steps = [hit.at for hit in hits]
    place = bisect_right(steps, at) if direction > 0 else bisect_left(steps, at) - 1
    return hits[place] if 0 <= place < len(hits) else None


# --- the texts of a play ------------------------------------------------------------------------

_Found: TypeAlias = tuple[int, PaneName, str]


def _kept(timeline: Timeline) -> Iterator[_Found]:
    """Each field where it changes."""
    for at in changes(timeline, "data"):
        before, after = timeline.before(at).data, timeline.state(at).data
        for slug in dict.fromkeys([*before, *after]):
            if not same_json(before.get(slug), after.get(slug)):
                yield at, "state", f"{slug}: {_json(after.get(slug))}"


def _brought(timeline: Timeline) -> Iterator[_Found]:
    for turn, record in enumerate(timeline.turns):
        yield timeline.at(turn, PHASES[0]), "conversation", _happened(record)
        yield from _asked(timeline, turn, record)
        yield from _did(timeline, turn, record)
        if record.error is not None:
            yield timeline.at(turn), "conversation", str(record.error.get("message", ""))


def _asked(timeline: Timeline, turn: int, record: TurnRecord) -> Iterator[_Found]:
    for place, call in enumerate(record.calls):
        at = arrival(timeline, turn, "calls", place)
        yield at, "prompt", f"{call.system or ''}\n{call.prompt}"
        yield at, "calls", _json(call.reply)
    for place, action in enumerate(record.actions):
        at = arrival(timeline, turn, "actions", place)
        yield at, "conversation", f"{action.do} {_json(action.with_)} {_json(action.result)}"


def _did(timeline: Timeline, turn: int, record: TurnRecord) -> Iterator[_Found]:
    result = record.result
    if result is None:
        return
    for place, run in enumerate(result.started):
        yield arrival(timeline, turn, "started", place), "conversation", f"{run.flow_id} starts"
    for place, line in enumerate(result.outcomes):
        yield arrival(timeline, turn, "outcomes", place), "outcomes", _told(line)
    for place, message in enumerate(result.messages):
        yield arrival(timeline, turn, "messages", place), "conversation", message.text
    for place, wake in enumerate(result.schedule):
        yield arrival(timeline, turn, "schedule", place), "wakes", wake.key
    for place, skip in enumerate(result.skipped):
        text = f"{skip.flow_id} {skip.code} {skip.message}"
        yield arrival(timeline, turn, "skipped", place), "outcomes", text


def _told(line: Outcome) -> str:
    parts = (line.flow_id, line.step_id, line.code, line.detail, line.message)
    return " ".join(part for part in parts if part)


def _happened(record: TurnRecord) -> str:
    """The input: what the customer wrote, or the host reported."""
    given = record.input
    if "message" in given:
        return str(given["message"])
    named = [given[word] for word in ("event", "wake", "start", "payload") if word in given]
    return " ".join(it if isinstance(it, str) else _json(it) for it in named)


def _json(value: Any) -> str:
    try:
        return compact(value)
    except (TypeError, ValueError):
        return repr(value)


# --- excerpts -----------------------------------------------------------------------------------


def _excerpt(found: _Text, wanted: str) -> str:
    """The words around the place where it was found, on one line."""
    start = _unfolded(found, found.folded.index(wanted))
    text = found.text[max(0, start - _AROUND) : start + len(wanted) + _AROUND]
    return " ".join(text.split())


def _unfolded(found: _Text, place: int) -> int:
    """Where a place of the folded text lies in the text itself: folding may make it longer."""
    if len(found.folded) == len(found.text):
        return place
    folded = 0
    for start, sign in enumerate(found.text):
        folded += len(sign.casefold())
        if folded > place:
            return start
    return len(found.text)
