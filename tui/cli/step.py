"""`falai step`: the inspector as a line debugger."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from simulator.cli.typed import read_line
from tui.cli.opening import one, opened


@click.command(name="step")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--break", "breaks", multiple=True, metavar="WHAT", help="Set a breakpoint.")
@click.option(
    "--break-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Set the breakpoints that a YAML file lists.",
)
@click.option("-k", "keyword", metavar="TEXT", help="The play with TEXT in its title.")
@click.option("--width", default=100, show_default=True, help="Columns of what is printed.")
def command(
    path: Path, breaks: Sequence[str], break_file: Path | None, keyword: str | None, width: int
) -> None:
    """Step through the conversation at PATH, a scenario or a trace, line by line.

    It begins at the first failure, else at the first step. ? lists what can be typed. Nothing
    is run: the play is over, and you look at it.

    \b
    Examples:
        falai step scenarios/03-triage-asks-again.yaml
        falai step trace.json -k "asks again" --break code:max-asks
    """
    from tui.cli.debugger import Debugger  # loads every pane
    from tui.model.breakpoints import BreakpointError, Breakpoints
    from tui.model.sitting import Sitting
    from tui.settings import SettingsFileError, read_breaks

    points = Breakpoints()
    try:
        for text in (*breaks, *(read_breaks(break_file) if break_file else ())):
            points.add(text)
    except BreakpointError as error:
        click.echo(f"--break: {error}", err=True)
        sys.exit(2)
    except SettingsFileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    sitting = Sitting(one(opened(path, keyword), path), breakpoints=points)
    debugger = Debugger(sitting, width)
    debugger.here()
    while (typed := read_line()) is not None and typed.strip() != "q":
        debugger.take(typed)
