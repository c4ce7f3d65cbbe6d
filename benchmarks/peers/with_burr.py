"""Burr: three actions over a state, saved by its persisters after every action, as Burr does."""

# pyright: reportMissingImports=false

from typing import Any

from burr.core import Application, ApplicationBuilder, State, action, default, when
from burr.core.persistence import InMemoryPersister, SQLLitePersister

from benchmarks.peers import talk

turn = 0
"""Which message is being answered."""

# pyright: reportMissingImports=false


@action(reads=["data", "messages"], writes=["data", "messages", "complete"])
def understand(state: State, message: str) -> State:
    data = {**state["data"], **talk.given_by(turn)}
    complete = all(name in data for name in talk.FIELDS)
    said = {"role": "user", "content": message}
    return state.update(data=data, complete=complete).append(messages=said)


@action(reads=["messages"], writes=["messages", "reply"])
def ask(state: State) -> State:
    text = talk.reply(turn)
    return state.update(reply=text).append(messages={"role": "assistant", "content": text})


@action(reads=["messages"], writes=["messages", "reply", "data"])
def finish(state: State) -> State:
    text = talk.reply(turn)
    said = {"role": "assistant", "content": text}
    return state.update(reply=text, data={}).append(messages=said)


def application(persister: Any, name: str) -> Application[Any]:
    builder = (
        ApplicationBuilder()
        .with_actions(understand, ask, finish)
        .with_transitions(
            ("understand", "finish", when(complete=True)),
            ("understand", "ask", default),
            ("ask", "understand"),
            ("finish", "understand"),
        )
        .with_identifiers(app_id=name, partition_key="bench")
        .initialize_from(
            persister,
            resume_at_next_action=True,
            default_state={"data": {}, "messages": [], "complete": False},
            default_entrypoint="understand",
        )
        .with_state_persister(persister)
    )
    return builder.build()


def _many(persister: Any, conversations: int, turns: int, *, load: bool) -> None:
    """Hold conversations; with `load`, each turn begins from what was saved."""
    global turn
    for number in range(conversations):
        app = application(persister, f"s{number}")
        for turn in range(turns):
            if load and turn:
                app = application(persister, f"s{number}")
            inputs = {"message": talk.message(turn)}
            _, _, state = app.run(halt_after=["ask", "finish"], inputs=inputs)
            assert state["reply"] == talk.reply(turn)


def in_memory(conversations: int, turns: int, *, load: bool = False) -> None:
    """So many conversations of so many turns; the application stays alive between them."""
    _many(InMemoryPersister(), conversations, turns, load=load)


def loaded(conversations: int, turns: int) -> None:
    """The same, each turn from what was saved, as with falai."""
    in_memory(conversations, turns, load=True)


def in_sqlite(conversations: int, turns: int, file: str) -> None:
    """In a SQLite file; the application stays alive between the turns."""
    persister = SQLLitePersister(db_path=file)
    persister.initialize()
    _many(persister, conversations, turns, load=False)
