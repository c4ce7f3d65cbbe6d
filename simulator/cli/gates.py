"""What a run must hold besides its expectations, and what is kept of it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click
import msgspec

from simulator.cli.files import write_file
from simulator.place import ScenarioFileError, counted
from simulator.trace import ScenarioRecord, Trace

if TYPE_CHECKING:
    from simulator.budget import Budget
    from simulator.lock import Lock
    from simulator.twice import Twice

# Each gate loads what it needs: most runs have none.


class Gates(TypedDict):
    """The options for it."""

    json_file: Path | None
    junit: Path | None
    lock: Path | None
    update_lock: bool
    traces: Path | None
    twice: bool
    budgets: Sequence[str]
    coverage: bool
    min_coverage: float | None


class Gate:
    """Judges each scenario, then the whole run; writes the files that were asked for."""

    def __init__(self, gates: Gates, again: Sequence[str]) -> None:
        """`again` are the arguments of a run that plays the same.

        What is no budget, no lock or no second run ends the command with exit code 2.
        """
        self._gates = gates
        self._lock = _lock(gates)
        self._budget = _budget(gates["budgets"])
        self._twice = _twice(again) if gates["twice"] else None

    @property
    def keeps_traces(self) -> bool:
        """Whether what stands after each phase is worth writing down."""
        gates = self._gates
        return gates["json_file"] is not None or gates["traces"] is not None or _is_ci()

    @property
    def reads_turns(self) -> bool:
        """Whether the turns of a scenario that passed matter to anybody."""
        judged = (self._lock, self._twice, self._budget)
        return self._keeps_all or any(it is not None for it in judged)

    @property
    def _keeps_all(self) -> bool:
        gates = self._gates
        files = (gates["json_file"], gates["junit"], gates["traces"], gates["min_coverage"])
        return gates["coverage"] or gates["update_lock"] or any(it is not None for it in files)

    def wants(self, record: ScenarioRecord) -> bool:
        """Whether a record is needed in the end; all of a long run's would fill the memory."""
        return self._keeps_all or (record.status != "passed" and _is_ci())

    def judge(self, record: ScenarioRecord) -> None:
        """Let a scenario fail that a gate does not let through."""
        for gate in (self._lock, self._twice):
            if gate is not None:
                gate.judge(record)
        if self._budget is not None:
            from simulator.budget import spent_in

            self._budget.count(spent_in(record))

    def keep(self, trace: Trace) -> None:
        """Write the files that were asked for."""
        gates = self._gates
        if gates["json_file"] is not None:
            write_file(gates["json_file"], _encoded(trace))
        if gates["junit"] is not None:
            from simulator.junit import junit_xml

            write_file(gates["junit"], junit_xml(trace.scenarios))
        if gates["lock"] is not None and gates["update_lock"]:
            _write_lock(gates["lock"], trace.scenarios)
        self._keep_traces(trace)

    def _keep_traces(self, trace: Trace) -> None:
        """All of them where a folder is named; under CI those of what did not pass."""
        folder = self._gates["traces"]
        if folder is not None:
            _write_traces(folder, trace.scenarios)
        elif _is_ci():
            from simulator.tracefile import CI_FOLDER

            failed = [record for record in trace.scenarios if record.status != "passed"]
            if failed:
                count = _write_traces(CI_FOLDER, failed)
                click.echo(f"{counted(count, 'trace')} of what did not pass in {CI_FOLDER}")

    def holds(self, trace: Trace) -> bool:
        """Whether the whole run spent little enough and reached enough; prints what not."""
        is_kept = self._budget is None or _is_kept(self._budget)
        return _is_reached(trace, self._gates) and is_kept


def _is_ci() -> bool:
    from simulator.tracefile import is_ci

    return is_ci(os.environ)


def _encoded(trace: Trace) -> bytes:
    from simulator.tracefile import trace_text

    return trace_text(trace, os.environ)


def _write_traces(folder: Path, records: Sequence[ScenarioRecord]) -> int:
    from simulator.tracefile import write_traces

    try:
        return write_traces(folder, records, os.environ)
    except OSError as error:
        what = f"{error.filename or folder}: cannot be written: {error.strerror}"
        click.echo(f"{what}. Choose another place.", err=True)
        sys.exit(2)


def _budget(texts: Sequence[str]) -> "Budget | None":
    if not texts:
        return None
    from simulator.budget import Budget, BudgetError, read_bound

    try:
        return Budget([read_bound(text) for text in texts])
    except BudgetError as error:
        raise click.UsageError(f"--budget: {error}") from None


def _is_kept(budget: "Budget") -> bool:
    """Whether a budget was kept; prints where not."""
    exceeded = list(budget.exceeded())
    for sentence in (*exceeded, *budget.notes()):
        click.echo(sentence)
    return not exceeded


def _twice(again: Sequence[str]) -> "Twice":
    from simulator.twice import Twice, TwiceError

    try:
        return Twice(again)
    except TwiceError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _lock(gates: Gates) -> "Lock | None":
    """The lock to hold; None when there is none, or a new one is written."""
    if gates["update_lock"] and gates["lock"] is None:
        raise click.UsageError("--update-lock needs --lock FILE: the file to write.")
    if gates["lock"] is None or gates["update_lock"]:
        return None
    from simulator.lock import read_lock

    try:
        return read_lock(gates["lock"])
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _write_lock(file: Path, records: Sequence[ScenarioRecord]) -> None:
    from simulator.lock import lock_text

    try:
        text = lock_text(file, records)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    write_file(file, text.encode().rstrip(b"\n"))
    click.echo(f"{file} written")


def _is_reached(trace: Trace, gates: Gates) -> bool:
    """Whether enough of the agents was reached; prints what was not."""
    least = gates["min_coverage"]
    if not gates["coverage"] and least is None:
        return True
    from simulator.coverage import coverage_lines, coverage_of

    coverage = coverage_of(msgspec.json.decode(msgspec.json.encode(trace, enc_hook=repr)))
    for line in coverage_lines(coverage):
        click.echo(line)
    if least is None or coverage.percent >= least:
        return True
    click.echo(f"reached {coverage.percent:.1f} %, and at least {least:g} % are asked for")
    return False
