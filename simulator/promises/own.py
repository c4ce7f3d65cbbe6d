"""The author's own promises: functions that look at a turn and say what is wrong with it."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from simulator.imported import imported
from simulator.promises.moment import Broken, Moment
from simulator.spot import Spot
from simulator.trace import TurnRecord

Check: TypeAlias = Callable[[TurnRecord], Any]
"""Gets the record of a turn. A text, False or an AssertionError says that it does not hold."""


def read_check(spot: Spot) -> tuple[str, Check]:
    """A check by its name; raises ScenarioFileError for one that cannot be called."""
    found = imported(spot)
    if not callable(found):
        raise spot.error(f"{spot.value} cannot be called", "Name a function of one turn.")
    return str(spot.value), found


def broken_by(check: Check, moment: Moment) -> Iterator[Broken]:
    """What a check says of a turn."""
    try:
        said = check(moment.record)
    except AssertionError as error:
        said = str(error) or False
    except Exception as error:  # noqa: BLE001 - somebody else's code, told to whoever wrote it
        said = f"the check raised {type(error).__name__}: {error}"
    if said is False or isinstance(said, str):
        yield Broken(what=said or "it does not hold")
