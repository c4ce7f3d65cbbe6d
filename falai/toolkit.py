"""The toolkit: fields, actions, tools, events, conditions and flows of one agent, as Python."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from falai.agent import Agent
from falai.blueprint import AgentParts
from falai.declared import fields_of
from falai.errors import FlowConfigurationError
from falai.shapes import is_mapping
from falai.signature import Signature
from falai.words.context import Ctx
from falai.words.field import Field
from falai.words.flow import (
    Chain,
    Flow,
    Goto,
    Instruction,
    OnEnd,
    Param,
    Predicate,
    Step,
    Trigger,
)
from falai.words.generic import C, D, Typed
from falai.words.registry import Action, Condition, EventDef, Tool

F = TypeVar("F", bound=Callable[..., Any])
A = TypeVar("A", bound=Callable[..., Mapping[str, Any] | Awaitable[Mapping[str, Any]]])
P = TypeVar("P", bound=Callable[..., bool])


class FlowOptions(TypedDict, total=False):
    """The parts of a flow beside its id, name and steps."""

    description: str
    on: Sequence[Trigger]
    anchor: str
    while_: Predicate
    collect: Sequence[str]
    clear_on_start: Sequence[str]
    on_end: OnEnd
    instructions: Sequence[Instruction]
    tools: Sequence[str]


class ToolOptions(TypedDict, total=False):
    """What a tool may say of itself beside its signature, or in its place."""

    name: str
    """In place of the function's."""
    description: str
    """In place of the docstring."""
    parameters: Mapping[str, Any]
    """A JSON Schema object, in place of what the annotations give."""
    is_read_only: bool
    is_concurrency_safe: bool
    is_destructive: bool
    validate_input: Callable[[Mapping[str, Any]], str | None]
    check_permissions: Callable[[Mapping[str, Any], Any], str | None]
    max_result_chars: int


class falai(Typed[C, D]):  # noqa: N801 - reads as the door of the package: `f = falai(...)`
    """Gathers what an agent may name, then builds the agent.

    `fields` is a mapping of Field, or a class whose annotations are the fields:
    `class Lead(Fields): name: str = ask("Ask for the name.")`. Then `session.data` has that
    type. `context` is the type of the host's context, for type checkers alone: contexts of
    actions, tools and predicates are `ActionCtx[Customer, Lead]` and the like.
    """

    @overload
    def __init__(self, fields: type[D], *, context: type[C] | None = None) -> None: ...

    @overload
    def __init__(
        self,
        fields: Mapping[str, Field] | type[Any] | None = None,
        *,
        context: type[C] | None = None,
    ) -> None: ...

    def __init__(
        self,
        fields: Mapping[str, Field] | type[Any] | None = None,
        *,
        context: type[C] | None = None,
    ) -> None:
        self.fields: Mapping[str, Field] = (
            fields_of(fields) if isinstance(fields, type) else dict(fields or {})
        )
        self.actions: dict[str, Action] = {}
        self.events: dict[str, EventDef] = {}
        self.conditions: dict[str, Condition] = {}
        self.tools: dict[str, Tool] = {}
        self.flows: list[Flow] = []

    @overload
    def action(self, function: A, /) -> A: ...

    @overload
    def action(
        self,
        function: None = None,
        /,
        *,
        name: str | None = None,
        parameters: Mapping[str, Param] | None = None,
    ) -> Callable[[A], A]: ...

    def action(
        self,
        function: A | None = None,
        /,
        *,
        name: str | None = None,
        parameters: Mapping[str, Param] | None = None,
    ) -> A | Callable[[A], A]:
        """Register a function as the action of its name; its parameters are the action's.

        It returns `ok()`, `skipped(…)`, `failed(…)` or `defer(…)`. In brackets it may get
        another `name`, and `parameters` in place of those that its annotations give.
        """

        def register(function: A) -> A:
            named = name or function.__name__
            signature = Signature(function, parameters)
            self._admit(self.actions, "action", named)
            self.actions[named] = Action(signature.call, signature.params or None)
            return function

        return register if function is None else register(function)

    @overload
    def condition(self, function: P, /) -> P: ...

    @overload
    def condition(
        self, function: None = None, /, *, name: str | None = None
    ) -> Callable[[P], P]: ...

    def condition(
        self, function: P | None = None, /, *, name: str | None = None
    ) -> P | Callable[[P], P]:
        """Register `function(ctx, argument) -> bool` as the condition of its name."""

        def register(function: P) -> P:
            named = name or function.__name__
            _check_condition(function, f'condition "{named}"')
            self._admit(self.conditions, "condition", named)
            self.conditions[named] = function
            return function

        return register if function is None else register(function)

    @overload
    def tool(self, function: F, /) -> F: ...

    @overload
    def tool(
        self, function: None = None, /, **options: Unpack[ToolOptions]
    ) -> Callable[[F], F]: ...

    def tool(
        self, function: F | None = None, /, **options: Unpack[ToolOptions]
    ) -> F | Callable[[F], F]:
        """Register a function as the tool of its name; its docstring tells the model what it does.

        It returns a value for the model, or `{"value"?, "data"?}` to write into the session too.
        Written `@f.tool`, or `@f.tool(is_read_only=True)` with what the tool says of itself.
        """

        def register(function: F) -> F:
            tool = _tool(function, options)
            self._admit(self.tools, "tool", tool.id)
            self.tools[tool.id] = tool
            return function

        return register if function is None else register(function)

    def event(self, name: str, direction: Literal["inbound", "outbound"] | None = None) -> str:
        """Register an event of the host, and return its name."""
        self._admit(self.events, "event", name)
        self.events[name] = EventDef(direction)
        return name

    def flow(
        self,
        id: str,  # noqa: A002 - a flow's id is called id
        name: str,
        *,
        steps: Sequence[Step],
        **options: Unpack[FlowOptions],
    ) -> Flow:
        """Make a flow; every flow made here is part of the agent unless `flows` is passed."""
        flow = Flow(id=id, name=name, steps=steps, **options)
        self.flows.append(flow)
        return flow

    def agent(self, name: str, **parts: Unpack[AgentParts]) -> Agent[C, D]:
        """Build the agent; raises FlowConfigurationError for whatever would break at run time."""
        gathered: AgentParts = {
            "fields": self.fields,
            "flows": self.flows,
            "actions": self.actions,
            "events": self.events,
            "conditions": self.conditions,
            "tools": list(self.tools.values()),
        }
        gathered.update(parts)
        return Agent[C, D](name=name, **gathered)

    def _admit(self, registry: Mapping[str, object], kind: str, name: str) -> None:
        if name in registry:
            raise FlowConfigurationError(
                f'{kind} "{name}" is registered twice: names must be unique. Rename one of them.'
            )


