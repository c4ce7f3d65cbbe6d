"""The keys of turn entries: what each holds, where it may stand, and where a stray one belongs."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from simulator.known import read_anchors, read_claims, read_history, read_silenced
from simulator.matchers import BLOCK_KEYS, read_block
from simulator.place import ScenarioFileError, nearest
from simulator.reply import PURPOSES, read_action_results, read_script
from simulator.spot import Spot

HOST_READERS: Mapping[str, Callable[[Spot], Any]] = {
    "context": lambda spot: spot.value,
    "anchors": read_anchors,
    "claims": read_claims,
    "silenced": read_silenced,
    "history": read_history,
}
"""What the host knows at a turn; the scenario has defaults for each."""
BLOCKS: Mapping[str, Callable[[Spot], Any]] = {"expect": read_block, "exactly": read_block}
COMMON: Mapping[str, Callable[[Spot], Any]] = {
    "session": Spot.text,
    **HOST_READERS,
    "agent": lambda spot: spot,
    **BLOCKS,
    "note": Spot.text,
}
"""What any entry may hold."""
_FAULTS: Mapping[str, Callable[[Spot], Any]] = {
    "deliver": lambda spot: spot.word(("twice",)),
    "crash": lambda spot: spot.word(("before-save", "before-send")),
}
_PLAYED: Mapping[str, Callable[[Spot], Any]] = {
    "model": read_script,
    "actions": read_action_results,
    **_FAULTS,
}
PLAY: Mapping[str, Callable[[Spot], Any]] = {**COMMON, **_PLAYED}
"""What an entry may hold that plays a turn."""

INPUTS = ("message", "event", "start", "wake")
"""Entries that play one turn."""
OWN: Mapping[str, tuple[str, ...]] = {
    "message": ("message", "id", "at"),
    "event": ("event", "payload", "key", "hop"),
    "start": ("start", "input", "key", "hop"),
    "wake": ("wake",),
    "advance": ("advance", "fired", "fire"),
    "clock": ("clock", "back"),
    "race": ("race", "lost"),
    "expect": (),
}
"""What each kind of entry alone may hold."""
SORTED: Mapping[str, tuple[str, ...]] = {
    kind: (*own, *(PLAY if kind in INPUTS else COMMON)) for kind, own in OWN.items()
}
_SETS = {kind: frozenset(keys) for kind, keys in SORTED.items()}
ENTRY_KEYS = dict.fromkeys(key for keys in SORTED.values() for key in keys)
"""Every key that some entry may have."""
FIRED = tuple(key for key in PLAY if key not in ("session", "agent"))

_INSIDE: Mapping[str, Collection[str]] = {"expect": BLOCK_KEYS, "model": PURPOSES}
"""Keys of what stands inside of an entry."""
_SLIP = 0.8
"""How much a key must look like one of an entry to be no key of something inside."""

_ONE_FAULT = "Test one fault at a time."
_ONE_WAKE = "It says how one wake went; which one fires is up to the clock."
_IN_FIRED = "Write it in an entry of fired: each wake that fires has its own."
_IN_RACE = "Write it in one of the two entries of the race."
_NO_INPUT = "Nothing is played in this entry: add what happens, such as message."
_WAKE_KEY = "Write the key itself: wake: <key>."
_MISPLACED: Mapping[tuple[str, str], str] = {
    ("message", "key"): 'Did you mean "id"?',
    ("event", "id"): 'Did you mean "key"?',
    ("event", "input"): 'Did you mean "payload"?',
    ("start", "id"): 'Did you mean "key"?',
    ("start", "payload"): 'Did you mean "input"?',
    ("wake", "id"): _WAKE_KEY,
    ("wake", "key"): _WAKE_KEY,
    **{("advance", key): _IN_FIRED for key in _PLAYED},
    **{("race", key): _IN_RACE for key in _PLAYED},
    **{("race", fault): _ONE_FAULT for fault in _FAULTS},
    **{("fired", key): _ONE_WAKE for key in (*OWN, "session")},
    ("fired", "agent"): "Write it beside advance: it holds from there on.",
    ("", "lost"): "Only the second entry of a race loses an attempt.",
}
"""What to do with a key that belongs elsewhere; an empty kind stands for any."""
NOT_IN_RACES = {
    **dict.fromkeys(_FAULTS, _ONE_FAULT),
    "agent": "Write it beside race: it holds from there on.",
}
"""What an input may hold elsewhere, and what to do about it."""


def check_keys(spot: Spot, kind: str, *, extra: tuple[str, ...] = ()) -> None:
    """Raise ScenarioFileError for the first key that does not go with a kind of entry."""
    value = spot.mapping()
    if value.keys() <= _SETS[kind]:
        return
    for key in value:
        if key not in ENTRY_KEYS:
            raise unknown_key(spot, key, SORTED[kind])
        if key not in _SETS[kind] and key not in extra:
            raise spot.stranger(key, f'"{key}" does not go with {kind}', _whereabouts(kind, key))


def check_racer_keys(spot: Spot, kind: str) -> None:
    """The same for one of the two entries of a race."""
    check_keys(spot, kind, extra=("lost",))
    for key, fix in NOT_IN_RACES.items():
        if spot.has(key):
            raise spot.stranger(key, f'"{key}" does not go in a race', fix)


def check_fired_keys(spot: Spot) -> None:
    """The same for an entry of `fired`."""
    for key in spot.mapping():
        if key not in ENTRY_KEYS:
            raise unknown_key(spot, key, FIRED)
        if key not in FIRED:
            raise spot.stranger(key, f'"{key}" does not go in fired', _whereabouts("fired", key))


def unknown_key(spot: Spot, key: str, known: Collection[str]) -> ScenarioFileError:
    """The error for what is no key of an entry, but may be one of something inside."""
    home = next((home for home, keys in _INSIDE.items() if key in keys), None)
    if home is None or nearest(key, ENTRY_KEYS, likeness=_SLIP):
        return spot.unknown(key, known, ENTRY_KEYS)
    return spot.stranger(key, f'unknown key "{key}"', f"Write it inside {home}.")


def _whereabouts(kind: str, key: str) -> str:
    """Where a key belongs that does not go with a kind of entry."""
    if fix := _MISPLACED.get((kind, key)) or _MISPLACED.get(("", key)):
        return fix
    owners = [owner for owner, keys in OWN.items() if key in keys]
    return f"It belongs to {' and '.join(owners)}." if owners else _NO_INPUT
