"""Reads the entries of `turns`: what happens, what the model answers, what is expected."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from simulator.expression import check_expressions
from simulator.known import read_anchors, read_claims, read_history, read_silenced
from simulator.matchers import read_block
from simulator.reply import read_action_results, read_script
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
from simulator.spot import Spot

Parts: TypeAlias = dict[str, Any]
"""Keyword arguments of an entry."""

HOST_READERS: Mapping[str, Callable[[Spot], Any]] = {
    "context": lambda spot: spot.value,
    "anchors": read_anchors,
    "claims": read_claims,
    "silenced": read_silenced,
    "history": read_history,
}
"""What the host knows at a turn; the scenario has defaults for each."""

_BLOCKS: Mapping[str, Callable[[Spot], Any]] = {"expect": read_block, "exactly": read_block}
_COMMON: Mapping[str, Callable[[Spot], Any]] = {
    "session": Spot.text,
    **HOST_READERS,
    "agent": lambda spot: spot,
    **_BLOCKS,
    "note": Spot.text,
}
_PLAY: Mapping[str, Callable[[Spot], Any]] = {
    **_COMMON,
    "model": read_script,
    "actions": read_action_results,
    "deliver": lambda spot: spot.word(("twice",)),
    "crash": lambda spot: spot.word(("before-save", "before-send")),
}
_FAULTS = ("deliver", "crash")
_FIRED_KEYS = tuple(key for key in _PLAY if key != "session")
_LOST_KEYS = ("model", "expect", "exactly")


def read_entries(spot: Spot) -> tuple[TurnEntry, ...]:
    """Read the list of turn entries; raises ScenarioFileError at the first mistake."""
    entries: list[TurnEntry] = []
    for number, item in enumerate(spot.items(), 1):
        kind = _kind(item, _KINDS)
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
        raise spot.at(found[1]).error(what, fix, key=True)
    if not found and ("expect" in value or "exactly" in value):
        found = ["expect"]
    if not found:
        raise _says_nothing(spot, kinds)
    if found[0] not in kinds:
        what = f"a race is between two inputs, and {found[0]} is none"
        raise spot.at(found[0]).error(what, f"Use {', '.join(kinds)}.", key=True)
    _check_keys(spot, found[0], ("lost",) if kinds is _RACERS else ())
    return found[0]


def _says_nothing(spot: Spot, kinds: Mapping[str, object]) -> Exception:
    """The error for an entry that has no kind; a misspelt one is the likeliest reason."""
    for key in spot.mapping():
        if key not in _ALL_KEYS:
            return spot.unknown(key, _ALL_KEYS)
    return spot.error("this entry does not say what happens", f"Add one of: {', '.join(kinds)}.")


def _check_keys(spot: Spot, kind: str, extra: tuple[str, ...]) -> None:
    value = spot.mapping()
    if value.keys() <= _ENTRY_KEY_SETS[kind]:
        return
    for key in value:
        if key not in _ALL_KEYS:
            raise spot.unknown(key, _ENTRY_KEYS[kind], _ALL_KEYS)
        if key not in _ENTRY_KEY_SETS[kind] and key not in extra:
            fix = _MISPLACED.get((kind, key)) or _MISPLACED.get(("", key)) or "Remove it."
            raise spot.at(key).error(f'"{key}" does not go with {kind}', fix, key=True)


def _common(spot: Spot, number: int, readers: Mapping[str, Callable[[Spot], Any]]) -> Parts:
    parts: Parts = {"number": number, "spot": spot}
    for key in spot.mapping():
        read = readers.get(key)
        if read is not None:
            parts[key] = read(spot.at(key))
    return parts


# --- one reader for each kind -------------------------------------------------------------------


def _message(spot: Spot, number: int, suffix: str) -> MessageEntry:
    parts = _common(spot, number, _PLAY)
    name, at = spot.get("id"), spot.get("at")
    if name is not None:
        parts["id"] = name.text()
    else:
        parts["id"] = None if spot.has("id") else f"m{number}{suffix}"
    return MessageEntry(text=spot.at("message").text(), at=at.instant() if at else None, **parts)


def _event(spot: Spot, number: int, suffix: str) -> EventEntry:
    parts = _common(spot, number, _PLAY)
    parts.update(_keyed(spot, f"e{number}{suffix}"))
    if spot.has("payload"):
        parts["payload"] = spot.value["payload"]
    return EventEntry(name=spot.at("event").text(), **parts)


def _start(spot: Spot, number: int, suffix: str) -> StartEntry:
    parts = _common(spot, number, _PLAY)
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
    parts = _common(spot, number, _PLAY)
    which = spot.at("wake")
    if which.is_mapping:
        which.mapping(("flow",))
        return WakeEntry(flow=which.need("flow").text(), **parts)
    key = which.text()
    return WakeEntry(key=None if key == "next" else key, **parts)


def _advance(spot: Spot, number: int, _suffix: str) -> AdvanceEntry:
    parts = _common(spot, number, _COMMON)
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
    value = spot.mapping()
    for key in value:
        if key not in _FIRED_KEYS:
            if key in _ALL_KEYS:
                fix = "It says how one wake went; which one fires is up to the clock."
                raise spot.at(key).error(f'"{key}" does not go in fired', fix, key=True)
            raise spot.unknown(key, _FIRED_KEYS)
    return FiredEntry(**{**inherited, **_common(spot, number, _PLAY)})


def _clock(spot: Spot, number: int, _suffix: str) -> ClockEntry:
    parts = _common(spot, number, _COMMON)
    back = spot.at("back").flag() if spot.has("back") else False
    return ClockEntry(at=spot.at("clock").instant(), back=back, **parts)


def _expect(spot: Spot, number: int, _suffix: str) -> ExpectEntry:
    return ExpectEntry(**_common(spot, number, _COMMON))


# --- races --------------------------------------------------------------------------------------


def _race(spot: Spot, number: int, _suffix: str) -> RaceEntry:
    parts = _common(spot, number, _COMMON)
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
    for fault in _FAULTS:
        if spot.has(fault):
            what = f'"{fault}" does not go in a race'
            raise spot.at(fault).error(what, "Test one fault at a time.", key=True)
    entry = _RACERS[kind](spot, number, suffix)
    missing = {key: part for key, part in inherited.items() if not spot.has(key)}
    return replace(entry, **missing) if missing else entry


def _lost(spot: Spot) -> Lost:
    spot.mapping(_LOST_KEYS)
    readers: Mapping[str, Callable[[Spot], Any]] = {**_BLOCKS, "model": read_script}
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
_ENTRY_KEYS: Mapping[str, tuple[str, ...]] = {
    "message": ("message", "id", "at", *_PLAY),
    "event": ("event", "payload", "key", "hop", *_PLAY),
    "start": ("start", "input", "key", "hop", *_PLAY),
    "wake": ("wake", *_PLAY),
    "advance": ("advance", "fired", "fire", *_COMMON),
    "clock": ("clock", "back", *_COMMON),
    "race": ("race", "lost", *_COMMON),
    "expect": tuple(_COMMON),
}
_ENTRY_KEY_SETS = {kind: frozenset(keys) for kind, keys in _ENTRY_KEYS.items()}
_ALL_KEYS = tuple(dict.fromkeys(key for keys in _ENTRY_KEYS.values() for key in keys))
_IN_FIRED = "Write it in an entry of fired: each wake that fires has its own."
_IN_RACE = "Write it in one of the two entries of the race."
_NO_INPUT = "Nothing is played in this entry: add what happens, such as message."
_MISPLACED: Mapping[tuple[str, str], str] = {
    ("advance", "model"): _IN_FIRED,
    ("advance", "actions"): _IN_FIRED,
    ("race", "model"): _IN_RACE,
    ("race", "actions"): _IN_RACE,
    ("clock", "model"): _NO_INPUT,
    ("expect", "model"): _NO_INPUT,
    ("", "lost"): "Only the second entry of a race loses an attempt.",
}
"""What to do with a key that belongs to another kind; an empty kind stands for any."""
