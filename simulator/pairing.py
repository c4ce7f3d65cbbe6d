"""Pairs up two groups so that as many as possible have a partner that fits."""

from collections import deque
from collections.abc import Mapping, Sequence


def pair_up(fitting: Sequence[Sequence[int]]) -> Mapping[int, int]:
    """Give as many left members as possible a right one of their own.

    `fitting[i]` lists who on the right fits the i-th on the left. An earlier partner is given
    up where the other one can take another: first come, first served could leave somebody out
    for whom there was a place.
    """
    right_of: dict[int, int] = {}
    left_of: dict[int, int] = {}
    for newcomer in range(len(fitting)):
        chain = _chain(newcomer, fitting, left_of)
        for left, right in chain:
            right_of[left], left_of[right] = right, left
    return right_of


def _chain(
    newcomer: int, fitting: Sequence[Sequence[int]], left_of: Mapping[int, int]
) -> list[tuple[int, int]]:
    """The new pairs of the shortest chain of exchanges that seats the newcomer; none if none."""
    reached_by: dict[int, int] = {}
    wanted_by: dict[int, int] = {}
    queue = deque([newcomer])
    while queue:
        left = queue.popleft()
        for right in fitting[left]:
            if right in reached_by:
                continue
            reached_by[right] = left
            owner = left_of.get(right)
            if owner is None:
                return _walk_back(right, newcomer, reached_by, wanted_by)
            wanted_by[owner] = right
            queue.append(owner)
    return []


def _walk_back(
    free: int, newcomer: int, reached_by: Mapping[int, int], wanted_by: Mapping[int, int]
) -> list[tuple[int, int]]:
    """From the free place back to the newcomer: each one on the way moves up by one."""
    right = free
    pairs = [(reached_by[right], right)]
    while pairs[-1][0] != newcomer:
        right = wanted_by[pairs[-1][0]]
        pairs.append((reached_by[right], right))
    return pairs
