"""What only Redis does: it forgets sessions after a while, unless it is told to keep them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from falai import FlowConfigurationError, RedisStore
from tests.stores.contract import full_session
from tests.stores.servers import REDIS, Hashes, name_of, need

WEEK_MS = 7 * 86_400_000


class Life:
    """One session in Redis, and how long it has to live."""

    def __init__(self, place: Hashes) -> None:
        self.key = f"{place.prefix}s1"
        self.redis: Any = place.redis
        self._place = place

    def save(self, version: int, **options: Any) -> None:
        store = RedisStore(REDIS, prefix=self._place.prefix, **options)
        asyncio.run(store.save(full_session(), version))

    def left_ms(self) -> int:
        return self.redis.pttl(self.key)


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    need(REDIS)
    place = Hashes(name_of(tmp_path))
    yield Life(place)
    place.remove()


def test_a_session_lives_a_week_unless_told_otherwise(life: Life):
    life.save(0)
    assert WEEK_MS - 60_000 < life.left_ms() <= WEEK_MS


def test_every_save_begins_its_time_anew(life: Life):
    life.save(0, ttl="2h")
    life.redis.pexpire(life.key, 90_000)
    life.save(1, ttl="2h")
    assert 7_140_000 < life.left_ms() <= 7_200_000


def test_a_load_and_a_conflict_do_not(life: Life):
    life.save(0, ttl="2h")
    life.redis.pexpire(life.key, 90_000)
    store = RedisStore(REDIS, prefix=life.key.removesuffix("s1"))
    assert asyncio.run(store.load("s1")) is not None
    with pytest.raises(Exception, match="SessionConflictError"):
        life.save(7)
    assert life.left_ms() <= 90_000


@pytest.mark.parametrize("never", ["0", "0s"])
def test_no_time_is_for_ever(life: Life, never: str):
    for_ever = -1
    life.save(0, ttl=never)
    assert life.left_ms() == for_ever
    life.save(1, ttl="1h")
    assert 0 < life.left_ms() <= 3_600_000
    life.save(2, ttl=never)
    assert life.left_ms() == for_ever


def test_a_session_that_was_forgotten_is_gone_to_its_turn(life: Life):
    life.save(0)
    life.redis.delete(life.key)
    with pytest.raises(Exception, match="is gone from the store: it was at version 1"):
        life.save(1)
    assert not life.redis.exists(life.key)


@pytest.mark.parametrize("options", [{"decode_responses": True}, {"protocol": 2}, {}])
def test_a_client_of_one_s_own_is_used_and_left_open(life: Life, options: dict[str, Any]):
    async def use() -> None:
        client = Redis.from_url(REDIS, **options)
        store = RedisStore(client, prefix=life.key.removesuffix("s1"), namespace="n")
        stored = await store.save(full_session(), 0)
        await store.close()
        assert await store.load("s1") == stored
        await store.remove_all()
        assert await store.load("s1") is None
        assert await client.execute_command("PING")
        await client.aclose()

    asyncio.run(use())


@pytest.mark.parametrize("ttl", ["7", "week", ""])
def test_a_time_that_is_none_is_refused(ttl: str):
    with pytest.raises(FlowConfigurationError, match="is not a number and a unit"):
        RedisStore(REDIS, ttl=ttl)
