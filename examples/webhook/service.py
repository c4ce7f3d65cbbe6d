"""The webhook: writes down what comes in, nudges the worker, and answers at once.

python -m examples.webhook.service
curl -X POST localhost:8080/messages -d '{"session": "rosa", "id": "m1", "text": "hello"}'
"""

import json
import os
from typing import Any

from aiohttp import web

from examples.webhook.inbox import Inbox
from examples.webhook.jobs import DATABASE, work
from falai import SqlStore

INBOX: web.AppKey[Inbox] = web.AppKey("inbox", Inbox)


async def take(request: web.Request) -> web.Response:
    """Take `{session, id, text}`; the same id twice is one message."""
    try:
        given: Any = json.loads(await request.text())
        session, message, text = given["session"], given["id"], given["text"]
    except (ValueError, KeyError, TypeError):
        return web.Response(status=400, text='Send {"session": "…", "id": "…", "text": "…"}.\n')
    await request.app[INBOX].put(str(session), str(message), str(text))
    work()
    return web.Response(status=202)


async def opened() -> web.Application:
    app = web.Application()
    store = await SqlStore[Any].open(DATABASE)
    app[INBOX] = Inbox(store)
    await app[INBOX].make()
    app.router.add_post("/messages", take)
    return app


if __name__ == "__main__":
    web.run_app(opened(), host="127.0.0.1", port=int(os.environ.get("PORT", "8080")))
