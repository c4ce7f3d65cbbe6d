"""The rules by which conversations are made up; hypothesis chooses which applies when."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from simulator.fuzz.case import Case
from simulator.fuzz.dice import Dice
from simulator.fuzz.entries import Entries, Raw, named
from simulator.fuzz.subject import Subject
from simulator.fuzz.vocabulary import Vocabulary
from simulator.trace import Failure

_SEEDS = st.integers(min_value=0, max_value=2**63 - 1)
"""All that hypothesis draws for a rule: the rest is made of it, at a tenth of the time."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """Where the conversations of one search take place."""

    subject: Subject
    words: Vocabulary
    runner: asyncio.Runner
    finished: Callable[[Case], None]
    """Gets each conversation in the end."""
    is_over: Callable[[], bool]
    """Whether there is no time left."""
    is_news: Callable[[Failure], bool]
    """Whether a failure is one that nothing was known of."""


def machine_of(ground: Ground) -> "type[Conversation]":
    """The state machine of one search."""

    class Bound(Conversation):
        pass

    Bound.ground = ground
    return Bound


class Conversation(RuleBasedStateMachine):
    """One conversation, from its first entry to its last; a rule for each kind of entry."""

    ground: ClassVar[Ground]

    def __init__(self) -> None:
        super().__init__()
        self._entries = Entries(self.ground.words)
        self._case = Case(self.ground.subject)
        self.ground.runner.run(self._case.begin())

    def _play(self, raw: Raw, seed: int) -> None:
        """Let something happen, unless something new broke: one fault for one conversation."""
        if not any(map(self.ground.is_news, self._case.failures)) and not self.ground.is_over():
            self.ground.runner.run(self._case.play(raw, seed))

    @property
    def _number(self) -> str:
        return str(len(self._case.entries) + 1)

    @initialize(seed=_SEEDS)
    def open(self, seed: int) -> None:
        """Begin as the scenario does, for a while."""
        dice, opening = Dice(seed), self.ground.subject.opening
        length = dice.number(0, len(opening)) if dice.chance(60) else 0
        for number, raw in enumerate(opening[:length], 1):
            self._play(named(raw, number), seed + number)

    @rule(seed=_SEEDS)
    def message(self, seed: int) -> None:
        self._play(self._entries.message(Dice(seed), self._number), seed)

    @rule(seed=_SEEDS)
    def another_message(self, seed: int) -> None:
        """The same once more: most conversations are made of messages."""
        self._play(self._entries.message(Dice(seed), self._number), seed)

    @precondition(lambda self: bool(self.ground.words.events))
    @rule(seed=_SEEDS)
    def event(self, seed: int) -> None:
        self._play(self._entries.event(Dice(seed), self._number), seed)

    @precondition(lambda self: bool(self.ground.words.flows))
    @rule(seed=_SEEDS)
    def start(self, seed: int) -> None:
        self._play(self._entries.start(Dice(seed), self._number), seed)

    @rule(seed=_SEEDS)
    def wake(self, seed: int) -> None:
        self._play(self._entries.wake(Dice(seed), self._case.keys), seed)

    @rule(seed=_SEEDS)
    def wait(self, seed: int) -> None:
        self._play(self._entries.wait(Dice(seed)), seed)

    @rule(seed=_SEEDS)
    def race(self, seed: int) -> None:
        self._play(self._entries.race(Dice(seed), self._number, self._case.keys), seed)

    @rule(seed=_SEEDS)
    def faulty(self, seed: int) -> None:
        self._play(self._entries.faulty(Dice(seed), self._number, self._case.keys), seed)

    def teardown(self) -> None:
        """Hand over what was played."""
        self.ground.finished(self._case)
