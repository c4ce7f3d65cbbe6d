"""What stands in for a host's own code: actions, tools and conditions declared as data."""

import copy
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

import msgspec

from falai.predicate import same_json
from falai.shapes import is_list, is_mapping
from falai.words.context import ActionCtx, Ctx, ToolCtx
from falai.words.flow import Param
from falai.words.registry import Action, Condition, Tool
from simulator.place import nearest
from simulator.scenario import Results
from simulator.spot import Spot

StubState: TypeAlias = Mapping[tuple[str, str], int]
"""How many results each stand-in has used up."""

_OK: Results = ({"ok": True},)
_NOTHING: Results = ({},)
_MISSING = object()


class StubError(Exception):
    """What a stand-in raises for `{throw: text}`."""


class Stubs:
    """The results that the stand-ins of one agent have still to give.

    Take a `snapshot` before an attempt and `restore` it when the attempt is lost.
    """

    def __init__(self, actions: Collection[str] = ()) -> None:
        self._actions = actions
        self._used: dict[tuple[str, str], int] = {}
        self._overrides: Mapping[str, Results] = {}

    def snapshot(self) -> StubState:
        """What is used up so far."""
        return dict(self._used)

    def restore(self, state: StubState) -> None:
        """Give back what was used up since the snapshot."""
        self._used = dict(state)

    def override(self, results: Mapping[str, Results], spot: Spot | None = None) -> None:
        """Let some actions return a turn's own results, from their start, and no others.

        With the place of the results, raises ScenarioFileError for an action that is unknown.
        """
        for name in results:
            if spot is not None and name not in self._actions:
                close = nearest(name, self._actions)
                fix = f'Did you mean "{close}"?' if close else "Register it on the agent."
                raise spot.at(name).error(f'the agent has no action "{name}"', fix, key=True)
        self._overrides = results
        self._used = {key: used for key, used in self._used.items() if key[0] != "turn"}

    def action(self, name: str, results: Results | None) -> Any:
        """The next result of an action: the turn's own, else a declared one.

        Returns None when there is neither; raises StubError when it is to raise.
        """
        own = self._overrides.get(name)
        if own is not None:
            return self._next(("turn", name), own)
        return None if results is None else self._next(("action", name), results)

    def overrides(self, name: str) -> bool:
        """Whether this turn has results of its own for an action."""
        return name in self._overrides

    def tool(self, name: str, results: Results) -> Any:
        """The next result of a tool; raises StubError when it is to raise."""
        return self._next(("tool", name), results)

    def _next(self, key: tuple[str, str], results: Results) -> Any:
        used = self._used.get(key, 0)
        self._used[key] = used + 1
        result = results[min(used, len(results) - 1)]
        if is_mapping(result) and "throw" in result:
            raise StubError(result["throw"])
        # What an agent gets it may keep and change; the next play must find it as written.
        return copy.deepcopy(result)


class ActionStub(msgspec.Struct, frozen=True, kw_only=True):
    """A declared action."""

    parameters: Mapping[str, Param] | None = None
    results: Results = _OK
    writes: Mapping[str, Any] = {}
    """Written to the session's data whenever the result is ok, a turn's own too."""

    def action(self, name: str, stubs: Stubs) -> Action:
        """Make the action that takes its results from `stubs`."""

        def handle(_: Mapping[str, Any], ctx: ActionCtx[Any]) -> Any:
            result = stubs.action(name, self.results)
            if self.writes and is_mapping(result) and "ok" in result:
                ctx.set(copy.deepcopy(dict(self.writes)))
            return result

        return Action(handle, self.parameters)


class ToolStub(msgspec.Struct, frozen=True, kw_only=True):
    """A declared tool; as a stand-in it may leave out what the real one has."""

    id: str
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    results: Results = _NOTHING
    flags: Mapping[str, Any] = {}
    """`is_read_only` and the like, as keyword arguments of a Tool."""

    def tool(self, stubs: Stubs) -> Tool:
        """Make the tool that takes its results from `stubs`."""

        def handle(_: Mapping[str, Any], _ctx: ToolCtx[Any]) -> Any:
            return stubs.tool(self.id, self.results)

        # Whether the parameters are a schema is for the agent to judge.
        return Tool(
            id=self.id,
            description=self.description or "",
            parameters={} if self.parameters is None else self.parameters,
            handler=handle,
            **self.flags,
        )


def overridable(name: str, action: Action, stubs: Stubs) -> Action:
    """An action of the host's own that gives way to a turn's results."""

    def handle(args: Mapping[str, Any], ctx: ActionCtx[Any]) -> Any:
        return stubs.action(name, None) if stubs.overrides(name) else action.handler(args, ctx)

    return Action(handle, action.parameters)


# --- conditions ---------------------------------------------------------------------------------


def condition(path: str, op: str) -> Condition:
    """Make the condition that tests what stands at a path: `equals`, `anyOf` or `exists`."""
    test = _TESTS[op]
    keys = path.split(".")

    def holds(ctx: Ctx[Any], argument: Any) -> bool:
        return test(_at(ctx, keys), argument)

    return holds


def _at(ctx: Ctx[Any], keys: list[str]) -> Any:
    root, *rest = keys
    value: Any = {"context": ctx.context, "data": ctx.data, "input": ctx.input}[root]
    for key in rest:
        value = _step(value, key)
    return _MISSING if value is msgspec.UNSET else value


def _step(value: Any, key: str) -> Any:
    if is_mapping(value):
        return value.get(key, _MISSING)
    is_index = key.isascii() and key.isdigit() and str(int(key)) == key
    if is_list(value) and is_index and int(key) < len(value):
        return value[int(key)]
    return _MISSING


def _equals(value: Any, argument: Any) -> bool:
    return same_json(value, argument)


def _any_of(value: Any, argument: Any) -> bool:
    options = argument if is_list(argument) else [argument]
    values = value if is_list(value) else [value]
    return any(same_json(one, option) for one in values for option in options)


def _exists(value: Any, argument: Any) -> bool:
    """A null is nothing that is there, as in templates."""
    return (value is not _MISSING and value is not None) == argument


_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "equals": _equals,
    "anyOf": _any_of,
    "exists": _exists,
}
OPS = tuple(_TESTS)
ROOTS = ("context", "data", "input")
