"""The memory store: the contract of all stores, and rows that are no sessions."""

import asyncio
from typing import Any

import msgspec
import pytest

from falai import InvalidSessionError, MemoryStore, SessionConflictError
from falai.stores.memory import read_session
from falai.words.session import fresh_session
from tests.stores.contract import StoreContract, full_session


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()


def test_a_store_may_begin_with_sessions_at_their_versions():
    session = full_session()
    session.version = 7
    store = MemoryStore([session])
    assert asyncio.run(store.load("s1")) == session
    assert asyncio.run(store.save(session, 7)).version == 8
    assert len(store) == 1


def test_version_0_meets_no_row_even_at_its_own_version():
    store = MemoryStore([fresh_session("s1")])
    with pytest.raises(SessionConflictError):
        asyncio.run(store.save(fresh_session("s1"), 0))


WHOLE: dict[str, Any] = {
    "id": "s1",
    "v": 4,
    "version": 1,
    "data": {},
    "runs": [],
    "claims": {},
    "inputs": [],
    "metadata": {},
}
RUN: dict[str, Any] = {
    "id": "a#m1",
    "flowId": "a",
    "anchor": "s1",
    "dedupeKey": "a:s1:",
    "stepId": None,
    "status": "running",
    "trigger": {"kind": "message", "key": "m1"},
    "hop": 0,
    "startedAt": "2026-01-05T09:00:00.000Z",
    "asked": {},
    "visits": {},
    "outcomes": [],
}


def row(**changes: Any) -> bytes:
    return msgspec.json.encode({**WHOLE, **changes})


CORRUPT = {
    "no-json": b"{",
    "blank": b"",
    "text": b'"garbage"',
    "null": b"null",
    "list": b"[]",
    "another-v": row(v=3),
    "data-is-a-list": row(data=[]),
    "version-is-text": row(version="1"),
    "a-bad-status": row(runs=[RUN | {"status": "dormindo"}]),
    "a-run-without-an-id": row(runs=[{k: v for k, v in RUN.items() if k != "id"}]),
    "a-claim-without-a-time": row(claims={"a:s1:": {}}),
    "an-id-of-another-row": row(id="s2"),
    "a-time-that-is-none": row(lastUserAt="ontem"),
    "nested-beyond-reason": b'{"id":"s1","v":4,"data":{"x":' + b"[" * 100_000,
    "no-utf-8": b'{"id": "\xff"}',
}


@pytest.mark.parametrize("stored", CORRUPT.values(), ids=CORRUPT.keys())
def test_a_row_that_is_no_session_is_never_taken_for_one(stored: bytes):
    with pytest.raises(InvalidSessionError) as caught:
        read_session(stored, "s1")
    assert caught.value.session_id == "s1"
    assert str(caught.value).startswith('[InvalidSessionError] stored session "s1" is unreadable: ')


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (row(v=3), "v is 3, expected 4"),
        (b'{"id":"s1","v":3}', "v is 3, expected 4"),
        (b'"garbage"', 'expected an object, got "garbage"'),
        (b'{"id":"s1"}', "data is missing, expected an object; not a 3.x session either"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_to_the_letter(stored: bytes, reason: str):
    with pytest.raises(InvalidSessionError) as caught:
        read_session(stored, "s1")
    assert f"is unreadable: {reason}. Repair or delete" in str(caught.value)


def test_keys_that_nobody_knows_are_passed_over():
    assert read_session(row(novo=1, runs=[RUN | {"novo": 1}]), "s1").runs[0].id == "a#m1"


def test_a_fresh_session_is_one():
    assert read_session(msgspec.json.encode(fresh_session("s1")), "s1") == fresh_session("s1")
