"""Which recorded answer a request gets: the one to the same method, path, query and data."""

import json
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from falai.shapes import is_list, is_mapping
from simulator.cassette.bodies import Body
from simulator.cassette.scrub import without_credentials
from simulator.cassette.tape import TapedCall, TapedRequest

_EXACT = 2**53
"""Up to here a whole number is the same with and without a fraction."""


def key_of(request: TapedRequest) -> str:
    """What two requests have in common when they are the same; host and headers are left out."""
    parts = urlsplit(request.url)
    query = without_credentials(parts.query)
    return json.dumps([request.method, parts.path, query, _canonical(request.body)])


def _canonical(body: Body) -> str:
    value = _same_numbers(body.value) if body.form in ("json", "events") else body.value
    return json.dumps(value, sort_keys=True)


def _same_numbers(value: Any) -> Any:
    """A value in which `30.0` is spelled `30`."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if is_mapping(value):
        return {key: _same_numbers(item) for key, item in value.items()}
    return [_same_numbers(item) for item in value] if is_list(value) else value


class Recorded:
    """The calls of a tape; each is handed out once."""

    def __init__(self, calls: Sequence[TapedCall]) -> None:
        self.calls = calls
        self._left: dict[str, deque[int]] = {}
        self._played: set[int] = set()
        self._ranks = _ranks(calls)
        self._times: Counter[str] = Counter()
        for index, call in enumerate(calls):
            key = key_of(call.request)
            self._left.setdefault(key, deque()).append(index)
            self._times[key] += 1

    def times(self, key: str) -> int:
        """How many answers to a request there are, those that were played too."""
        return self._times[key]

    def take(self, key: str, turn: str, purpose: str, rank: int | None) -> TapedCall | None:
        """The next answer to a request; of several, with a rank, the one to this very call."""
        left = self._left.get(key)
        if not left:
            return None
        wanted = (turn, purpose, rank)
        index = next((at for at in left if self._ranks[at] == wanted), left[0])
        left.remove(index)
        self._played.add(index)
        return self.calls[index]

    @property
    def leftovers(self) -> list[TapedCall]:
        """The calls that nobody made, in order."""
        return [call for index, call in enumerate(self.calls) if index not in self._played]


def _ranks(calls: Sequence[TapedCall]) -> list[tuple[str, str, int]]:
    """For each call its turn, its purpose, and how many such calls there were before."""
    counts: dict[tuple[str, str], int] = {}
    ranks: list[tuple[str, str, int]] = []
    for call in calls:
        of = (call.turn, call.purpose)
        ranks.append((*of, counts.get(of, 0)))
        counts[of] = counts.get(of, 0) + 1
    return ranks
