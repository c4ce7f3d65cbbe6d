"""Draws from a seed: what the fuzzer makes up is the same whenever the seed is."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A source of choices."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def chance(self, per_cent: int) -> bool:
        """True so often."""
        return self._random.randrange(100) < per_cent

    def one(self, options: Sequence[T]) -> T:
        """One of some."""
        return self._random.choice(options)

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(least, most)

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of some, each as often as its weight says."""
        return self._random.choices([it for _, it in options], [weight for weight, _ in options])[0]
