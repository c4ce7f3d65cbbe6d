"""Somebody who looks at a play: where they stand, and all that they set up to look with."""

from typing import Literal, TypeAlias

from tui.model.breakpoints import Breakpoints
from tui.model.cursor import Cursor
from tui.model.places import place_name
from tui.model.search import Hit, Index, next_hit
from tui.model.shown import cut
from tui.model.subject import Subject
from tui.model.view import View
from tui.model.watches import check_path

Mode: TypeAlias = Literal["REPLAY", "LIVE", "FORK"]
"""Whether what is shown was recorded, is going on, or is a play that left another one."""


class Sitting:
    """What the keys change, and what the panes are asked to show."""

    def __init__(
        self,
        subject: Subject,
        *,
        mode: Mode = "REPLAY",
        parent: "Sitting | None" = None,
        breakpoints: Breakpoints | None = None,
    ) -> None:
        """Look at a play; one that was forked off knows its `parent`."""
        self.subject = subject
        self.mode: Mode = mode
        self.parent = parent
        self.came_from = parent.place if parent is not None else ""
        """The place in the parent's play where this one left it."""
        self.breakpoints = breakpoints or Breakpoints()
        self.watches: list[str] = list(parent.watches) if parent is not None else []
        self.cursor = Cursor(subject.timeline, self.breakpoints)
        self.folded: set[str] = set()
        self.sort = ""
        self.only = ""
        self.compare = False
        self.query = ""
        self._index: Index | None = None
        self.hits: list[Hit] = []

    def banner(self, width: int = 80) -> str:
        """The mode in words, in so many columns: `FORK of triage.yaml@6.decide`."""
        if self.parent is None or self.mode != "FORK":
            return self.mode
        room = width - len(f"FORK of @{self.came_from}")
        return f"FORK of {cut(self.parent.subject.name, max(8, room))}@{self.came_from}"

    @property
    def place(self) -> str:
        """Where the cursor stands: `6.decide`."""
        return place_name(self.subject.timeline, self.cursor.at)

    def view(self, width: int = 80) -> View:
        """What the panes are to show."""
        timeline = self.subject.timeline
        return View(
            subject=self.subject,
            at=self.cursor.at,
            width=width,
            watches=tuple(self.watches),
            marked=self.breakpoints.marked(timeline),
            folded=frozenset(self.folded),
            sort=self.sort,
            only=self.only,
            compare=self.compare,
        )

    def replace(self, subject: Subject, *, end: bool = False) -> None:
        """Look at another play of the same thing, from the same place, or from its end."""
        at = self.cursor.at
        self.subject = subject
        self.cursor = Cursor(subject.timeline, self.breakpoints)
        self.cursor.go(len(subject.timeline) if end else at)
        self._index = None
        if self.query:
            self.search(self.query)

    # --- looking for text ------------------------------------------------------------------------

    def search(self, query: str) -> int:
        """Find a text anywhere in the play; returns how often it is there."""
        self.query = query
        if self._index is None:
            self._index = Index(self.subject.timeline)
        self.hits = self._index.find(query)
        return len(self.hits)

    def stop_search(self) -> None:
        """Look for nothing any more."""
        self.query, self.hits = "", []

    def go_to_hit(self, direction: int) -> Hit | None:
        """Go to the next place where the text is; None when there is none that way."""
        hit = next_hit(self.hits, self.cursor.at, direction)
        if hit is not None:
            self.cursor.go(hit.at)
        return hit

    # --- what is set up --------------------------------------------------------------------------

    def fold(self, part: str) -> None:
        """Fold a part of a pane, or unfold it."""
        self.folded ^= {part}

    def toggle_here(self) -> bool:
        """Set a breakpoint at this very step, or take it away; True when it is set now."""
        return self.breakpoints.toggle(f"at:{self.place}")

    def watch(self, path: str) -> bool:
        """Keep a path in sight, or stop; True when it is watched now. Raises PathError."""
        path = check_path(path)
        if path in self.watches:
            self.watches.remove(path)
            return False
        self.watches.append(path)
        return True
