"""Two plays side by side: which turns belong together, and in what they differ."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from falai.shapes import compact
from simulator.trace import TurnRecord
from tui.model.aligning import aligned
from tui.model.changes import Change, came, changes_of
from tui.model.places import place_name
from tui.model.shown import cut, value, what_came
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline

_RUN_NUMBER = re.compile(r"#[emk][0-9]+[ab]?")


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two turns that belong together; None where one play has no such turn."""

    before: int | None
    after: int | None
    changes: Sequence[Change] = ()
    """In the order in which they came about."""

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

    def of_turn(self, turn: int) -> "Difference":
        """The same for one turn alone (from 0), by its place in either play."""
        return Difference(pairs=[it for it in self.pairs if turn in (it.before, it.after)])


def compare(before: Timeline, after: Timeline) -> Difference:
    """Align two plays by what came in, and compare the turns that belong together."""
    keys = [[_key(turn) for turn in timeline.turns] for timeline in (before, after)]
    return Difference(pairs=[_pair(before, after, *places) for places in aligned(*keys)])


def _key(turn: TurnRecord) -> str:
    """What came in, as text that can be compared; a run's number moves with the turns before it."""
    return _RUN_NUMBER.sub("#", compact(came(turn)))


def _pair(before: Timeline, after: Timeline, first: int | None, second: int | None) -> Pair:
    if first is None or second is None:
        return Pair(before=first, after=second)
    return Pair(before=first, after=second, changes=changes_of((before, first), (after, second)))


# --- in words -----------------------------------------------------------------------------------


def first_place(difference: Difference, before: Timeline) -> str:
    """Where two plays part, in words: `first differs at 6.decide: state.data.name`."""
    pair = difference.first
    if pair is None:
        return "no difference"
    if pair.before is None or pair.after is None:
        number = pair.before if pair.before is not None else pair.after
        which = "second" if pair.before is None else "first"
        return f"first differs at turn {(number or 0) + 1}: only the {which} has it"
    change = pair.changes[0]
    return f"first differs at {place_name(before, before.at(pair.before, change.phase))}: {change.name}"


def lines(difference: Difference, before: Timeline, after: Timeline, width: int) -> Sequence[Line]:
    """The difference to be read: where it begins, then turn by turn, equal ones folded."""
    made = [line(cut(first_place(difference, before), width), style="head")]
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
        to = None if pair.before is None else before.at(pair.before)
        text = f"{sign} turn {(turn or 0) + 1}  {what_came(timeline.turns[turn or 0].input)}"
        yield line(Span(cut(text, width), style), to=to, key=f"only-{sign}-{turn}")
        return
    other = f" / {pair.after + 1}" if pair.after != pair.before else ""
    yield line(Span(f"turn {pair.before + 1}{other}", "mark"), key=f"pair-{pair.before}")
    for change in pair.changes:
        yield from _change(change, pair.before, before, width)


def _change(change: Change, turn: int, before: Timeline, width: int) -> Iterator[Line]:
    whole = f"{change.what}\n\nbefore\n{_full(change.before)}\n\nafter\n{_full(change.after)}"
    to = before.at(turn, change.phase)
    head = cut(f"  {change.name}", width)
    yield line(head, to=to, opens=whole, key=f"{turn}-{change.what}")
    old, new = _apart(*map(value, change.parts), width=width - 8)
    yield line("    - ", Span(cut(old, width - 6), "removed"), opens=whole)
    yield line("    + ", Span(cut(new, width - 6), "added"), opens=whole)


def _full(it: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(it, enc_hook=repr), indent=2).decode()


def _apart(old: str, new: str, *, width: int) -> tuple[str, str]:
    """Two long values from shortly before where they begin to differ."""
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    if same < width // 2:
        return old, new
    start = same - width // 4
    return f"…{old[start:]}", f"…{new[start:]}"
