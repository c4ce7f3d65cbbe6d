"""Why a play failed, so that two failures can be told to be the same."""

from typing import NamedTuple

from simulator.trace import Failure


class Reason(NamedTuple):
    """What two failures of one fault have in common."""

    path: str
    what: str

    @property
    def name(self) -> str:
        """A word for it, as part of a file's name."""
        return self.path.rpartition(".")[2] or "failure"


def reason_of(failure: Failure) -> Reason:
    """The reason of a failure: how much was spent, and whose ids were met, make no difference."""
    if failure.path == "error":  # "the turn raised KeyError: …"
        return Reason("error", failure.message.partition(":")[0])
    if failure.path.startswith("budget.") or ":" in failure.path:
        return Reason(failure.path, "")
    return Reason(failure.path, failure.message)
