"""Pairs are as many as can be."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from simulator.pairing import pair_up

GRAPHS = st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5)


@given(GRAPHS)
def test_no_more_pairs_are_possible(fitting: list[list[int]]):
    pairs = pair_up(fitting)
    assert len(set(pairs.values())) == len(pairs)
    assert all(right in fitting[left] for left, right in pairs.items())
    best = max(
        sum(right in fitting[left] for left, right in enumerate(rights[: len(fitting)]))
        for rights in permutations(range(5))
    )
    assert len(pairs) == best


def test_long_chains_of_exchanges_need_no_deep_stack():
    size = 2_000
    fitting = [[left, left + 1] for left in range(size)] + [[0]]
    assert len(pair_up(fitting)) == size + 1
