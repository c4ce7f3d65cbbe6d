"""A slip anywhere in a good file: reader and schema judge it alike, as far as a schema can see."""

import copy
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulator.load import load_document
from simulator.place import KeyPath
from simulator.reply import PURPOSES
from tests.property.profile import checked
from tests.simulator.schema_kit import complaint, errors, repository, written

LARGE = 8_000
"""Characters of a file that would only take longer."""
FILES = [(file, kind) for file, kind in repository() if file.stat().st_size < LARGE]
VALUES = {file: load_document(file).value for file, _ in FILES}
ODD: list[Any] = [3, -1, 1.5, True, "odd", "", [], {}, ["odd"], {"odd": 1}]


@pytest.fixture(autouse=True, scope="module")
def _no_warnings() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def ways(value: Any, way: KeyPath = ()) -> Iterator[KeyPath]:
    """The way to every value under a key."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*way, key)
            yield from ways(item, (*way, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from ways(item, (*way, index))


def holder(value: Any, way: KeyPath) -> dict[str, Any]:
    for step in way[:-1]:
        value = value[step]
    return value


def is_read_tolerantly(way: KeyPath) -> bool:
    """Whether it is a key of a model's reply: a reader suspects some, and a schema none."""
    inside = [key for key in way[:-1] if isinstance(key, str)]
    return inside[-1:] in [[purpose] for purpose in PURPOSES]


def misspelt(value: Any, way: KeyPath, old: str, new: str) -> Any:
    """A copy of a file in which one key is spelt in another way; the order stays."""
    changed = copy.deepcopy(value)
    inner = holder(changed, way)
    renamed = {new if key == old else key: item for key, item in inner.items()}
    inner.clear()
    inner.update(renamed)
    return changed


def is_about(message: str, old: str, new: str) -> bool:
    """Whether a reader complains of a key that it does not know, or of the one that is gone."""
    names = (f'key "{new}"', f"has no {old}.", f"lacks {old}.")
    return any(name in message for name in names)


@checked
@given(st.data())
def test_a_misspelt_key_is_refused_where_the_reader_refuses_it(data: st.DataObject):
    file, kind = data.draw(st.sampled_from(FILES))
    value = VALUES[file]
    way = data.draw(st.sampled_from([*ways(value)]))
    old = str(way[-1])
    new = data.draw(st.sampled_from([f"{old}s", f"{old}x", f"{old[1:]}{old[:1]}", old.title()]))
    beside = holder(value, way)
    # A null may stand under any key of a flow.
    assume(new not in beside and beside[old] is not None and not is_read_tolerantly(way))
    changed = misspelt(value, way, old, new)
    told, found = complaint(kind, written(changed, file)), errors(kind, changed)
    if told is None:
        assert found == []
    elif is_about(str(told), old, new):
        assert found != []


@checked
@given(st.data())
def test_a_file_that_a_reader_takes_is_never_refused(data: st.DataObject):
    """Whatever stands in the place of some value."""
    # A flow's file is read without its durations: those are for its agent to judge.
    file, kind = data.draw(st.sampled_from([some for some in FILES if some[1] != "flow"]))
    changed = copy.deepcopy(VALUES[file])
    way = data.draw(st.sampled_from([*ways(changed)]))
    holder(changed, way)[str(way[-1])] = data.draw(st.sampled_from(ODD))
    if complaint(kind, written(changed, file)) is None:
        assert errors(kind, changed) == []
