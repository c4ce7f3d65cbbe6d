"""Which turns of two plays belong together: those with the same input, in the same order."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Places = tuple[int | None, int | None]
"""A turn of each play, from 0; None where one of them has no such turn."""


def aligned(before: Sequence[str], after: Sequence[str]) -> Iterator[Places]:
    """Which turns belong together; what both plays begin and end with is not searched."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    rest = range(shorter - start)
    end = next((at for at in rest if before[-1 - at] != after[-1 - at]), len(rest))
    yield from ((at, at) for at in range(start))
    middle = before[start : len(before) - end], after[start : len(after) - end]
    yield from ((_moved(a, start), _moved(b, start)) for a, b in _matched(*middle))
    tail = reversed(range(1, end + 1))
    yield from ((len(before) - at, len(after) - at) for at in tail)


def _moved(place: int | None, by: int) -> int | None:
    return None if place is None else place + by


def _matched(before: Sequence[str], after: Sequence[str]) -> Iterator[Places]:
    if list(after) < list(before):
        # The matcher finds other matches the other way round; which play is named first is no reason.
        yield from ((a, b) for b, a in _matched(after, before))
        return
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            for step in range(max(a2 - a1, b2 - b1)):
                a, b = a1 + step, b1 + step
                yield a if a < a2 else None, b if b < b2 else None
        else:
            yield from ((turn, None) for turn in range(a1, a2))
            yield from ((None, turn) for turn in range(b1, b2))
