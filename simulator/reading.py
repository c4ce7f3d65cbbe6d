"""Makes scenarios of a file: one for each combination of its matrix."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, cast

from simulator.collecting import uncollected
from simulator.entry import read_entries
from simulator.entrykeys import ENTRY_KEYS, HOST_READERS
from simulator.expression import check_expressions
from simulator.known import read_conversation
from simulator.load import Document, load_beside
from simulator.place import KeyPath, Place, ScenarioFileError, nearest, suggestion
from simulator.promised import read_promises
from simulator.scenario import (
    DEFAULT_SESSION,
    Budget,
    Given,
    PendingWake,
    RaceEntry,
    Scenario,
    TurnEntry,
)
from simulator.spot import Spot
from simulator.yamltext import plain_value

_SESSION_KEYS = ("clock", "session", *HOST_READERS)
VARIED = ("agent", "stubs", *_SESSION_KEYS, "store", "provider", "given", "budget")
"""What a matrix may vary."""
KEYS = ("scenario", "description", "tags", *VARIED, "script", "promises", "matrix", "turns")
_WITH_EXPRESSIONS = ("clock", "context", "anchors", "claims", "silenced", "history", "given")

STORES = ("memory", "sqlite")
PROVIDERS = ("scripted", "offline")
SCRIPTS = ("exact", "loose")
SECRETS = ("api_key", "apiKey")
BUDGET = {
    "llmCalls": "llm_calls",
    "perTurn": "per_turn",
    "promptTokens": "prompt_tokens",
    "completionTokens": "completion_tokens",
    "costUsd": "cost_usd",
}


def is_scenario(document: Document) -> bool:
    """Whether a file means to be a scenario: a mapping with a `scenario` key."""
    return document.spot.is_mapping and "scenario" in document.value


def no_scenario(spot: Spot) -> ScenarioFileError:
    """The error for a file that does not even mean to be one."""
    for key in spot.mapping(fix="Begin it with a title, scenario: …"):
        if nearest(key, ("scenario",)):
            return spot.unknown(key, ("scenario",))
    what = "this is no scenario: it has no scenario key"
    return spot.error(what, "Begin it with a title, scenario: …")


def read_scenario(document: Document) -> list[Scenario]:
    """Read a file's scenario, once for each combination of its matrix.

    Raises ScenarioFileError at the first mistake.
    """
    spot = document.spot
    if not is_scenario(document):
        raise no_scenario(spot)
    _check_keys(spot)
    try:
        with uncollected():
            turns = read_entries(spot.need("turns"))
        scenarios = [_scenario(varied, values, turns) for varied, values in _combinations(spot)]
    except RecursionError:
        raise spot.error("the file is nested too deeply", "Flatten it.") from None
    document.check_bare_keys()
    if not turns:
        fix = "Write what happens: a scenario without entries tests nothing."
        raise spot.at("turns").error("turns has no entries", fix)
    return scenarios


def _check_keys(spot: Spot) -> None:
    for key in spot.mapping():
        if key not in KEYS:
            if key in ENTRY_KEYS:
                raise spot.stranger(key, f'unknown key "{key}"', "Write it in an entry of turns.")
            raise spot.unknown(key, KEYS)


# --- the matrix ---------------------------------------------------------------------------------


class _Varied:
    """A document in which some values come from its matrix: places lead back there."""

    def __init__(self, source: Document, origins: Mapping[KeyPath, KeyPath]) -> None:
        self.path: Path = source.path
        self.has_matchers: bool = source.has_matchers
        self.has_expressions: bool = source.has_expressions
        self._source = source
        self._origins = origins

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        return self._source.place(self._written(path), key=key)

    def is_left_out(self, path: KeyPath) -> bool:
        return self._source.is_left_out(self._written(path))

    def check_bare_keys(self) -> None:
        self._source.check_bare_keys()

    def _written(self, path: KeyPath) -> KeyPath:
        """The way to a value in the document."""
        for length in range(len(path), 0, -1):
            origin = self._origins.get(path[:length])
            if origin is not None:
                return (*origin, *path[length:])
        return path


def _combinations(spot: Spot) -> Iterator[tuple[Spot, Mapping[str, Any]]]:
    """The scenario with each combination of values in place, and those values by their keys."""
    axes = spot.optional("matrix", _axes) or {}
    document = cast("Document", spot.source)
    for chosen in product(*(axis.items() for axis in axes.values())):
        values = dict(zip(axes, chosen, strict=True))
        origins: dict[KeyPath, KeyPath] = {
            tuple(key.split(".")): value.path for key, value in values.items()
        }
        varied: Mapping[str, Any] = spot.value
        for key, value in values.items():
            varied = _replaced(varied, key.split("."), value)
        source = _Varied(document, origins) if values else document
        yield Spot(varied, source), {key: value.value for key, value in values.items()}


def _axes(matrix: Spot) -> Mapping[str, Spot]:
    """What a matrix varies, and the list of values for each."""
    for key, axis in matrix.entries():
        root = key.split(".")[0]
        if root in KEYS and root not in VARIED:
            fix = f"It can vary {', '.join(VARIED)}."
            raise matrix.stranger(key, f"a matrix cannot vary {root}", fix)
        if root not in VARIED:
            what = f'unknown key "{key}" in the matrix'
            raise matrix.stranger(key, what, suggestion(root, VARIED))
        if not axis.items():
            raise axis.error(f"{key} has no values", "List the values that it takes.")
    return dict(matrix.entries())


def _replaced(mapping: Any, path: list[str], value: Spot) -> dict[str, Any]:
    """A copy with another value at the end of the path; mappings on the way are made up."""
    if not isinstance(mapping, dict):
        what = f"{value.path[1]} leads through something that is no mapping"
        raise value.error(what, "Vary the whole of it, or make it a mapping.")
    old = cast("dict[str, Any]", mapping)
    key, *rest = path
    new = _replaced(old.get(key, {}), rest, value) if rest else value.value
    return {**old, key: new}


def _suffix(values: Mapping[str, Any]) -> str:
    shown = (f"{key}={_shown(value)}" for key, value in values.items())
    return f" [{', '.join(shown)}]" if values else ""


def _shown(value: Any) -> str:
    """A value as YAML has it: text without quotes where it then is that text and no other value."""
    is_plain = isinstance(value, str) and value == value.strip() and plain_value(value) == value
    return value if is_plain else json.dumps(value, ensure_ascii=False)


# --- one scenario -------------------------------------------------------------------------------


def _scenario(spot: Spot, values: Mapping[str, Any], turns: tuple[TurnEntry, ...]) -> Scenario:
    if spot.source.has_expressions:
        for key in _WITH_EXPRESSIONS:
            if spot.has(key):
                check_expressions(spot.at(key))
    parts = {key: read(spot.at(key)) for key, read in _READERS.items() if spot.has(key)}
    _take_session(parts, spot)
    _check_races(turns, parts.get("session", DEFAULT_SESSION))
    return Scenario(
        title=_title(spot.at("scenario")) + _suffix(values),
        spot=spot,
        agent=spot.need("agent"),
        matrix=values,
        expressions=spot.source.has_expressions,
        turns=turns,
        **parts,
    )


def _title(spot: Spot) -> str:
    title = spot.text().strip()
    if not title:
        raise spot.error("the title is empty", "Say in a few words what is played.")
    return title


def _take_session(parts: dict[str, Any], spot: Spot) -> None:
    """Play in the session that is given, unless the file names another."""
    given: Given = parts.get("given", Given())
    stored = given.session.get("id") if given.session is not None else None
    if stored is None or not isinstance(stored.value, str):
        return  # what is no stored session is refused when it is played
    if parts.setdefault("session", stored.value) != stored.value:
        what = f'session is "{parts["session"]}", and the given session has the id "{stored.value}"'
        raise spot.at("session").error(what, "Leave session out, or write that id.")


def _check_races(turns: tuple[TurnEntry, ...], session: str) -> None:
    for race in turns:
        if not isinstance(race, RaceEntry):
            continue
        first, second = race.first.session or session, race.second.session or session
        if first != second:
            what = f'a race is over one session, and these are "{first}" and "{second}"'
            raise race.second.spot.error(what, "Give both entries the same session.")


def _store(spot: Spot) -> str:
    text = spot.text()
    return text if "://" in text else spot.word(STORES, "Write memory, sqlite or a store URL.")


def read_provider(spot: Spot) -> Any:
    """Read `scripted`, `offline` or `{model, …}`; keys for the model's service are no part of it."""
    if not spot.is_mapping:
        return spot.word(PROVIDERS, "Write scripted, offline or {model: …}.")
    value = spot.mapping()
    for key in SECRETS:
        if key in value:
            fix = "Remove it: keys come from the environment, never from a file."
            raise spot.at(key).error(f"{key} does not belong in a file", fix, key=True)
    spot.need("model").text()
    if "cassette" in value:
        spot.at("cassette").text()
    return value


