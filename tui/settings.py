"""Reads the files with which somebody sets up the inspector: its keys, and breakpoints to begin with."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from falai.shapes import is_list, is_mapping
from simulator.load import load_document
from simulator.place import ScenarioFileError
from tui.actions import ACTIONS
from tui.model.breakpoints import BreakpointError, read_breakpoint


class SettingsFileError(Exception):
    """A file that sets up the inspector is wrong: `file: what. how to fix.`"""


def read_keys(file: Path) -> Mapping[str, str]:
    """Keys by the id of what they do: `step.forward: right`; several have commas between them.

    Raises SettingsFileError.
    """
    value = _value(file)
    if not is_mapping(value):
        raise SettingsFileError(f"{file}: this holds no keys. Write step.forward: right.")
    ids = [act.id for act in ACTIONS]
    for name, keys in value.items():
        if name not in ids:
            near = get_close_matches(name, ids, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(ids)}."
            raise SettingsFileError(f"{file}: nothing is called {name}. {hint}")
        if not isinstance(keys, str) or not keys.strip():
            raise SettingsFileError(f"{file}: {name} has no key. Write {name}: f3.")
    return {name: str(keys).replace(" ", "") for name, keys in value.items()}


def read_breaks(file: Path) -> Sequence[str]:
    """Breakpoints, as a list of texts or of mappings: `[failed, {code: max-asks}]`.

    Raises SettingsFileError.
    """
    value = _value(file)
    if not is_list(value):
        raise SettingsFileError(f"{file}: this is no list of breakpoints. Write - code: max-asks.")
    try:
        return [read_breakpoint(it).text for it in value]
    except BreakpointError as error:
        raise SettingsFileError(f"{file}: {error}") from None


def _value(file: Path) -> Any:
    try:
        return load_document(file).value
    except ScenarioFileError as error:
        raise SettingsFileError(str(error)) from None
