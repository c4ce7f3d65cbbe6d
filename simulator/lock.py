"""The lock: how many model calls each turn of each scenario may spend, as it was when accepted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from simulator.load import load_document
from simulator.mismatch import one_line
from simulator.spot import Spot
from simulator.trace import Failure, ScenarioRecord

Calls: TypeAlias = Mapping[str, Mapping[str, Sequence[int]]]
"""By file and title: the calls of each turn, in order."""

_HEAD = "# Model calls of each turn. A turn that spends more fails; accept it with --update-lock."
_FIX = "Write it anew with falai run --update-lock."


class Lock:
    """What every turn spent when it was last accepted."""

    def __init__(self, calls: Calls, file: Path) -> None:
        self.calls = calls
        self._file = file

    def judge(self, record: ScenarioRecord) -> None:
        """Let a scenario fail in which a turn spent more than before."""
        if record.status == "error":
            return
        locked = self.calls.get(_name(record), {}).get(record.scenario)
        if locked is None:
            record.notes = [*record.notes, f"not in {self._file}: --update-lock adds it"]
            return
        found = [
            _failure(turn.entry, turn.line, before, len(turn.calls))
            for turn, before in zip(record.turns, locked, strict=False)
            if len(turn.calls) > before
        ]
        if found:
            record.failures = [*record.failures, *found]
            record.status = "failed"
        elif len(locked) != len(record.turns) or spent(record) != list(locked):
            record.notes = [*record.notes, f"spends less than {self._file}, or has other turns"]


def _failure(entry: str, line: int, before: int, now: int) -> Failure:
    message = f"turn {entry} made more model calls than the lock has"
    return Failure(line=line, path="lock", wanted=before, got=now, message=message)


def spent(record: ScenarioRecord) -> list[int]:
    """The model calls of each turn."""
    return [len(turn.calls) for turn in record.turns]


def read_lock(file: Path) -> Lock:
    """Read a lock; raises ScenarioFileError for a file that is none, or is not there."""
    document = load_document(file)
    spot = document.spot
    if not spot.is_mapping or spot.value.get("lock") != 1:
        raise spot.error("this is no lock of calls", _FIX)
    spot.mapping(("lock", "scenarios"))
    scenarios = spot.need("scenarios")
    return Lock({name: _titles(scenarios.at(name)) for name in scenarios.mapping()}, file)


def _titles(spot: Spot) -> Mapping[str, Sequence[int]]:
    return {title: [call.whole() for call in spot.at(title).items()] for title in spot.mapping()}


def lock_text(file: Path, records: Iterable[ScenarioRecord]) -> str:
    """The lock with what every turn spent now; scenarios that were not played keep their lines.

    Raises ScenarioFileError when another file is there.
    """
    calls: dict[str, dict[str, list[int]]] = {}
    if file.exists():
        for name, titles in read_lock(file).calls.items():
            calls[name] = {title: list(turns) for title, turns in titles.items()}
    for record in records:
        if record.status != "error":
            calls.setdefault(_name(record), {})[record.scenario] = spent(record)
    return "".join(f"{line}\n" for line in _lines(calls))


def _lines(calls: Calls) -> Iterator[str]:
    """A line for each scenario, in order, so that two changes of the file seldom meet."""
    yield from (_HEAD, "lock: 1", "scenarios:" if calls else "scenarios: {}")
    for name in sorted(calls):
        yield f"  {one_line(name)}:"
        for title in sorted(calls[name]):
            yield f"    {one_line(title)}: {one_line(calls[name][title])}"


def _name(record: ScenarioRecord) -> str:
    """The file of a scenario, the same on every machine."""
    return Path(record.file).as_posix()
