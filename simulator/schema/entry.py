"""The entries of `turns`: one shape for each kind, chosen by the key that says what happens."""

from collections.abc import Iterable, Mapping

from falai.turn.silence import PREFIX as SILENCE
from simulator.entry import LOST_KEYS
from simulator.entrykeys import BLOCKS, ENTRY_KEYS, FIRED, INPUTS, NOT_IN_RACES, OWN, SORTED
from simulator.schema.host import HOST
from simulator.schema.parts import (
    EXPRESSION,
    Schema,
    anything,
    barred,
    choose,
    closed,
    duration,
    flag,
    has,
    instant,
    many,
    mapping,
    must,
    of,
    or_null,
    ref,
    shaped,
    text,
    whole,
    word,
)

_KEY = text("What tells it from every other input; it has one of its own when left out.")
_HOP = whole("How many chains came before.")
_INPUT = anything("The value that the flow gets.")
_START: Mapping[str, Schema] = {
    "flow": text("The id of the flow."),
    "input": _INPUT,
    "key": _KEY,
    "hop": _HOP,
}
_WAKE = {"flow": text("The flow whose earliest wake fires.")}

_HAPPENS: Mapping[str, Schema] = {
    "message": text("The customer writes this."),
    "event": text("The host reports this event."),
    "start": anything(
        "The host starts this flow.",
        type=["string", "object"],
        **closed(_START, _START, required=["flow"]),
    ),
    "wake": anything(
        "A wake fires: the next one, {flow} for the next of a flow, or the wake with this key.",
        type=["string", "object"],
        pattern=f"^next$|#|{EXPRESSION}|^{SILENCE}",
        patternErrorMessage="Write next, {flow: id}, or the whole key of a wake.",
        **closed(_WAKE, _WAKE, required=["flow"]),
    ),
    "advance": duration("Time passes, and wakes fire on the way."),
    "clock": instant("The clock is set; nothing fires."),
    "race": anything(
        "Two inputs load the same session; the first saves, the second tries again.",
        type="array",
        items=[ref("firstRacer"), ref("racer")],
        minItems=2,
        maxItems=2,
    ),
}
_BESIDE: Mapping[str, Schema] = {
    "id": or_null(text("The message's id; m and the entry's number, or null for none.")),
    "at": or_null(instant("When it was written.")),
    "payload": anything("The value that the event carries."),
    "key": _KEY,
    "hop": _HOP,
    "input": _INPUT,
    "fired": many("One item for each wake that fires, in order.", ref("fired")),
    "fire": flag("false lets the time pass without firing."),
    "back": flag("Whether the clock may go back."),
    "lost": shaped("The attempt that loses the race.", ("object", "null"), "lost"),
}
_COMMON: Mapping[str, Schema] = {
    "session": text("The conversation in which it happens."),
    **HOST,
    "agent": shaped("Another agent from here on.", ("string", "object"), "agent"),
    "expect": shaped("What must come of it.", "object", "block"),
    "exactly": shaped("What must come of it, and nothing else.", "object", "block"),
    "note": text("A text for people."),
    "model": shaped("What the model answers in this turn.", "object", "model"),
    "actions": mapping("What actions return in this turn, by name.", of("results")),
    "deliver": word("The same input arrives once more after the save.", ["twice"]),
    "crash": word(
        "The process dies before the save, or before what was saved is sent.",
        ["before-save", "before-send"],
    ),
}
_ALL: Mapping[str, Schema] = {**_HAPPENS, **_BESIDE, **_COMMON}


def definitions() -> dict[str, Schema]:
    """Every kind of entry, and what stands inside of some."""
    lost = {key: _COMMON[key] for key in LOST_KEYS}
    return {
        "entry": _choice("Entry", [*_HAPPENS], "blankEntry"),
        "racer": _choice("Racer", INPUTS, "blankRacer"),
        "firstRacer": {
            **of("racer"),
            **barred("The first entry of a race never loses: write lost in the second.", "lost"),
        },
        **{f"{kind}Entry": _closed(SORTED[kind], kind) for kind in OWN},
        **{f"{kind}Racer": _closed(_racing(kind), kind) for kind in INPUTS},
        "blankEntry": {**closed(ENTRY_KEYS, _ALL), **_says(OWN)},
        "blankRacer": {**_closed(_racing(*INPUTS)), **_says(INPUTS)},
        "fired": {"type": "object", **_closed(FIRED)},
        "lost": closed(LOST_KEYS, lost),
    }


def _choice(suffix: str, kinds: Iterable[str], blank: str) -> Schema:
    looks = {"anyOf": [has(key) for key in BLOCKS]}
    alone = [(looks, ref("expectEntry"))] if blank == "blankEntry" else []
    cases = [(has(kind), ref(f"{kind}{suffix}")) for kind in kinds]
    return {"type": "object", **choose([*cases, *alone], ref(blank))}


def _racing(*kinds: str) -> list[str]:
    """What one of the two entries of a race may hold."""
    keys = dict.fromkeys(key for kind in kinds for key in (*SORTED[kind], "lost"))
    return [key for key in keys if key not in NOT_IN_RACES]


def _closed(keys: Iterable[str], kind: str | None = None) -> Schema:
    table = {key: _ALL[key] for key in keys}
    return {**closed(table, table), **_RULES.get(kind or "", {})}


def _says(kinds: Iterable[str]) -> Schema:
    happens = f"Say what happens: add one of {', '.join(kinds)}."
    return {"allOf": [must(happens, required=["message"])]}


_INSIDE = barred("Write it inside start.", "input", "key", "hop")
_NOTHING = barred("Nothing fires with fire: false.", "fired")
_RULES: Mapping[str, Schema] = {
    "start": {"if": {"properties": {"start": {"type": "object"}}}, "then": _INSIDE},
    "advance": {
        "if": {"required": ["fire"], "properties": {"fire": {"const": False}}},
        "then": _NOTHING,
    },
}
