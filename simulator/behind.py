"""What a play sees of the model behind its script, whichever that is."""

from typing import NamedTuple

from falai.providers.base import ModelCall, Provider


class Expense(NamedTuple):
    """What a call took."""

    duration_ms: int
    recorded: bool
    """Whether that was when it was recorded."""
    cost_usd: float | None
    """By the price list of today; None for a model that is not on it."""
    retries: int = 0
    """How often it was asked again before it answered."""


class Remark(NamedTuple):
    """What is to be said of a model when the play is over."""

    text: str
    is_failure: bool = False


class Behind:
    """The model that answers what the script leaves open, if there is one."""

    def __init__(self, provider: Provider | None = None) -> None:
        self.provider = provider

    def expense_of(self, call: ModelCall) -> Expense | None:
        """What a call took; None when that says nothing."""
        return None

    def finish(self, *, passed: bool) -> list[Remark]:
        """End the play: keep what it leaves behind, and tell of it."""
        return []
