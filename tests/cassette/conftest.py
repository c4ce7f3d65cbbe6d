"""A folder of a test's own, and an environment without keys."""

from pathlib import Path

import pytest

from tests.cassette.kit import SCENARIO
from tests.cli.conftest import falai as falai
from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine's own keys neither help nor be scrubbed."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def scenario(write: Write) -> Path:
    """The scenario, in the current folder."""
    return write("s.yaml", SCENARIO)
