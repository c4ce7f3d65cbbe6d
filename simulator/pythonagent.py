"""Agents built in Python, by the name of an object or of what makes one."""

import inspect
from collections.abc import Mapping
from typing import Any, cast

from falai.agent import Agent
from falai.blueprint import AgentChanges
from falai.clock import Clock
from falai.providers.base import Provider
from simulator.blame import placing
from simulator.built import Built
from simulator.imported import failed, imported
from simulator.spot import Spot
from simulator.standins import Code, StandIns
from simulator.stubs import Stubs, overridable


class PythonAgent:
    """An `Agent`, or what a callable returns, under `module:attribute`."""

    provider: Mapping[str, Any] | None = None

    def __init__(self, spot: Spot, stand_ins: StandIns) -> None:
        self.spot = spot
        self._stand_ins = stand_ins
        self._found = imported(spot)

    def build(self, *, provider: Provider | None = None, clock: Clock | None = None) -> Built:
        agent = self._agent()
        stubs = Stubs(agent.actions)
        actions = {name: overridable(name, action, stubs) for name, action in agent.actions.items()}
        own = Code(actions, list(agent.tools.values()), agent.conditions)
        code = self._stand_ins.over(own, stubs)
        changes: AgentChanges = {
            "actions": code.actions,
            "tools": code.tools,
            "conditions": code.conditions,
        }
        if provider is not None:
            changes["provider"] = provider
        if clock is not None:
            changes["clock"] = clock
        with placing(self.spot):
            return Built(agent.replace(**changes), stubs)

    def place_of(self, warning: str) -> Spot:
        return self.spot

    def _agent(self) -> Agent:
        found = self._found
        if not isinstance(found, Agent) and callable(found):
            try:
                found = _settled(found())
            except (Exception, SystemExit) as exc:
                raise failed(self.spot, exc) from exc
        if isinstance(found, Agent):
            return cast("Agent", found)  # of whichever types
        what = f"{self.spot.value} is no Agent but a {type(found).__name__}"
        raise self.spot.error(what, "Name an Agent, or a callable that returns one.")


def _settled(value: Any) -> Any:
    """The value, waited for if it has to be, inside or outside of an event loop."""
    if not inspect.isawaitable(value):
        return value

    # Slow to load, and few agents are made by a coroutine.
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    async def wait() -> Any:
        return await value

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, wait()).result()
