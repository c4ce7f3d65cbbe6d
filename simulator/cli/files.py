"""Writing the files that a command is asked for."""

import sys
from pathlib import Path

import click


def write_file(file: Path, content: bytes) -> None:
    """Write a file whole; a place that cannot be written ends the command with exit code 2."""
    try:
        file.write_bytes(content + b"\n")
    except OSError as error:
        click.echo(f"{file}: cannot be written: {error.strerror}. Choose another place.", err=True)
        sys.exit(2)
