"""Where somebody stands in a play: the one owner of the position."""

from bisect import bisect_left, bisect_right

from falai.turn.needs import Phase
from tui.model.breakpoints import Breakpoints
from tui.model.timeline import PHASES, Timeline


class Cursor:
    """A place in a timeline; every move stays inside it and says whether it moved.

    In a play without turns it stands at 0, and no move leads anywhere.
    """

    def __init__(self, timeline: Timeline, breakpoints: Breakpoints | None = None) -> None:
        """Stand at the end of the first turn that failed, else at the first step."""
        self.timeline = timeline
        self.breakpoints = breakpoints or Breakpoints()
        failed = timeline.failed_turns
        self.at = timeline.at(failed[0]) if failed else 0
        self._came_from: list[int] = []

    @property
    def turn(self) -> int:
        """The turn, from 0."""
        return self.timeline.turn_of(self.at)

    @property
    def phase(self) -> Phase:
        return self.timeline.phase_of(self.at)

    def go(self, at: int) -> bool:
        """Go to a step, or to the end that lies nearest to it."""
        at = max(0, min(at, len(self.timeline) - 1))
        moved, self.at = at != self.at, at
        return moved

    def step(self, by: int) -> bool:
        """Go on by so many phases, or back."""
        return self.go(self.at + by)

    def turn_by(self, by: int) -> bool:
        """The same phase of another turn; past the ends, nowhere."""
        if not 0 <= self.turn + by < len(self.timeline.turns):
            return False
        return self.go(self.at + by * len(PHASES))

    def run(self, direction: int) -> bool:
        """To the next breakpoint, else to the end of the play; those that stop it count a hit."""
        hit = self.breakpoints.next_hit(self.timeline, self.at, direction)
        if hit is None:
            return self.last() if direction > 0 else self.first()
        for point in self.breakpoints.hits(self.timeline, hit):
            point.hits += 1
        return self.go(hit)

    def failure(self, direction: int) -> bool:
        """To the end of the next turn that failed, or of the one before."""
        failed = self.timeline.failed_turns
        if direction > 0:
            # From inside of a turn, its own failure is the next.
            inside = self.phase is not PHASES[-1]
            place = (bisect_left if inside else bisect_right)(failed, self.turn)
        else:
            place = bisect_left(failed, self.turn) - 1
        return 0 <= place < len(failed) and self.go(self.timeline.at(failed[place]))

    def first(self) -> bool:
        return self.go(0)

    def last(self) -> bool:
        return self.go(len(self.timeline) - 1)

    def jump(self, at: int) -> bool:
        """Go far, and remember from where."""
        before = self.at
        if not self.go(at):
            return False
        self._came_from.append(before)
        return True

    def back(self) -> bool:
        """Go to where the last jump began."""
        return bool(self._came_from) and self.go(self._came_from.pop())
