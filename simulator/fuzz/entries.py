"""Makes up what happens next, as the entries of a scenario have it."""

from collections.abc import Sequence
from typing import Any

from falai.shapes import is_mapping
from simulator.expectation import literal
from simulator.fuzz.dice import Dice
from simulator.fuzz.vocabulary import Vocabulary

Raw = dict[str, Any]

_RESULTS: Sequence[Any] = (
    {"ok": True},
    {"ok": True, "spoke": True},
    {"ok": False, "detail": "não"},
    {"skipped": "já fiz"},
    {"failed": "sem rede"},
    {"defer": "1h"},
    {"defer": "0s"},
    {"throw": "quebrou"},
    None,
    "ok",
    [{"failed": "sem rede"}, {"ok": True}],
)
_SILENCED: Sequence[Any] = (
    "um humano assumiu",
    {"reason": "fora do ar", "understand": True},
    {"reason": "x", "skip": True},
)
_STRANGER = "s3"
_SESSIONS = ("s2", _STRANGER)
"""Other conversations: one with the same customer, and one with another."""


class Entries:
    """Makes up one entry after the other, each from a dice of its own."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def message(self, dice: Dice, number: str) -> Raw:
        """The customer writes."""
        named = {"id": f"m{number}"}
        if dice.chance(4):
            named = {"id": dice.one(("m1", "m2"))}
        return {"message": literal(dice.one(self._words.texts)), **named, **self._beside(dice)}

    def event(self, dice: Dice, number: str) -> Raw:
        """The host reports something."""
        name = dice.one(self._words.events)
        payload = {"payload": literal(dice.one(self._words.inputs))} if dice.chance(60) else {}
        return {"event": name, **payload, "key": f"e{number}", **self._beside(dice)}

    def start(self, dice: Dice, number: str) -> Raw:
        """The host starts a flow, now and then one that nobody knows."""
        flow = "nenhum" if dice.chance(3) else dice.one(self._words.flows)
        given = {"input": literal(dice.one(self._words.inputs))} if dice.chance(50) else {}
        return {"start": {"flow": flow, **given, "key": f"k{number}"}, **self._beside(dice)}

    def wake(self, dice: Dice, keys: Sequence[str]) -> Raw:
        """A wake fires: the next one, one of a flow, or any that was ever scheduled."""
        which: Any = "next"
        if keys and dice.chance(40):
            which = literal(dice.one(keys))
        elif self._words.flows and dice.chance(20):
            which = {"flow": dice.one(self._words.flows)}
        return {"wake": which, **self._beside(dice, sessions=False)}

    def wait(self, dice: Dice) -> Raw:
        """Time passes."""
        late = {"fire": False} if dice.chance(15) else {}
        return {"advance": dice.one(self._words.waits), **late}

    def one(self, dice: Dice, number: str, keys: Sequence[str]) -> Raw:
        """Any input that a turn takes."""
        makers = [(5, "message"), (2, "wake")]
        makers += [(3, "event")] if self._words.events else []
        makers += [(2, "start")] if self._words.flows else []
        match dice.weighted(makers):
            case "message":
                return self.message(dice, number)
            case "event":
                return self.event(dice, number)
            case "start":
                return self.start(dice, number)
            case _:
                return self.wake(dice, keys)

    def race(self, dice: Dice, number: str, keys: Sequence[str]) -> Raw:
        """Two inputs meet."""
        racers = [self.one(dice, f"{number}{suffix}", keys) for suffix in "ab"]
        return {"race": [{k: v for k, v in racer.items() if k != "session"} for racer in racers]}

    def faulty(self, dice: Dice, number: str, keys: Sequence[str]) -> Raw:
        """An input at which something of the host's goes wrong."""
        raw = self.one(dice, number, keys)
        if dice.chance(35) and "event" not in raw:  # events are told apart for starts alone
            return {**raw, "deliver": "twice"}
        return {**raw, "crash": dice.one(("before-save", "before-send"))}

    # --- what stands beside ---------------------------------------------------------------------

    def _beside(self, dice: Dice, *, sessions: bool = True) -> Raw:
        beside: Raw = {}
        if sessions and dice.chance(8):
            beside["session"] = dice.one(_SESSIONS)
        if self._words.contexts and dice.chance(70 if self._words.knows_nothing else 15):
            beside["context"] = literal(dice.one(self._words.contexts))
        if dice.chance(5):
            beside["silenced"] = dice.one(_SILENCED)
        if self._words.anchors and beside.get("session") == _STRANGER:
            beside["anchors"] = {name: {"key": "c2"} for name in self._words.anchors}
        if self._words.actions and dice.chance(20):
            beside["actions"] = {dice.one(self._words.actions): dice.one(_RESULTS)}
        return beside


def named(raw: Raw, number: int) -> Raw:
    """An entry of a scenario with the id or key that it has at its place there."""
    if "message" in raw:
        return {"id": f"m{number}", **raw}
    if "event" in raw:
        return {"key": f"e{number}", **raw}
    start = raw.get("start")
    if start is not None:
        start = start if is_mapping(start) else {"flow": start}
        return {**raw, "start": {"key": f"k{number}", **start}}
    return raw
