"""Finds scenario files among the paths that somebody names."""

import os.path
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from simulator.load import SUFFIXES, load_document
from simulator.place import Place, ScenarioFileError, tidied
from simulator.reading import is_scenario, no_scenario

_TITLE = re.compile(r"""^(["']?)scenario\1\s*:""", re.MULTILINE)
"""The key of a scenario as nearly everybody writes it: at the start of a line."""
_FIRST_KEY = re.compile(r'\s*\{\s*"scenario"\s*:')
"""The same in JSON: before all others."""


def find_scenarios(paths: Iterable[Path | str]) -> list[Path]:
    """Every scenario file that is named or lies in a named folder, at any depth.

    In a folder, files of other kinds are passed over; hidden folders too. Raises
    ScenarioFileError for a path that is not there and a named file that is no scenario.
    """
    found: dict[Path, Path] = {}
    for path in map(Path, paths):
        for file in _scenarios_at(path):
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _scenarios_at(path: Path) -> Iterator[Path]:
    # Unlike a Path, these take a name that no file can have for one that none has.
    if os.path.isdir(path):
        yield from filter(holds_scenario, files_in(path))
        return
    if not os.path.exists(path):
        place = Place(str(tidied(path)), 1, 1)
        raise ScenarioFileError(place, "there is no such file or folder", "Check the path.")
    if not holds_scenario(path):
        raise no_scenario(load_document(path).spot)
    yield path


def files_in(folder: Path) -> list[Path]:
    """Files of a folder, at any depth, that may be scenarios: in the order of their paths."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def holds_scenario(path: Path) -> bool:
    """Whether a file means to be a scenario, even one that is broken further down."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    is_json = path.suffix.lower() == ".json"
    if _FIRST_KEY.match(text) if is_json else _TITLE.search(text):
        return True
    if "scenario" not in text:
        return False
    try:
        return is_scenario(load_document(path))
    except ScenarioFileError:
        # Broken JSON says nothing of what it is, but a broken scenario must not be passed over.
        return is_json and '"scenario"' in text
