"""Parameters of an action or a tool, read off a function's signature."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec.structs import replace

from falai.errors import FlowConfigurationError
from falai.words.context import Ctx
from falai.words.flow import Param

_TYPES: Mapping[Any, Literal["string", "integer", "number", "boolean"]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}


class Signature:
    """What a plain function takes: its parameters, and whether it wants the context."""

    def __init__(
        self, function: Callable[..., Any], given: Mapping[str, Param] | None = None
    ) -> None:
        """Read a function; with `given`, its annotations are free and only the context is read."""
        self.function = function
        self.context_name: str | None = None
        """Name of the parameter that gets the context; None when there is none."""
        self.params: dict[str, Param] = dict(given or {})
        hints = typing.get_type_hints(function, include_extras=True)
        for name, parameter in inspect.signature(function).parameters.items():
            hint = hints.get(name, str)
            if name == "ctx" or _is_context(hint):
                self.context_name = name
            elif given is None:
                self.params[name] = _param_of(function, parameter, hint)

    def call(self, args: Mapping[str, Any], ctx: Ctx[Any]) -> Any:
        """Call the function with an action's or a tool's arguments; may give an awaitable."""
        if self.context_name is None:
            return self.function(**args)
        return self.function(**args, **{self.context_name: ctx})

    def schema(self) -> dict[str, Any]:
        """The parameters as a JSON Schema object."""
        return {
            "type": "object",
            "properties": {name: param_schema(param) for name, param in self.params.items()},
            "required": [name for name, param in self.params.items() if not param.optional],
            "additionalProperties": False,
        }


def param_schema(param: Param) -> dict[str, Any]:
    """One parameter as JSON Schema."""
    schema: dict[str, Any] = {"type": param.type}
    if param.description is not None:
        schema["description"] = param.description
    if param.enum is not None:
        schema["enum"] = list(param.enum)
    if param.items is not None:
        schema["items"] = param_schema(param.items)
    return schema


def scalar_of(hint: Any) -> Param | None:
    """The scalar that an annotation stands for, `Literal` options included; None for others."""
    if get_origin(hint) is Literal:
        options: tuple[Any, ...] = get_args(hint)
        kinds: set[Any] = {type(option) for option in options}
        kind = _TYPES.get(kinds.pop()) if len(kinds) == 1 else None
        return None if kind is None else Param(kind, enum=options)
    kind = _TYPES.get(hint)
    return None if kind is None else Param(kind)


def _is_context(hint: Any) -> bool:
    origin: Any = get_origin(hint) or hint
    return isinstance(origin, type) and issubclass(origin, Ctx)


def _param_of(function: Callable[..., Any], parameter: inspect.Parameter, hint: Any) -> Param:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise _refusal(function, parameter.name, "stands for any number of values")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise _refusal(function, parameter.name, "cannot be given by its name")
    bare, description = _described(hint)
    param = _param(without_none(bare))
    if param is None:
        raise _refusal(function, parameter.name, "has a type that no parameter can have")
    optional = parameter.default is not parameter.empty or without_none(bare) is not bare
    return replace(param, description=description, optional=optional or None)


def _described(hint: Any) -> tuple[Any, str | None]:
    """The type of `Annotated[type, "what it is"]`, and the text."""
    if get_origin(hint) is not Annotated:
        return hint, None
    bare, *beside = get_args(hint)
    return bare, next((text for text in beside if isinstance(text, str)), None)


def _param(hint: Any) -> Param | None:
    if get_origin(hint) in (list, tuple, Sequence) and get_args(hint):
        item = scalar_of(get_args(hint)[0])
        return None if item is None else Param("array", items=item)
    return scalar_of(hint)


def _refusal(function: Callable[..., Any], name: str, what: str) -> FlowConfigurationError:
    return FlowConfigurationError(
        f'function "{function.__name__}": parameter "{name}" {what}. '
        "Use str, int, float, bool, Literal or a list of one of them."
    )


def without_none(hint: Any) -> Any:
    """The type in `type | None`; any other as it is."""
    if get_origin(hint) in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        if len(options) == 1:
            return options[0]
    return hint
