"""Pairs up two groups so that as many as possible have a partner that fits."""

from collections import deque
from collections.abc import Mapping, Sequence


def pair_up(fitting: Sequence[Sequence[int]]) -> Mapping[int, int]:
    """Give as many left members as possible a right one of their own.

    `fitting[i]` lists who on the right fits the i-th on the left. An earlier partner is given
    up where that one can take another: a first come, first served choice could leave somebody
    out who did not need to be.
    """
    left_of: dict[int, int] = {}
    for left in range(len(fitting)):
        _seat(left, fitting, left_of)
    return {left: right for right, left in left_of.items()}


def _seat(newcomer: int, fitting: Sequence[Sequence[int]], left_of: dict[int, int]) -> None:
    """Find the shortest chain of exchanges that ends at somebody free, and carry it out."""
    reached_by: dict[int, int] = {}
    queue = deque([newcomer])
    while queue:
        left = queue.popleft()
        for right in fitting[left]:
            if right in reached_by:
                continue
            reached_by[right] = left
            if right not in left_of:
                _exchange(right, reached_by, left_of, newcomer)
                return
            queue.append(left_of[right])


def _exchange(
    free: int, reached_by: Mapping[int, int], left_of: dict[int, int], newcomer: int
) -> None:
    right = free
    while True:
        left = reached_by[right]
        given_up = next((r for r, owner in left_of.items() if owner == left), None)
        left_of[right] = left
        if left == newcomer or given_up is None:
            return
        right = given_up
