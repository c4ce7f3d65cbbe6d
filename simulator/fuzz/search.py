"""The search: conversations by the hundred, until the time is over or all of them were played."""

import asyncio
import tempfile
from collections.abc import Callable

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.stateful import run_state_machine_as_test

from simulator.coverage import AgentCoverage
from simulator.fuzz.case import Case
from simulator.fuzz.draws import NAME, draw_from
from simulator.fuzz.machine import Conversation, Ground, machine_of
from simulator.fuzz.reason import Reason, reason_of
from simulator.fuzz.shrink import Turns, failure_of, shrink
from simulator.fuzz.subject import Subject
from simulator.fuzz.vocabulary import vocabulary_of
from simulator.trace import Failure

_BATCH = 100
"""Conversations between two looks at the clock."""
_STEPS = 15
"""Entries of the longest conversation."""
_SHRINKING = 20.0
"""Seconds that one conversation may be made smaller for."""


_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """When a search ends."""

    seconds: float | None = None
    examples: int | None = None
    """Conversations in all."""
    first: bool = False
    """Whether the first fault is enough."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A fault, with the smallest conversation that shows it."""

    turns: Turns
    failure: Failure


class Search:
    """Plays conversations with one agent, and keeps those that break something new."""

    def __init__(
        self,
        subject: Subject,
        *,
        number: int,
        limits: Limits,
        clock: Callable[[], float],
        known: set[Reason] | None = None,
    ) -> None:
        """`number` is the seed; `clock` counts seconds; `known` faults are not told again."""
        self.coverage = AgentCoverage(subject.name, subject.agent)
        self.conversations = 0
        self.turns = 0
        self.unrepeated = 0
        """Faults that did not show when they were played once more."""
        self._subject = subject
        self._number = number
        self._limits = limits
        self._clock = clock
        self._began = clock()
        self._known = set(known or ())
        self._broken: dict[Reason, Turns] = {}
        self._has_found = False

    def run(self, tell: Callable[[Found], None], progress: Callable[["Search"], None]) -> None:
        """Search to the end; `tell` gets each fault as soon as it is small."""
        with asyncio.Runner() as runner, tempfile.TemporaryDirectory() as home:
            set_hypothesis_home_dir(home)  # it would leave a folder where somebody works
            machine = machine_of(self._ground(runner))
            batch = 0
            while not self._is_over():
                self._play(machine, batch)
                batch += 1
                progress(self)
                self._tell_all(tell)

    def _ground(self, runner: asyncio.Runner) -> Ground:
        subject = self._subject
        return Ground(
            subject=subject,
            words=vocabulary_of(subject),
            runner=runner,
            finished=self._finished,
            is_over=self._is_over,
            is_news=lambda failure: reason_of(failure) not in self._known,
        )

    def _play(self, machine: type[Conversation], batch: int) -> None:
        left = _BATCH
        if self._limits.examples is not None:
            left = min(left, self._limits.examples - self.conversations)
        draw_from(f"{self._number}/{batch}")
        chosen = settings(
            backend=NAME,
            max_examples=left,
            stateful_step_count=_STEPS,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=_SLOW_IS_FINE,
        )
        run_state_machine_as_test(machine, settings=chosen)

    def _finished(self, case: Case) -> None:
        if not case.entries:
            return
        self.conversations += 1
        self.turns += len(case.turns)
        self.coverage.add(case.turns)
        for failure in case.failures:
            reason = reason_of(failure)
            if reason not in self._known:
                self._known.add(reason)
                self._has_found = True
                self._broken[reason] = list(case.entries)

    def _is_over(self) -> bool:
        limits = self._limits
        if limits.first and self._has_found:
            return True
        if limits.examples is not None and self.conversations >= limits.examples:
            return True
        return limits.seconds is not None and self.seconds >= limits.seconds

    @property
    def seconds(self) -> float:
        """How long it has been searching."""
        return self._clock() - self._began

    def _tell_all(self, tell: Callable[[Found], None]) -> None:
        """Make what broke small, and tell of it."""
        broken, self._broken = self._broken, {}
        for reason, turns in broken.items():
            found = self._found(turns, reason)
            if found is None:
                self.unrepeated += 1
            else:
                tell(found)

    def _found(self, turns: Turns, reason: Reason) -> Found | None:
        if failure_of(self._subject, turns, reason) is None:
            return None
        end = self._clock() + _SHRINKING
        small = shrink(self._subject, turns, reason, lambda: self._clock() >= end)
        failure = failure_of(self._subject, small, reason)
        return None if failure is None else Found(turns=small, failure=failure)
