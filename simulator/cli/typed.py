"""What somebody types at the prompt of a command."""

import sys

import click


def read_line() -> str | None:
    """The next line; None at the end. What is piped in is shown too, so that it reads as a talk."""
    try:
        if sys.stdin.isatty():
            return input("> ")
        line = sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        return None
    if not line:
        return None
    click.echo(f"> {line.rstrip()}")
    return line
