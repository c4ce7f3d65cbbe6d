"""Closes what litellm opened in an event loop when the loop ends.

litellm keeps its connections for a process that never ends its loop. Every `asyncio.run` of a
script would leave an open socket behind, and the log lines that nobody had read yet.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

_closers: dict[asyncio.AbstractEventLoop, AsyncGenerator[None]] = {}


async def close_with_loop(litellm: Any) -> None:
    """See to it that the running loop takes its connections along when it ends."""
    loop = asyncio.get_running_loop()
    if loop in _closers:
        return
    for other in [other for other in _closers if other.is_closed()]:
        del _closers[other]
    closer = _closers[loop] = _closer(litellm, loop)
    await anext(closer)


async def _closer(litellm: Any, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
    """Wait for the end: a loop that ends closes every generator that was begun in it."""
    try:
        yield
    finally:
        _closers.pop(loop, None)
        for close in (_finish_logging, _close_clients):
            with suppress(Exception):  # the conversation is over: nobody could mend this
                await close(litellm)


async def _finish_logging(litellm: Any) -> None:
    await litellm.litellm_core_utils.logging_worker.GLOBAL_LOGGING_WORKER.clear_queue()


async def _close_clients(litellm: Any) -> None:
    cache = litellm.in_memory_llm_clients_cache
    of_this_loop = cache.update_cache_key_with_event_loop("")
    for key in [key for key in list(cache.cache_dict) if key.endswith(of_this_loop)]:
        client = cache.cache_dict[key]
        cache.delete_cache(key)
        closed = getattr(client, "aclose", client.close)()
        if inspect.isawaitable(closed):
            await closed
