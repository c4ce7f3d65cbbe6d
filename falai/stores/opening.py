"""A store by its URL, and in it a namespace that is removed when it was for a while only."""

from typing import Any, Generic, Protocol

from falai.errors import FlowConfigurationError
from falai.stores.base import Store
from falai.stores.memory import MemoryStore
from falai.words.generic import D

_SQL = frozenset({"postgresql", "postgres", "mysql", "mariadb"})
_REDIS = frozenset({"redis", "rediss"})
_FIX = "Write memory:, sqlite:///file, postgresql://…, mysql://…, mariadb://… or redis://…."


class OpenStore(Store[D], Protocol[D]):
    """A store that you are done with at some time."""

    async def remove_all(self) -> None:
        """Remove the sessions of the namespace; refused when there is none."""
        ...

    async def close(self) -> None:
        """Close what the store opened in the running event loop."""
        ...


async def open_store(url: str, *, namespace: str = "") -> OpenStore[Any]:
    """Open the store that a URL names, its table made when it is missing.

    `memory:`, `sqlite:///sessions.db` (`sqlite:////var/lib/sessions.db`), `postgresql://…`,
    `mysql://…` or `mariadb://…`, `redis://…`. Two namespaces do not see each other's sessions:
    each test or play may have its own, and `remove_all()` it in the end.

    Raises FlowConfigurationError for a URL, a server or a table that it cannot use.
    """
    # Each store is loaded when it is asked for: what they need is slow to load, or not there.
    scheme, _, rest = url.partition(":")
    if scheme == "memory":
        return _ClosableMemoryStore()
    if scheme == "sqlite":
        from falai.stores.sqlite import SQLiteStore

        return SQLiteStore[Any](_file_of(rest), namespace=namespace)
    if scheme.partition("+")[0] in {*_SQL, "sqlite"}:
        from falai.stores.sql import SqlStore

        return await SqlStore[Any].open(url, namespace=namespace)
    if scheme in _REDIS:
        from falai.stores.redis import RedisStore

        store = RedisStore[Any](url, namespace=namespace)
        await store.check()
        return store
    what = f'there is no store "{scheme}:"' if rest else "this is no URL"
    raise FlowConfigurationError.at("open_store", what, _FIX)


class _ClosableMemoryStore(MemoryStore[D], Generic[D]):
    """A namespace of its own by nature."""

    async def remove_all(self) -> None:
        self._rows.clear()

    async def close(self) -> None:
        """Nothing is open."""


def _file_of(rest: str) -> str:
    """The path of `sqlite:///path`, relative unless it begins with a fourth stroke."""
    if not rest.startswith("///") or not rest[3:]:
        what = f'"sqlite:{rest}" names no file'
        raise FlowConfigurationError.at("open_store", what, "Write sqlite:///sessions.db.")
    return rest[3:]
