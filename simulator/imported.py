"""Finds a Python object that a file or a command names as `module:attribute`."""

import importlib
import inspect
import sys
from pathlib import Path
from typing import Any

from falai.errors import FlowConfigurationError
from simulator.place import ScenarioFileError, nearest
from simulator.spot import Spot


def imported(spot: Spot) -> Any:
    """The object that a text names, looked for from the current folder too.

    Raises ScenarioFileError when there is none, or when its module fails.
    """
    module, _, attribute = spot.value.partition(":")
    _look_in(Path.cwd())
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as exc:
        fix = "Check the name, and run from the folder in which it is found."
        raise spot.error(f"{spot.value}: there is no module {exc.name}", fix) from exc
    except (Exception, SystemExit) as exc:
        raise failed(spot, exc) from exc
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as exc:
            close = nearest(name, vars(found)) if inspect.ismodule(found) else None
            fix = f'Did you mean "{close}"?' if close else "Check the name."
            raise spot.error(f"{module} has no {attribute}", fix) from exc
    return found


def failed(spot: Spot, exc: BaseException) -> ScenarioFileError:
    """The error for somebody's code that raises."""
    if isinstance(exc, FlowConfigurationError):
        return spot.error(str(exc))
    what = f"{spot.value} fails: {type(exc).__name__}: {exc}"
    return spot.error(what, "Mend it, or import it in Python to see where.")


def _look_in(folder: Path) -> None:
    """Let modules of the current folder be found, also by an installed command."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
