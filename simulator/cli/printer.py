"""What `falai run` prints: a line for each scenario, and a small diff for what differed."""

import click

from simulator.place import counted
from simulator.told import failure_lines
from simulator.trace import ScenarioRecord, Tally

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
        calls = counted(record.llm_calls, "call")
        line = f"{click.style(mark, fg=colour, bold=True)}  {record.scenario}"
        click.echo(f"{line}  {click.style(f'{record.file}, {calls}', dim=True)}")
        for told in failure_lines(record):
            click.echo(f"  {told}".rstrip())

    def summary(self, tally: Tally, seconds: float) -> None:
        """The verdict on all of it."""
        if not tally.scenarios:
            click.echo("No scenario was played: nothing matches. Check the paths, -k and --tag.")
            return
        counts = [f"{tally.passed} passed", f"{tally.failed} failed"]
        if tally.errors:
            counts.append(counted(tally.errors, "error"))
        made = f"{counted(tally.turns, 'turn')}, {counted(tally.calls, 'model call')}"
        spent = f"{made}, {seconds:.2f} s"
        click.echo(f"{', '.join(counts)}  ({spent})")
