"""The page of commands, from click's own tables."""

import re
from inspect import cleandoc

import click

from simulator.cli import main
from tests.reference.markdown import code, page, table


def commands() -> dict[str, click.Command]:
    """Every subcommand by its name."""
    context = click.Context(main)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def commands_page() -> str:
    """Every command with its arguments and options."""
    intro = (
        "Every command explains itself with `--help`. Exit codes are the same everywhere: 0 all is "
        "well, 1 something differed, 2 a file or the command is wrong."
    )
    return page("Commands", intro, *(_section(*item) for item in commands().items()))


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"falai {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    rows = [
        (_spelling(option), option.help or "")
        for option in command.params
        if isinstance(option, click.Option)
    ]
    parts = [f"## falai {name}", code(f"falai {name} {usage}"), _help(command)]
    return "\n\n".join([*parts, table(["option", "does"], rows)] if rows else parts)


def _spelling(option: click.Option) -> str:
    taken = "" if option.is_flag else f" {option.make_metavar(click.Context(main))}"
    return ", ".join(code(f"{spelt}{taken}") for spelt in option.opts)


def _help(command: click.Command) -> str:
    """The help as Markdown: what click leaves as it is stands in a block of its own."""
    paragraphs = cleandoc(command.help or "").split("\n\n")
    return "\n\n".join(map(_paragraph, paragraphs))


def _paragraph(text: str) -> str:
    if not text.startswith("\b\n"):
        return text
    lines = text.removeprefix("\b\n").splitlines()
    title = [] if lines[0].startswith(" ") else [lines.pop(0)]
    block = "\n".join(re.sub("^ {4}", "", line) for line in lines)
    return "\n\n".join([*title, f"```text\n{block}\n```"])
