"""What a scenario puts in the place of an agent's own code."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from falai.words.registry import Action, Condition, Tool
from simulator.agentparts import StubSet, read_stub_set
from simulator.blame import placing
from simulator.place import nearest
from simulator.spot import Spot
from simulator.stubs import ActionStub, Stubs, ToolStub

STUB_KEYS = ("actions", "tools", "conditions")


class Code(NamedTuple):
    """The parts of an agent that are code."""

    actions: Mapping[str, Action]
    tools: Sequence[Tool]
    conditions: Mapping[str, Condition]


class StandIns:
    """A scenario's `stubs`, to be put in the place of an agent's code."""

    def __init__(self, spot: Spot | None) -> None:
        self._spot = spot
        self._set = StubSet()
        if spot is not None:
            spot.mapping(STUB_KEYS)
            with placing(spot):
                self._set = read_stub_set(spot)

    def over(self, code: Code, stubs: Stubs) -> Code:
        """The code with every stand-in in place; raises ScenarioFileError for an unknown name."""
        own_tools = {tool.id: tool for tool in code.tools}
        stand_ins = {stub.id: stub for stub in self._set.tools}
        self._check("action", "actions", self._set.actions, code.actions)
        self._check("condition", "conditions", self._set.conditions, code.conditions)
        self._check("tool", "tools", stand_ins, own_tools)
        actions = {
            name: _stand_in_action(name, stub, code.actions[name], stubs)
            for name, stub in self._set.actions.items()
        }
        tools = [
            _stand_in_tool(stand_ins[tool.id], tool, stubs) if tool.id in stand_ins else tool
            for tool in code.tools
        ]
        conditions = {**code.conditions, **self._set.conditions}
        return Code({**code.actions, **actions}, tools, conditions)

    def _check(
        self, kind: str, key: str, names: Mapping[str, Any], known: Mapping[str, Any]
    ) -> None:
        for index, name in enumerate(names):
            if name not in known and self._spot is not None:
                close = nearest(name, known)
                fix = f'Did you mean "{close}"?' if close else "A stub replaces what is there."
                spot = self._spot.at(key).at(index if key == "tools" else name)
                raise spot.error(f'the agent has no {kind} "{name}"', fix, key=True)


def _stand_in_action(name: str, stub: ActionStub, own: Action, stubs: Stubs) -> Action:
    action = stub.action(name, stubs)
    return action if stub.parameters is not None else replace(action, parameters=own.parameters)


def _stand_in_tool(stub: ToolStub, own: Tool, stubs: Stubs) -> Tool:
    tool = stub.tool(stubs)
    return replace(
        own,
        handler=tool.handler,
        description=own.description if stub.description is None else tool.description,
        parameters=own.parameters if stub.parameters is None else tool.parameters,
        **stub.flags,
    )
