"""Parameters of an action or a tool, read off a function's signature."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

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

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.context_name: str | None = None
        """Name of the parameter that gets the context; None when there is none."""
        self.params: dict[str, Param] = {}
        hints = typing.get_type_hints(function)
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise _refusal(function, name, "stands for any number of values")
            hint = hints.get(name, str)
            if name == "ctx" or _is_context(hint):
                self.context_name = name
            else:
                optional = parameter.default is not inspect.Parameter.empty
                self.params[name] = _param(function, name, hint, optional=optional)

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
        options = get_args(hint)
        kind = _TYPES.get(type(options[0]))
        return None if kind is None else Param(kind, enum=options)
    kind = _TYPES.get(hint)
    return None if kind is None else Param(kind)


def _is_context(hint: Any) -> bool:
    origin = get_origin(hint) or hint
    return isinstance(origin, type) and issubclass(origin, Ctx)


def _param(function: Callable[..., Any], name: str, hint: Any, *, optional: bool) -> Param:
    hint, nullable = _without_none(hint)
    origin = get_origin(hint)
    if origin in (list, tuple, Sequence) and get_args(hint):
        item = scalar_of(get_args(hint)[0])
        param = None if item is None else Param("array", items=item)
    else:
        param = scalar_of(hint)
    if param is None:
        raise _refusal(function, name, "has a type that no parameter can have")
    return Param(
        param.type,
        enum=param.enum,
        items=param.items,
        optional=True if optional or nullable else None,
    )


def _refusal(function: Callable[..., Any], name: str, what: str) -> FlowConfigurationError:
    return FlowConfigurationError(
        f'function "{function.__name__}": parameter "{name}" {what}. '
        "Use str, int, float, bool, Literal or a list of one of them."
    )


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        if len(options) == 1:
            return options[0], True
    return hint, False
