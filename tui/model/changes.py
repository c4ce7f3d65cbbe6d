"""In what two turns differ, where in it, and from which phase on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from falai.predicate import same_json
from falai.shapes import is_list, is_mapping
from falai.turn.needs import Phase
from falai.words.turn import OutMessage
from simulator.mismatch import format_path
from simulator.trace import TurnRecord
from tui.model.predicates import arrival
from tui.model.timeline import PHASES, State, Timeline


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not the same in both plays."""

    what: str
    """`input`, `prompts`, `calls`, `state`, `outcomes`, `actions`, `replies`, `schedule`, `runs`
    or `error`."""
    before: Any
    after: Any
    path: tuple[str | int, ...] = ()
    """Where in it they begin to differ."""
    phase: Phase = Phase.FINISH
    """When that was first so."""

    @property
    def name(self) -> str:
        """What differs, and where in it: `outcomes[0].code`."""
        return format_path((self.what, *self.path))

    @property
    def parts(self) -> tuple[Any, Any]:
        """What stands there before and after; None where there is nothing."""
        return _at(self.before, self.path), _at(self.after, self.path)


Place = tuple[Timeline, int]
"""A turn (from 0) of a play."""


def changes_of(before: Place, after: Place) -> Sequence[Change]:
    """Everything in which two turns differ, in the order in which it came about."""
    (first, first_turn), (second, second_turn) = before, after
    made = _changes(first.turns[first_turn], second.turns[second_turn])
    found = [_placed(it, before, after) for it in made]
    return sorted(found, key=lambda it: PHASES.index(it.phase))


def came(turn: TurnRecord) -> dict[str, Any]:
    """What came in, but for the time of its entry and names that tell only its number."""
    given: dict[str, Any] = _plain({**turn.input})
    numbered = {f"{kind}{turn.entry}" for kind in "ek"}
    return {
        key: _unnumbered(it, numbered) if key == "start" and is_mapping(it) else it
        for key, it in _unnumbered(given, numbered).items()
        if key not in ("id", "at")
    }


def _unnumbered(given: Mapping[str, Any], numbered: set[str]) -> dict[str, Any]:
    """Without a key that nobody wrote: it moves with every entry before its own."""
    return {key: it for key, it in given.items() if key != "key" or it not in numbered}


def _changes(before: TurnRecord, after: TurnRecord) -> Iterator[Change]:
    for what, part in _PARTS.items():
        old, new = part(before), part(after)
        if not same_json(old, new):
            yield Change(what=what, before=old, after=new, path=_path(old, new))


def _path(old: Any, new: Any) -> tuple[str | int, ...]:
    """The way to where two values that are not the same begin to differ."""
    pairs: Iterator[tuple[str | int, Any, Any]]
    if is_mapping(old) and is_mapping(new):
        both = dict.fromkeys([*old, *new])
        pairs = ((key, old.get(key, _ABSENT), new.get(key, _ABSENT)) for key in both)
    elif is_list(old) and is_list(new):
        pairs = ((at, _item(old, at), _item(new, at)) for at in range(max(len(old), len(new))))
    else:
        return ()
    found = ((key, one, other) for key, one, other in pairs if not same_json(one, other))
    key, one, other = next(found)
    return (key, *_path(one, other))


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value.get(str(key)) if is_mapping(value) else _item(value, int(key))
    return None if value is _ABSENT else value


_ABSENT = object()
"""In the place of what only the other one has."""


def _item(items: Sequence[Any], at: int) -> Any:
    return items[at] if at < len(items) else _ABSENT


def _placed(change: Change, *turns: Place) -> Change:
    """A change with the phase at which it is first there."""
    if change.what == "state":
        return replace(change, phase=_parted(*turns))
    counted = _COUNTED.get(change.what)
    if counted is None:
        return replace(change, phase=Phase.INGEST if change.what == "input" else Phase.FINISH)
    place = next((part for part in change.path if isinstance(part, int)), 0)
    came = [arrival(timeline, turn, counted, place) % len(PHASES) for timeline, turn in turns]
    return replace(change, phase=PHASES[min(came)])


def _parted(*turns: Place) -> Phase:
    """The phase from which on two sessions are not the same."""
    for phase in PHASES:
        one, other = (_held(timeline.state(timeline.at(turn, phase))) for timeline, turn in turns)
        if not same_json(one, other):
            return phase
    return Phase.FINISH


def _outcomes(turn: TurnRecord) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = _plain(turn.result.outcomes) if turn.result else []
    return [{key: it for key, it in row.items() if key != "message"} for row in lines]


def _state(turn: TurnRecord) -> Any:
    if turn.result is None:
        return None
    session = turn.result.session
    return _held(State(data=session.data, runs=session.runs, claims=session.claims))


def _held(state: State) -> dict[str, Any]:
    """What counts of a state: not when things came to be, nor the ids of messages."""
    runs = {
        run.id: {
            "status": run.status,
            "step": run.step_id,
            "waiting": _plain(run.waiting),
            "asked": run.asked,
            "visits": run.visits,
        }
        for run in state.runs
    }
    return {"data": _plain(dict(state.data)), "runs": runs, "claims": sorted(state.claims)}


def _ends(turn: TurnRecord) -> Any:
    """Which runs began and ended, and which may not begin."""
    if turn.result is None:
        return None
    return {
        "started": [it.run_id for it in turn.result.started],
        "ended": [{"id": it.id, "reason": it.reason} for it in turn.result.ended],
        "skipped": [{"flow": it.flow_id, "code": it.code} for it in turn.result.skipped],
    }


def _said(it: OutMessage) -> Any:
    """The text alone where that is all there is."""
    late = {"afterMs": it.after_ms} if it.after_ms else {}
    media = {"media": dict(it.media)} if it.media else {}
    return {"text": it.text, **late, **media} if late or media else it.text


def _plain(it: Any) -> Any:
    return msgspec.to_builtins(it, enc_hook=repr)


_PARTS: Mapping[str, Callable[[TurnRecord], Any]] = {
    "input": came,
    "prompts": lambda turn: [f"{call.system or ''}\n{call.prompt}" for call in turn.calls],
    "calls": lambda turn: [{"purpose": it.purpose, "reply": _plain(it.reply)} for it in turn.calls],
    "state": _state,
    "outcomes": _outcomes,
    "actions": lambda turn: _plain(turn.actions),
    "replies": lambda turn: [_said(it) for it in turn.result.messages] if turn.result else [],
    "schedule": lambda turn: _plain(turn.result.schedule) if turn.result else [],
    "runs": _ends,
    "error": lambda turn: _plain(turn.error),
}
"""What is compared of a turn, in the order in which it comes about."""
_COUNTED: Mapping[str, str] = {
    "prompts": "calls",
    "calls": "calls",
    "outcomes": "outcomes",
    "actions": "actions",
    "replies": "messages",
    "schedule": "schedule",
}
"""Lists of which it is known when each item came, and how a step calls them."""
