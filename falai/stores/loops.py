"""What a store holds per event loop: connections serve the loop that opened them, and no other."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """One thing for each running event loop, closed when the loop ends.

    A script may call `asyncio.run` for every turn: the connections of one such call are of no use
    in the next, and left open they would stay so.
    """

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._held: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None]]] = {}

    async def get(self) -> T:
        """Give the one of the running loop, made when it is asked for first."""
        loop = asyncio.get_running_loop()
        if loop not in self._held:
            await self._hold(loop)
        return self._held[loop][0]

    async def close(self) -> None:
        """Close the one of the running loop before the loop ends."""
        held = self._held.pop(asyncio.get_running_loop(), None)
        if held is not None:
            await held[1].aclose()

    async def _hold(self, loop: asyncio.AbstractEventLoop) -> None:
        for other in [other for other in self._held if other.is_closed()]:
            del self._held[other]
        made = self._make()
        closer = self._closer(loop, made)
        self._held[loop] = (made, closer)
        await anext(closer)

    async def _closer(self, loop: asyncio.AbstractEventLoop, made: T) -> AsyncGenerator[None]:
        """Wait for the end: a loop that ends closes every generator that was begun in it."""
        try:
            yield
        finally:
            self._held.pop(loop, None)
            await self._close(made)
