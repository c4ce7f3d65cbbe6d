"""Plays scenarios a second time, in a fresh process with another hash seed: the bytes must agree."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from falai.shapes import is_list, is_mapping
from simulator.trace import Failure, ScenarioRecord
from simulator.tracefile import trace_text

_NOT_THERE = "not there"
"""What one of the two processes has where it does not have what the other has."""


class TwiceError(Exception):
    """The second process came to nothing: `what: why. how to fix.`"""


class Spot(NamedTuple):
    """The first place where two values differ."""

    path: str
    first: Any
    second: Any


class Twice:
    """What the other process made of every scenario."""

    def __init__(self, arguments: Sequence[str]) -> None:
        """Play with the arguments of `falai run`; raises TwiceError."""
        self._records = {_name(record): record for record in _played(arguments)}

    def judge(self, record: ScenarioRecord) -> None:
        """Let a scenario fail that did not come out the same."""
        if record.status == "error":
            return
        # The other process took secrets out of what it wrote.
        here = msgspec.json.decode(trace_text(record, os.environ))
        found = _between(here, self._records.get(_name(here)))
        if found is not None:
            record.failures = [*record.failures, _failure(record, found)]
            record.status = "failed"


def _between(here: Mapping[str, Any], there: Mapping[str, Any] | None) -> Spot | None:
    if there is None:
        return Spot("scenario", "played", "not played")
    if there["status"] == "error":
        return Spot("scenario", "played", there["failures"][0]["message"])
    first, second = _comparable(here), _comparable(there)
    if msgspec.json.encode(first) == msgspec.json.encode(second):
        return None
    return first_difference(first, second)


def _comparable(record: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same: not real time, nor the phases, which only a kept trace has."""
    turns = [
        {
            **{key: value for key, value in turn.items() if key != "phases"},
            "calls": [
                {key: value for key, value in call.items() if key != "durationMs"}
                for call in turn["calls"]
            ],
        }
        for turn in record["turns"]
    ]
    return {"turns": turns, "llmCalls": record["llmCalls"], "usage": record.get("usage")}


def _failure(record: ScenarioRecord, found: Spot) -> Failure:
    turn = _turn_of(record, found.path)
    where = f"turn {turn.entry}" if turn is not None else "the scenario"
    message = f"{where} came out otherwise in another process, with another hash seed"
    return Failure(
        line=turn.line if turn is not None else 1,
        path=f"twice.{found.path}",
        wanted=found.first,
        got=found.second,
        message=message,
    )


def _turn_of(record: ScenarioRecord, path: str) -> Any:
    number = path.removeprefix("turns[").partition("]")[0]
    is_turn = path.startswith("turns[") and number.isdecimal() and int(number) < len(record.turns)
    return record.turns[int(number)] if is_turn else None


def _name(record: Any) -> tuple[str, str]:
    if is_mapping(record):
        return str(record["file"]), str(record["scenario"])
    return record.file, record.scenario


def first_difference(first: Any, second: Any, path: str = "") -> Spot | None:
    """Where two JSON values begin to differ, in the order of the first."""
    if is_mapping(first) and is_mapping(second):
        return _first_of_mappings(first, second, path)
    if is_list(first) and is_list(second):
        for place, (one, other) in enumerate(zip(first, second, strict=False)):
            if found := first_difference(one, other, f"{path}[{place}]"):
                return found
        same = len(first) == len(second)
        return None if same else Spot(path, f"{len(first)} items", f"{len(second)} items")
    return None if type(first) is type(second) and first == second else Spot(path, first, second)


def _first_of_mappings(
    first: Mapping[str, Any], second: Mapping[str, Any], path: str
) -> Spot | None:
    for key in dict.fromkeys([*first, *second]):
        way = f"{path}.{key}" if path else key
        one, other = first.get(key, _NOT_THERE), second.get(key, _NOT_THERE)
        if found := first_difference(one, other, way):
            return found
    same = list(first) == list(second)
    return None if same else Spot(path, list(first), list(second))


def _played(arguments: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """The records of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        command = [sys.executable, "-m", "simulator", "run", "--json", str(file), *arguments]
        done = subprocess.run(
            command,
            env=_other_seed(os.environ),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        try:
            document = msgspec.json.decode(file.read_bytes())
        except (OSError, msgspec.DecodeError):
            told = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it said nothing"]
            what = f"--twice: the second process ended with code {done.returncode}"
            raise TwiceError(
                f"{what}: {told[0]}. Mend what it says, or leave --twice out."
            ) from None
    records: Sequence[Mapping[str, Any]] = document["scenarios"]
    return records


def _other_seed(environment: Mapping[str, str]) -> dict[str, str]:
    """A hash seed that is not the one of this process; what CI gets is written by this one."""
    seed = "1" if environment.get("PYTHONHASHSEED") != "1" else "2"
    return {**environment, "PYTHONHASHSEED": seed, "CI": ""}
