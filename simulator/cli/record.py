"""`falai record`: plays scenarios with the real model, and writes what it answers onto tapes."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from msgspec.structs import replace

from simulator.agentfile import load_agent
from simulator.cli.playing import Playing
from simulator.cli.selection import Selection, scenario_files
from simulator.options import PlayOptions
from simulator.place import counted
from simulator.scenario import Scenario
from simulator.trace import ScenarioRecord


@click.command(name="record")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--update", is_flag=True, help="Record again what is recorded already.")
@click.option("-k", "keyword", metavar="TEXT", help="Only scenarios with TEXT in title or file.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only scenarios with this tag.")
@click.option(
    "--cassettes",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where recorded model calls lie.",
)
def command(
    paths: Sequence[Path],
    keyword: str | None,
    tags: Sequence[str],
    *,
    update: bool,
    cassettes: Path | None,
) -> None:
    """Play scenarios with the real model, and record its answers for `falai run`.

    The model is the scenario's `provider`, else that of its agent file; then it answers also
    where a reply is scripted. Its key comes from the environment. A scenario that has a tape is
    played from it; with --update it is recorded again, and its tape replaced if it passes.

    Exit code 0: all passed; 1: some failed; 2: a file is bad, or there was nothing to record.

    \b
    Examples:
        falai record scenarios/taped
        falai record scenarios/taped/31-first-words.yaml --update
    """
    began = perf_counter()
    options = PlayOptions(cassettes=cassettes, record="all" if update else "once")
    choice = _Choice(options, {path.resolve() for path in paths if not path.is_dir()})
    playing = Playing(Selection(keyword, tags), choice)
    playing.play(scenario_files(paths))
    if choice.passed_over:
        click.echo(f"passed over, without a model: {choice.passed_over}")
    played = sum(map(_was_played, playing.records))
    if played:
        click.echo(f"{counted(played, 'scenario')} had a tape and played from it: see --update")
    playing.printer.summary(playing.tally, perf_counter() - began)
    tally = playing.tally
    if tally.errors or not tally.scenarios:
        sys.exit(2)
    sys.exit(1 if tally.failed else 0)


class _Choice:
    """Finds the model to record a scenario with."""

    def __init__(self, options: PlayOptions, named: set[Path]) -> None:
        """Take the files that were named one by one: they are not passed over."""
        self.passed_over = 0
        self._options = options
        self._named = named

    def __call__(self, scenario: Scenario) -> tuple[Scenario, PlayOptions] | None:
        """The scenario with a model; None when it has none and lay in a folder."""
        if not isinstance(scenario.provider, str):
            return scenario, self._options
        provider = _provider_of_agent(scenario)
        if provider is not None:
            live = replace(scenario, provider=provider)
            return live, replace(self._options, unscripted=True)
        if scenario.spot.source.path.resolve() in self._named:
            fix = "Add provider: {model: …} to this file, or to the agent's."
            raise scenario.spot.error("there is no model to record", fix)
        self.passed_over += 1
        return None


def _was_played(record: ScenarioRecord) -> bool:
    return any(call.recorded for turn in record.turns for call in turn.calls)


def _provider_of_agent(scenario: Scenario) -> Mapping[str, Any] | None:
    agent = load_agent(scenario.agent, stubs=scenario.stubs).provider
    # A tape that the agent names would be that of every scenario.
    return agent and {key: value for key, value in agent.items() if key != "cassette"}
