"""What all the scenarios of a pytest run may spend together; it fails when they spend more."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

# What counts is loaded by a run that has a budget: most have none.

if TYPE_CHECKING:
    from simulator.budget import Budget
    from simulator.trace import ScenarioRecord

_SPENT: pytest.StashKey[Any] = pytest.StashKey()
"""Of a test: what its scenario spent, as lists and numbers."""


class BudgetPlugin:
    """Counts what every scenario hands on, in this process or from those of pytest-xdist."""

    def __init__(self, budget: "Budget") -> None:
        self._budget = budget
        self._exceeded: list[str] = []
        self._told: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the report carry what was spent: it is all that leaves a worker's process.

        As a property of the test it would stand in every JUnit file.
        """
        report = yield
        if report.when == "call" and _SPENT in item.stash:
            report.__dict__["falai_spent"] = item.stash[_SPENT]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        spent = report.__dict__.get("falai_spent")
        if spent is not None:
            from simulator.budget import read_spent

            self._budget.count(read_spent(spent))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return  # a worker of pytest-xdist: the process that started it has all the counts
        self._exceeded = list(self._budget.exceeded())
        self._told = [*self._exceeded, *self._budget.notes()]
        if self._exceeded and session.exitstatus in (pytest.ExitCode.OK, 0):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._told:
            terminalreporter.section("falai budget")
            for sentence in self._told:
                terminalreporter.write_line(sentence)


_BUDGET: pytest.StashKey[BudgetPlugin] = pytest.StashKey()


def read_budget(config: pytest.Config) -> None:
    """Take the budget from options and settings; raises UsageError for a text that is none."""
    texts = [*config.getini("falai_budget"), *(config.getoption("--falai-budget") or ())]
    if not texts:
        return
    from simulator.budget import Budget, BudgetError, read_bound

    try:
        budget = Budget([read_bound(text) for text in texts])
    except BudgetError as error:
        raise pytest.UsageError(f"falai budget: {error}") from None
    config.stash[_BUDGET] = plugin = BudgetPlugin(budget)
    config.pluginmanager.register(plugin, "falai-budget")


def keep_spent(item: pytest.Item, record: "ScenarioRecord") -> None:
    """Keep what a test's scenario spent, in a run that has a budget."""
    if _BUDGET in item.config.stash:
        from simulator.budget import plain_spent, spent_in

        item.stash[_SPENT] = plain_spent(spent_in(record))
