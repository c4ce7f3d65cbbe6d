"""The worker: handles what came in, sends what is to be sent, fires wakes when they are due.

A job is only a nudge: what is to be done stands in the database. So a job that is lost with a killed
worker does no harm, and the worker begins by looking.

    huey_consumer examples.webhook.jobs.queue
"""

import asyncio
import os
from datetime import datetime

import aiohttp
from huey import SqliteHuey, crontab

from examples.webhook.agent import build
from examples.webhook.inbox import Inbox
from falai.clock import to_datetime
from simulator.durable import DurableHost
from simulator.host import OutboxEntry

DATABASE = os.environ.get("DATABASE", "sqlite:///webhook.db")
CALLBACK = os.environ.get("CALLBACK", "http://127.0.0.1:8081/")
"""Where messages for the customer are posted to."""

queue = SqliteHuey(filename=os.environ.get("QUEUE", "queue.db"))
agent = build()


@queue.on_startup()
def begin() -> None:
    """A worker that died may have left something undone, and its lock shut."""
    queue.flush_locks("work")
    work()


@queue.task(retries=5, retry_delay=10)
def work() -> None:
    """Do all that there is to do. One worker at a time: messages of a session stay in order."""
    with queue.lock_task("work"):
        wake_at = asyncio.run(_work())
    if wake_at is not None:
        work.schedule(eta=wake_at)


@queue.periodic_task(crontab())
def look() -> None:
    """Every minute, in case a nudge was lost."""
    work()


async def _work() -> datetime | None:
    """Gives when the next wake is due, if one is."""
    host = await DurableHost.open(agent, DATABASE)
    inbox = Inbox(host.store)
    await inbox.make()
    async with aiohttp.ClientSession() as http:

        async def send(entry: OutboxEntry) -> None:
            key = "/".join(map(str, entry.identity))  # whoever gets it twice knows it by this
            body = {"session": entry.session_id, "text": entry.message.text, "key": key}
            async with http.post(CALLBACK, json=body) as answer:
                answer.raise_for_status()

        await host.deliver(send)
        sessions: set[str] = set()
        while (given := await inbox.next()) is not None:
            await host.handle(session_id=given.session_id, message=given.text, id=given.message_id)
            await inbox.remove(given)
            await host.deliver(send)
            sessions.add(given.session_id)
        await host.fire_due()
        await host.deliver(send)
        waits = [wake.at for name in sessions for wake in await host.pending(name)]
    await host.close()
    # Huey takes local time without a zone.
    return to_datetime(min(waits)).astimezone().replace(tzinfo=None) if waits else None
