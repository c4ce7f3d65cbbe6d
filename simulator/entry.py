"""Reads the entries of `turns`: what happens, what the model answers, what is expected."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from falai.turn.silence import PREFIX as SILENCE
from simulator.entrykeys import (
    BLOCKS,
    COMMON,
    ENTRY_KEYS,
    HOST_READERS,
    PLAY,
    check_fired_keys,
    check_keys,
    check_racer_keys,
    unknown_key,
)
from simulator.expression import check_expressions
from simulator.place import ScenarioFileError, nearest
from simulator.reply import read_script
from simulator.scenario import (
    AdvanceEntry,
    ClockEntry,
    EventEntry,
    ExpectEntry,
    FiredEntry,
    Lost,
    MessageEntry,
    RaceEntry,
    Racer,
    StartEntry,
    TurnEntry,
    WakeEntry,
)
from simulator.spot import Spot, described

Parts: TypeAlias = dict[str, Any]
"""Keyword arguments of an entry."""

_WAKES = "Write next, {flow: id}, or a whole key such as triagem#m1:espera:1767607200000."
LOST_KEYS = ("model", "expect", "exactly")


def read_entries(spot: Spot) -> tuple[TurnEntry, ...]:
    """Read the list of turn entries; raises ScenarioFileError at the first mistake."""
    entries: list[TurnEntry] = []
    for number, item in enumerate(spot.items(), 1):
        kind = _kind(item, _KINDS)
        check_keys(item, kind)
        entries.append(_KINDS[kind](item, number, ""))
        if spot.source.has_expressions:
            _check_expressions(item)
    return tuple(entries)


def _check_expressions(spot: Spot) -> None:
    for key, item in spot.entries():
        if key not in ("agent", "note"):
            check_expressions(item)


# --- which entry it is --------------------------------------------------------------------------


def _kind(spot: Spot, kinds: Mapping[str, object]) -> str:
    """The one key that says what happens."""
    value = spot.mapping(fix="Write it as a mapping such as {message: oi}.")
    found = [key for key in value if key in _KINDS and key != "expect"]
    if len(found) > 1:
        fix = "Write two entries, one after the other."
        what = f"an entry does one thing, and this one has both {found[0]} and {found[1]}"
        raise spot.stranger(found[1], what, fix)
    if not found and ("expect" in value or "exactly" in value):
        found = ["expect"]
    if not found:
        raise _says_nothing(spot, kinds)
    if found[0] not in kinds:
        what = f"a race is between two inputs, and {found[0]} is none"
        raise spot.at(found[0]).error(what, f"Use {', '.join(kinds)}.", key=True)
    return found[0]


def _says_nothing(spot: Spot, kinds: Mapping[str, object]) -> ScenarioFileError:
    """The error for an entry that has no kind; a misspelt one is the likeliest reason."""
    for key in spot.mapping():
        if key not in ENTRY_KEYS:
            return unknown_key(spot, key, ENTRY_KEYS)
    return spot.error("this entry does not say what happens", f"Add one of: {', '.join(kinds)}.")


def _common(spot: Spot, number: int, readers: Mapping[str, Callable[[Spot], Any]]) -> Parts:
    parts: Parts = {"number": number, "spot": spot}
    for key in spot.mapping():
        read = readers.get(key)
        if read is not None:
            parts[key] = read(spot.at(key))
    return parts


# --- one reader for each kind -------------------------------------------------------------------


def _message(spot: Spot, number: int, suffix: str) -> MessageEntry:
    parts = _common(spot, number, PLAY)
    parts["id"] = spot.optional("id", Spot.text) if spot.has("id") else f"m{number}{suffix}"
    parts["at"] = spot.optional("at", Spot.instant)
    return MessageEntry(text=spot.at("message").text(), **parts)


def _event(spot: Spot, number: int, suffix: str) -> EventEntry:
    parts = _common(spot, number, PLAY)
    parts.update(_keyed(spot, f"e{number}{suffix}"))
    if spot.has("payload"):
        parts["payload"] = spot.value["payload"]
    return EventEntry(name=spot.at("event").text(), **parts)


def _start(spot: Spot, number: int, suffix: str) -> StartEntry:
    parts = _common(spot, number, PLAY)
    start = spot.at("start")
    if start.is_mapping:
        start.mapping(("flow", "input", "key", "hop"))
        for key in ("input", "key", "hop"):
            if spot.has(key):
                fix = "Write it inside start."
                raise spot.at(key).error(f"{key} cannot stand beside start", fix, key=True)
        inner, flow = start, start.need("flow")
    else:
        inner, flow = spot, start
    parts.update(_keyed(inner, f"k{number}{suffix}"))
    if inner.has("input"):
        parts["input"] = inner.value["input"]
    return StartEntry(flow=flow.text(), **parts)


def _keyed(spot: Spot, default: str) -> Parts:
    return {
        "key": spot.at("key").text() if spot.has("key") else default,
        "hop": spot.at("hop").whole() if spot.has("hop") else 0,
    }


def _wake(spot: Spot, number: int, _suffix: str) -> WakeEntry:
    parts = _common(spot, number, PLAY)
    which = spot.at("wake")
    if which.is_mapping:
        which.mapping(("flow",))
        return WakeEntry(flow=which.need("flow").text(), **parts)
    key = which.text()
    if key == "next":
        return WakeEntry(**parts)
    if not ("#" in key or "${" in key or key.startswith(SILENCE)):
        fix = 'Did you mean "next"?' if nearest(key, ("next",)) else _WAKES
        raise which.error(f"wake cannot be {described(key)}", fix)
    return WakeEntry(key=key, **parts)


def _advance(spot: Spot, number: int, _suffix: str) -> AdvanceEntry:
    parts = _common(spot, number, COMMON)
    fire = spot.at("fire").flag() if spot.has("fire") else True
    if spot.has("fired"):
        if not fire:
            fix = "Remove one of them."
            raise spot.at("fired").error("nothing fires with fire: false", fix, key=True)
        inherited = {key: parts[key] for key in HOST_READERS if key in parts}
        parts["fired"] = tuple(
            _fired(item, position, inherited)
            for position, item in enumerate(spot.at("fired").items(), 1)
        )
    return AdvanceEntry(by_ms=spot.at("advance").duration(), fire=fire, **parts)


def _fired(spot: Spot, number: int, inherited: Parts) -> FiredEntry:
    check_fired_keys(spot)
    return FiredEntry(**{**inherited, **_common(spot, number, PLAY)})


def _clock(spot: Spot, number: int, _suffix: str) -> ClockEntry:
    parts = _common(spot, number, COMMON)
    back = spot.at("back").flag() if spot.has("back") else False
    return ClockEntry(at=spot.at("clock").instant(), back=back, **parts)


def _expect(spot: Spot, number: int, _suffix: str) -> ExpectEntry:
    return ExpectEntry(**_common(spot, number, COMMON))


# --- races --------------------------------------------------------------------------------------


def _race(spot: Spot, number: int, _suffix: str) -> RaceEntry:
    parts = _common(spot, number, COMMON)
    racers = spot.at("race").items()
    if len(racers) != 2:
        fix = "Write the one that saves first, then the one that replays."
        raise spot.at("race").error(f"a race has 2 entries, not {len(racers)}", fix)
    inherited = {key: parts[key] for key in ("session", *HOST_READERS) if key in parts}
    first, second = (
        _racer(item, number, suffix, inherited) for item, suffix in zip(racers, "ab", strict=True)
    )
    if racers[0].has("lost"):
        what, fix = "the first entry of a race never loses", "Write lost in the second."
        raise racers[0].at("lost").error(what, fix, key=True)
    lost = racers[1].get("lost") or spot.get("lost")
    return RaceEntry(first=first, second=second, lost=_lost(lost) if lost else None, **parts)


def _racer(spot: Spot, number: int, suffix: str, inherited: Parts) -> Racer:
    kind = _kind(spot, _RACERS)
    check_racer_keys(spot, kind)
    entry = _RACERS[kind](spot, number, suffix)
    missing = {key: part for key, part in inherited.items() if not spot.has(key)}
    return replace(entry, **missing) if missing else entry


def _lost(spot: Spot) -> Lost:
    spot.mapping(LOST_KEYS)
    readers: Mapping[str, Callable[[Spot], Any]] = {**BLOCKS, "model": read_script}
    parts: Parts = {key: readers[key](item) for key, item in spot.entries()}
    return Lost(spot=spot, **parts)


_RACERS: Mapping[str, Callable[[Spot, int, str], Racer]] = {
    "message": _message,
    "event": _event,
    "start": _start,
    "wake": _wake,
}
_KINDS: Mapping[str, Callable[[Spot, int, str], TurnEntry]] = {
    **_RACERS,
    "advance": _advance,
    "clock": _clock,
    "race": _race,
    "expect": _expect,
}
