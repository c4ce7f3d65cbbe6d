"""Whether everything that a place names is registered on the agent."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping
from falai.spec.places import Place, What
from falai.spec.registries import Registries
from falai.spec.walk import predicates, targets
from falai.spec.wording import quote
from falai.words.flow import Do, Event, Flow, Goto, Predicate, Talk, WaitEvent

BUILT_IN = frozenset({"equals", "known", "silenced"})
"""Conditions that every agent has."""


def check_names(place: Place, registries: Registries) -> None:
    """Raise FlowConfigurationError on the first name that is not registered."""
    where, what = place.where, place.what
    for path, slugs in _slugs(what):
        check_fields(where, path, slugs, registries)
    if isinstance(what, Flow | Talk):
        check_tools(where, what.tools or (), registries)
    if isinstance(what, Do) and what.do not in registries.actions:
        raise FlowConfigurationError.at(
            where, f"unknown action {quote(what.do)}", "Register it in actions or fix the name."
        )
    _check_event(where, what, registries.events)
    check_conditions(where, predicates(what), registries)


def check_predicate_names(
    where: str, found: Iterable[tuple[str, Predicate]], registries: Registries
) -> None:
    """The same for predicates that stand outside of a flow."""
    found = list(found)
    for path, slugs in _predicate_slugs(found):
        check_fields(where, path, slugs, registries)
    check_conditions(where, found, registries)


def check_tools(where: str, tools: Iterable[str], registries: Registries) -> None:
    """Raise FlowConfigurationError on the first unknown tool."""
    for tool in tools:
        if tool not in registries.tools:
            raise FlowConfigurationError.at(
                where,
                f"unknown tool {quote(tool)}",
                "Register it in the agent's tools or fix the name.",
            )


def check_fields(where: str, path: str, slugs: Iterable[Any], registries: Registries) -> None:
    """Raise FlowConfigurationError on the first unknown field."""
    for slug in slugs:
        if not isinstance(slug, str) or slug not in registries.fields:
            raise FlowConfigurationError.at(
                where,
                f"unknown field {quote(slug)} in {path}",
                "Add it to the agent's fields or fix the slug.",
            )


def check_conditions(
    where: str, found: Iterable[tuple[str, Predicate]], registries: Registries
) -> None:
    """Raise FlowConfigurationError on the first unknown condition."""
    for path, predicate in found:
        for name in () if callable(predicate) else predicate:
            if name not in BUILT_IN and name not in registries.conditions:
                raise FlowConfigurationError.at(
                    where,
                    f"unknown condition {quote(name)} in {path}",
                    "Register it in conditions or fix the name.",
                )


def _check_event(where: str, what: What, events: Collection[str]) -> None:
    if isinstance(what, Event) and what.name not in events:
        name, path = what.name, "event"
    elif isinstance(what, WaitEvent) and what.event not in events:
        name, path = what.event, "wait"
    else:
        return
    raise FlowConfigurationError.at(
        where, f"unknown event {quote(name)} in {path}", "Register it in events or fix the name."
    )


def _slugs(what: What) -> Iterator[tuple[str, Iterable[Any]]]:
    """Every list of fields that a place names."""
    if isinstance(what, Flow | Talk):
        yield "collect", what.collect or ()
    if isinstance(what, Talk):
        yield "ask", what.ask or ()
    if isinstance(what, Flow):
        yield "clearOnStart", what.clear_on_start or ()
    for path, target in targets(what):
        if isinstance(target, Goto):
            yield f"{path}.clear", target.clear or ()
    yield from _predicate_slugs(predicates(what))


def _predicate_slugs(
    found: Iterable[tuple[str, Predicate]],
) -> Iterator[tuple[str, Iterable[Any]]]:
    """Fields in `equals` and `known`; what is no mapping or list is a matter of values."""
    for path, predicate in found:
        if callable(predicate):
            continue
        equals, known = predicate.get("equals"), predicate.get("known")
        if is_mapping(equals):
            yield f"{path}.equals", equals
        if is_list(known):
            yield f"{path}.known", known
