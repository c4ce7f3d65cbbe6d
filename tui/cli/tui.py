"""`falai tui`: the inspector on a scenario, a folder of them, a trace or an agent."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from simulator.place import ScenarioFileError

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(name="tui")
@click.argument("path", metavar="PATH")
@click.option("--break", "breaks", multiple=True, metavar="WHAT", help="Set a breakpoint.")
@click.option(
    "--break-file", type=_FILE, metavar="FILE", help="Set the breakpoints that a YAML file lists."
)
@click.option("--keys", type=_FILE, metavar="FILE", help="Take keys from a YAML file.")
@click.option("--offline", is_flag=True, help="With an agent: answer without any model.")
def command(
    path: str,
    breaks: Sequence[str],
    break_file: Path | None,
    keys: Path | None,
    *,
    offline: bool,
) -> None:
    """Step through the conversations at PATH: a scenario, a folder, a trace or an agent.

    With an agent a new conversation begins, live. ? shows the keys, q leaves.

    \b
    Examples:
        falai tui scenarios
        falai tui scenarios/03-triage-asks-again.yaml --break code:max-asks
        falai tui trace.json
    """
    from tui.app import Inspector  # loads Textual
    from tui.model.breakpoints import BreakpointError
    from tui.opening import open_agent
    from tui.settings import SettingsFileError, read_breaks, read_keys

    try:
        agent = open_agent(path)
        if agent is None and not Path(path).exists():
            click.echo(f"{path}: there is no such file or folder. Check the path.", err=True)
            sys.exit(2)
        app = Inspector(
            Path(path) if agent is None else None,
            agent=agent,
            breakpoints=[*breaks, *(read_breaks(break_file) if break_file else ())],
            offline=offline,
            keys=read_keys(keys) if keys else None,
        )
    except BreakpointError as error:
        click.echo(f"--break: {error}", err=True)
        sys.exit(2)
    except (ScenarioFileError, SettingsFileError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if not sys.stdout.isatty():
        click.echo("falai tui needs a terminal. Without one: falai show, falai step.", err=True)
        sys.exit(2)
    app.run()
