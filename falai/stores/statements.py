"""The statements of the SQL store: each is whole by itself, so that a check and its write are one."""

from typing import Any

import sqlalchemy as sa

from falai.stores.tables import MYSQL, Kind, Names


class Statements:
    """What is asked of one table."""

    def __init__(self, names: Names, kind: Kind, backend: str) -> None:
        self._kind = kind
        self._table = sa.table(names.table, schema=names.schema)
        # MySQL's driver binds no bytes; the server takes a text for the bytes that it is sent as.
        takes_bytes = backend not in MYSQL
        self._bytes_key = kind.id_is_bytes and takes_bytes
        self._bytes_data = kind.data_is_bytes and takes_bytes
        self._id = _column(names.id, self._bytes_key)
        self._version: sa.ColumnClause[Any] = sa.column(names.version, sa.Integer)
        self._data = _column(names.data, self._bytes_data)
        for column in (self._id, self._version, self._data):
            self._table.append_column(column)
        # SQLite keeps any bytes in a column of text, and they are still to be read so as to say
        # what is wrong with them.
        self._read = sa.cast(self._data, sa.LargeBinary) if backend == "sqlite" else self._data

    def load(self, key: str) -> sa.Select[Any, Any]:
        """Version and data of a row."""
        return sa.select(self._version, self._read).where(self._id == self._key(key))

    def found(self, key: str) -> sa.Select[Any]:
        """The version of a row."""
        return sa.select(self._version).where(self._id == self._key(key))

    def insert(self, key: str, version: int, data: bytes) -> sa.Insert:
        """A row that must not be there."""
        row = {self._id: self._key(key), **self._values(version, data)}
        return sa.insert(self._table).values(row)

    def update(self, key: str, version: int, data: bytes, expected_version: int) -> sa.Update:
        """A row that must be there at the version that is expected."""
        same = (self._id == self._key(key)) & (self._version == expected_version)
        return sa.update(self._table).where(same).values(self._values(version, data))

    def remove(self, prefix: str) -> sa.Delete:
        """The rows whose ids begin with a prefix. LIKE would be no help: it may fold letters."""
        length = len(prefix.encode() if self._kind.id_is_bytes else prefix)
        begin = sa.func.substr(self._id, 1, length, type_=self._id.type)
        return sa.delete(self._table).where(begin == self._key(prefix))

    def _values(self, version: int, data: bytes) -> dict[sa.ColumnClause[Any], object]:
        return {self._version: version, self._data: data if self._bytes_data else data.decode()}

    def _key(self, key: str) -> str | bytes:
        self._check_length(key)
        return key.encode() if self._bytes_key else key

    def _check_length(self, key: str) -> None:
        """A server may cut an id that is too long, and two ids would meet."""
        limit = self._kind.id_length
        length = len(key.encode() if self._kind.id_is_bytes else key)
        if limit is not None and length > limit:
            what = "bytes" if self._kind.id_is_bytes else "characters"
            raise ValueError(
                f'session id "{key[:20]}…": is too long, {length} {what} where the table takes '
                f"{limit}. Use shorter ids, or a wider column."
            )


def _column(name: str, is_bytes: bool) -> sa.ColumnClause[Any]:
    return sa.column(name, sa.LargeBinary() if is_bytes else sa.String())
