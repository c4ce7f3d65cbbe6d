"""Panes as text: what is looked at, from where, and the lines that stand there."""

import asyncio
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from simulator.load import Document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord
from tests.simulator.kit import text_of
from tests.tui.model.kit import ASKER, ROOT, TALK
from tui.model.places import read_place
from tui.model.subject import Subject
from tui.model.text import Line
from tui.model.view import View
from tui.opening import open_path, subject_of
from tui.panes import PANES


def read(document: Document) -> Subject:
    """The only scenario of a file, played."""
    [scenario] = read_scenario(document)
    return subject_of(asyncio.run(play(scenario, PlayOptions(phases=True))), scenario)


def subject(turns: str = TALK, **head: Any) -> Subject:
    return read(Document(Path("s.yaml"), text_of(turns, **({"agent": ASKER} | head))))


def from_json(document: dict[str, Any]) -> Subject:
    """A scenario with texts that a YAML file may not hold as they are."""
    return read(Document(Path("s.json"), json.dumps(document)))


@lru_cache(maxsize=1)
def house() -> Sequence[Subject]:
    """The scenarios of the project, played, with their agents."""
    return open_path(ROOT / "scenarios")


def of_the_house(name: str) -> Subject:
    return next(it for it in house() if it.name.startswith(name))


def without_phases(record: ScenarioRecord) -> ScenarioRecord:
    """A play as a trace has it that was written without them."""
    return replace(record, turns=[replace(turn, phases=UNSET) for turn in record.turns])


def view(looked_at: Subject, place: str = "", width: int = 80, **more: Any) -> View:
    """A place in a play; without a name its end."""
    last = max(0, len(looked_at.timeline) - 1)
    at = read_place(place, looked_at.timeline, last) if place else last
    return View(subject=looked_at, at=at, width=width, **more)


def lines(pane: str, looked_at: Subject, place: str = "", **more: Any) -> Sequence[Line]:
    return PANES[pane](view(looked_at, place, **more))


def texts(pane: str, looked_at: Subject, place: str = "", **more: Any) -> list[str]:
    """The lines of a pane, without the spaces at their ends."""
    return [line.text.rstrip() for line in lines(pane, looked_at, place, **more)]
