"""What `falai run` prints: a line for each scenario, and a small diff for what differed."""

from textwrap import indent

import click

from simulator.mismatch import show_pair
from simulator.place import counted
from simulator.trace import Failure, ScenarioRecord, Trace

_MARKS = {
    "passed": ("ok", "green"),
    "failed": ("FAILED", "red"),
    "error": ("ERROR", "red"),
}

MOST_SHOWN = 5
"""Failures shown of one scenario: the first is the cause more often than not."""


class Printer:
    """Prints as scenarios are played; colours only on a terminal."""

    def scenario(self, record: ScenarioRecord) -> None:
        """One scenario with what went wrong in it."""
        mark, colour = _MARKS[record.status]
        calls = counted(record.llm_calls, "call")
        line = f"{click.style(mark, fg=colour, bold=True)}  {record.scenario}"
        click.echo(f"{line}  {click.style(f'{record.file}, {calls}', dim=True)}")
        for failure in record.failures[:MOST_SHOWN]:
            self._failure(record, failure)
        more = len(record.failures) - MOST_SHOWN
        if more > 0:
            click.echo(f"  … and {more} more, which may follow from these")
        for note in record.notes:
            click.echo(f"  note: {note}")

    def _failure(self, record: ScenarioRecord, failure: Failure) -> None:
        if record.status == "error":
            click.echo(f"  {failure.message}")
            return
        place = click.style(f"{record.file}:{failure.line}", bold=True)
        message = indent(failure.message, "    ").lstrip()
        click.echo(f"  {place}: {failure.path}: {message}")
        if failure.wanted is not None or failure.got is not None:
            wanted, got = show_pair(failure.wanted, failure.got)
            click.echo(f"    wanted  {wanted}")
            click.echo(f"    got     {got}")

    def summary(self, trace: Trace, seconds: float) -> None:
        """The verdict on all of it."""
        if not trace.scenarios:
            click.echo("No scenario was played: nothing matches. Check the paths, -k and --tag.")
            return
        counts = [f"{trace.passed} passed", f"{trace.failed} failed"]
        if trace.errors:
            counts.append(counted(trace.errors, "error"))
        calls = sum(record.llm_calls for record in trace.scenarios)
        turns = sum(len(record.turns) for record in trace.scenarios)
        spent = f"{counted(turns, 'turn')}, {counted(calls, 'model call')}, {seconds:.2f} s"
        click.echo(f"{', '.join(counts)}  ({spent})")
