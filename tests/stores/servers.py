"""The real servers that stores are tested on, and rows of theirs as they stand there."""

import asyncio
import hashlib
import socket
from abc import ABC, abstractmethod
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import redis
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from falai import RedisStore, SQLiteStore, SqlStore, Store

POSTGRESQL = "postgresql+asyncpg://postgres@127.0.0.1:5432/test"
MARIADB = "mariadb+aiomysql://root@127.0.0.1:3306/test"
REDIS = "redis://127.0.0.1:6379/0"
SERVERS = {"postgresql": POSTGRESQL, "mariadb": MARIADB, "redis": REDIS}
PLACES = ("sqlite", "sql-sqlite", "postgresql", "mariadb", "redis")


def need(url: str) -> str:
    """The URL of a server; the test is skipped where it does not run."""
    parsed = sa.make_url(url)
    if parsed.port is not None:
        try:
            socket.create_connection(("127.0.0.1", parsed.port), timeout=5).close()
        except OSError:
            pytest.skip(f"no {parsed.get_backend_name()} answers at 127.0.0.1:{parsed.port}")
    return url


def name_of(folder: Path) -> str:
    """A name that no other test has, also of another run on the same server."""
    return f"t_{hashlib.sha256(str(folder).encode()).hexdigest()[:20]}"


def run_sql(url: str, *statements: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run statements; give the rows of the last one."""

    async def run() -> list[tuple[Any, ...]]:
        engine = create_async_engine(url)
        try:
            async with engine.begin() as connection:
                rows: list[tuple[Any, ...]] = []
                for statement in statements:
                    result = await connection.execute(sa.text(statement), values)
                    rows = [tuple(row) for row in result] if result.returns_rows else []
                return rows
        finally:
            await engine.dispose()

    return asyncio.run(run())


class Place(ABC):
    """Where a store keeps its rows, and the way past the store to a row."""

    @abstractmethod
    def open(self) -> Store:
        """The store."""

    @abstractmethod
    def put(self, session_id: str, version: object, data: bytes | None) -> None:
        """Write a row as it is."""

    @abstractmethod
    def row(self, session_id: str) -> tuple[Any, ...]:
        """A row as it is."""

    def remove(self) -> None:
        """Leave nothing behind."""
        return


class File(Place):
    """A file of SQLite."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "sessions.db"
        self.url = f"sqlite+aiosqlite:///{self.path}"
        self.store = SQLiteStore(self.path)

    def open(self) -> Store:
        return self.store

    def put(self, session_id: str, version: object, data: bytes | None) -> None:
        text = "CAST(:data AS TEXT)"  # bytes that are no UTF-8 stay what they are
        insert = f"INSERT INTO falai_sessions (id, version, data) VALUES (:id, :version, {text})"
        run_sql(self.url, insert, id=session_id, version=version, data=data)

    def row(self, session_id: str) -> tuple[Any, ...]:
        query = (
            "SELECT version, CAST(data AS BLOB), typeof(data) FROM falai_sessions WHERE id = :id"
        )
        return run_sql(self.url, query, id=session_id)[0]

    def remove(self) -> None:
        asyncio.run(self.store.close())


class Table(Place):
    """A table with names of its own that takes any bytes, and none."""

    def __init__(self, url: str, name: str, kinds: tuple[str, str]) -> None:
        self.url, self.name = url, name
        names = f"chat_id {kinds[0]} PRIMARY KEY, rev BIGINT, blob_ {kinds[1]}"
        run_sql(url, f"CREATE TABLE {name} ({names}, note INTEGER DEFAULT 3 NOT NULL)")

    def open(self) -> Store:
        columns = {"id": "chat_id", "version": "rev", "data": "blob_"}
        return asyncio.run(SqlStore.open(self.url, table=self.name, columns=columns, create=False))

    def put(self, session_id: str, version: object, data: bytes | None) -> None:
        value = "NULL" if data is None else ":data"
        if data is not None and self.url == MARIADB:  # whose driver binds no bytes
            value = f"FROM_BASE64('{b64encode(data).decode()}')"
        insert = f"INSERT INTO {self.name} (chat_id, rev, blob_) VALUES (:id, :version, {value})"
        given = {"id": session_id, "version": version}
        run_sql(self.url, insert, **given, **({"data": data} if ":data" in insert else {}))

    def row(self, session_id: str) -> tuple[Any, ...]:
        query = f"SELECT rev, blob_, note FROM {self.name} WHERE chat_id = :id"
        return run_sql(self.url, query, id=session_id)[0]

    def remove(self) -> None:
        run_sql(self.url, f"DROP TABLE {self.name}")


class Hashes(Place):
    """Keys of Redis that begin with a prefix."""

    def __init__(self, name: str) -> None:
        self.prefix = f"{name}:"
        self.redis: Any = redis.Redis.from_url(REDIS)

    def open(self) -> Store:
        return RedisStore(REDIS, prefix=self.prefix)

    def put(self, session_id: str, version: object, data: bytes | None) -> None:
        fields = {"version": version} | ({} if data is None else {"data": data})
        self.redis.hset(self.prefix + session_id, mapping=fields)

    def row(self, session_id: str) -> tuple[Any, ...]:
        return tuple(sorted(self.redis.hgetall(self.prefix + session_id).items()))

    def remove(self) -> None:
        keys = list(self.redis.scan_iter(f"{self.prefix}*", count=1000))
        if keys:
            self.redis.delete(*keys)
        self.redis.close()


def place_of(kind: str, folder: Path) -> Place:
    """One of PLACES, made; its `remove` is to be called in the end."""
    name = name_of(folder)
    if kind == "sqlite":
        return File(folder)
    if kind == "sql-sqlite":
        return Table(f"sqlite+aiosqlite:///{folder / 'own.db'}", name, ("TEXT", "BLOB"))
    if kind == "redis":
        need(REDIS)
        return Hashes(name)
    kinds = {"postgresql": ("VARCHAR(64)", "BYTEA"), "mariadb": ("VARBINARY(255)", "LONGBLOB")}
    return Table(need(SERVERS[kind]), name, kinds[kind])
