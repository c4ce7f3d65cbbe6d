"""Makes a scenario of the first turns of another one, changed at one turn.

A fork is a scenario of its own: it is played like any other, and what it was made of stays as it is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from falai.providers.base import Purpose
from falai.shapes import is_list, is_mapping
from falai.words.session import fresh_session
from simulator.expectation import literal
from simulator.load import Document
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord, TurnRecord
from simulator.written import reply_of
from simulator.yamlout import yaml_text

Raw = dict[str, Any]

_JUDGED = ("expect", "exactly")
_HAPPENS = ("message", "event", "start", "wake", "advance", "clock", "race")


class ForkError(Exception):
    """A fork cannot be made: `what. how to fix.`"""


class NewReply(msgspec.Struct, frozen=True, kw_only=True):
    """Another answer of the model, in the place of one that it gave."""

    purpose: Purpose
    index: int
    """From 0: which call of that purpose in the turn."""
    reply: Mapping[str, Any]
    """As a scenario's `model` has it."""


class Edits(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be different at the turn of a fork."""

    message: str | None = None
    """What the customer writes instead."""
    data: Mapping[str, Any] = {}
    """Fields that are set before the turn, or taken away with None."""
    reply: NewReply | None = None
    clock: str | None = None
    """The time of the turn, ISO UTC."""


def fork(
    scenario: Scenario, record: ScenarioRecord, turn: int, edits: Edits, *, rest: bool = False
) -> Scenario:
    """The scenario up to a turn (from 0, in the record), with edits to it; then with the `rest`.

    Raises ForkError for an edit that this turn cannot take, ScenarioFileError for a reply or a
    value that no scenario can hold.
    """
    maker = _Maker(scenario, record, turn)
    return _read(maker.make(edits, rest=rest), scenario)


def _read(raw: Raw, scenario: Scenario) -> Scenario:
    """Read a scenario that lies, for the paths in it, where the other one does."""
    path = scenario.spot.source.path
    text = msgspec.json.encode(raw).decode() if path.suffix == ".json" else yaml_text(raw)
    [made] = read_scenario(Document(path, text))
    return made


class _Maker:
    """Makes the mapping of one fork."""

    def __init__(self, scenario: Scenario, record: ScenarioRecord, turn: int) -> None:
        self._head: Raw = dict(scenario.spot.value)
        self._entries: list[Raw] = [dict(entry) for entry in self._head["turns"]]
        self._scenario = scenario
        self._record = record
        self._turn = record.turns[turn]
        self._before = record.turns[:turn]
        self._number, self._fired = position(self._turn)

    def make(self, edits: Edits, *, rest: bool) -> Raw:
        at = self._number - 1
        changed = [self._edited(self._entries[at], edits)]
        if rest:
            changed += [_unjudged(entry) for entry in self._entries[at + 1 :]]
        if edits.clock is None and not edits.data:
            return self._whole([*self._entries[:at], *changed])
        named = [_named(entry, self._number + n) for n, entry in enumerate(changed)]
        if edits.data:
            return self._from_here(named, edits)
        return self._whole([*self._entries[:at], _time(edits.clock), *named])

    def _whole(self, turns: list[Raw]) -> Raw:
        """A scenario that begins where the other one does."""
        head = {key: value for key, value in self._head.items() if key != "matrix"}
        return {**head, "scenario": self._title(), "turns": turns}

    def _from_here(self, turns: list[Raw], edits: Edits) -> Raw:
        """A scenario that begins at the turn, from the session that was saved before it."""
        raw = self._whole([*self._deployed(), *turns])
        now = edits.clock or self._turn.now
        raw.update(clock=now, given=self._given(edits.data), session=self._session_id)
        return raw

    def _deployed(self) -> list[Raw]:
        """The agent of an earlier entry, if one took over there."""
        agents = [it["agent"] for it in self._entries[: self._number - 1] if "agent" in it]
        return [{"clock": self._turn.now, "agent": agents[-1]}] if agents else []

    def _given(self, data: Mapping[str, Any]) -> Raw:
        said: list[Raw] = []
        session: Raw = {}
        for turn in self._before:
            if turn.result is None or not turn.result.changed or turn.entry.endswith(" lost"):
                continue
            if str(turn.input.get("sessionId")) != self._session_id:
                continue
            stored = msgspec.to_builtins(turn.result.session)
            session = {**stored, "version": stored["version"] + 1}
            said += _said(turn)
        session = session or self._first_session()
        merged = {**session["data"], **data}
        session["data"] = {key: value for key, value in merged.items() if value is not None}
        given: Raw = {"session": literal(session)}
        said = [*msgspec.to_builtins(self._scenario.given.history), *said]
        return {**given, "history": literal(said)} if said else given

    def _first_session(self) -> Raw:
        """The session before anything was saved; a stored one has been saved once."""
        start = self._scenario.given.session
        if start is not None and start.value.get("id") == self._session_id:
            return dict(start.value)
        return {**msgspec.to_builtins(fresh_session(self._session_id)), "version": 1}

    @property
    def _session_id(self) -> str:
        return str(self._turn.input.get("sessionId"))

    def _title(self) -> str:
        return f"{self._scenario.title}, from turn {self._turn.entry}"

    # --- the turn itself ------------------------------------------------------------------------

    def _edited(self, entry: Raw, edits: Edits) -> Raw:
        entry = _unjudged(entry)
        if edits.message is not None:
            if "message" not in entry:
                what = f"turn {self._turn.entry} is no message of the customer's"
                raise ForkError(f"{what}. Fork at one that is, or change something else.")
            entry["message"] = literal(edits.message)
        if edits.reply is None:
            return entry
        if "race" in entry:
            raise ForkError("The replies of a race cannot be changed. Fork at another turn.")
        if self._fired is None:
            return {**entry, "model": self._model(entry.get("model"), edits.reply)}
        return {**entry, "fired": self._wakes(entry, edits.reply)}

    def _wakes(self, entry: Raw, new: NewReply) -> list[Raw]:
        """The wakes that fired, with another reply for one of them."""
        assert self._fired is not None
        number = f"{self._number}."
        count = sum(turn.entry.startswith(number) for turn in self._record.turns)
        nothing: Raw = {}
        written: Sequence[Raw] = entry.get("fired") or [nothing] * count
        fired = [_unjudged(item) for item in written]
        one = fired[self._fired]
        fired[self._fired] = {**one, "model": self._model(one.get("model"), new)}
        return fired

    def _model(self, written: Any, new: NewReply) -> Raw:
        """The replies of the turn with one of them replaced.

        Those before it are as they were; those behind it stand as the script has them.
        """
        model: Raw = dict(written or {})
        made = [call for call in self._turn.calls if call.purpose == new.purpose]
        if new.index >= len(made):
            what = f"turn {self._turn.entry} made {len(made)} {new.purpose} calls"
            raise ForkError(f"{what}. Change the reply of one of them.")
        scripted = model.get(new.purpose)
        behind = list(scripted)[new.index + 1 :] if is_list(scripted) else []
        earlier = [reply_of(call) for call in made[: new.index]]
        return {**model, new.purpose: [*earlier, dict(new.reply), *behind]}


def position(turn: TurnRecord) -> tuple[int, int | None]:
    """The number of the entry that a turn belongs to, and which of its wakes it is (from 0)."""
    found = re.match(r"(\d+)(?:\.(\d+))?", turn.entry)
    if found is None:
        raise ForkError("This turn belongs to no entry of a scenario. Fork at another one.")
    return int(found[1]), int(found[2]) - 1 if found[2] else None


def _unjudged(entry: Raw) -> Raw:
    """An entry without what is expected of it: other things come of it now."""
    kept = {key: value for key, value in entry.items() if key not in _JUDGED}
    if not any(key in kept for key in _HAPPENS):
        kept["expect"] = {}  # it only looked; the entries behind it keep their numbers
    if is_list(kept.get("fired")):
        kept["fired"] = [_unjudged(dict(item)) for item in kept["fired"]]
    if is_list(kept.get("race")):
        kept["race"] = [_unjudged(dict(item)) for item in kept["race"]]
    if is_mapping(kept.get("lost")):
        kept["lost"] = _unjudged(dict(kept["lost"]))
    return kept


def _named(entry: Raw, number: int) -> Raw:
    """An entry that says the id or key it had at its old place: its runs are named by it."""
    if "message" in entry and "id" not in entry:
        return {**entry, "id": f"m{number}"}
    if "event" in entry and "key" not in entry:
        return {**entry, "key": f"e{number}"}
    start = entry.get("start")
    if start is None or (is_mapping(start) and "key" in start):
        return entry
    start = start if is_mapping(start) else {"flow": start}
    return {**entry, "start": {**start, "key": f"k{number}"}}


def _time(clock: str | None) -> Raw:
    assert clock is not None
    return {"clock": clock, "back": True}


def _said(turn: TurnRecord) -> list[Raw]:
    """What the transcript of a host gets from a turn."""
    said: list[Raw] = []
    if "message" in turn.input:
        said.append({"role": "user", "content": turn.input["message"]})
    messages = turn.result.messages if turn.result else ()
    return said + [{"role": "assistant", "content": message.text} for message in messages]
