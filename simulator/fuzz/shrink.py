"""Makes the smallest conversation of one that fails: it still fails for the same reason."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from falai.clock import FakeClock
from falai.shapes import is_list, is_mapping
from simulator.behind import Behind
from simulator.fuzz.reason import Reason, reason_of
from simulator.fuzz.subject import Raw, Subject
from simulator.place import ScenarioFileError
from simulator.play import Player
from simulator.trace import Failure

Turns = list[Raw]
Enough = Callable[[], bool]
"""Whether the time to shrink is over."""


def failure_of(subject: Subject, turns: Sequence[Raw], reason: Reason) -> Failure | None:
    """How a scenario of these entries fails for a reason; None when it does not."""
    if not turns:
        return None
    try:
        failures = asyncio.run(_failures(subject, turns))
    except ScenarioFileError:
        return None
    return next((it for it in failures if reason_of(it) == reason), None)


async def _failures(subject: Subject, turns: Sequence[Raw]) -> Sequence[Failure]:
    scenario = subject.scenario(turns)
    player = Player(scenario, FakeClock(scenario.clock), Behind(), source=subject.source)
    await player.play()
    return player.verdict.failures


def shrink(subject: Subject, turns: Sequence[Raw], reason: Reason, enough: Enough) -> Turns:
    """Take away whatever is not needed, until nothing more can go or there is no time left."""
    shrinker = _Shrinker(subject, reason, enough)
    smaller, current = shrinker.smaller(list(turns)), list(turns)
    while smaller is not None:
        current, smaller = smaller, shrinker.smaller(smaller)
    return current


class _Shrinker:
    """Tries changes, each of them once."""

    def __init__(self, subject: Subject, reason: Reason, enough: Enough) -> None:
        self._subject = subject
        self._reason = reason
        self._enough = enough
        self._tried: set[bytes] = set()

    def smaller(self, turns: Turns) -> Turns | None:
        """The first of the smaller conversations that still fails."""
        for candidate in shrink_candidates(turns):
            if self._enough():
                return None
            if self._fails(candidate):
                return candidate
        return None

    def _fails(self, turns: Turns) -> bool:
        key = msgspec.json.encode(turns)
        if key in self._tried:
            return False
        self._tried.add(key)
        return failure_of(self._subject, turns, self._reason) is not None


def shrink_candidates(turns: Turns) -> Iterator[Turns]:
    """Smaller conversations, those that are much smaller first."""
    yield from _without_some(turns)
    for at, entry in enumerate(turns):
        for simpler in _simpler_entries(entry):
            yield [*turns[:at], simpler, *turns[at + 1 :]]


def _without_some(turns: Turns) -> Iterator[Turns]:
    size = len(turns) // 2
    while size:
        for at in range(len(turns) - size, -1, -1):
            yield [*turns[:at], *turns[at + size :]]
        size //= 2


# --- one entry ----------------------------------------------------------------------------------

_BESIDE = ("model", "lost", "actions", "session", "context", "anchors", "silenced", "fire")
_FAULTS = ("deliver", "crash")
_NAMES = ("id", "key")


def _simpler_entries(entry: Raw) -> Iterator[Raw]:
    if "race" in entry:
        yield from entry["race"]
    for key in (*_BESIDE, *_FAULTS, "payload", "at", *_NAMES):
        if key in entry:
            yield _without(entry, key)
    yield from _simpler_start(entry)
    if isinstance(entry.get("message"), str) and entry["message"] != "oi":
        yield {**entry, "message": "oi"}
    if "model" in entry:
        yield from ({**entry, "model": model} for model in _simpler_scripts(entry["model"]))
    if "lost" in entry:
        lost = _simpler_scripts(entry["lost"]["model"])
        yield from ({**entry, "lost": {"model": model}} for model in lost)
    for at, racer in enumerate(entry.get("race", ())):
        for simpler in _simpler_entries(racer):
            race = [*entry["race"]]
            race[at] = simpler
            yield {**entry, "race": race}


def _simpler_start(entry: Raw) -> Iterator[Raw]:
    start = entry.get("start")
    if is_mapping(start):
        if set(start) == {"flow"}:
            yield {**entry, "start": start["flow"]}
        for key in ("input", "key"):
            if key in start:
                yield {**entry, "start": _without(start, key)}


def _without(mapping: Any, key: str) -> Raw:
    return {name: value for name, value in mapping.items() if name != key}


# --- what the model answers ---------------------------------------------------------------------


def _simpler_scripts(script: Raw) -> Iterator[Raw]:
    for purpose, replies in script.items():
        if len(script) > 1:
            yield _without(script, purpose)
        for simpler in _simpler_replies(replies):
            yield {**script, purpose: simpler}


def _simpler_replies(replies: Any) -> Iterator[Any]:
    if not is_list(replies):
        yield from _simpler_values(replies)
        return
    yield from replies
    yield replies[:-1] if len(replies) > 2 else replies[0]
    for at, reply in enumerate(replies):
        for simpler in _simpler_values(reply):
            yield [*replies[:at], simpler, *replies[at + 1 :]]


def _simpler_values(value: Any) -> Iterator[Any]:
    """A value with less in it, at any depth."""
    if is_mapping(value):
        for key in value:
            if len(value) > 1:
                yield _without(value, key)
        for key, item in value.items():
            yield from ({**value, key: simpler} for simpler in _simpler_values(item))
    elif isinstance(value, str) and len(value) > 100:
        yield value[: len(value) // 2]
