"""Asks the judge about a part of an expectation as it would be judged where it stands."""

from typing import Any

from msgspec.structs import replace

from simulator.match import ABSENT, Mismatch, match
from simulator.place import KeyPath


def mismatches(wanted: Any, got: Any, path: KeyPath, *, exact: bool) -> list[Mismatch]:
    """What does not hold of a part that lies at `path`; ways into the expectation begin there.

    Where it lies matters: `message` beside `code` is free wording, but not in the host's values.
    """
    keys = [key for key in path if isinstance(key, str)]
    for key in reversed(keys):
        wanted = {key: wanted}
        got = {} if got is ABSENT else {key: got}
    found = match(wanted, got, exactly=exact)
    return [replace(mismatch, at=mismatch.at[len(keys) :]) for mismatch in found]
