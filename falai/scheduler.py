"""A queue of wakes in memory, for hosts in one process and for tests."""

import heapq
from datetime import datetime

from falai.clock import ms_of, to_ms
from falai.words.turn import Wake


class MemoryScheduler:
    """Keeps wakes by key until they are due; of wakes due at one instant the first added leads."""

    def __init__(self) -> None:
        self._wakes: dict[str, tuple[int, int, Wake]] = {}
        self._heap: list[tuple[int, int, str]] = []
        self._added = 0

    def add(self, wake: Wake) -> None:
        """Schedule a wake; one with the same key, or the one that it `replaces`, goes."""
        if wake.replaces is not None:
            self.remove(wake.replaces)
        at_ms, order = to_ms(wake.at), self._added
        self._added += 1
        self._wakes[wake.key] = (at_ms, order, wake)
        heapq.heappush(self._heap, (at_ms, order, wake.key))

    def remove(self, key: str) -> Wake | None:
        """Take a wake out of the queue; None when it is not there."""
        entry = self._wakes.pop(key, None)
        return None if entry is None else entry[2]

    def due(self, now: datetime) -> list[Wake]:
        """Remove and return every wake that is due, earliest first."""
        limit = ms_of(now)
        fired: list[Wake] = []
        while (wake := self.earliest()) is not None and to_ms(wake.at) <= limit:
            fired.append(wake)
            self.remove(wake.key)
        return fired

    def earliest(self) -> Wake | None:
        """The wake that is due first; it stays in the queue."""
        while self._heap:
            _, order, key = self._heap[0]
            entry = self._wakes.get(key)
            if entry is not None and entry[1] == order:
                return entry[2]
            heapq.heappop(self._heap)
        return None

    def entries(self) -> list[Wake]:
        """Everything in the queue, earliest first."""
        return [wake for _, _, wake in sorted(self._wakes.values(), key=lambda e: e[:2])]

    def __len__(self) -> int:
        return len(self._wakes)
