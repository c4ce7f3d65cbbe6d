"""The store that a scenario plays on: in memory, or on a real one in a namespace of its own."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from falai.errors import FlowConfigurationError, SessionConflictError
from falai.stores.base import Store
from falai.stores.memory import MemoryStore
from falai.words.session import Session
from simulator.options import PlayOptions
from simulator.scenario import Scenario


@asynccontextmanager
async def store_of(scenario: Scenario, options: PlayOptions) -> AsyncGenerator[Store[Any]]:
    """The store of one play, empty; what the play leaves there is removed in the end.

    Raises ScenarioFileError for one that cannot be used.
    """
    wanted = options.store or scenario.store
    if wanted == "memory":
        yield MemoryStore()
    elif wanted == "sqlite":
        with TemporaryDirectory(prefix="falai-") as folder:
            async with _opened(f"sqlite:///{folder}/sessions.db", scenario) as store:
                yield store
    else:
        async with _opened(wanted, scenario) as store:
            yield store


@asynccontextmanager
async def _opened(url: str, scenario: Scenario) -> AsyncGenerator[Store[Any]]:
    from falai.stores.opening import open_store  # the drivers are slow to load

    try:
        # The name is this play's alone, and reaches nothing that is compared.
        store = await open_store(url, namespace=f"play-{uuid4().hex}")
    except FlowConfigurationError as error:
        spot = scenario.spot
        place = spot.at("store") if spot.has("store") else spot
        raise place.error(str(error)) from None
    try:
        yield store
    finally:
        await store.remove_all()
        await store.close()


async def seeded(store: Store[Any], session: Session[Any]) -> Store[Any]:
    """A store in which a session stands at its own version.

    A store writes a first row at version 1: the versions of that session are told as many higher.
    """
    if isinstance(store, MemoryStore):
        return MemoryStore([session])
    await store.save(replace(session, version=0), 0)
    return _Seeded(store, session.id, session.version - 1)


class _Seeded:
    """A store that tells the versions of one session higher than they are."""

    def __init__(self, store: Store[Any], session_id: str, higher: int) -> None:
        self._store = store
        self._session_id = session_id
        self._higher = higher

    async def load(self, session_id: str) -> Session[Any] | None:
        """Read a session; see Store."""
        session = await self._store.load(session_id)
        if session is None or session_id != self._session_id:
            return session
        return replace(session, version=session.version + self._higher)

    async def save(self, session: Session[Any], expected_version: int) -> Session[Any]:
        """Write a session one version on; see Store."""
        if session.id != self._session_id:
            return await self._store.save(session, expected_version)
        try:
            stored = await self._store.save(session, expected_version - self._higher)
        except SessionConflictError as error:
            found = error.actual_version
            found = None if found is None else found + self._higher
            raise SessionConflictError(session.id, expected_version, found) from None
        return replace(stored, version=stored.version + self._higher)
