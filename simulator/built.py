"""An agent that was read, and what is made of it for each play."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from falai.agent import Agent
from falai.clock import Clock
from falai.providers.base import Provider
from simulator.spot import Spot
from simulator.stubs import Stubs


class Built(NamedTuple):
    """An agent ready to play, with the results that its stand-ins will give."""

    agent: Agent
    stubs: Stubs


class AgentSource(Protocol):
    """An agent that was read and can be built, as often as it is played."""

    spot: Spot
    """The agent's mapping, or the text that names a Python object."""

    @property
    def provider(self) -> Mapping[str, Any] | None:
        """`{model, …}` as the agent file has it."""
        ...

    def build(self, *, provider: Provider | None = None, clock: Clock | None = None) -> Built:
        """Make the agent anew, every list of results at its start.

        Raises ScenarioFileError for what the engine refuses, its words and their place in it.
        """
        ...

    def place_of(self, warning: str) -> Spot:
        """Where the thing stands of which a warning of the built agent speaks."""
        ...
