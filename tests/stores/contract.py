"""What every store promises, as tests: subclass it and give a `store` fixture."""

import asyncio
import copy
from collections.abc import Awaitable
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from falai import Outcome, Session, SessionConflictError, Store
from falai.words.session import Cause, Claim, Run, Waiting, fresh_session

T = TypeVar("T")
AT = "2026-01-05T09:00:00.000Z"


def full_session(session_id: str = "s1") -> Session:
    """A session with something in every place."""
    run = Run(
        id="a#m1",
        flow_id="a",
        anchor="lead:9",
        dedupe_key="a:lead:9:",
        step_id="s1",
        status="waiting",
        trigger=Cause(kind="event", key="é", payload=None),
        input={"x": [1, 2.5, None, {"y": True}]},
        hop=1,
        started_at=AT,
        waiting=Waiting(kind="event", key="a#m1:s1:5", until=AT, set_at=AT, event="pago"),
        asked={"nome": 2},
        visits={"s1": 3},
        outcomes=[Outcome(kind="say", status="ok", at=AT, run_id="a#m1", step_id="s1")],
    )
    return replace(
        fresh_session(session_id),
        data={"nome": "Ação “já” 🙂\x00", "nota": 1.5, "nada": None, "lista": [[], {}]},
        runs=[run, replace(run, id="a#m2", step_id=None, input=None)],
        claims={"a:lead:9:": Claim(at=AT)},
        inputs=["m1"],
        metadata={"tenant": 7},
        last_user_at=AT,
        history=[{"role": "user", "content": "oi"}],
    )


def wait_for(work: Awaitable[T]) -> T:
    async def work_on() -> T:
        return await work

    return asyncio.run(work_on())


class StoreContract:
    """The tests; a subclass gives the `store` fixture."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    def save(self, store: Store, session: Session, version: int) -> Session:
        return wait_for(store.save(session, version))

    def load(self, store: Store, session_id: str = "s1") -> Session | None:
        return wait_for(store.load(session_id))

    def conflict(self, store: Store, session: Session, version: int) -> int | None:
        """The version that a save must not have met."""
        with pytest.raises(SessionConflictError) as caught:
            self.save(store, session, version)
        assert (caught.value.session_id, caught.value.expected_version) == (session.id, version)
        return caught.value.actual_version

    def test_nothing_is_loaded_where_nothing_was_saved(self, store: Store):
        assert self.load(store) is None

    def test_a_session_comes_back_as_it_was_saved(self, store: Store):
        session = full_session()
        stored = self.save(store, session, 0)
        assert stored == replace(session, version=1)
        assert self.load(store) == stored

    def test_each_save_is_one_version_on(self, store: Store):
        for version in range(3):
            assert self.save(store, full_session(), version).version == version + 1
        loaded = self.load(store)
        assert loaded is not None
        assert loaded.version == 3

    def test_a_save_leaves_the_session_as_it_was(self, store: Store):
        session = full_session()
        before = copy.deepcopy(session)
        self.save(store, session, 0)
        assert session == before

    def test_version_0_inserts_and_meets_no_row(self, store: Store):
        self.save(store, full_session(), 0)
        assert self.conflict(store, full_session(), 0) == 1

    @pytest.mark.parametrize("version", [1, 3, -1])
    def test_another_version_than_the_row_s_is_a_conflict(self, store: Store, version: int):
        for saved in range(2):
            self.save(store, full_session(), saved)
        assert self.conflict(store, full_session(), version) == 2

    def test_a_row_that_is_gone_is_not_made_anew(self, store: Store):
        assert self.conflict(store, full_session(), 4) is None
        assert self.load(store) is None

    def test_a_conflict_writes_nothing(self, store: Store):
        first = self.save(store, full_session(), 0)
        self.conflict(store, replace(full_session(), data={}), 0)
        assert self.load(store) == first

    def test_a_saved_row_does_not_change_with_the_object(self, store: Store):
        session = full_session()
        self.save(store, session, 0)
        session.data["nome"] = "depois"
        session.runs.clear()
        assert self.load(store) == replace(full_session(), version=1)

    def test_a_loaded_session_is_a_copy_of_its_own(self, store: Store):
        self.save(store, full_session(), 0)
        loaded = self.load(store)
        assert loaded is not None
        loaded.runs.clear()
        assert self.load(store) == replace(full_session(), version=1)

    @pytest.mark.parametrize(
        "other", ["s2", "S1", "s1 ", "s1:", "é", "a/b:c", "'; drop", "%", "_1"]
    )
    def test_sessions_do_not_meet(self, store: Store, other: str):
        self.save(store, full_session(), 0)
        self.save(store, replace(fresh_session(other), data={"nome": other}), 0)
        first, second = self.load(store), self.load(store, other)
        assert first == replace(full_session(), version=1)
        assert second is not None
        assert second.data == {"nome": other}

    def test_of_two_that_save_at_once_one_wins(self, store: Store):
        self.save(store, full_session(), 0)

        async def race() -> list[Any]:
            saves = (store.save(replace(full_session(), data={"n": n}), 1) for n in range(5))
            return await asyncio.gather(*saves, return_exceptions=True)

        results = asyncio.run(race())
        assert sum(isinstance(result, Session) for result in results) == 1
        assert sum(isinstance(result, SessionConflictError) for result in results) == 4
