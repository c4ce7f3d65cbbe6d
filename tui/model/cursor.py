"""Where somebody stands in a play: the one owner of the position."""

from falai.turn.needs import Phase
from tui.model.breakpoints import Breakpoints
from tui.model.timeline import PHASES, Timeline


class Cursor:
    """A place in a timeline; every move stays inside it and says whether it moved."""

    def __init__(self, timeline: Timeline, breakpoints: Breakpoints | None = None) -> None:
        """Stand at the first failure, else at the first step."""
        self.timeline = timeline
        self.breakpoints = breakpoints or Breakpoints()
        self.at = 0
        self._came_from: list[int] = []
        failed = self._failure(-1, 1)
        if failed is not None:
            self.at = failed

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
        """To the next breakpoint, else to the end of the play."""
        hit = self.breakpoints.next_hit(self.timeline, self.at, direction)
        return self.go(hit if hit is not None else (len(self.timeline) if direction > 0 else 0))

    def failure(self, direction: int) -> bool:
        """To the next turn in which something failed, at its end."""
        found = self._failure(self.turn, direction)
        return found is not None and self.go(found)

    def _failure(self, turn: int, direction: int) -> int | None:
        turns = len(self.timeline.turns)
        others = range(turn + 1, turns) if direction > 0 else range(turn - 1, -1, -1)
        for other in others:
            record = self.timeline.turns[other]
            if self.timeline.failures(other) or (record.error and not self.timeline.play.failures):
                return self.timeline.at(other)
        return None

    def first(self) -> bool:
        return self.go(0)

    def last(self) -> bool:
        return self.go(len(self.timeline))

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
