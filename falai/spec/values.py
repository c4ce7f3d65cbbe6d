"""Whether every value of a place fits what it is for; nothing is ever converted."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping
from falai.spec.pieces import no_duration
from falai.spec.places import Place
from falai.spec.registries import Registries
from falai.spec.walk import durations, predicates
from falai.spec.wording import articled, listed, quote, typed
from falai.words.field import same_scalar
from falai.words.flow import Do, Param, Predicate

_UNCONVERTED = "Write a value of that type: none is converted."
_TEXT_ONLY = "A placeholder gives text: declare {} as string."


def check_values(place: Place, registries: Registries) -> None:
    """Raise FlowConfigurationError on the first value that does not fit."""
    check_predicate_values(place.where, predicates(place.what), registries)
    for path, text in durations(place.what):
        try:
            parse_duration(text)
        except FlowConfigurationError:
            raise no_duration(place.where, path, text) from None
    if isinstance(place.what, Do):
        _check_with(place.where, place.what, registries.actions[place.what.do].parameters or {})


def check_predicate_values(
    where: str, found: Iterable[tuple[str, Predicate]], registries: Registries
) -> None:
    """Raise FlowConfigurationError on the first built-in condition with a wrong argument."""
    for path, predicate in found:
        if callable(predicate):
            continue
        for name, argument in predicate.items():
            _check_argument(where, f"{path}.{name}", (name, argument), registries)


def _check_argument(where: str, path: str, entry: tuple[str, Any], registries: Registries) -> None:
    name, argument = entry
    if name == "equals":
        _check_equals(where, path, argument, registries)
    elif name == "known" and not is_list(argument):
        raise FlowConfigurationError.at(
            where, f"{path} is not a list, got {quote(argument)}", "Write a list of fields."
        )
    elif name == "silenced" and not isinstance(argument, bool):
        raise FlowConfigurationError.at(
            where, f"{path} is not true or false, got {quote(argument)}", "Write one of them."
        )


def _check_equals(where: str, path: str, argument: Any, registries: Registries) -> None:
    if not is_mapping(argument):
        raise FlowConfigurationError.at(
            where, f"{path} is not a mapping, got {quote(argument)}", "Write {field: value}."
        )
    for slug, value in argument.items():
        field = registries.fields[slug]
        given = f"{path} gives {quote(slug)}"
        if not _fits(field.type, value):
            raise FlowConfigurationError.at(
                where,
                f"{given} {typed(value)}, expected {articled(field.type)}",
                _UNCONVERTED,
            )
        _check_option(where, given, value, field.enum)


def _check_with(where: str, step: Do, params: Mapping[str, Param]) -> None:
    given, action = step.with_ or {}, quote(step.do)
    for name, param in params.items():
        if name not in given and not param.optional:
            raise FlowConfigurationError.at(
                where, f"with lacks {quote(name)}, which action {action} needs", "Add it."
            )
    for name in given:
        if name not in params:
            fix = f"Use one of {listed(params)}." if params else "Remove it."
            raise FlowConfigurationError.at(
                where, f"with has {quote(name)}, which action {action} does not take", fix
            )
    for name, value in given.items():
        _check_param(where, f"with gives {quote(name)} of action {action}", value, params[name])


def _check_param(where: str, given: str, value: Any, param: Param) -> None:
    scalar = param.items if param.type == "array" else param
    values = [value] if param.type != "array" else value if is_list(value) else None
    misfits = [value] if values is None else [v for v in values if not _fits_param(scalar, v)]
    if values is None or misfits:
        fix = _TEXT_ONLY if any(map(_is_filled_in, misfits)) else _UNCONVERTED
        named = "the parameter" if misfits == [value] else "its items"
        raise FlowConfigurationError.at(
            where, f"{given} {typed(value)}, expected {_expected(param)}", fix.format(named)
        )
    for item in values:
        if not _is_filled_in(item):
            _check_option(where, given, item, scalar.enum if scalar else None)


def _fits_param(scalar: Param | None, value: object) -> bool:
    return scalar is None or _fits(scalar.type, value)


def _is_filled_in(value: object) -> bool:
    """Whether a text holds a placeholder, so that what it will say is not known yet."""
    return isinstance(value, str) and "{{" in value


def _expected(param: Param) -> str:
    if param.type != "array":
        return articled(param.type)
    return f"a list of {param.items.type}s" if param.items else "a list"


def _check_option(where: str, given: str, value: object, enum: Sequence[Any] | None) -> None:
    if enum is not None and not any(same_scalar(value, option) for option in enum):
        raise FlowConfigurationError.at(
            where, f"{given} {typed(value)}", f"Use one of {listed(enum)}."
        )


def _fits(scalar_type: str, value: object) -> bool:
    if scalar_type == "string":
        return isinstance(value, str)
    if scalar_type == "boolean":
        return isinstance(value, bool)
    if isinstance(value, float):
        return math.isfinite(value) and (scalar_type == "number" or value.is_integer())
    return isinstance(value, int) and not isinstance(value, bool)
