"""What scenarios and tapes have to do with each other, for `falai check`."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from simulator.agentfile import load_agent
from simulator.cassette.where import provider_spot, tape_path
from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.place import Place, ScenarioFileError
from simulator.reading import read_scenario
from simulator.scenario import Scenario


class TapeRemark(NamedTuple):
    """Something to warn of."""

    place: Place
    text: str


class Shelf:
    """The tapes that some scenarios play."""

    def __init__(self, files: Iterable[Path], cassettes: Path | None) -> None:
        """Read the scenarios in good files; `cassettes` is where their tapes lie."""
        self._cassettes = cassettes
        self._scenarios: dict[Path, list[Scenario]] = {}
        for scenario in _with_models(files):
            self._scenarios.setdefault(tape_path(scenario, cassettes), []).append(scenario)

    @property
    def tapes(self) -> list[Path]:
        """Those that are there."""
        return [tape for tape in self._scenarios if tape.is_file()]

    def missing(self) -> Iterator[TapeRemark]:
        """The scenarios whose tapes are not there."""
        for tape, scenarios in self._scenarios.items():
            if not tape.is_file():
                text = f"there is no tape {tape} yet. Record it: falai record."
                yield TapeRemark(provider_spot(scenarios[0]).place(), text)

    def unnamed(self, tapes: Iterable[Path]) -> Iterator[TapeRemark]:
        """The tapes that none of the scenarios plays."""
        named = {tape.resolve() for tape in self._scenarios}
        for tape in tapes:
            if tape.resolve() not in named:
                text = "no scenario that is checked plays this cassette. Remove it, or name it."
                yield TapeRemark(_head(tape), text)

    def unplayed(self) -> Iterator[TapeRemark]:
        """The tapes with calls that their scenario does not make."""
        for tape in self.tapes:
            scenarios = self._scenarios[tape]
            if len(scenarios) == 1 and _is_data(scenarios[0]):
                for text in self._left_by(scenarios[0]):
                    yield TapeRemark(_head(tape), f"{text}. Record it again.")

    def _left_by(self, scenario: Scenario) -> Sequence[str]:
        """Play a scenario from its tape, which asks nobody."""
        from simulator.play import play  # not needed where there is no tape

        options = PlayOptions(cassettes=self._cassettes, strict=True)
        try:
            record = asyncio.run(play(scenario, options))
        except ScenarioFileError:
            return ()  # what is wrong with the tape is said where it is checked
        return [failure.message for failure in record.failures if failure.path == "provider"]


def _head(tape: Path) -> Place:
    return Place(str(tape), 1, 1)


def _with_models(files: Iterable[Path]) -> Iterator[Scenario]:
    for file in files:
        if b"provider" in file.read_bytes():  # few scenarios have one
            for scenario in read_scenario(load_document(file)):
                if not isinstance(scenario.provider, str):
                    yield scenario


def _is_data(scenario: Scenario) -> bool:
    """Whether playing it does nothing in the world: code of an agent might."""
    agents = [scenario.agent, *(entry.agent for entry in scenario.turns if entry.agent)]
    return all(load_agent(agent, stubs=scenario.stubs).spot.is_mapping for agent in agents)
