"""Turn inputs from scenario entries: what happens, and what the host knows at that moment."""

from typing import Any

from msgspec import UNSET

from simulator.scenario import (
    Entry,
    EventEntry,
    History,
    InputEntry,
    MessageEntry,
    Scenario,
    StartEntry,
)

_KNOWN = ("context", "anchors", "claims", "silenced")


def what_happens(entry: InputEntry) -> dict[str, Any]:
    """The one thing that an entry lets happen, as a turn takes it."""
    match entry:
        case MessageEntry():
            given: dict[str, Any] = {"message": entry.text, "id": entry.id}
            return given if entry.at is None else {**given, "at": entry.at}
        case EventEntry():
            event = {"event": entry.name, "key": entry.key, "hop": entry.hop}
            return event if entry.payload is UNSET else {**event, "payload": entry.payload}
        case StartEntry():
            start = {"flow": entry.flow, "key": entry.key, "hop": entry.hop}
            return {"start": start if entry.input is UNSET else {**start, "input": entry.input}}
        case _:
            raise TypeError(f"{type(entry).__name__} is no input of its own.")


def host_knows(scenario: Scenario, entry: Entry) -> dict[str, Any]:
    """What the host knows: what the entry says, else the scenario's default."""
    return {key: _said(key, scenario, entry) for key in _KNOWN}


def history_said(scenario: Scenario, entry: Entry) -> History:
    """Which history the entry passes, else the scenario's default."""
    return _said("history", scenario, entry)


def _said(key: str, scenario: Scenario, entry: Entry) -> Any:
    value = getattr(entry, key)
    return getattr(scenario, key) if value is UNSET else value
