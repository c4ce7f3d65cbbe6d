"""`falai new`: a folder to start from, with an agent, its scenarios and what tests them."""

import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_PLACEHOLDER = "NAME"
_HIDDEN: Mapping[str, str] = {"github": ".github/workflows", "gitignore": ".gitignore"}
"""Files that would be overlooked among the package's own if their names began with a dot."""


@click.command(name="new")
@click.argument("name")
def command(name: str) -> None:
    """Make a folder NAME to start from: an agent, its flow, scenarios, a test and a pipeline.

    It plays at once; change it into your own. Exit code 0: it is made; 2: it cannot be.

    \b
    Example:
        falai new demo
        cd demo
        falai run .
    """
    folder = Path(name)
    if _NAME.fullmatch(folder.name) is None:
        fix = "Use letters, digits, - and _, a letter first."
        raise click.UsageError(f'"{folder.name}" cannot be the name of a project. {fix}')
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise click.UsageError(f"{folder} is there already. Choose another name.")
    try:
        _write(files("simulator") / "starter", folder, folder.name)
    except OSError as error:
        click.echo(f"{folder}: cannot be written: {error.strerror}.", err=True)
        sys.exit(2)
    click.echo(f"{folder} is made. Play its scenarios:  cd {folder} && falai run .")


def _write(source: Traversable, target: Path, name: str) -> None:
    """Write a folder of the starter with what is in it; nothing that is there is overwritten."""
    target.mkdir(parents=True, exist_ok=True)
    for item in sorted(source.iterdir(), key=lambda item: item.name):
        if item.name == "__pycache__":
            continue
        made = target / _HIDDEN.get(item.name, item.name.replace(_PLACEHOLDER, name))
        if item.is_dir():
            _write(item, made, name)
        else:
            text = item.read_text(encoding="utf-8").replace(_PLACEHOLDER, name)
            with made.open("x", encoding="utf-8") as file:
                file.write(text)
