"""`falai fuzz`: looks for the conversation that breaks a promise, and writes it down as a scenario."""

import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from simulator.cli.printer import counted
from simulator.cli.progress import LiveLine
from simulator.coverage import coverage_lines
from simulator.fuzz.reason import Reason, reason_of
from simulator.fuzz.shelf import Shelf
from simulator.fuzz.subject import Subject, subject_of
from simulator.place import ScenarioFileError
from simulator.promised import SIZE

if TYPE_CHECKING:
    from simulator.fuzz.search import Limits, Search

_TIME = "40s"


@click.command(name="fuzz")
@click.argument("path", metavar="AGENT_OR_SCENARIO")
@click.option("--time", "time", metavar="DURATION", help=f"How long to look; {_TIME} by default.")
@click.option("--examples", type=click.IntRange(1), metavar="N", help="So many conversations.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Look where that seed led.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="fuzz",
    show_default=True,
    metavar="DIR",
    help="Where conversations that break are written, and played first next time.",
)
@click.option(
    "--check",
    "checks",
    multiple=True,
    metavar="MODULE:FUNCTION",
    help="A promise of your own: gets the record of a turn, and returns what is wrong with it.",
)
@click.option("--per-turn", type=click.IntRange(0), metavar="N", help="Model calls of one turn.")
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    default=SIZE,
    show_default=True,
    metavar="N",
    help="Bytes of a stored session.",
)
@click.option("-x", "first", is_flag=True, help="Stop at the first one that breaks.")
def command(  # noqa: PLR0913 - one for each option
    path: str,
    *,
    time: str | None,
    examples: int | None,
    seed: int | None,
    out: Path,
    checks: Sequence[str],
    per_turn: int | None,
    max_bytes: int,
    first: bool,
) -> None:
    """Make up conversations with AGENT_OR_SCENARIO, and look for one that breaks a promise.

    An agent file, `module:attribute`, or a scenario, whose context and entries are used. The
    model answers anything; messages come twice, wakes late, two at once; the host crashes. What
    breaks is made as small as it can be and written as a scenario. Exit code 0: nothing broke;
    1: something did; 2: bad file or usage.

    \b
    Examples:
        falai fuzz scenarios/agents/ana.yaml
        falai fuzz scenarios/03-triage-asks-again.yaml --time 5m --per-turn 2
        falai fuzz myapp.agents:sales --check myapp.checks:never_swears --seed 7 --examples 500
    """
    from simulator.fuzz.search import Limits  # loads hypothesis

    seconds = None if time is None and examples is not None else _seconds(time or _TIME)
    try:
        subject = subject_of(path, checks=checks, size=max_bytes, per_turn=per_turn)
        shelf = Shelf(out, subject)
        known = _play_past(shelf)
        if first and known:
            sys.exit(1)
        limits = Limits(seconds=seconds, examples=examples, first=first)
        number = secrets.randbelow(2**31) if seed is None else seed
        found = _search(subject, shelf, number=number, limits=limits, known=known)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    sys.exit(1 if found or known else 0)


def _seconds(text: str) -> float:
    try:
        return parse_duration(text) / 1_000
    except FlowConfigurationError:
        raise click.UsageError(f'--time is "{text}". Write a duration such as 40s or 5m.') from None


def _play_past(shelf: Shelf) -> set[Reason]:
    """Play what broke earlier; gives the reasons that still hold."""
    known: set[Reason] = set()
    for file, failures in shelf.past():
        if not failures:
            click.echo(f"ok      {file}: it broke once, and does no more")
            continue
        known |= {reason_of(failure) for failure in failures}
        click.echo(f"{_FAILED}  {file}: still {failures[0].path}: {failures[0].message}")
    return known


_FAILED = click.style("FAILED", fg="red", bold=True)


def _search(
    subject: Subject, shelf: Shelf, *, number: int, limits: "Limits", known: set[Reason]
) -> bool:
    """Search, and tell of what is found as soon as it is; says whether anything was."""
    from simulator.fuzz.search import Found, Search

    line, files = LiveLine(), list[Path]()

    def tell(found: Found) -> None:
        file = shelf.put(found.turns, found.failure)
        files.append(file)
        line.clear()
        click.echo(f"{_FAILED}  {found.failure.path}: {found.failure.message}")
        size = "1 entry" if len(found.turns) == 1 else f"{len(found.turns)} entries"
        click.echo(f"  {size}: falai run {shlex.quote(str(file))}")

    def progress(search: Search) -> None:
        reached = search.coverage.coverage().percent
        line.show(
            f"{search.conversations} conversations, {reached:.0f} % reached, "
            f"{search.seconds:.0f} s, {len(files)} broken"
        )

    search = Search(subject, number=number, limits=limits, clock=monotonic, known=known)
    search.run(tell, progress)
    line.clear()
    _sum_up(search, number, len(files))
    return bool(files)


def _sum_up(search: "Search", number: int, broken: int) -> None:
    made_up = f"{counted(search.conversations, 'conversation')}, {counted(search.turns, 'turn')}"
    click.echo(f"{made_up} in {search.seconds:.2f} s, seed {number}: {broken or 'nothing'} broke")
    if search.unrepeated:
        what = counted(search.unrepeated, "more")
        click.echo(f"{what} broke once and not again: something in them is left to chance")
    for told in coverage_lines(search.coverage.coverage(), calls=False):
        click.echo(told)
