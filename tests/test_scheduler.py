"""The memory scheduler: one wake a key, and the earliest first."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from falai import MemoryScheduler, Wake
from falai.clock import iso_from_ms, to_datetime


def at(minute: int) -> str:
    return f"2026-01-05T09:{minute:02}:00.000Z"


def with_wakes(*wakes: tuple[str, int]) -> MemoryScheduler:
    scheduler = MemoryScheduler()
    for key, minute in wakes:
        scheduler.add(Wake(key=key, at=at(minute)))
    return scheduler


def due(scheduler: MemoryScheduler, minute: int) -> list[str]:
    return [wake.key for wake in scheduler.due(to_datetime(at(minute)))]


def test_what_is_due_comes_earliest_first_and_is_gone():
    scheduler = with_wakes(("b", 20), ("c", 30), ("a", 10))
    assert due(scheduler, 20) == ["a", "b"]
    assert due(scheduler, 20) == []
    assert len(scheduler) == 1


def test_a_wake_is_due_at_its_very_instant():
    assert due(with_wakes(("a", 10)), 9) == []
    assert due(with_wakes(("a", 10)), 10) == ["a"]


def test_of_one_instant_the_first_that_was_added_leads():
    assert due(with_wakes(("z", 10), ("a", 10)), 10) == ["z", "a"]


def test_the_same_key_takes_the_other_one_s_place():
    scheduler = with_wakes(("a", 10), ("b", 20), ("a", 30))
    assert (len(scheduler), due(scheduler, 20)) == (2, ["b"])
    assert due(scheduler, 30) == ["a"]


def test_a_wake_takes_the_one_away_that_it_replaces():
    scheduler = with_wakes(("a", 10))
    scheduler.add(Wake(key="b", at=at(20), replaces="a"))
    assert [wake.key for wake in scheduler.entries()] == ["b"]


def test_a_wake_that_replaces_nothing_is_added():
    scheduler = with_wakes(("a", 10))
    scheduler.add(Wake(key="b", at=at(20), replaces="nada"))
    assert len(scheduler) == 2


def test_a_removed_wake_is_handed_back_once():
    scheduler = with_wakes(("a", 10))
    assert scheduler.remove("a") == Wake(key="a", at=at(10))
    assert scheduler.remove("a") is None
    assert due(scheduler, 59) == []


def test_the_earliest_stays_in_the_queue():
    scheduler = with_wakes(("b", 20), ("a", 10))
    scheduler.remove("a")
    assert scheduler.earliest() == scheduler.earliest() == Wake(key="b", at=at(20))
    assert MemoryScheduler().earliest() is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcd"),
            st.integers(min_value=0, max_value=9),
            st.none() | st.sampled_from("abcd"),
        )
    )
)
def test_whatever_was_added_fires_once_and_in_order(added: Sequence[tuple[str, int, str | None]]):
    scheduler, expected = MemoryScheduler(), {}
    for order, (key, second, replaces) in enumerate(added):
        scheduler.add(Wake(key=key, at=iso_from_ms(second), replaces=replaces))
        expected.pop(replaces, None)
        expected[key] = (second, order)
    fired = [wake.key for wake in scheduler.due(to_datetime(at(0)))]
    assert fired == sorted(expected, key=expected.__getitem__)
    assert len(scheduler) == 0
