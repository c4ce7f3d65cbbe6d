"""The checks of one flow, place by place: shapes, then names, then values, then jumps."""

from collections.abc import Mapping
from typing import Any

from falai.spec.built import check_built
from falai.spec.jumps import check_jumps
from falai.spec.names import check_names
from falai.spec.places import Place, read_places
from falai.spec.plain import plain, without_nulls
from falai.spec.registries import Registries
from falai.spec.values import check_values
from falai.spec.warnings import flow_warnings
from falai.spec.whole import check_whole
from falai.words.flow import Event, Flow, Mention, Message, Silence, Step, Trigger


def validate_flow(flow_or_spec: Flow | Mapping[str, Any], registries: Registries) -> list[str]:
    """Return what looks unmeant, a sentence each; raise on what would break at run time.

    The first problem raises FlowConfigurationError. A flow built in Python passes the same
    checks as a spec, those of its shape included; its predicates may be functions.
    """
    raw = plain(flow_or_spec)
    built = flow_or_spec if isinstance(flow_or_spec, Flow) else None
    places: list[Place] = []
    for place in read_places(raw if built else without_nulls(raw)):
        if built:
            check_built(place.where, place.what, _at(built, place))
        check_whole(place.where, plain(place.what))
        check_names(place, registries)
        check_values(place, registries)
        check_jumps(place)
        places.append(place)
    return flow_warnings(places, registries)


def _at(flow: Flow, place: Place) -> Flow | Trigger | Step:
    """What a flow built in Python holds at a place."""
    if isinstance(place.what, Flow):
        return flow
    if isinstance(place.what, Message | Mention | Silence | Event):
        return (flow.on or ())[place.index]
    return flow.steps[place.index]
