"""Reads the URL of a SQL database, and makes the engine that connects to it."""

from typing import TYPE_CHECKING

from falai.errors import FlowConfigurationError
from falai.stores.naming import missing_package

if TYPE_CHECKING:
    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncEngine

_DRIVERS = {
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
    "mysql": "mysql+aiomysql",
    "mariadb": "mariadb+aiomysql",
    "sqlite": "sqlite+aiosqlite",
}
"""The asynchronous driver of a database, when the URL names none."""
_URL_FIX = (
    'Write it like "postgresql://user@host/database", mysql:, mariadb: or sqlite:; percent-encode '
    "what is special in a password."
)


def read_url(given: "str | URL") -> "URL":
    """The URL with its asynchronous driver; raises FlowConfigurationError for one of no database."""
    from sqlalchemy import make_url  # an extra, and slow to load
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(given)
        url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
        url.get_dialect().import_dbapi()
    except ModuleNotFoundError as error:
        raise missing_package("SqlStore", error) from None
    except (ArgumentError, ValueError):  # its words may quote a piece of the password
        raise FlowConfigurationError.at("SqlStore", "the URL cannot be read", _URL_FIX) from None
    if url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}:
        why = "a database in memory lives as long as one connection"
        raise FlowConfigurationError.at("SqlStore", why, "Name a file, or use MemoryStore().")
    return _as_spelt_by(url)


def _as_spelt_by(url: "URL") -> "URL":
    """Most tools say `sslmode`; asyncpg, which takes the same words, says `ssl`."""
    mode = url.query.get("sslmode")
    if mode is None or url.get_driver_name() != "asyncpg":
        return url
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})


def make_engine(url: "URL") -> "AsyncEngine":
    """An engine each of whose statements is a transaction, unless somebody begins one."""
    from sqlalchemy.ext.asyncio import create_async_engine  # an extra, and slow to load

    return create_async_engine(
        url,
        isolation_level="AUTOCOMMIT",
        pool_pre_ping=True,
        hide_parameters=True,  # an error would quote the customer
    )


async def dispose(engine: "AsyncEngine") -> None:
    """Close its connections."""
    await engine.dispose()
