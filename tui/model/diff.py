"""Two plays side by side: which turns belong together, and in what they differ."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec

from falai.turn.needs import Phase
from simulator.trace import TurnRecord
from tui.model.places import place_name
from tui.model.shown import cut, value, what_came
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not the same in both plays."""

    what: str
    """`input`, `replies`, `state`, `outcomes`, `prompts`, `calls`, `schedule` or `error`."""
    before: Any
    after: Any


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two turns that belong together; None where one play has no such turn."""

    before: int | None
    after: int | None
    changes: Sequence[Change] = ()

    @property
    def is_equal(self) -> bool:
        return self.before is not None and self.after is not None and not self.changes


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """All pairs of turns, in order."""

    pairs: Sequence[Pair]

    @property
    def first(self) -> Pair | None:
        """Where the plays part."""
        return next((pair for pair in self.pairs if not pair.is_equal), None)

    @property
    def is_empty(self) -> bool:
        return self.first is None


_PHASES: Mapping[str, Phase] = {
    "input": Phase.INGEST,
    "prompts": Phase.UNDERSTAND,
    "calls": Phase.UNDERSTAND,
    "state": Phase.DECIDE,
    "error": Phase.FINISH,
}
"""Where a difference first shows; all others show when the turn settles."""


def compare(before: Timeline, after: Timeline) -> Difference:
    """Align two plays by what came in, and compare the turns that belong together."""
    return Difference(pairs=list(_pairs(before, after)))


def _pairs(before: Timeline, after: Timeline) -> Iterator[Pair]:
    keys = [_key(turn) for turn in before.turns], [_key(turn) for turn in after.turns]
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            length = max(a2 - a1, b2 - b1)
            for step in range(length):
                first = a1 + step if a1 + step < a2 else None
                second = b1 + step if b1 + step < b2 else None
                yield _pair(before, after, first, second)
        else:
            yield from (Pair(before=turn, after=None) for turn in range(a1, a2))
            yield from (Pair(before=None, after=turn) for turn in range(b1, b2))


def _key(turn: TurnRecord) -> str:
    """What came in, as text that can be compared."""
    return msgspec.json.encode(_came(turn), enc_hook=repr).decode()


def _came(turn: TurnRecord) -> dict[str, Any]:
    return {key: it for key, it in turn.input.items() if key not in ("id", "at")}


def _pair(before: Timeline, after: Timeline, first: int | None, second: int | None) -> Pair:
    if first is None or second is None:
        return Pair(before=first, after=second)
    changes = list(_changes(before.turns[first], after.turns[second]))
    return Pair(before=first, after=second, changes=changes)


def _changes(before: TurnRecord, after: TurnRecord) -> Iterator[Change]:
    for what, part in _PARTS.items():
        old, new = part(before), part(after)
        if old != new:
            yield Change(what=what, before=old, after=new)


def _outcomes(turn: TurnRecord) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = msgspec.to_builtins(turn.result.outcomes) if turn.result else []
    return [{key: it for key, it in row.items() if key != "message"} for row in lines]


def _state(turn: TurnRecord) -> Any:
    if turn.result is None:
        return None
    session = turn.result.session
    runs = [f"{run.id} {run.status} at {run.step_id}" for run in session.runs]
    return {"data": dict(session.data), "runs": runs}


_PARTS: Mapping[str, Callable[[TurnRecord], Any]] = {
    "input": _came,
    "prompts": lambda turn: [f"{call.system}\n{call.prompt}" for call in turn.calls],
    "calls": lambda turn: [call.purpose for call in turn.calls],
    "state": _state,
    "outcomes": _outcomes,
    "replies": lambda turn: [it.text for it in turn.result.messages] if turn.result else [],
    "schedule": lambda turn: msgspec.to_builtins(turn.result.schedule) if turn.result else [],
    "error": lambda turn: dict(turn.error) if turn.error else None,
}
"""What is compared of a turn, in the order in which it comes about."""


def first_place(difference: Difference, before: Timeline, after: Timeline) -> str:
    """Where two plays part, in words: `first differs at 6.decide: state`."""
    pair = difference.first
    if pair is None:
        return "no difference"
    if pair.before is None or pair.after is None:
        number = pair.before if pair.before is not None else pair.after
        which = "second" if pair.before is None else "first"
        return f"first differs at turn {(number or 0) + 1}: only the {which} has it"
    what = pair.changes[0].what
    place = place_name(before, before.at(pair.before, _PHASES.get(what, Phase.SETTLE)))
    return f"first differs at {place}: {what}"


def lines(difference: Difference, before: Timeline, after: Timeline, width: int) -> Sequence[Line]:
    """The difference to be read: where it begins, then turn by turn, equal ones folded."""
    made = [line(first_place(difference, before, after), style="head")]
    equal = 0
    for pair in difference.pairs:
        if pair.is_equal:
            equal += 1
            continue
        made += _folded(equal)
        equal = 0
        made += _shown(pair, before, after, width)
    return [*made, *_folded(equal)]


def _folded(count: int) -> list[Line]:
    if not count:
        return []
    return [line(f"  … {count} equal {'turn' if count == 1 else 'turns'}", style="dim")]


def _shown(pair: Pair, before: Timeline, after: Timeline, width: int) -> Iterator[Line]:
    if pair.before is None or pair.after is None:
        timeline, turn = (before, pair.before) if pair.after is None else (after, pair.after)
        sign, style = ("-", "removed") if pair.after is None else ("+", "added")
        text = f"{sign} turn {(turn or 0) + 1}  {what_came(timeline.turns[turn or 0].input)}"
        yield line(Span(cut(text, width), style), to=pair.before, key=f"only-{sign}-{turn}")
        return
    other = f" / {pair.after + 1}" if pair.after != pair.before else ""
    yield line(Span(f"turn {pair.before + 1}{other}", "mark"), key=f"pair-{pair.before}")
    for change in pair.changes:
        yield from _change(change, pair.before, before, width)


def _change(change: Change, turn: int, before: Timeline, width: int) -> Iterator[Line]:
    whole = f"{change.what}\n\nbefore\n{_full(change.before)}\n\nafter\n{_full(change.after)}"
    to = before.at(turn, _PHASES.get(change.what, Phase.SETTLE))
    yield line(f"  {change.what}", to=to, opens=whole, key=f"{turn}-{change.what}")
    old, new = _apart(value(change.before), value(change.after), width - 8)
    yield line("    - ", Span(cut(old, width - 6), "removed"), opens=whole)
    yield line("    + ", Span(cut(new, width - 6), "added"), opens=whole)


def _full(it: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(it, enc_hook=repr), indent=2).decode()


def _apart(old: str, new: str, width: int) -> tuple[str, str]:
    """Two long values from shortly before where they begin to differ."""
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    if same < width // 2:
        return old, new
    start = same - width // 4
    return f"…{old[start:]}", f"…{new[start:]}"
