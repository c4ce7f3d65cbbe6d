"""The error for a call that a tape has no answer for."""

from collections.abc import Sequence

from falai.errors import ScriptError


class CassetteMissError(ScriptError):
    """A recorded model has no answer: an error of the scenario, never a failing provider."""

    def __init__(self, call: str, line: int, why: str, details: Sequence[str], fix: str) -> None:
        """Take the call's name, the line of its turn, and what to say of it line by line."""
        self.line = line
        self.what = "\n".join([why, *(f"  {detail}".rstrip() for detail in details), fix])
        super().__init__(f"[CassetteMissError] {call}: {self.what}")
