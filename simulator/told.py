"""What is told of a scenario that did not pass: by a command, and by pytest."""

from collections.abc import Iterator
from textwrap import indent

from simulator.mismatch import show_pair
from simulator.trace import Failure, ScenarioRecord

MOST_SHOWN = 5
"""Failures told of one scenario: the first is the cause more often than not."""


def failure_lines(record: ScenarioRecord) -> Iterator[str]:
    """Each failure with its place, what was wanted and what came; then what is no failure."""
    for failure in record.failures[:MOST_SHOWN]:
        yield from _failure(record, failure)
    more = len(record.failures) - MOST_SHOWN
    if more > 0:
        yield f"… and {more} more, which may follow from these"
    yield from (f"note: {note}" for note in record.notes)


def _failure(record: ScenarioRecord, failure: Failure) -> Iterator[str]:
    if record.status == "error":
        yield failure.message
        return
    message = indent(failure.message, "  ").lstrip()
    yield from f"{record.file}:{failure.line}: {failure.path}: {message}".split("\n")
    if failure.wanted is not None or failure.got is not None:
        wanted, got = show_pair(failure.wanted, failure.got)
        yield f"  wanted  {wanted}"
        yield f"  got     {got}"
