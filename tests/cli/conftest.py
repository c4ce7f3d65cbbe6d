"""Files of a test's own, and the command over them."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from simulator.cli import main
from tests.simulator.conftest import write as write

Command = Callable[..., Result]


@pytest.fixture
def falai() -> Command:
    """Call the command; what it does not catch itself comes out."""

    def call(*args: str) -> Result:
        return CliRunner().invoke(main, args, catch_exceptions=False)

    return call
