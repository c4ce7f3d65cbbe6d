"""What was spent and what came of it, grouped by one thing: the tables of every format."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import pandas as pd

from simulator.report.frames import Frames

By: TypeAlias = Literal["scenario", "flow", "step", "phase", "code"]

KEYS: Mapping[By, Sequence[str]] = {
    "scenario": ["file", "scenario"],
    "flow": ["flow"],
    "step": ["flow", "step"],
    "phase": ["phase"],
    "code": ["code"],
}
"""The columns that a table is grouped by."""

_TOKENS = ["promptTokens", "completionTokens", "cachedTokens"]

SUMS = [*_TOKENS, "costUsd"]
"""What is added up over calls; nothing where nobody counted."""

LATENCY = ["latencyP50Ms", "latencyP95Ms"]
_P50, _P95 = 0.5, 0.95

_PHASES = ["understand", "speak", "summary"]
_TURN = ["play", "turn"]


class Totals(NamedTuple):
    """The sums over everything; None where nobody counted."""

    scenarios: int
    turns: int
    calls: int
    failed: int
    outcomes: int
    counted: int
    """How many of the calls counted their tokens."""
    sums: Mapping[str, float | None]
    """By the names in SUMS."""
    latency: tuple[float, float] | None
    """p50 and p95 in ms."""

    @property
    def tokens(self) -> float | None:
        """Those of the prompts, cached ones included, and those of the completions."""
        known = (self.sums["promptTokens"], self.sums["completionTokens"])
        return _sum([count for count in known if count is not None])


def totals_of(frames: Frames) -> Totals:
    """Count everything."""
    calls = frames.calls
    return Totals(
        scenarios=len(frames.scenarios),
        turns=len(frames.turns),
        calls=len(calls),
        failed=int(calls["failed"].sum()),
        outcomes=len(frames.outcomes),
        counted=int(calls[_TOKENS].notna().any(axis="columns").sum()),
        sums={name: _sum(calls[name].dropna().tolist()) for name in SUMS},
        latency=_latency(calls["durationMs"].dropna()),
    )


def _latency(known: "pd.Series[float]") -> tuple[float, float] | None:
    return (float(known.quantile(_P50)), float(known.quantile(_P95))) if len(known) else None


def _sum(known: list[float]) -> float | None:
    return sum(known) if known else None


def table_of(frames: Frames, by: By) -> pd.DataFrame:
    """Group by one thing; the columns are the same for every trace, in a fixed order of rows."""
    keys = list(KEYS[by])
    table = pd.concat(_columns(frames, by, keys), axis="columns")
    for name in ("turns", "calls", "failed", "outcomes"):
        if name in table:
            table[name] = table[name].fillna(0).astype("int64")
    return _sorted(table.rename_axis(keys).reset_index(), by)


def _columns(frames: Frames, by: By, keys: list[str]) -> "Sequence[pd.DataFrame | pd.Series[Any]]":
    """Each column as a series over the groups; a group may be missing from some."""
    grouped = frames.calls.groupby(keys, sort=False)
    latency = grouped["durationMs"]
    columns = [
        _turns(frames, by, keys),
        grouped.size().rename("calls"),
        grouped["failed"].sum(),
        grouped[SUMS].sum(min_count=1),
        latency.quantile(_P50).rename("latencyP50Ms"),
        latency.quantile(_P95).rename("latencyP95Ms"),
    ]
    lines = frames.outcomes
    if by != "phase":  # a line is no part of a call
        columns.append(lines.groupby(keys, sort=False).size().rename("outcomes"))
    if by == "scenario":
        columns.append(frames.scenarios.groupby(keys, sort=False)["status"].agg(_verdict))
    if by == "code":
        columns.append(lines.groupby(keys, sort=False)["message"].first().rename("meaning"))
    return columns


def _turns(frames: Frames, by: By, keys: list[str]) -> "pd.Series[Any]":
    """In how many turns the group had a call or a line; of a scenario, all its turns."""
    parts = [frames.calls] if by == "phase" else [frames.calls, frames.outcomes]
    if by == "scenario":
        played = frames.scenarios.groupby(keys, sort=False).size().index
        counts = frames.turns.groupby(keys, sort=False).size()
        return counts.reindex(played, fill_value=0).rename("turns")
    columns = list(dict.fromkeys([*keys, *_TURN]))
    seen = pd.concat([part[columns] for part in parts]).drop_duplicates()
    return seen.groupby(keys, sort=False).size().rename("turns")


def _verdict(statuses: "pd.Series[str]") -> str:
    """The worst of what several plays came to."""
    found = list(statuses)
    return next((bad for bad in ("error", "failed") if bad in found), found[0])


def _sorted(table: pd.DataFrame, by: By) -> pd.DataFrame:
    """Scenarios as they were played, phases as they come in a turn, else what spends most first."""
    keys = list(KEYS[by])
    if by == "scenario":
        return table
    if by == "phase":
        place = {name: place for place, name in enumerate(_PHASES)}
        order = table["phase"].map(place).fillna(len(place))
        ordered = table.assign(order=order).sort_values(["order", "phase"], ignore_index=True)
        return ordered.drop(columns="order")
    amounts = ["outcomes"] if by == "code" else ["calls", "outcomes"]
    ascending = [False] * len(amounts) + [True] * len(keys)
    return table.sort_values([*amounts, *keys], ascending=ascending, ignore_index=True)


def known_columns(frames: Frames) -> set[str]:
    """The columns of sums and latencies that any call has a number for."""
    known = {name for name in SUMS if frames.calls[name].notna().any()}
    return known | set(LATENCY if frames.calls["durationMs"].notna().any() else ())


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as plain Python values, None where there is nothing."""
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]
