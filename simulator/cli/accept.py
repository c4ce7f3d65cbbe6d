"""`falai accept`: shows how expectations would have to read to hold of what came, and writes them."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from simulator.accept.proposal import Proposal, propose
from simulator.accept.save import FileChangedError, save
from simulator.cli.selection import Selection
from simulator.find import find_scenarios
from simulator.load import load_document
from simulator.place import ScenarioFileError, counted
from simulator.reading import read_scenario

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command(name="accept")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-k", "keyword", metavar="TEXT", help="Only scenarios with TEXT in title or file.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def command(paths: Sequence[Path], keyword: str | None, tags: Sequence[str], *, yes: bool) -> None:
    """Rewrite what scenarios expect, or add it, from what comes when they are played.

    Only values that differ are replaced. Comments, order and style stay. A file is written when
    you have seen the difference and said yes to it, and only if it passes afterwards.

    Exit code 0: all is written, or nothing was to be done; 1: something was not written;
    2: a file is bad, or there was none.

    \b
    Examples:
        falai accept scenarios
        falai accept scenarios/03-triage-asks-again.yaml --yes
    """
    try:
        files = find_scenarios(paths)
    except ScenarioFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    acceptance = Acceptance(Selection(keyword, tags), yes=yes)
    for file in files:
        acceptance.take(file)
    sys.exit(acceptance.finish())


class Acceptance:
    """Goes through files, one after the other, and counts what became of them."""

    def __init__(self, selection: Selection, *, yes: bool) -> None:
        self._selection = selection
        self._yes = yes
        self._same = self._written = self._left = self._bad = 0

    def take(self, file: Path) -> None:
        """Propose another text for a file, and write it if that is wanted."""
        try:
            proposal = self._proposal(file)
        except ScenarioFileError as error:
            self._bad += 1
            click.echo(str(error), err=True)
            return
        if proposal is None:
            return
        for note in proposal.notes:
            click.echo(f"note: {note}")
        if proposal.problems:
            self._left += 1
            _explain(proposal)
        elif not proposal.is_change:
            self._same += 1
        else:
            self._offer(proposal)

    def finish(self) -> int:
        """Say what became of all files; returns the exit code."""
        total = self._same + self._written + self._left
        if not total and not self._bad:
            click.echo("No scenario was played: nothing matches. Check the paths, -k and --tag.")
            return 2
        counts = [
            f"{self._written} written",
            f"{self._left} not written",
            f"{self._same} as before",
        ]
        if self._bad:
            counts.append(counted(self._bad, "error"))
        click.echo(f"{counted(total, 'file')} accepted: {', '.join(counts)}")
        return 2 if self._bad else 1 if self._left else 0

    def _proposal(self, file: Path) -> Proposal | None:
        """What is proposed for a file; None when nobody asked for it."""
        try:
            document = load_document(file)
            scenarios = read_scenario(document)
        except ScenarioFileError:
            if self._selection.takes_broken(file):
                raise
            return None
        # What a file expects must hold in all combinations of its matrix, whichever were named.
        if not any(self._selection.takes(scenario, file) for scenario in scenarios):
            return None
        return asyncio.run(propose(document, scenarios))

    def _offer(self, proposal: Proposal) -> None:
        _show(proposal)
        if self._yes or _is_wanted():
            try:
                save(proposal)
            except FileChangedError as error:
                click.echo(str(error), err=True)
            except OSError as error:
                self._bad += 1
                message = f"{proposal.document.path}: cannot be written: {error.strerror}."
                click.echo(f"{message} Check its rights.", err=True)
                return
            else:
                self._written += 1
                return
        self._left += 1


def _explain(proposal: Proposal) -> None:
    click.echo(f"{click.style(str(proposal.document.path), bold=True)}: cannot be accepted")
    for problem in proposal.problems:
        click.echo(f"  {problem}")


def _show(proposal: Proposal) -> None:
    for line in _difference(proposal):
        click.secho(line, fg=_COLOURS.get(line[:1]), bold=line.startswith(("---", "+++")))


def _difference(proposal: Proposal) -> Iterator[str]:
    """The two texts as a diff, its lines without their ends."""
    name = str(proposal.document.path)
    old, new = (text.splitlines() for text in (proposal.document.text, proposal.text))
    return unified_diff(old, new, name, name, lineterm="")


def _is_wanted() -> bool:
    """Ask; where nobody can answer, say what to do."""
    if not sys.stdin.isatty():
        click.echo("Nothing is written: there is no terminal to ask on. Say --yes to write.")
        return False
    return click.confirm("Write?", default=False)
