"""How near what came is to what was wanted, and which elements of two lists belong together."""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from falai.shapes import is_list, is_mapping
from simulator.match import ABSENT, matches

Pairs: TypeAlias = list[tuple[int | None, int | None]]
"""Positions in the list that was wanted and in the one that came; None stands for nobody."""
Near: TypeAlias = Callable[[int, int], float]
"""How near the element that came at the second position is to the wanted one at the first."""

_PRESENT = 0.01
"""What it is worth that anything at all came."""
_GAP = 0.6
"""What an element without a partner costs: two of them more than the unlikeliest pair."""


def likeness(wanted: Any, got: Any) -> float:
    """From 0 for nothing in common to 1 for a match; between mappings, what their keys have."""
    if matches(wanted, got):
        return 1.0
    if isinstance(wanted, str) and isinstance(got, str):
        return SequenceMatcher(None, wanted, got).quick_ratio() / 2
    if is_mapping(wanted) and is_mapping(got):
        parts = [likeness(value, got.get(key, ABSENT)) for key, value in wanted.items()]
        return sum(parts) / (len(parts) + 1)
    if is_list(wanted) and is_list(got):
        parts = [likeness(*pair) for pair in zip(wanted, got, strict=False)]
        return sum(parts) / (max(len(wanted), len(got)) + 1)
    return 0.0 if got is None or got is ABSENT else _PRESENT


def pair_in_order(wanted: int, got: int, near: Near) -> Pairs:
    """Pair up the elements of two lists of these lengths, in order, so that they are most alike."""
    costs = _costs(wanted, got, near)
    pairs: Pairs = []
    row, column = wanted, got
    while row or column:
        cost = costs[row][column]
        if row and column and cost == costs[row - 1][column - 1] + 1 - near(row - 1, column - 1):
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif row and cost == costs[row - 1][column] + _GAP:
            row -= 1
            pairs.append((row, None))
        else:
            column -= 1
            pairs.append((None, column))
    return pairs[::-1]


def _costs(wanted: int, got: int, near: Near) -> list[list[float]]:
    """What it costs at least to pair up the first elements of both, for every two numbers."""
    costs = [[column * _GAP for column in range(got + 1)]]
    for row in range(wanted):
        line = [(row + 1) * _GAP]
        for column in range(got):
            pair = costs[row][column] + 1 - near(row, column)
            line.append(min(pair, costs[row][column + 1] + _GAP, line[column] + _GAP))
        costs.append(line)
    return costs


def pair_nearest(wanted: Sequence[int], got: Sequence[int], near: Near) -> dict[int, int]:
    """Give each wanted element, in turn, the nearest one that is left."""
    left = list(got)
    pairs: dict[int, int] = {}
    for position in wanted:
        if left:
            pairs[position] = max(left, key=lambda other: near(position, other))
            left.remove(pairs[position])
    return pairs
