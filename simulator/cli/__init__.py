"""The `falai` command: one module for each subcommand, imported when it is called."""

import logging
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

_COMMANDS = {
    "new": "Make a folder to start from, which plays at once.",
    "run": "Play scenario files or folders, and say what differs.",
    "check": "Validate agents, specs and scenarios without playing them.",
    "record": "Play scenarios with the real model, and record what it answers.",
    "schema": "Print the JSON Schema of a kind of file, for editors.",
    "chat": "Talk to an agent in the terminal, its time under your control.",
    "accept": "Rewrite expectations from what happened, after showing the difference.",
    "fuzz": "Look for a conversation that breaks a promise.",
    "report": "Say what traces spent, and whether it grew.",
    "tui": "Step through conversations in the terminal: a debugger.",
    "step": "The same as a line debugger, for plain text.",
    "show": "Print what the inspector shows at a place.",
    "diff": "Say where two plays differ.",
}
"""Name and one-line help of each subcommand; its module has the same name."""
_ELSEWHERE: Mapping[str, str] = dict.fromkeys(("tui", "step", "show", "diff"), "tui.cli")
"""The package of a subcommand that is not part of the simulator."""


_EXTRA = {
    **dict.fromkeys(("hypothesis", "litellm", "pandas", "textual", "vcr"), "workbench"),
    **dict.fromkeys(("redis", "sqlalchemy"), "stores"),
}
"""What has to be installed for the modules that only some subcommands load."""


class _Commands(click.Group):
    """Finds subcommands by name, so that `falai --help` loads none of them."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing not in _EXTRA:
                raise
            what = f"falai {ctx.invoked_subcommand} needs {missing}, which is not installed"
            click.echo(f"{what}: pip install 'falai[{_EXTRA[missing]}]'", err=True)
            sys.exit(2)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            near = get_close_matches(cmd_name, _COMMANDS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(_COMMANDS)}."
            raise click.UsageError(f'There is no command "{cmd_name}". {hint}', ctx)
        module = import_module(f"{_ELSEWHERE.get(cmd_name, 'simulator.cli')}.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="falai")
def main() -> None:
    """Play conversations as tests, and check the files that they are made of.

    \b
    Example:
        falai run scenarios
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A console that lacks a sign shows its number; it is no reason to stop.
            stream.reconfigure(errors="backslashreplace")
    # What the engine warns of is for `falai check` to say; a play shows what was decided.
    logging.getLogger("falai").addHandler(logging.NullHandler())
