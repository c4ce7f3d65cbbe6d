"""How a comparison with a baseline is told."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from simulator.report.amounts import counted, one_line, shown
from simulator.report.baseline import MEASURES, Change, Comparison, Step
from simulator.report.owner import IDLE, NONE

_NAMES = {"costUsd": "cost USD"}


def grown_steps(comparison: Comparison) -> Iterator[tuple[Step, Sequence[Change]]]:
    """Each step that grew, with every number of it that did."""
    for at, changes in groupby(comparison.grown, key=lambda change: change.at):
        yield at, list(changes)


def step_shown(at: Step) -> str:
    """Flow and step in words; calls outside a flow have neither."""
    if at.flow == NONE:
        return "the idle speaker" if at.step == IDLE else "outside any flow"
    return f"flow {at.flow}, step {at.step}"


def change_shown(measure: str, before: float, after: float) -> str:
    """Before and after, and the difference in percent of what it was."""
    numbers = f"{shown(measure, before)} -> {shown(measure, after)}"
    percent = f"{(after - before) / before:+.1%}" if before else "new"
    return f"{_NAMES.get(measure, measure)} {numbers} ({percent})"


def verdict(comparison: Comparison) -> str:
    """The judgement in one sentence, and the sums over everything."""
    limit = f" by more than {comparison.max_percent:g}%" if comparison.max_percent else ""
    steps = len(list(grown_steps(comparison)))
    judged = f"{counted(steps, 'step')} grew{limit}" if steps else f"Nothing grew{limit}"
    return f"{judged} in {counted(comparison.shared, 'scenario')}. In all: {_in_all(comparison)}."


def _in_all(comparison: Comparison) -> str:
    pairs = [(name, comparison.before[name], comparison.after[name]) for name in MEASURES]
    return ", ".join(
        change_shown(name, before, after) if before != after else f"{name} {shown(name, after)}"
        for name, before, after in pairs
        if before is not None and after is not None
    )


def comparison_text(comparison: Comparison) -> str:
    """What grew, named by scenario, flow and step; which scenarios cannot be compared; a verdict."""
    lines = [
        f"GREW  {file_and_title(at.file, at.scenario)}: {step_shown(at)}: {_numbers(changes)}"
        for at, changes in grown_steps(comparison)
    ]
    lines += [f"new  {file_and_title(*played)}" for played in comparison.added]
    lines += [f"missing  {file_and_title(*played)}" for played in comparison.missing]
    return "\n".join([*map(one_line, lines), verdict(comparison)])


def file_and_title(file: str, scenario: str) -> str:
    return f"{file}: {scenario}"


def _numbers(changes: Sequence[Change]) -> str:
    return ", ".join(change_shown(one.measure, one.before, one.after) for one in changes)
