"""The source of hypothesis' choices: nothing but the seed.

Its own source also takes numbers from the code of whatever modules are loaded, so that one seed
would not lead to the same conversations under `falai` and under pytest.
"""

import math
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider

NAME = "falai"
"""What settings call it, as their `backend`."""
_WIDE = 2**63


def draw_from(seed: str) -> None:
    """Let what runs under this backend next draw from a seed."""

    class Seeded(SeededProvider):
        random = Random(seed)

    AVAILABLE_PROVIDERS[NAME] = Seeded


class SeededProvider(PrimitiveProvider):
    """Draws evenly from what is allowed."""

    lifetime = "test_function"
    random: ClassVar[Random]

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self.random.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: Mapping[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        least = -_WIDE if min_value is None else min_value
        most = max(least, _WIDE) if max_value is None else max_value
        return self.random.randint(min(least, most), most)

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        least, most = max(min_value, -1e9), min(max_value, 1e9)
        return self.random.uniform(least, most)

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 10) -> str:
        size = self.random.randint(min_size, min(max_size, min_size + 10))
        return "".join(chr(self._one_of(intervals)) for _ in range(size))

    def _one_of(self, intervals: Any) -> int:
        return intervals[self.random.randrange(len(intervals))]

    def draw_bytes(self, min_size: int = 0, max_size: int = 10) -> bytes:
        return self.random.randbytes(self.random.randint(min_size, min(max_size, min_size + 10)))
