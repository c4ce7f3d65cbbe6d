"""Which model stands behind a scenario: none but the script, or one that answers by itself."""

from collections.abc import Generator
from contextlib import contextmanager

from falai.clock import Clock
from simulator.behind import Behind
from simulator.options import PlayOptions
from simulator.scenario import Scenario


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
