"""Opens what a command names, and takes the one play of it that is meant."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tui.model.subject import Subject
from tui.opening import OpenError, open_path


def opened(path: Path, keyword: str | None = None) -> Sequence[Subject]:
    """The plays at a path whose title holds the keyword; none at all ends the command with 2."""
    try:
        subjects = open_path(path)
    except OpenError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    wanted = (keyword or "").casefold()
    found = [it for it in subjects if wanted in f"{it.play.scenario} {it.name}".casefold()]
    if not found:
        click.echo(f'{path}: no scenario\'s title holds "{keyword}".', err=True)
        sys.exit(2)
    return found


def one(subjects: Sequence[Subject], path: Path) -> Subject:
    """The only play there is; several end the command with 2, and are named, and so does a bad file."""
    if len(subjects) > 1:
        titles = "\n".join(f"  {it.play.scenario}" for it in subjects)
        click.echo(f"{path}: {len(subjects)} plays. Choose one with -k TITLE:\n{titles}", err=True)
        sys.exit(2)
    if not subjects[0].timeline.turns:
        told = [failure.message for failure in subjects[0].play.failures]
        for text in told or [f"{path}: no turn was played, so there is nothing to look at."]:
            click.echo(text, err=True)
        sys.exit(2)
    return subjects[0]
