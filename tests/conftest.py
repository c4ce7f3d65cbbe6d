"""What holds for all tests: no machine's own settings reach them."""

import pytest


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under CI the command keeps traces by itself, and without colours a screen looks otherwise."""
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