def _budget(spot: Spot) -> Budget:
    spot.mapping(BUDGET)
    bounds: dict[str, Any] = {
        BUDGET[key]: item.number() if key == "costUsd" else item.whole()
        for key, item in spot.entries()
    }
    return Budget(**bounds)


def _given(spot: Spot) -> Given:
    spot.mapping(("session", "pending", "history"))
    session, pending, history = spot.get("session"), spot.get("pending"), spot.get("history")
    return Given(
        session=_given_session(session) if session else None,
        pending=tuple(map(_pending, pending.items())) if pending else None,
        history=read_conversation(history) if history else (),
    )


def _given_session(spot: Spot) -> Spot:
    if isinstance(spot.value, str):
        spot = load_beside(spot).spot
    spot.mapping(fix="Write a stored session, or the path of a file that holds one.")
    return spot


def _pending(spot: Spot) -> PendingWake:
    spot.mapping(("key", "at"))
    return PendingWake(spot.need("key").text(), spot.need("at").instant())


_READERS: Mapping[str, Callable[[Spot], Any]] = {
    "description": Spot.text,
    "tags": Spot.texts,
    "stubs": lambda spot: spot,
    "clock": Spot.instant,
    "session": Spot.text,
    **HOST_READERS,
    "store": _store,
    "provider": read_provider,
    "given": _given,
    "budget": _budget,
    "script": lambda spot: spot.word(SCRIPTS),
    "promises": read_promises,
}
