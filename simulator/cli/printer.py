"""What `falai run` prints: a line for each scenario, and a small diff for what differed."""

import click

from simulator.mismatch import show_pair
from simulator.trace import Failure, ScenarioRecord, Trace

_MARKS = {
    "passed": ("ok", "green"),
    "failed": ("FAILED", "red"),
    "error": ("ERROR", "red"),
}


class Printer:
    """Prints as scenarios are played; colours only on a terminal."""

    def scenario(self, record: ScenarioRecord) -> None:
        """One scenario with what went wrong in it."""
        mark, colour = _MARKS[record.status]
        calls = f"{record.llm_calls} call{'' if record.llm_calls == 1 else 's'}"
        line = f"{click.style(mark, fg=colour, bold=True)}  {record.scenario}"
        click.echo(f"{line}  {click.style(f'{record.file}, {calls}', dim=True)}")
        for failure in record.failures:
            self._failure(record, failure)

    def _failure(self, record: ScenarioRecord, failure: Failure) -> None:
        if record.status == "error":
            click.echo(f"  {failure.message}")
            return
        place = click.style(f"{record.file}:{failure.line}", bold=True)
        click.echo(f"  {place}: {failure.path}: {failure.message}")
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
            counts.append(f"{trace.errors} with errors")
        calls = sum(record.llm_calls for record in trace.scenarios)
        turns = sum(len(record.turns) for record in trace.scenarios)
        click.echo(f"{', '.join(counts)}  ({turns} turns, {calls} model calls, {seconds:.2f} s)")
