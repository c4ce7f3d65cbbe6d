"""The toolkit: fields, actions, tools, events, conditions and flows of one agent, as Python."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack, get_type_hints, overload

from msgspec.structs import replace

from falai.agent import Agent
from falai.blueprint import AgentParts
from falai.errors import FlowConfigurationError
from falai.shapes import is_mapping
from falai.signature import Signature, scalar_of
from falai.words.context import Ctx
from falai.words.field import Field, ScalarType
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
from falai.words.registry import Action, Condition, EventDef, Tool

C = TypeVar("C")
F = TypeVar("F", bound=Callable[..., Any])


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
    """What a tool may say of itself beside its signature."""

    is_read_only: bool
    is_concurrency_safe: bool
    is_destructive: bool
    validate_input: Callable[[Mapping[str, Any]], str | None]
    check_permissions: Callable[[Mapping[str, Any], Any], str | None]
    max_result_chars: int


class falai(Generic[C]):  # noqa: N801 - reads as the door of the package: `f = falai(...)`
    """Gathers what an agent may name, then builds the agent.

    `falai[LeadContext](fields)` types the host's context once; `fields` is a mapping of Field, or
    a class whose annotations are the fields: `nome: str = ask("Ask for the name.")`.
    """

    def __init__(self, fields: Mapping[str, Field] | type | None = None) -> None:
        self.fields: Mapping[str, Field] = (
            fields_of(fields) if isinstance(fields, type) else dict(fields or {})
        )
        self.actions: dict[str, Action] = {}
        self.events: dict[str, EventDef] = {}
        self.conditions: dict[str, Condition] = {}
        self.tools: dict[str, Tool] = {}
        self.flows: list[Flow] = []

    def action(self, function: F) -> F:
        """Register a function as the action of its name; its parameters are the action's."""
        signature = Signature(function)
        self._admit(self.actions, "action", function.__name__)
        self.actions[function.__name__] = Action(signature.call, signature.params or None)
        return function

    def condition(self, function: F) -> F:
        """Register `function(ctx, argument) -> bool` as the condition of its name."""
        name = function.__name__
        if inspect.iscoroutinefunction(function):
            what = "is async, but predicates are judged at once"
            raise FlowConfigurationError.at(
                f'condition "{name}"', what, "Make it a plain function."
            )
        if len(inspect.signature(function).parameters) != 2:
            what = "does not take two parameters"
            raise FlowConfigurationError.at(f'condition "{name}"', what, "Take ctx and argument.")
        self._admit(self.conditions, "condition", name)
        self.conditions[name] = function
        return function

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
            signature = Signature(function)
            self._admit(self.tools, "tool", function.__name__)
            self.tools[function.__name__] = Tool(
                id=function.__name__,
                description=inspect.getdoc(function) or "",
                parameters=signature.schema(),
                handler=_tool_handler(signature),
                **options,
            )
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

    def agent(self, name: str, **parts: Unpack[AgentParts]) -> Agent:
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
        return Agent(name=name, **gathered)

    def _admit(self, registry: Mapping[str, object], kind: str, name: str) -> None:
        if name in registry:
            raise FlowConfigurationError(
                f'{kind} "{name}" is registered twice: names must be unique. Rename one of them.'
            )


def ask(
    text: str | None = None,
    *,
    description: str | None = None,
    label: str | None = None,
    extract: Literal["anywhere", "asked"] | None = None,
) -> Any:
    """How to ask for a field that a class declares: `nome: str = ask("Ask for the name.")`."""
    return Field("string", ask=text, description=description, label=label, extract=extract)


def fields_of(declared: type) -> dict[str, Field]:
    """The fields that a class declares by annotations; `Literal` gives the options."""
    return {
        slug: _field(declared, slug, hint)
        for slug, hint in get_type_hints(declared).items()
        if not slug.startswith("_")
    }


def _field(declared: type, slug: str, hint: Any) -> Field:
    param: Param | None = scalar_of(hint)
    if param is None or param.type == "array":
        raise FlowConfigurationError(
            f'field "{slug}": {hint!r} is no field type. Use str, int, float, bool or Literal.'
        )
    written = vars(declared).get(slug)
    base = written if isinstance(written, Field) else Field("string")
    kind: ScalarType = param.type
    return replace(base, type=kind, enum=param.enum)


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


def _tool_handler(signature: Signature) -> Callable[[Mapping[str, Any], Ctx[Any]], Any]:
    async def handle(args: Mapping[str, Any], ctx: Ctx[Any]) -> Any:
        returned = signature.call(args, ctx)
        if inspect.isawaitable(returned):
            returned = await returned
        if is_mapping(returned) and returned and set(returned) <= {"value", "data"}:
            return returned
        return {"value": returned}

    return handle
