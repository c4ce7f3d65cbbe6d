"""A scenario that was played to its end and goes on live from there."""

from contextlib import ExitStack
from time import perf_counter
from typing import Any

from falai.clock import FakeClock
from falai.shapes import is_mapping
from simulator.expression import expand
from simulator.inputs import history_said, host_knows
from simulator.live import Live
from simulator.liveanswers import Ask, AskingProvider
from simulator.model import model_behind
from simulator.options import PlayOptions
from simulator.play import Player
from simulator.playable import check_playable
from simulator.scenario import ExpectEntry, Scenario
from simulator.trace import ScenarioRecord

_WATCHED = PlayOptions(phases=True)


class Continued(Live):
    """A scenario's session, its stage and its host as the last entry left them."""

    def __init__(self, scenario: Scenario, ask: Ask, options: PlayOptions = _WATCHED) -> None:
        """Set the stage; `ask` answers what neither script nor tape does.

        Raises ScenarioFileError when the scenario cannot be played at all. Close it in the end.
        """
        check_playable(scenario)
        clock = FakeClock(scenario.clock)
        self.scenario = scenario
        self._open = ExitStack()
        behind = self._open.enter_context(model_behind(scenario, options, clock))
        behind.provider = AskingProvider(behind.provider, ask)
        self._player = Player(scenario, clock, behind, options)
        self._took_ms = 0
        super().__init__(
            self._player.stage, session_id=scenario.session, entries=len(scenario.turns)
        )

    async def play(self) -> None:
        """Play the scenario; cancelled, it stands where the last turn that was saved left it."""
        began = perf_counter()
        await self._player.play()
        self._took_ms = round((perf_counter() - began) * 1000)

    def record(self) -> ScenarioRecord:
        """All that was played so far, the scenario and what came after it."""
        return self._player.record(self._took_ms)

    def close(self) -> None:
        """Put the tape away; nothing is recorded."""
        self._open.close()

    def host_knows(self, session_id: str) -> dict[str, Any]:
        """What the scenario says of its host, as it holds for an entry that says nothing."""
        entry = ExpectEntry(number=0, spot=self.scenario.spot)
        known = host_knows(self.scenario, entry)
        if self.scenario.expressions:
            known = expand(known, self.stage.moments)
        history = history_said(self.scenario, entry)
        if history == "auto":
            history = list(self.stage.transcripts.get(session_id, ()))
        return {**known, "history": [] if history == "none" else list(history)}


def is_scripted(scenario: Scenario) -> bool:
    """Whether the file itself says what the model answers."""
    return not is_mapping(scenario.provider) and scenario.provider == "scripted"
