"""How columns are called and numbers are written, in every report for people."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from simulator.report.tables import KEYS, LATENCY, SUMS, By, Totals

HEADINGS: Mapping[str, str] = {
    "promptTokens": "prompt",
    "completionTokens": "completion",
    "cachedTokens": "cached",
    "costUsd": "cost USD",
    "latencyP50Ms": "p50 ms",
    "latencyP95Ms": "p95 ms",
}
"""The headings that differ from the name of the column."""

UNKNOWN = "–"


def numbers_shown(by: By, known: Collection[str]) -> Sequence[str]:
    """The columns of numbers that people see, without those that nothing is known of."""
    if by == "code":  # a code tells what happened; few calls end in one
        return ["outcomes", "turns", "calls", "failed"]
    optional = [name for name in (*SUMS, *LATENCY) if name in known]
    outcomes = [] if by == "phase" else ["outcomes"]
    return ["turns", "calls", "failed", *optional, *outcomes]


def texts_shown(by: By) -> Sequence[str]:
    """The columns of text of a table, the names that it is grouped by first."""
    more: Mapping[By, Sequence[str]] = {"scenario": ["status"], "code": ["meaning"]}
    return [*KEYS[by], *more.get(by, ())]


def shown(column: str, value: Any) -> str:
    """A number as people read it; four digits stand together, longer ones in groups."""
    if value is None:
        return UNKNOWN
    if column == "costUsd":
        return f"{value:,.4f}"
    return f"{value:,.0f}" if value >= 10_000 else f"{value:.0f}"


def tokens_shown(totals: Totals) -> Sequence[str]:
    """What the tokens are made of, and of how many calls they are known."""
    if totals.tokens is None:
        return ["nobody counted"]
    names = [name for name in SUMS if name != "costUsd"]
    parts = [f"{shown(name, totals.sums[name])} {HEADINGS[name]}" for name in names]
    if totals.counted < totals.calls:
        parts.append(f"counted in {totals.counted} of {counted(totals.calls, 'call')}")
    return parts


def counted(number: float, noun: str) -> str:
    return f"{shown('', number)} {noun}{'' if number == 1 else 's'}"


def one_line(text: str) -> str:
    """The text without signs that would move a cursor, colour a terminal or break a line."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
