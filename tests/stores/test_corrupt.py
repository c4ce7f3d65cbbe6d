"""Rows that are no sessions, on every store: said to be so, and left as they are."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from falai import InvalidSessionError, SessionConflictError, falai
from falai.words.session import fresh_session
from simulator.host import Host
from tests.stores.contract import full_session
from tests.stores.servers import PLACES, REDIS, Hashes, Place, name_of, need, place_of

GOOD = msgspec.json.encode(full_session())
RUN = b'"status":"waiting"'

ROWS: dict[str, tuple[object, bytes | None, str]] = {
    "truncated": (0, GOOD[:-40], "is no JSON (Input data was truncated"),
    "of-another": (0, GOOD.replace(b'"id":"s1"', b'"id":"s2"', 1), 'id is "s2", expected "s1"'),
    "of-another-v": (0, GOOD.replace(b'"v":4', b'"v":7', 1), "v is 7, expected 4"),
    "without-data": (0, b'{"id":"s1","v":4}', "data is missing, expected an object"),
    "blank": (0, b"", "is no JSON"),
    "null": (0, None, "data is missing, expected JSON text"),
    "a-bad-status": (0, GOOD.replace(RUN, b'"status":"asleep"'), "asleep"),
    "huge-text": (0, b'"' + b"x" * 10_000_000 + b'"', 'expected an object, got "xxx'),
    "huge-nonsense": (0, b"\x93" * 10_000_000, "is no JSON"),
    "binary": (0, b"\x00\xff\xfe\x80pickle", "is no JSON"),
    "no-utf-8": (0, GOOD.replace("é".encode(), b"\xe9"), "is no JSON"),
    "at-two-versions": (6, GOOD, "version is 0 in the data and 6 beside it"),
}


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    place = place_of(request.param, tmp_path)
    yield place
    place.remove()


def say(place: Place, **given: Any) -> None:
    """Let a customer say something, which needs no model when nothing can be loaded."""
    host = Host(falai({}).agent("Otto"), store=place.open())
    asyncio.run(host.handle(session_id="s1", message="oi", id="m9", **given))


ROWS_THERE_ARE = [
    (kind, corrupt)
    for kind in PLACES
    for corrupt in ROWS
    if (kind, corrupt) != ("sqlite", "null")  # its own table takes none
]


@pytest.mark.parametrize(("place", "corrupt"), ROWS_THERE_ARE, indirect=["place"])
def test_a_corrupt_row_fails_the_turn_and_stays(corrupt: str, place: Place):
    version, data, reason = ROWS[corrupt]
    place.put("s1", version, data)
    before = place.row("s1")
    with pytest.raises(InvalidSessionError) as caught:
        say(place)
    assert caught.value.session_id == "s1"
    assert '[InvalidSessionError] stored session "s1" is unreadable: ' in str(caught.value)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 400
    assert place.row("s1") == before


def test_a_corrupt_row_is_not_taken_for_no_row(place: Place):
    place.put("s1", 3, b"{")
    before = place.row("s1")
    with pytest.raises(SessionConflictError) as caught:
        asyncio.run(place.open().save(fresh_session("s1"), 0))
    assert caught.value.actual_version == 3
    assert place.row("s1") == before


@pytest.mark.parametrize("expected", [0, 1])
def test_a_row_without_a_version_is_no_session_to_a_save_either(tmp_path: Path, expected: int):
    place = place_of("sql-sqlite", tmp_path)
    place.put("s1", None, GOOD)
    with pytest.raises(InvalidSessionError, match="version is null, expected a number"):
        asyncio.run(place.open().save(full_session(), expected))
    with pytest.raises(InvalidSessionError, match="version is 0 in the data and null beside it"):
        asyncio.run(place.open().load("s1"))


class TestKeysOfRedis:
    @pytest.fixture
    def place(self, tmp_path: Path) -> Iterator[Hashes]:
        need(REDIS)
        place = Hashes(name_of(tmp_path))
        yield place
        place.remove()

    def test_a_key_that_is_no_hash_is_no_session(self, place: Hashes):
        place.redis.set(f"{place.prefix}s1", GOOD)
        with pytest.raises(InvalidSessionError, match="the key is a string, expected a hash"):
            say(place)
        with pytest.raises(InvalidSessionError, match="the key is a string, expected a hash"):
            asyncio.run(place.open().save(full_session(), 0))
        assert place.redis.get(f"{place.prefix}s1") == GOOD

    def test_a_hash_of_something_else_is_no_session(self, place: Hashes):
        place.redis.hset(f"{place.prefix}s1", "cart", "3 tubes")
        with pytest.raises(InvalidSessionError, match="data is missing"):
            say(place)
        for version in (0, 2):
            with pytest.raises(InvalidSessionError, match="version is null, expected a number"):
                asyncio.run(place.open().save(full_session(), version))
        assert place.row("s1") == ((b"cart", b"3 tubes"),)

    def test_a_version_that_is_no_number_is_no_session(self, place: Hashes):
        place.put("s1", "newest", GOOD)
        with pytest.raises(InvalidSessionError, match='version is 0 in the data and "newest"'):
            say(place)
