"""The model server as a fixture: a conftest takes it over by importing it."""

from collections.abc import Iterator

import pytest

from tests.modelserver.server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A server of its own for every test; all of its answers must be asked for, and no more."""
    with ModelServer() as made:
        yield made
    assert not made.surprises, f"{made.surprises} requests had no answer"
    assert not made.leftovers, f"{made.leftovers} answers were not asked for"
