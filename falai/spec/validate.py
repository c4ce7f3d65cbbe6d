"""The checks of one flow, place by place: shapes, then names, then values, then jumps."""

from collections.abc import Mapping
from typing import Any

from falai.spec.jumps import check_jumps
from falai.spec.names import check_names
from falai.spec.places import Place, read_places
from falai.spec.plain import plain, without_nulls
from falai.spec.registries import Registries
from falai.spec.values import check_values
from falai.spec.warnings import flow_warnings
from falai.words.flow import Flow


def validate_flow(flow_or_spec: Flow | Mapping[str, Any], registries: Registries) -> list[str]:
    """Return what looks unmeant, a sentence each; raise on what would break at run time.

    The first problem raises FlowConfigurationError. A flow built in Python passes the same
    checks as a spec, those of its shape included; its predicates may be functions.
    """
    raw = plain(flow_or_spec)
    places: list[Place] = []
    for place in read_places(raw if isinstance(flow_or_spec, Flow) else without_nulls(raw)):
        check_names(place, registries)
        check_values(place, registries)
        check_jumps(place)
        places.append(place)
    return flow_warnings(places, registries)
