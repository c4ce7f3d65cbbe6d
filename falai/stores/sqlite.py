"""The SQLite store: a file beside the program, nothing to install, nothing to run."""

import asyncio
import os
import sqlite3
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Generic, cast

import msgspec
from msgspec.structs import replace

from falai.errors import FlowConfigurationError
from falai.stores.naming import check_removal, prefix_of
from falai.stores.rows import read_row, refusal
from falai.words.generic import D
from falai.words.session import Session

_CREATE = """CREATE TABLE IF NOT EXISTS falai_sessions (
    id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, data TEXT NOT NULL)"""
_COLUMNS = {"id": ("TEXT", 1), "version": ("INTEGER", 0), "data": ("TEXT", 0)}
"""Type and place in the primary key."""
_LOAD = "SELECT version, CAST(data AS BLOB) FROM falai_sessions WHERE id = ?"
_FOUND = "SELECT version FROM falai_sessions WHERE id = ?"
_INSERT = "INSERT INTO falai_sessions (version, data, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_UPDATE = "UPDATE falai_sessions SET version = ?, data = ? WHERE id = ? AND version = ?"
_REMOVE = "DELETE FROM falai_sessions WHERE substr(id, 1, ?) = ?"
_PATIENCE = 30
"""Seconds that a write waits for another process that writes."""


class SQLiteStore(Generic[D]):
    """Keeps sessions in a file: `SQLiteStore("sessions.db")`. Several processes may share it.

    Makes the file and its table when they are missing. Raises FlowConfigurationError for
    `:memory:` and for a file or a table that it cannot use.
    """

    def __init__(self, path: str | os.PathLike[str], *, namespace: str = "") -> None:
        """Open the file; ids of another `namespace` are out of sight."""
        self._path = Path(path)
        self._namespace = namespace
        self._prefix = prefix_of(namespace)
        self._lock = threading.Lock()
        self._connections: dict[int, sqlite3.Connection] = {}
        """By process: one that was forked must leave its parent's connection alone."""
        _check_path(self._path)
        try:
            self._prepare()
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None

    async def load(self, session_id: str) -> Session[D] | None:
        """Read a session; see Store."""
        rows, _ = await asyncio.to_thread(self._run, _LOAD, self._prefix + session_id)
        if not rows:
            return None
        return cast("Session[D]", read_row(session_id, *rows[0]))

    async def save(self, session: Session[Any], expected_version: int) -> Session[D]:
        """Write a session one version on; see Store."""
        stored = replace(session, version=expected_version + 1)
        key = self._prefix + session.id
        row = (stored.version, msgspec.json.encode(stored).decode(), key)
        if expected_version == 0:
            _, written = await asyncio.to_thread(self._run, _INSERT, *row)
        else:
            _, written = await asyncio.to_thread(self._run, _UPDATE, *row, expected_version)
        if not written:
            found, _ = await asyncio.to_thread(self._run, _FOUND, key)
            raise refusal(session.id, expected_version, found[0] if found else None)
        return stored

    async def remove_all(self) -> None:
        """Remove the sessions of the namespace."""
        check_removal(self._namespace)
        await asyncio.to_thread(self._run, _REMOVE, len(self._prefix), self._prefix)

    async def close(self) -> None:
        """Let the file go; a later load or save opens it again."""
        with self._lock:
            connection = self._connections.pop(os.getpid(), None)
            if connection is not None:
                connection.close()

    def _run(self, statement: str, *values: str | int) -> tuple[list[tuple[Any, ...]], int]:
        """Run one statement, which is one transaction; give its rows and how many it wrote."""
        with self._lock:
            cursor = self._connection().execute(statement, values)
            return cursor.fetchall(), cursor.rowcount

    def _connection(self) -> sqlite3.Connection:
        process = os.getpid()
        if process not in self._connections:
            self._connections[process] = sqlite3.connect(
                self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            _set_up(self._connections[process])
        return self._connections[process]

    def _prepare(self) -> None:
        self._run(_CREATE)
        rows, _ = self._run("SELECT name, type, pk FROM pragma_table_info('falai_sessions')")
        columns = {name: (kind.upper(), key) for name, kind, key in rows}
        for name, (kind, key) in _COLUMNS.items():
            if name not in columns:
                raise self._unusable(f'table "falai_sessions" has no column "{name}"')
            if columns[name] != (kind, key):
                wanted = f"{kind}, the primary key" if key else kind
                raise self._unusable(f'column "{name}" of "falai_sessions" is not {wanted}')

    def _unusable(self, why: str) -> FlowConfigurationError:
        # A constructor that fails has no owner who could close what it opened.
        for connection in self._connections.values():
            connection.close()
        fix = "Take another file, or SqlStore for a table of your own."
        return FlowConfigurationError.at(f'SQLiteStore "{self._path}"', why, fix)


def _check_path(path: Path) -> None:
    where = f'SQLiteStore "{path}"'
    if str(path) == ":memory:":
        why = "keeps sessions in a file, and this is none"
        raise FlowConfigurationError.at(where, why, "Use MemoryStore() for a store in memory.")
    if not path.parent.is_dir():
        why = f'the folder "{path.parent}" does not exist'
        raise FlowConfigurationError.at(where, why, "Make it first.")


def _set_up(connection: sqlite3.Connection) -> None:
    # A value that is no UTF-8 is still to be read, so as to say what is wrong with it.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    # Readers need not wait for a writer then. Another process may have the file locked right
    # now; the next one to open it sets the mode, and without it all is as safe.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
