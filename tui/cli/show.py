"""`falai show`: what the inspector shows at a place, as plain text."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tui.cli.opening import one, opened
from tui.model.places import PlaceError, read_place
from tui.model.sitting import Sitting
from tui.model.subject import Subject
from tui.model.view import View
from tui.panes import PANES, TABS

_WORDS = {"passed": "✓ pass ", "failed": "✗ fail ", "error": "! error"}


@click.command(name="show")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--turn", "place", metavar="PLACE", help="A place: 6, 6.decide, #53, 09:30.")
@click.option(
    "--pane",
    "panes",
    multiple=True,
    type=click.Choice(["all", *PANES]),
    help="What to print; by default the tabs.",
)
@click.option("-k", "keyword", metavar="TEXT", help="The play with TEXT in its title.")
@click.option(
    "--width",
    type=click.IntRange(min=20),
    default=100,
    show_default=True,
    help="Columns of what is printed.",
)
def command(
    path: Path, place: str | None, panes: Sequence[str], keyword: str | None, width: int
) -> None:
    """Print a place of the conversation at PATH: of a scenario, or of a trace.

    Without --turn, the first failure, else the end. Several plays are listed, until -k leaves one.

    \b
    Examples:
        falai show scenarios/03-triage-asks-again.yaml --turn 2 --pane outcomes
        falai show trace.json -k "asks again" --pane conversation
    """
    subjects = opened(path, keyword)
    if len(subjects) > 1 and place is None and not panes:
        for subject in subjects:
            click.echo(_listed(subject))
        return
    view = _view(one(subjects, path), place, width)
    for text in _printed(view, panes):
        click.echo(text)


def _listed(subject: Subject) -> str:
    counts = f"{len(subject.timeline.turns):>4} turns {subject.play.llm_calls:>4} calls"
    return f"{_WORDS[subject.play.status]} {counts}  {subject.play.scenario}"


def _view(subject: Subject, place: str | None, width: int) -> View:
    sitting = Sitting(subject)
    timeline = subject.timeline
    if place is None:
        if not timeline.failures(sitting.cursor.turn):
            sitting.cursor.last()
        return sitting.view(width)
    try:
        # A turn alone is shown as it ended.
        sitting.cursor.go(read_place(place, timeline, len(timeline) - 1))
    except PlaceError as error:
        click.echo(f"--turn: {error}", err=True)
        sys.exit(2)
    return sitting.view(width)


def _printed(view: View, panes: Sequence[str]) -> Iterator[str]:
    names = list(PANES) if "all" in panes else list(panes) or ["bar", "strip", *TABS]
    for name in names:
        if len(names) > 1 and name not in ("bar", "strip", "scrubber"):
            yield f"--- {name}"
        yield from (line.text.rstrip() for line in PANES[name](view))
