"""Promises about keys: what happens once, happens once."""

from collections.abc import Iterator

from falai.turn.silence import PREFIX as SILENCE
from simulator.promises.moment import Broken, Moment


def wakes(moment: Moment) -> Iterator[Broken]:
    """A wake is honoured once, and a run's by the run that waits for it alone."""
    key = moment.record.input.get("wake")
    if key is None or not _is_honoured(moment, key):
        return
    if key in moment.memory.honoured:
        yield Broken(what=f"a wake {_owner(key)} was honoured twice", got=key)
    elif not key.startswith(SILENCE) and not _is_waited_for(moment, key):
        yield Broken(what=f"a wake {_owner(key)} was honoured, and nobody waited for it", got=key)


def _is_honoured(moment: Moment, key: str) -> bool:
    """Whether a wake did something; that of a silence may be refused by a claim."""
    return bool(moment.result.started) if key.startswith(SILENCE) else moment.result.changed


def _is_waited_for(moment: Moment, key: str) -> bool:
    runs = moment.before.runs if moment.before is not None else ()
    return any(run.waiting is not None and run.waiting.key == key for run in runs)


def _owner(key: str) -> str:
    flow = key.removeprefix(SILENCE).partition("#")[0].partition(":")[0]
    return f'of flow "{flow}"'


def actions(moment: Moment) -> Iterator[Broken]:
    """Each visit of a step runs its action under a key of its own."""
    seen = set(moment.memory.done)
    for action in moment.record.actions:
        if action.key in seen:
            yield Broken(what=f"action {action.do} ran twice under one key", got=action.key)
        seen.add(action.key)


def remember(moment: Moment) -> None:
    """Take in what a turn did, after it was judged."""
    memory, result = moment.memory, moment.result
    key = moment.record.input.get("wake")
    if key is not None and _is_honoured(moment, key):
        memory.honoured.add(key)
    memory.honoured -= {wake.key for wake in result.schedule}
    put_off = {line.key for line in result.outcomes if line.code == "action-deferred"}
    memory.done |= {action.key for action in moment.record.actions} - put_off
