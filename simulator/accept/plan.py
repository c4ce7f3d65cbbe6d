"""Decides what is to be changed in a file, so that it holds in every combination of its matrix."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from simulator.accept.amend import Amender
from simulator.accept.amendvalues import Point
from simulator.accept.change import Addition, Change, Put, Reshape
from simulator.accept.witness import Sighting
from simulator.place import KeyPath
from simulator.spot import Spot

_DIFFERS = "the combinations of the matrix differ here: edit it by hand"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to become of one block."""

    spot: Spot
    """Where the entry stands."""
    changes: Sequence[Change] = ()
    problems: Sequence[tuple[KeyPath, str]] = ()
    """What only the author can change, and why."""
    note: str = ""
    """What was left out, and why."""
    is_new: bool = False


def plans(plays: Sequence[Sequence[Sighting]]) -> list[Plan]:
    """A plan for each block that is to change; `plays` are the combinations of one file."""
    together: dict[tuple[KeyPath, str], list[Sighting]] = {}
    for sightings in plays:
        for sighting in _wanted(sightings):
            together.setdefault((sighting.spot.path, sighting.key), []).append(sighting)
    made = (_new(seen) if seen[0].is_open else _amended(seen) for seen in together.values())
    return [plan for plan in made if plan.changes or plan.problems or plan.note]


def _wanted(sightings: Sequence[Sighting]) -> Iterable[Sighting]:
    """Leave out entries without expectations that only lead up to one that has some.

    An empty block asks to be filled, and a turn that raised is a failure until it is expected.
    """
    last = max((at for at, seen in enumerate(sightings) if not seen.is_open), default=-1)
    return (
        seen
        for at, seen in enumerate(sightings)
        if at > last or seen.written is not None or seen.raised
    )


def _amended(sightings: Sequence[Sighting]) -> Plan:
    """The same changes in every play, or none."""
    spot = sightings[0].spot
    amenders = [_amender(sighting) for sighting in sightings]
    problems = [problem for amender in amenders for problem in amender.problems]
    changes = amenders[0].changes
    if any(amender.changes != changes for amender in amenders):
        problems.append(((*spot.path, sightings[0].key), _DIFFERS))
    return Plan(spot=spot, changes=changes, problems=list(dict.fromkeys(problems)))


def _amender(sighting: Sighting) -> Amender:
    amender = Amender(sighting.moments)
    at = (*sighting.spot.path, sighting.key)
    amender.amend(sighting.written, sighting.got, Point(at, (), sighting.key == "exactly"))
    return amender


def _new(sightings: Sequence[Sighting]) -> Plan:
    """A block with all that is the same in every play."""
    first = sightings[0]
    block = {
        key: value
        for key, value in first.got.items()
        if all(key in seen.got and seen.got[key] == value for seen in sightings)
    }
    left_out = dict.fromkeys(key for seen in sightings for key in seen.got if key not in block)
    note = f"the combinations of the matrix differ in {', '.join(left_out)}" if left_out else ""
    changes = [_added(first, block)] if block else []
    return Plan(spot=first.spot, changes=changes, note=note, is_new=True)


def _added(sighting: Sighting, block: Mapping[str, Any]) -> Change:
    spot = sighting.spot
    if sighting.written is not None:
        return Put((*spot.path, "expect"), block)
    if not spot.value:
        return Put(spot.path, {"expect": block})
    add = Addition(len(spot.value) - 1, block, "expect")
    return Reshape(spot.path, frozenset(), [add])
