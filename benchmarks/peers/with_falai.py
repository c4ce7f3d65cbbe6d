"""falai: a session is loaded from the store and saved after every turn; prompts and schemas are built."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from benchmarks.peers import talk
from falai import Agent, Field, Flow, MemoryStore, Message, SQLiteStore, Talk
from falai.providers.base import Chunk, ModelCall, ModelReply
from simulator.host import Host

ASKS = {
    "name": "Ask for the name.",
    "company": "Ask for the company.",
    "size": "Ask how many people work there.",
    "budget": "Ask what they can spend.",
}


class Model:
    """Answers at once, as the turn at hand wants it."""

    name = "fake"
    turn = 0

    async def generate(self, call: ModelCall) -> ModelReply:
        if call.purpose == "understand":
            fields = talk.given_by(self.turn)
            judged: dict[str, Any] = {"flows": {"triage": 90}, "fields": fields}
            return ModelReply(structured=judged)
        return ModelReply(structured={"message": talk.reply(self.turn)})

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        reply = await self.generate(call)
        yield Chunk(reply=reply)


def agent(model: Model) -> Agent:
    triage = Flow(
        id="triage",
        name="Triage",
        on=[Message(["wants a quote"], repeat="always")],
        clear_on_start=list(talk.FIELDS),
        steps=[
            Talk(id="who", prompt="Be brief.", collect=list(talk.FIELDS)),
            Talk(id="bye", prompt="Say goodbye."),
        ],
    )
    fields = {name: Field(type="string", ask=ask) for name, ask in ASKS.items()}
    return Agent(name="Ana", fields=fields, flows=[triage], provider=model)


def host(store: Any) -> tuple[Host, Model]:
    model = Model()
    return Host(agent(model), store=store), model


async def converse(host: Host, model: Model, session_id: str, turns: int) -> None:
    """Hold the conversation, once or over and over, in one session."""
    history: list[dict[str, str]] = []
    for turn in range(turns):
        model.turn = turn
        text = talk.message(turn)
        result = await host.handle(
            session_id=session_id, message=text, id=f"m{turn}", history=history
        )
        said = result.messages[0].text
        assert said == talk.reply(turn), (turn, said)
        history += [{"role": "user", "content": text}, {"role": "assistant", "content": said}]


def in_memory(conversations: int, turns: int) -> None:
    """So many conversations of so many turns, sessions as JSON text in memory."""
    asyncio.run(_many(MemoryStore(), conversations, turns))


def in_sqlite(conversations: int, turns: int, file: str) -> None:
    """The same in a SQLite file."""
    asyncio.run(_many(SQLiteStore(file), conversations, turns))


async def _many(store: Any, conversations: int, turns: int) -> None:
    own, model = host(store)
    for number in range(conversations):
        await converse(own, model, f"s{number}", turns)
