"""Tables of a database: making one for sessions, and saying why one cannot be used."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from falai.errors import FlowConfigurationError

_LONG_ID = 1020
"""Bytes of an id in MySQL, whose keys are limited: 255 characters of any kind."""
MYSQL = ("mysql", "mariadb")
"""What MySQL's two branches are called."""
_ROOMY = {"LONGTEXT", "MEDIUMTEXT", "LONGBLOB", "MEDIUMBLOB"}
"""What holds a session of any size in MySQL; TEXT ends at 64 KB."""
_EXACT = ("nopad_bin", "0900_bin")
"""How collations of MySQL end in which no two texts are the same."""


class Names(NamedTuple):
    """What a table and its columns are called."""

    schema: str | None
    table: str
    id: str
    version: str
    data: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.table}" if self.schema else self.table


class Kind(NamedTuple):
    """How a usable table keeps its texts."""

    id_is_bytes: bool
    id_length: int | None
    data_is_bytes: bool


def usable(connection: sa.Connection, names: Names, create: bool) -> Kind:
    """Find the table, made when it is missing; raises FlowConfigurationError naming what is wrong."""
    if not sa.inspect(connection).has_table(names.table, names.schema):
        if not create:
            raise _refused(names, ["there is no such table"])
        _create(connection, names)
    inspector = sa.inspect(connection)
    columns = {found["name"]: found for found in inspector.get_columns(names.table, names.schema)}
    wrong = [*_wrong_columns(columns, names, connection), *_not_unique(inspector, names)]
    wrong += _wrong_texts(connection, names)
    if wrong:
        raise _refused(names, wrong)
    key = columns[names.id]["type"]
    return Kind(
        _is_bytes(key), getattr(key, "length", None), _is_bytes(columns[names.data]["type"])
    )


def _refused(names: Names, wrong: list[str]) -> FlowConfigurationError:
    fix = "Mend the table, or name another one with table= and columns=."
    return FlowConfigurationError.at(f'SqlStore, table "{names}"', "; ".join(wrong), fix)


def _create(connection: sa.Connection, names: Names) -> None:
    key = sa.Text().with_variant(sa.VARBINARY(_LONG_ID), *MYSQL)
    data = sa.Text().with_variant(
        mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), *MYSQL
    )
    table = sa.Table(
        names.table,
        sa.MetaData(schema=names.schema),
        sa.Column(names.id, key, primary_key=True),
        sa.Column(names.version, sa.Integer, nullable=False),
        sa.Column(names.data, data, nullable=False),
    )
    try:
        table.create(connection, checkfirst=True)
    except DBAPIError:
        # Of two that make it at once, one is told that it is there.
        if not sa.inspect(connection).has_table(names.table, names.schema):
            raise


def _wrong_columns(
    columns: Mapping[str, ReflectedColumn], names: Names, connection: sa.Connection
) -> Iterator[str]:
    in_mysql = connection.dialect.name in MYSQL
    wanted = {
        names.id: (_is_key, "text or bytes of varying length"),
        names.version: (_is_number, "INTEGER or BIGINT"),
        names.data: (_is_roomy, "LONGTEXT or LONGBLOB" if in_mysql else "text or bytes, no limit"),
    }
    for name, (fits, what) in wanted.items():
        if name not in columns:
            yield f'column "{name}" is missing'
        elif not fits(columns[name]["type"], in_mysql):
            yield f'column "{name}" is {_spelt(columns[name]["type"])}, expected {what}'
    for name, column in columns.items():
        if name not in wanted and _must_be_given(column):
            yield f'column "{name}" is NOT NULL without a default, and no session has it'


def _spelt(kind: TypeEngine[Any]) -> str:
    return str(kind).partition(" ")[0]


def _is_bytes(kind: TypeEngine[Any]) -> bool:
    return isinstance(kind, sa.LargeBinary | sa.VARBINARY)


def _is_text(kind: TypeEngine[Any]) -> bool:
    # CHAR drops blanks at the end, CITEXT takes capitals for small letters.
    folded = sa.CHAR | sa.Enum | postgresql.CITEXT
    return isinstance(kind, sa.String) and not isinstance(kind, folded)


def _is_key(kind: TypeEngine[Any], in_mysql: bool) -> bool:
    return _is_text(kind) or _is_bytes(kind)


def _is_number(kind: TypeEngine[Any], in_mysql: bool) -> bool:
    small = kind.__visit_name__ in {"TINYINT", "SMALLINT", "small_integer"}
    return isinstance(kind, sa.Integer) and not small


def _is_roomy(kind: TypeEngine[Any], in_mysql: bool) -> bool:
    if in_mysql:
        return kind.__visit_name__ in _ROOMY
    return (_is_text(kind) or _is_bytes(kind)) and getattr(kind, "length", None) is None


def _must_be_given(column: ReflectedColumn) -> bool:
    by_itself = column.get("autoincrement") is True or "identity" in column or "computed" in column
    return not column["nullable"] and column["default"] is None and not by_itself


def _not_unique(inspector: sa.Inspector, names: Names) -> Iterator[str]:
    """An id that may stand twice lets two first messages begin two conversations."""
    place = (names.table, names.schema)
    unique = [inspector.get_pk_constraint(*place)["constrained_columns"]]
    if inspector.dialect.name not in MYSQL:  # where they are indexes, and are listed as such
        unique += [found["column_names"] for found in inspector.get_unique_constraints(*place)]
    for index in inspector.get_indexes(*place):
        options = index.get("dialect_options", {})
        # One with a condition or of the first letters is unique for some ids only.
        partial = any(name.endswith(("_where", "_length")) and options[name] for name in options)
        if index["unique"] and not partial:
            unique.append([name or "" for name in index["column_names"]])
    if [names.id] not in unique:
        yield f'column "{names.id}" is neither the primary key nor unique by itself'


def _wrong_texts(connection: sa.Connection, names: Names) -> Iterator[str]:
    """Texts that would not come back as they were, and ids that would be taken for each other."""
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            yield f"the database is encoded in {encoding}, expected UTF8"
    if connection.dialect.name in MYSQL:
        yield from _wrong_collations(connection, names)


def _wrong_collations(connection: sa.Connection, names: Names) -> Iterator[str]:
    spoken = connection.exec_driver_sql("SELECT @@character_set_connection").scalar()
    if spoken != "utf8mb4":
        yield f"the connection is encoded in {spoken}, expected utf8mb4"
    query = sa.text(
        "SELECT column_name, character_set_name, collation_name FROM information_schema.columns "
        "WHERE table_schema = coalesce(:schema, database()) AND table_name = :table"
    )
    for name, charset, collation in connection.execute(
        query, {"schema": names.schema, "table": names.table}
    ):
        if charset is None or name not in {names.id, names.data}:
            continue
        if charset != "utf8mb4":
            yield f'column "{name}" is encoded in {charset}, expected utf8mb4'
        elif name == names.id and not collation.endswith(_EXACT):
            what = "takes different ids for the same, expected VARBINARY or a collation of"
            yield f'column "{name}" ({collation}) {what} {" or ".join(_EXACT)}'
