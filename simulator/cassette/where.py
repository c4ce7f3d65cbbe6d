"""Where the tape of a scenario lies."""

import hashlib
import json
import os.path
import re
from pathlib import Path
from typing import Any

from simulator.place import ScenarioFileError
from simulator.scenario import Scenario
from simulator.spot import Spot

FOLDER = "cassettes"

_NAME = re.compile(r"(?!.*\.\.)[^\W_][\w.+=@ -]*(?:/[^\W_][\w.+=@ -]*)*")
_UNSAFE = re.compile(r"[^\w.+=@-]+")
_LONGEST = 40
"""Characters of a value that a file's name shows."""


def tape_path(scenario: Scenario, folder: Path | None = None) -> Path:
    """The file of a scenario's tape: `provider.cassette`, or else the scenario's own name.

    Each combination of a matrix has a tape of its own, with its values behind that name. The
    file lies in `folder`, else in the nearest folder `cassettes` at or above the scenario's
    file, else in a new one beside it. Raises ScenarioFileError for a name that leads elsewhere.
    """
    return (folder or _folder_of(scenario.spot.source.path)) / f"{_name(scenario)}.yaml"


def _name(scenario: Scenario) -> str:
    name = _base(scenario)
    return ".".join([name, *(f"{key}-{_slug(value)}" for key, value in scenario.matrix.items())])


def _base(scenario: Scenario) -> str:
    provider = scenario.provider
    if isinstance(provider, str) or provider.get("cassette") is None:
        return scenario.spot.source.path.stem
    name: str = provider["cassette"]
    if not _NAME.fullmatch(name):
        raise _bad_name(scenario)
    return name.removesuffix(".yaml")


def provider_spot(scenario: Scenario) -> Spot:
    """Where the file says which model plays; the whole of it, where another file does."""
    return scenario.spot.get("provider") or scenario.spot


def _bad_name(scenario: Scenario) -> ScenarioFileError:
    spot = scenario.spot.at("provider").at("cassette")
    fix = "Write a name such as s01-triage, or shop/s01; where the folder lies --cassettes says."
    return spot.error("a cassette's name cannot lead out of its folder", fix)


def _slug(value: Any) -> str:
    """A value as part of a file's name; two values never have the same."""
    exact = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    slug = _UNSAFE.sub("-", exact)[:_LONGEST].strip("-")
    if slug == exact:
        return slug
    return f"{slug}-{hashlib.sha256(exact.encode()).hexdigest()[:6]}".lstrip("-")


def _folder_of(file: Path) -> Path:
    beside = file.parent
    for above in (beside, *_above(beside)):
        if (above / FOLDER).is_dir():
            return above / FOLDER
    return beside / FOLDER


def _above(folder: Path) -> list[Path]:
    """The folders above one, spelled like it as far as that goes."""
    full = folder.resolve()
    return [_as_seen(above) for above in full.parents]


def _as_seen(folder: Path) -> Path:
    """A folder as it is called from here, where that takes no step up."""
    here = Path.cwd()
    return Path(os.path.relpath(folder, here)) if folder.is_relative_to(here) else folder
