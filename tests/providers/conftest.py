"""Fixtures of the tests that speak to a real HTTP server."""

from tests.modelserver.fixtures import server

__all__ = ["server"]
