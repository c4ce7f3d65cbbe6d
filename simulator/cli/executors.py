"""Where `falai run` plays files when it does not do so itself: processes here, or a cluster."""

from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from simulator.agentfile import outside_of_files
from simulator.cli.workers import processes
from simulator.imported import imported
from simulator.place import ScenarioFileError

_DASK = "dask"
_FILES_AHEAD = 4
"""Files for each process of this machine that are under way or done and not yet told of."""
_AHEAD = 512
"""The same for a cluster, of whatever size."""
_PATIENCE = 10
"""Seconds that a scheduler and the first of its workers may take."""


class ExecutorError(Exception):
    """An executor cannot be had: `what. how to fix.`"""


class Workers:
    """An executor, and how many files it may be ahead."""

    def __init__(self, executor: Executor, ahead: int) -> None:
        self.executor = executor
        self.ahead = ahead


@contextmanager
def workers_of(name: str | None, count: int) -> Generator[Workers]:
    """So many processes, or the executor with this name, until they are not needed any more.

    The name is `dask:ADDRESS`, or `module:attribute` for a callable that makes an executor of
    `concurrent.futures`. Raises ExecutorError.
    """
    if name is None:
        with processes(count) as executor:
            yield Workers(executor, count * _FILES_AHEAD)
    elif name.startswith(f"{_DASK}:"):
        with _dask(name.removeprefix(f"{_DASK}:")) as executor:
            yield Workers(executor, _AHEAD)
    else:
        with _made_by(name) as executor:
            yield Workers(executor, _AHEAD)


@contextmanager
def _dask(address: str) -> Generator[Executor]:
    try:
        from distributed import Client  # only for whoever has a cluster
    except ImportError:
        fix = "Install it: pip install 'falai[cluster]'."
        raise ExecutorError(f"--executor {_DASK}: distributed is not installed. {fix}") from None
    try:
        client: Any = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        fix = "Start it with dask scheduler, and write the address that it prints."
        what = f"no scheduler answers at {address}: {_first_line(error)}"
        raise ExecutorError(f"--executor {_DASK}: {what}. {fix}") from None
    with client:
        _await_worker(client, address)
        yield client.get_executor(pure=False)


def _await_worker(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        fix = f"Start some: dask worker {address}"
        raise ExecutorError(f"--executor {_DASK}: {address} has no workers. {fix}") from None


def _made_by(name: str) -> Executor:
    spot = outside_of_files(name)
    if ":" not in name:
        fix = f"Write {_DASK}:ADDRESS, or module:attribute."
        raise ExecutorError(f'--executor is "{name}". {fix}')
    try:
        made = imported(spot)()
    except ScenarioFileError as error:
        raise ExecutorError(f"--executor: {error}") from None
    if isinstance(made, Executor):
        return made
    what = f"{name} makes a {type(made).__name__}, no executor"
    raise ExecutorError(f"--executor: {what}. Return one of concurrent.futures.")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
