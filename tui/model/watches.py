"""A value of the session followed over the steps: what it is, when it changed, and who did it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from falai.predicate import same_json
from falai.shapes import is_list, is_mapping
from falai.turn.needs import Phase
from falai.words.session import Run
from tui.model.sources import source_of as source_of
from tui.model.timeline import State, Timeline

ROOTS = ("data", "runs", "claims", "inputs", "floor", "clock")
"""What a path can begin with."""
_PART = re.compile(r"[^.\[\]]+")
_JOINT = ".[]"


class PathError(Exception):
    """A text names no value that can be followed: `what. how to fix.`"""


def check_path(path: str) -> str:
    """The path, when it begins with something there is; a bare slug is a field. Raises PathError."""
    path = path.strip()
    first = _PART.match(path)
    if first is None:
        raise PathError(f"write a path that begins with {', '.join(ROOTS)}. data.name.")
    return path if first[0] in ROOTS else f"data.{path}"


def value_at(timeline: Timeline, path: str, at: int) -> Any:
    """What stands at a path after a step; None where there is nothing."""
    root, rest = _split(path)
    if root == "clock":
        return timeline.record(at).now
    return _inside(_part_of(timeline.state(at), root), root, rest)


def value_before(timeline: Timeline, path: str, at: int) -> Any:
    """What stood at a path before a step."""
    root, rest = _split(path)
    if root == "clock":
        return timeline.record(at - 1).now if at else None
    return _inside(_part_of(timeline.before(at), root), root, rest)


# --- paths --------------------------------------------------------------------------------------


def _split(path: str) -> tuple[str, str]:
    """The root of a path, and what stands behind it."""
    found = _PART.match(path)
    root = found[0] if found else ""
    return root, path[len(root) :]


def _part_of(state: State | msgspec.Struct, root: str) -> Any:
    return getattr(state, "runs" if root == "floor" else root, None)


def _inside(value: Any, root: str, rest: str) -> Any:
    """What stands in a part of a state; floor is the flow of the run that asks."""
    if root == "floor":
        return next((run.flow_id for run in value if run.status == "asking"), None)
    while rest := rest.strip(_JOINT):
        if not value:
            return None
        names = _names(value)
        name = rest if rest in names else _leading(rest, names)
        value, rest = _child(value, name), rest[len(name) :]
    return value if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> Any:
    """As on the wire; what is no JSON, as code would write it."""
    return msgspec.to_builtins(value, enc_hook=repr)


def _names(value: Any) -> Iterable[str]:
    """What a path may go on with: keys, or flows and runs; places of a list are not among them."""
    if is_mapping(value):
        return value
    if isinstance(value, msgspec.Struct):
        return value.__struct_encode_fields__
    runs = [it for it in value if isinstance(it, Run)] if is_list(value) else []
    return [run.id for run in runs] + [run.flow_id for run in runs]


def _leading(rest: str, names: Iterable[str]) -> str:
    """The first part of a path; a name counts whole, also one with a dot in it."""
    found = _PART.match(rest)
    first = found[0] if found else rest
    if first in names:
        return first
    fitting = (name for name in names if rest.startswith((f"{name}.", f"{name}[")))
    return max(fitting, key=len, default=first)


def _child(value: Any, name: str) -> Any:
    if is_mapping(value):
        return value.get(name)
    if isinstance(value, msgspec.Struct):
        return _attribute(value, name)
    if not is_list(value):
        return None
    if name.isdecimal():
        return value[int(name)] if int(name) < len(value) else None
    runs = (it for it in value if isinstance(it, Run))
    return next((run for run in runs if name in (run.id, run.flow_id)), None)


def _attribute(value: msgspec.Struct, name: str) -> Any:
    """What stands under a name of the wire."""
    names = value.__struct_encode_fields__
    if name not in names:
        return None
    found = getattr(value, value.__struct_fields__[names.index(name)])
    return None if found is UNSET else found


# --- changes ------------------------------------------------------------------------------------


def changed(timeline: Timeline, path: str, at: int) -> bool:
    """Whether a step changed what stands at a path, within the session of its turn."""
    return not same_json(value_at(timeline, path, at), value_before(timeline, path, at))


@lru_cache(maxsize=32)
def changes(timeline: Timeline, path: str) -> Sequence[int]:
    """Every step that changed what stands at a path, in order; read off the records once."""
    return tuple(at for turn in range(len(timeline.turns)) for at in _of_turn(timeline, path, turn))


def _of_turn(timeline: Timeline, path: str, turn: int) -> Iterator[int]:
    record = timeline.turns[turn]
    first, (root, rest) = timeline.at(turn, Phase.LOAD), _split(path)
    if root == "clock" or record.phases is UNSET:
        likely = first if root == "clock" else timeline.at(turn, Phase.SETTLE)
        yield from [likely] if changed(timeline, path, likely) else []
        return
    value = _inside(_part_of(timeline.before(first), root), root, rest)
    for done in record.phases:
        part = _part_of(done, root)
        if part is None:
            continue
        now = _inside(part, root, rest)
        if not same_json(now, value):
            yield timeline.at(turn, done.phase)
        value = now


def who_set(
    timeline: Timeline, path: str, at: int, direction: int = -1, *, here: bool = True
) -> int | None:
    """The step at which the value at a path last changed, or changes next; None when it is none.

    Looking back, the step itself counts, unless `here` is False. Only turns of the same session
    count: the others have a value of their own.
    """
    steps = changes(timeline, path)
    if direction > 0:
        found: Iterable[int] = steps[bisect_right(steps, at) :]
    else:
        found = reversed(steps[: bisect_right(steps, at) if here else bisect_left(steps, at)])
    session = timeline.session_of(timeline.turn_of(at)) if steps else ""
    return next((it for it in found if timeline.session_of(timeline.turn_of(it)) == session), None)
