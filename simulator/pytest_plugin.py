"""Scenario files as tests of pytest: collected, marked by their tags, failing in their own words."""

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from simulator.pytest_budget import keep_spent, read_budget

if TYPE_CHECKING:
    from falai import FakeClock, ScriptedProvider, TurnResult
    from simulator.options import PlayOptions
    from simulator.scenario import Scenario
    from simulator.trace import ScenarioRecord

# What the simulator needs is loaded by the first scenario: most test runs have none.

_ENDINGS = (".yaml", ".yml", ".json")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("falai", "falai scenarios")
    group.addoption("--falai-record", metavar="MODE", help="none, once, new_episodes or all")
    group.addoption("--falai-store", metavar="URL", help="the store that scenarios play on")
    group.addoption("--falai-cassettes", metavar="DIR", help="where recorded model calls lie")
    group.addoption(
        "--falai-strict", action="store_true", help="fail when a recorded call is not made"
    )
    group.addoption(
        "--falai-budget",
        action="append",
        default=[],
        metavar="NAME=MOST",
        help="what all scenarios may spend: llmCalls=120, flow.triage.costUsd=0.5",
    )
    parser.addini("falai_budget", "what all scenarios may spend", "linelist", default=[])
    parser.addini("falai_record", "mode of recorded model calls", default="none")
    parser.addini("falai_store", "the store that scenarios play on", default="")
    parser.addini("falai_cassettes", "folder of recorded model calls", default="")
    parser.addini("falai_strict", "fail when a recorded call is not made", "bool", default=False)
    parser.addini("falai_collect", "whether scenario files are tests", "bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    read_budget(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "ScenarioFile | None":
    if file_path.suffix.lower() not in _ENDINGS or not parent.config.getini("falai_collect"):
        return None
    if not _may_hold_scenario(file_path):
        return None
    return ScenarioFile.from_parent(  # pyright: ignore[reportUnknownMemberType] - pytest's
        parent, path=file_path
    )


def _may_hold_scenario(path: Path) -> bool:
    """Whether a file is a scenario; without a YAML parser, whether it says that it is one."""
    try:
        if b"scenario" not in path.read_bytes():
            return False
    except OSError:
        return False
    try:
        from simulator.find import holds_scenario
    except ModuleNotFoundError:
        return (
            re.search(rb'^\s*\{?\s*"?scenario"?\s*:', path.read_bytes(), re.MULTILINE) is not None
        )
    return holds_scenario(path)


class ScenarioFile(pytest.File):
    """A file that holds a scenario; with a matrix it is several tests."""

    def collect(self) -> "Iterator[ScenarioItem]":
        try:
            from simulator.load import load_document
            from simulator.place import ScenarioFileError
            from simulator.reading import read_scenario
        except ModuleNotFoundError as error:
            what = f"scenarios need {error.name}. Install it: pip install 'falai[run]'"
            raise self.CollectError(what) from None

        try:
            scenarios = read_scenario(load_document(_seen_from_here(self.path)))
        except ScenarioFileError as error:
            raise self.CollectError(str(error)) from None
        for scenario in scenarios:
            yield ScenarioItem.of(self, scenario)


class ScenarioItem(pytest.Item):
    """One scenario, one combination of its matrix."""

    scenario: "Scenario"

    @classmethod
    def of(cls, parent: ScenarioFile, scenario: "Scenario") -> "ScenarioItem":
        """Make the test of a scenario; its tags are markers."""
        item = cls.from_parent(  # pyright: ignore[reportUnknownMemberType] - pytest's
            parent, name=scenario.title
        )
        item.scenario = scenario
        for tag in scenario.tags:
            marker = re.sub(r"\W", "_", tag)
            item.config.addinivalue_line("markers", f"{marker}: a tag of scenarios")
            item.add_marker(marker)
        return item

    def runtest(self) -> None:
        from simulator.place import ScenarioFileError
        from simulator.play import play
        from simulator.trace import file_error_record

        try:
            record = asyncio.run(play(self.scenario, _options(self.config)))
        except ScenarioFileError as error:
            record = file_error_record(self.path, error, self.scenario.title)
        self._keep(record)
        if record.status != "passed":
            raise ScenarioFailedError(record)

    def _keep(self, record: "ScenarioRecord") -> None:
        """Hand on what was spent, and under CI the trace of what did not pass."""
        from simulator.tracefile import CI_FOLDER, is_ci, write_traces

        keep_spent(self, record)
        if record.status != "passed" and is_ci(os.environ):
            write_traces(self.config.rootpath / CI_FOLDER, [record], os.environ)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What `falai run` tells of it; a traceback would lead into the simulator."""
        if isinstance(excinfo.value, ScenarioFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scenario.spot.place().line - 1, self.scenario.title


class ScenarioFailedError(Exception):
    """A scenario did not pass; the text is what is told of it."""

    def __init__(self, record: "ScenarioRecord") -> None:
        from simulator.told import failure_lines

        self.record = record
        super().__init__("\n".join(failure_lines(record)))


def _options(config: pytest.Config) -> "PlayOptions":
    from simulator.options import RECORD_MODES, PlayOptions

    mode = config.getoption("--falai-record") or config.getini("falai_record")
    if mode not in RECORD_MODES:
        raise pytest.UsageError(
            f'"{mode}" is no record mode. Use one of {", ".join(RECORD_MODES)}.'
        )
    folder = config.getoption("--falai-cassettes") or config.getini("falai_cassettes")
    return PlayOptions(
        cassettes=config.rootpath / folder if folder else None,
        record=mode,
        store=config.getoption("--falai-store") or config.getini("falai_store") or None,
        strict=config.getoption("--falai-strict") or config.getini("falai_strict"),
    )


def _seen_from_here(path: Path) -> Path:
    """A file as somebody in the current folder would name it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


# --- for tests in Python ------------------------------------------------------------------------


@pytest.fixture
def falai_clock() -> "FakeClock":
    """A clock that stands still on a Monday morning: `clock.advance("2d")` moves it."""
    from falai import FakeClock
    from simulator.scenario import DEFAULT_CLOCK

    return FakeClock(DEFAULT_CLOCK)


@pytest.fixture
def falai_scripted() -> "Iterator[ScriptedProvider]":
    """A model whose replies the test gives by `load`; those that no call asked for fail it."""
    from falai import ScriptedProvider

    model = ScriptedProvider()
    yield model
    assert not model.leftovers, f"scripted replies that no call asked for: {dict(model.leftovers)}"


class Simulator:
    """Plays scenario files from a test in Python."""

    def __init__(self, options: "PlayOptions") -> None:
        self._options = options

    def play(self, file: Path | str) -> "list[ScenarioRecord]":
        """Play what a file holds: one record, or one for each combination of its matrix.

        Raises ScenarioFileError for a file that cannot be played.
        """
        from simulator.load import load_document
        from simulator.play import play
        from simulator.reading import read_scenario

        scenarios = read_scenario(load_document(Path(file)))
        return [asyncio.run(play(scenario, self._options)) for scenario in scenarios]


@pytest.fixture
def falai_simulator(pytestconfig: pytest.Config) -> Simulator:
    """Plays scenario files, with the options that pytest was given."""
    return Simulator(_options(pytestconfig))


def assert_budget(
    result: "TurnResult[Any]",
    *,
    llm_calls: int | None = None,
    prompt_tokens: int | None = None,
    completion_tokens: int | None = None,
) -> None:
    """Fail a test whose turn spent more than it may; what is left out has no bound."""
    usage = result.usage
    spent = [
        ("model calls", result.llm_calls, llm_calls),
        ("prompt tokens", usage.prompt_tokens if usage else 0, prompt_tokens),
        ("completion tokens", usage.completion_tokens if usage else 0, completion_tokens),
    ]
    for what, got, most in spent:
        assert most is None or got <= most, f"the turn spent {got} {what}, its budget is {most}"
