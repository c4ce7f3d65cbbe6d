"""`falai diff`: where two plays differ."""

import sys
from pathlib import Path

import click

from tui.cli.opening import one, opened
from tui.model.diff import compare, lines

_COLOURS = {"-": "red", "+": "green"}


@click.command(name="diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("-k", "keyword", metavar="TEXT", help="The plays with TEXT in their titles.")
@click.option("--width", default=100, show_default=True, help="Columns of what is printed.")
def command(first: Path, second: Path, keyword: str | None, width: int) -> None:
    """Compare two plays, turn by turn: of scenarios or of traces.

    Exit code 0: they are the same; 1: they differ; 2: a file is bad.

    \b
    Examples:
        falai diff before.json after.json
        falai diff scenarios/hello.yaml hello-fork.yaml
    """
    before, after = (one(opened(path, keyword), path).timeline for path in (first, second))
    difference = compare(before, after)
    for it in lines(difference, before, after, width):
        text = it.text.rstrip()
        click.secho(text, fg=_COLOURS.get(text.strip()[:1]))
    sys.exit(0 if difference.is_empty else 1)
