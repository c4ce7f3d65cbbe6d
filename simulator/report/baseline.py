"""What grew since an earlier trace: calls, tokens and cost of each step in each scenario."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from simulator.report.frames import Frames
from simulator.report.tables import rows_of

Played: TypeAlias = tuple[str, str]
"""A scenario's file and title: by both it is found again."""
Sums: TypeAlias = Mapping[str, float | None]
"""What was spent, by measure; None where nobody counted."""
Spent: TypeAlias = Mapping[tuple[str, ...], Sums]
"""What was spent by each step, or by whatever the keys name."""

MEASURES: Sequence[str] = ("calls", "tokens", "costUsd")
"""What a budget counts; a token is one of the prompt or of the completion."""

_SCENARIO = ["file", "scenario"]
_STEP = [*_SCENARIO, "flow", "step"]
_ROUNDING = 1e-9
"""Costs are fractions; a sum of them is no growth for its last digit."""


class Step(NamedTuple):
    """A step in the play of one scenario."""

    file: str
    scenario: str
    flow: str
    step: str


class Change(NamedTuple):
    """One number of one step, before and after."""

    at: Step
    measure: str
    before: float
    after: float


class Comparison(NamedTuple):
    """How a report compares with its baseline."""

    max_percent: float
    grown: Sequence[Change]
    """What grew by more than `max_percent`, in the order of the report."""
    shared: int
    """How many scenarios both have."""
    added: Sequence[Played]
    """Scenarios that the baseline lacks: what they spend is no growth."""
    missing: Sequence[Played]
    """Scenarios of the baseline that were not played."""
    before: Sums
    after: Sums
    """The sums over everything, by measure."""


def compare(baseline: Frames, now: Frames, max_percent: float) -> Comparison:
    """Compare step by step the scenarios that both have."""
    before, after = _played(baseline), _played(now)
    spent_before, spent_now = _spent(baseline), _spent(now)
    return Comparison(
        max_percent=max_percent,
        grown=list(_Growth(spent_before, spent_now, max_percent).within(before)),
        shared=len(before.keys() & after.keys()),
        added=[played for played in after if played not in before],
        missing=[played for played in before if played not in after],
        before=_added_up(spent_before, 0).get((), _NOTHING),
        after=_added_up(spent_now, 0).get((), _NOTHING),
    )


def _played(frames: Frames) -> dict[Played, None]:
    """The scenarios, each once, in order."""
    rows = rows_of(frames.scenarios[_SCENARIO])
    return dict.fromkeys((row["file"], row["scenario"]) for row in rows)


class _Growth:
    """Finds what grew in the scenarios that both traces have."""

    def __init__(self, before: Spent, after: Spent, max_percent: float) -> None:
        self._max_percent = max_percent
        self._before = before
        self._after = after
        self._scenarios_before = _added_up(before, len(_SCENARIO))
        self._scenarios_after = _added_up(after, len(_SCENARIO))

    def within(self, scenarios: Collection[Played]) -> Iterator[Change]:
        """Every number of a step in these scenarios that grew by more than it may."""
        for key, after in self._after.items():
            at = Step(*key)
            if (at.file, at.scenario) not in scenarios:
                continue
            before = self._before.get(key)
            for measure in MEASURES:
                was = before[measure] if before else self._of_new_step(at, measure)
                now = after[measure]
                if was is not None and now is not None and self._grew(was, now):
                    yield Change(at, measure, was, now)

    def _of_new_step(self, at: Step, measure: str) -> float | None:
        """What a step that spent nothing before is compared with; None when it is no growth.

        It may be an old step under another name, so its scenario has to have grown.
        """
        played = (at.file, at.scenario)
        was = self._scenarios_before.get(played, _NOTHING)[measure]
        now = self._scenarios_after.get(played, _NOTHING)[measure]
        return 0 if was is not None and now is not None and self._grew(was, now) else None

    def _grew(self, before: float, after: float) -> bool:
        return (after - before) * 100 > (self._max_percent + _ROUNDING) * before


_NOTHING: Sums = {"calls": 0, "tokens": None, "costUsd": None}


def _spent(frames: Frames) -> Spent:
    """What each step spent that made a call, in the order of the report."""
    calls = frames.calls
    counted = calls[["promptTokens", "completionTokens"]]
    measured = calls.assign(calls=1, tokens=counted.sum(axis="columns", min_count=1))
    sums = measured.groupby(_STEP, sort=False)[list(MEASURES)].sum(min_count=1)
    return {
        tuple(row[key] for key in _STEP): {name: row[name] for name in MEASURES}
        for row in rows_of(sums.reset_index())
    }


def _added_up(spent: Spent, length: int) -> Spent:
    """The sums over all that have the first parts of their keys in common."""
    sums: dict[tuple[str, ...], dict[str, float | None]] = {}
    for key, each in spent.items():
        into = sums.setdefault(key[:length], dict.fromkeys(MEASURES))
        for measure in MEASURES:
            known = [one for one in (into[measure], each[measure]) if one is not None]
            into[measure] = sum(known) if known else None
    return sums
