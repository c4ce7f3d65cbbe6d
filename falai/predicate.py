"""Whether an author's predicate holds: a function of the context, or a condition mapping."""

from collections.abc import Callable, Mapping
from typing import Any

from falai.errors import FlowConfigurationError
from falai.shapes import compact, is_list, is_mapping
from falai.words.context import Ctx
from falai.words.field import is_known, same_scalar
from falai.words.flow import Predicate
from falai.words.registry import Condition


def holds(predicate: Predicate | None, ctx: Ctx[Any], conditions: Mapping[str, Condition]) -> bool:
    """Judge a predicate, None being always true.

    Raises FlowConfigurationError for a condition that is not registered, and whatever the
    author's own function raises.
    """
    if predicate is None:
        return True
    if callable(predicate):
        return bool(predicate(ctx))
    return all(_entry(name, value, ctx, conditions) for name, value in predicate.items())


def same_json(left: object, right: object) -> bool:
    """Deep equality as JSON sees it: 30 is 30.0, true is not 1, a tuple is a list."""
    if is_mapping(left):
        return (
            is_mapping(right)
            and left.keys() == right.keys()
            and all(same_json(value, right[key]) for key, value in left.items())
        )
    if is_list(left):
        return (
            is_list(right)
            and len(left) == len(right)
            and all(same_json(one, other) for one, other in zip(left, right, strict=True))
        )
    return same_scalar(left, right)


def _entry(name: str, value: Any, ctx: Ctx[Any], conditions: Mapping[str, Condition]) -> bool:
    built_in = _BUILT_IN.get(name)
    if built_in is not None:
        return built_in(ctx, value)
    condition = conditions.get(name)
    if condition is None:
        raise FlowConfigurationError.at(
            f"condition {compact(name)}",
            "is not registered",
            "Register it in the agent's conditions or fix the name.",
        )
    return bool(condition(ctx, value))


def _equals(ctx: Ctx[Any], wanted: Any) -> bool:
    # A field that is absent reads as null, so `{x: null}` asks for "nothing there".
    return all(same_json(ctx.data.get(slug), value) for slug, value in wanted.items())


def _known(ctx: Ctx[Any], slugs: Any) -> bool:
    return all(is_known(ctx.data, slug) for slug in slugs)


def _silenced(ctx: Ctx[Any], wanted: Any) -> bool:
    return (ctx.silenced is not None) == wanted


_BUILT_IN: dict[str, Callable[[Ctx[Any], Any], bool]] = {
    "equals": _equals,
    "known": _known,
    "silenced": _silenced,
}
