import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="package")
def _no_warnings_about_drawn_agents() -> Iterator[None]:
    """Thousands of agents are built, and most of them would be warned about."""
    log = logging.getLogger("falai")
    log.setLevel(logging.ERROR)
    yield
    log.setLevel(logging.NOTSET)
