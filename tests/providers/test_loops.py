"""The end of an event loop, orderly or not."""

import asyncio
import gc
import weakref
from typing import Any

from falai.providers.loops import close_with_loop
from tests.providers.kit import wait_for


class Client:
    """A connection of a loop; its way to close is the one or the other."""

    def __init__(self, closed: list[str], name: str) -> None:
        self._closed = closed
        self._name = name

    def close(self) -> None:
        self._closed.append(self._name)


class AsyncClient(Client):
    async def aclose(self) -> None:
        self.close()


class Cache:
    """As much of litellm's cache of clients as is looked at."""

    def __init__(self, **clients: Client) -> None:
        self.cache_dict = dict(clients)

    def update_cache_key_with_event_loop(self, key: str) -> str:
        return f"{key}-loop"

    def delete_cache(self, key: str) -> None:
        del self.cache_dict[key]


class Library:
    """As much of litellm as is looked at; it has no log."""

    def __init__(self) -> None:
        self.closed: list[str] = []
        clients = {
            "one-loop": Client(self.closed, "one"),
            "two-loop": AsyncClient(self.closed, "two"),
            "one-another": Client(self.closed, "another"),
        }
        self.in_memory_llm_clients_cache = Cache(**clients)


async def use(library: Any) -> None:
    await close_with_loop(library)
    await close_with_loop(library)
    assert library.closed == []


def test_a_loop_takes_its_clients_along_once_and_leaves_the_others():
    library = Library()
    wait_for(use(library))
    assert library.closed == ["one", "two"]
    assert list(library.in_memory_llm_clients_cache.cache_dict) == ["one-another"]


def test_a_library_of_another_make_does_not_disturb_the_end():
    wait_for(close_with_loop(object()))


def test_a_loop_that_was_closed_carelessly_is_not_kept():
    loop = asyncio.new_event_loop()
    loop.run_until_complete(close_with_loop(object()))
    loop.close()
    gone = weakref.ref(loop)
    del loop
    wait_for(close_with_loop(object()))
    gc.collect()
    assert gone() is None