def goto(step: str, clear: Sequence[str] = ()) -> Goto:
    """Jump to a step of the same flow, forgetting some fields so that they are asked again."""
    return Goto(step, list(clear) or None)


def chain(flow: str, **given: Any) -> Chain:
    """End here and start another flow; `input=` replaces what it gets."""
    return Chain(flow, **given)


def ok(detail: str | None = None, *, spoke: bool = False) -> dict[str, Any]:
    """An action's result: done; `spoke` when it spoke to the customer itself."""
    return (
        {"ok": True} | ({"detail": detail} if detail else {}) | ({"spoke": True} if spoke else {})
    )


def skipped(reason: str) -> dict[str, Any]:
    """An action's result: nothing was to be done."""
    return {"skipped": reason}


def failed(reason: str) -> dict[str, Any]:
    """An action's result: it did not work; the run follows `onFail`."""
    return {"failed": reason}


def defer(duration: str, detail: str | None = None) -> dict[str, Any]:
    """An action's result: run it again after a while, under the same key."""
    return {"defer": duration} | ({"detail": detail} if detail else {})


def _check_condition(function: Callable[..., bool], where: str) -> None:
    if inspect.iscoroutinefunction(function):
        what = "is async, but predicates are judged at once"
        raise FlowConfigurationError.at(where, what, "Make it a plain function.")
    if len(inspect.signature(function).parameters) != 2:
        what = "does not take two parameters"
        raise FlowConfigurationError.at(where, what, "Take ctx and argument.")


def _tool(function: Callable[..., Any], options: ToolOptions) -> Tool:
    said: dict[str, Any] = dict(options)
    parameters = said.pop("parameters", None)
    signature = Signature(function, None if parameters is None else {})
    return Tool(
        id=said.pop("name", function.__name__),
        description=said.pop("description", inspect.getdoc(function) or ""),
        parameters=signature.schema() if parameters is None else parameters,
        handler=_tool_handler(signature),
        **said,
    )


def _tool_handler(signature: Signature) -> Callable[[Mapping[str, Any], Ctx[Any]], Any]:
    async def handle(args: Mapping[str, Any], ctx: Ctx[Any]) -> Any:
        returned = signature.call(args, ctx)
        if inspect.isawaitable(returned):
            returned = await returned
        if is_mapping(returned) and returned and set(returned) <= {"value", "data"}:
            return returned
        return {"value": returned}

    return handle
