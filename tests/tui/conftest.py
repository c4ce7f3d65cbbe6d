"""Screens that are the same on every machine."""

import pytest


@pytest.fixture(autouse=True)
def _still_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No colours of somebody's own, and a terminal that every machine has."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
