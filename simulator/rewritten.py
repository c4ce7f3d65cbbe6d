"""Writes a scenario that was played on: its entries with what came of them, then what was live."""

import os.path
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from falai.shapes import is_list, is_mapping
from simulator.continued import Continued, is_scripted
from simulator.load import SUFFIXES
from simulator.trace import TurnRecord
from simulator.written import item_text, items_of, played_of
from simulator.yamlout import yaml_text

_INPUTS = ("message", "event", "start", "wake")
_OWN = ("model", "expect", "exactly", "fired")
"""What is written anew."""
_LEFT_OUT = ("turns", "matrix", "provider", "budget", "scenario")
"""Top-level keys that held for the first scenario: every reply is written down now, and what
is spent has another end."""


def continued_text(play: Continued, *, title: str, file: Path, since: int = 1) -> str:
    """A scenario that plays all of it and expects the same to come of it, to lie in `file`.

    Entries before number `since` stay as they were written, if their replies were too.
    """
    scenario = play.scenario
    raw: Mapping[str, Any] = scenario.spot.value
    move = Mover(scenario.spot.source.path.parent, file.parent)
    head = {key: value for key, value in raw.items() if key not in _LEFT_OUT}
    keep = since if is_scripted(scenario) else 1
    writer = _Writer(play.stage.records, keep)
    items = [item_text(move.entry(item)) for item in writer.entries(raw["turns"])]
    items += items_of(play.happenings, writer.data_of(play.session_id))
    text = yaml_text({"scenario": title, **move.head(head)})
    return f"{text}\nturns:\n" + "\n".join(items)


class _Writer:
    """Follows the turns of a play, and writes the entries that they belong to."""

    def __init__(self, records: Sequence[TurnRecord], keep: int) -> None:
        self._records = {record.entry: record for record in records}
        self._keep = keep
        self._data: dict[str, Mapping[str, Any]] = {}

    def data_of(self, session_id: str) -> Mapping[str, Any]:
        """What the session holds after all that was written."""
        return self._data.get(session_id, {})

    def entries(self, raw: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """The entries, each with what came of it."""
        for number, entry in enumerate(raw, 1):
            yield self._entry(number, entry)

    def _entry(self, number: int, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        if "race" in entry:
            for racer in ("a", "b"):
                self._seen(f"{number}{racer}")
            return entry
        bare = {key: value for key, value in entry.items() if key not in _OWN}
        if any(key in entry for key in _INPUTS):
            written = {**bare, **self._played(str(number))}
        elif "advance" in entry:
            fired = list(self._fired(number, entry.get("fired")))
            written = {**bare, **({"fired": fired} if fired else {})}
        else:
            return entry
        return entry if number < self._keep else written

    def _fired(self, number: int, raw: Any) -> Iterator[Mapping[str, Any]]:
        listed: Sequence[Mapping[str, Any]] = raw if is_list(raw) else ()
        nothing: Mapping[str, Any] = {}
        place = 0
        while (name := f"{number}.{place + 1}") in self._records:
            own = listed[place] if place < len(listed) else nothing
            kept = {key: value for key, value in own.items() if key not in _OWN}
            yield {**kept, **self._played(name)}
            place += 1

    def _played(self, name: str) -> dict[str, Any]:
        """What the model answered in a turn, and what came of it; nothing where none was played."""
        record = self._records.get(name)
        if record is None:
            return {}
        before = self.data_of(_session(record))
        self._seen(name)
        return played_of(record, before)

    def _seen(self, name: str) -> None:
        record = self._records.get(name)
        if record is not None and record.result is not None:
            self._data[_session(record)] = record.result.session.data


def _session(record: TurnRecord) -> str:
    return str(record.input.get("sessionId", ""))


class Mover:
    """Writes the paths of a file so that they hold in another folder."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source = source
        self._target = target

    def head(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The keys of a scenario without its turns."""
        moved = self.entry(raw)
        given = moved.get("given")
        if is_mapping(given) and "session" in given:
            moved["given"] = {**given, "session": self._moved(given["session"])}
        return moved

    def entry(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The same for an entry: it may name another agent."""
        agent = raw.get("agent")
        if is_mapping(agent) and is_list(agent.get("flows")):
            agent = {**agent, "flows": [self._moved(flow) for flow in agent["flows"]]}
        return {**raw, "agent": self._moved(agent)} if agent is not None else dict(raw)

    def _moved(self, name: Any) -> Any:
        """A path as it is seen from the other folder; anything else as it is."""
        if not isinstance(name, str) or not name.lower().endswith(SUFFIXES):
            return name
        if Path(name).is_absolute():
            return name
        return Path(os.path.relpath(self._source / name, self._target)).as_posix()
