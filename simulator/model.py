"""Which model stands behind a scenario: none but the script, or one that answers by itself."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from falai.clock import Clock
from falai.providers.base import ModelCall, Provider
from simulator.options import PlayOptions
from simulator.scenario import Scenario


class Timing(NamedTuple):
    """What a call took."""

    duration_ms: int
    recorded: bool
    """Whether that was when it was recorded."""


class Remark(NamedTuple):
    """What is to be said of a model when the play is over."""

    text: str
    is_failure: bool = False


class Behind:
    """The model that answers what the script leaves open, if there is one."""

    def __init__(self, provider: Provider | None = None) -> None:
        self.provider = provider

    def timing_of(self, call: ModelCall) -> Timing | None:
        """What a call took; None when that says nothing."""
        return None

    def finish(self, *, passed: bool) -> list[Remark]:
        """End the play: keep what it leaves behind, and tell of it."""
        return []


@contextmanager
def model_behind(scenario: Scenario, options: PlayOptions, clock: Clock) -> Generator[Behind]:
    """The model of a scenario, for as long as it plays on `clock`.

    Raises ScenarioFileError when its tape cannot be used.
    """
    if scenario.provider == "scripted":
        yield Behind()
    elif scenario.provider == "offline":
        from falai.providers.offline import OfflineProvider  # slow to load, and seldom needed

        yield Behind(OfflineProvider())
    else:
        from simulator.cassette.taped import taped_model  # loads VCR.py

        with taped_model(scenario, options, clock) as behind:
            yield behind
