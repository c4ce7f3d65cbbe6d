"""`falai diff`: where two plays differ."""

import sys
from pathlib import Path

import click

from tui.cli.opening import one, opened
from tui.model.diff import Difference, compare, lines
from tui.model.timeline import Timeline

_COLOURS = {"-": "red", "+": "green"}


@click.command(name="diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--turn", type=click.IntRange(min=1), help="Compare this turn alone, from 1.")
@click.option("-k", "keyword", metavar="TEXT", help="The plays with TEXT in their titles.")
@click.option(
    "--width",
    type=click.IntRange(min=20),
    default=100,
    show_default=True,
    help="Columns of what is printed.",
)
def command(first: Path, second: Path, turn: int | None, keyword: str | None, width: int) -> None:
    """Compare two plays, turn by turn: of scenarios or of traces.

    Exit code 0: they are the same; 1: they differ; 2: a file is bad.

    \b
    Examples:
        falai diff before.json after.json
        falai diff before.json after.json -k "asks again" --turn 6
        falai diff scenarios/hello.yaml hello-fork.yaml
    """
    before, after = (one(opened(path, keyword), path).timeline for path in (first, second))
    difference = _difference(before, after, turn)
    for it in lines(difference, before, after, width):
        text = it.text.rstrip()
        click.secho(text, fg=_COLOURS.get(text.strip()[:1]))
    sys.exit(0 if difference.is_empty else 1)


def _difference(before: Timeline, after: Timeline, turn: int | None) -> Difference:
    """All of it, or that of one turn; a turn that neither play has ends the command with 2."""
    whole = compare(before, after)
    if turn is None:
        return whole
    found = whole.of_turn(turn - 1)
    if not found.pairs:
        longest = max(len(before.turns), len(after.turns))
        click.echo(f"--turn: there is no turn {turn}. The plays end with turn {longest}.", err=True)
        sys.exit(2)
    return found
