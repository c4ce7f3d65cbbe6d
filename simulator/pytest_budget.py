"""What all the scenarios of a pytest run may spend together; it fails when they spend more."""

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from simulator.budget import Budget
    from simulator.trace import ScenarioRecord


class BudgetPlugin:
    """Counts what every scenario hands on, in this process or from those of pytest-xdist."""

    def __init__(self, budget: "Budget") -> None:
        self._budget = budget
        self._told: list[str] = []

    @staticmethod
    def spent_by(record: "ScenarioRecord") -> str:
        """What the budget needs of a record, as text: that is all that leaves a process."""
        import msgspec

        from simulator.budget import traced

        return msgspec.json.encode(traced(record)).decode()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        from simulator.budget import read_traced

        for name, value in report.user_properties:
            if name == "falai_spent" and report.when == "call":
                self._budget.count_traced(read_traced(str(value)))
                break

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return  # a worker of pytest-xdist: the process that started it has all the counts
        self._told = list(self._budget.exceeded())
        if self._told and session.exitstatus in (pytest.ExitCode.OK, 0):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._told:
            terminalreporter.section("falai budget")
            for sentence in self._told:
                terminalreporter.write_line(sentence)


BUDGET: pytest.StashKey[BudgetPlugin] = pytest.StashKey()
"""Where the budget of a run is, if it has one."""


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
    config.stash[BUDGET] = plugin = BudgetPlugin(budget)
    config.pluginmanager.register(plugin, "falai-budget")
