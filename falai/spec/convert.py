"""A flow to plain JSON and back."""

from collections.abc import Mapping
from typing import Any

from falai.errors import FlowConfigurationError
from falai.spec.places import read_flow, read_places
from falai.spec.plain import plain, without_nulls
from falai.spec.walk import predicates
from falai.words.flow import Flow


def from_spec(spec: Mapping[str, Any]) -> Flow:
    """Build the flow that a spec describes; nulls in it mean "not set".

    Raises FlowConfigurationError on the first wrong shape or unknown key. Whether the fields,
    actions and steps that it names exist is for `validate_flow` to say.
    """
    return read_flow(without_nulls(plain(spec)))


def to_spec(flow: Flow) -> dict[str, Any]:
    """Write a flow as a spec, with the `kind` of each step and without nulls.

    Raises FlowConfigurationError where a predicate is a function, which JSON cannot hold, and
    on a wrong shape.
    """
    spec = without_nulls(plain(flow))
    for place in read_places(spec):
        for path, predicate in predicates(place.what):
            if callable(predicate):
                raise FlowConfigurationError.at(
                    place.where,
                    f"{path} is a function, which a spec cannot hold",
                    "Write it as a condition mapping, with a condition of the agent.",
                )
    return spec
