"""Holds the turns of one play to what its scenario promises."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from falai.agent import Agent
from simulator.promised import Promised
from simulator.promises.keys import remember
from simulator.promises.moment import Broken, Memory, Moment
from simulator.promises.own import broken_by, read_check
from simulator.promises.table import TABLE
from simulator.stage import Trial


class Keeper:
    """Looks at every turn that is kept, in order."""

    def __init__(self, promised: Promised) -> None:
        """Take what is promised; raises ScenarioFileError for a check that cannot be found."""
        self._promised = promised
        self._own = [read_check(spot) for spot in promised.own]
        self._memories: defaultdict[str, Memory] = defaultdict(Memory)
        self._told: set[tuple[str, str]] = set()

    def kept(self, agent: Agent, trial: Trial) -> Iterator[tuple[str, Broken]]:
        """What a turn breaks and no turn before it did, each with the name of the promise.

        A turn that raised breaks nothing here.
        """
        for name, broken in self._of(agent, trial):
            if (name, broken.what) not in self._told:
                self._told.add((name, broken.what))
                yield name, broken

    def _of(self, agent: Agent, trial: Trial) -> Iterator[tuple[str, Broken]]:
        if trial.attempt is None:
            return
        moment = Moment(
            agent=agent,
            before=trial.attempt.before,
            result=trial.attempt.result,
            record=trial.record,
            memory=self._memories[trial.attempt.session_id],
            size=self._promised.size,
        )
        for name in self._promised.names:
            if name in TABLE:
                yield from ((name, broken) for broken in TABLE[name](moment))
        for name, check in self._own:
            yield from ((name, broken) for broken in broken_by(check, moment))
        remember(moment)

    def replayed(self, lost: Trial, again: Trial) -> Iterator[tuple[str, Broken]]:
        """What differs between two attempts at the same input on the same session."""
        if "replay" in self._promised.names and _came_of(lost) != _came_of(again):
            yield "replay", Broken(what="the same input came to something else the second time")


def _came_of(trial: Trial) -> bytes:
    """Everything that an attempt would save, send and do."""
    record = trial.record
    return msgspec.json.encode([record.result, record.actions, record.error], order="sorted")
