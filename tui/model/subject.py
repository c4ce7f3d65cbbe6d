"""What is looked at: one play, with all that is known of the agent and the scenario behind it."""

from collections.abc import Sequence

import msgspec

from falai.words.flow import Flow
from simulator.agentfile import AgentSource
from simulator.scenario import Budget, Scenario
from simulator.trace import ScenarioRecord
from tui.model.timeline import Timeline


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One play."""

    name: str
    """For people: the name of its file, without the folder."""
    timeline: Timeline
    scenario: Scenario | None = None
    """What it can be played from again; None for a trace whose scenario is not there."""
    agent: AgentSource | None = None
    flows: Sequence[Flow] = ()
    """Those of the agent; empty where the agent is not known."""
    fields: Sequence[str] = ()
    """The slugs that the agent declares."""

    @property
    def play(self) -> ScenarioRecord:
        return self.timeline.play

    @property
    def budget(self) -> Budget:
        return self.scenario.budget if self.scenario is not None else Budget()
