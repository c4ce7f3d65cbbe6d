"""Works out what a plain expectation has to change so that it holds of what came, and no more."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from falai.shapes import is_list, is_mapping
from simulator.accept.change import Addition, Change, Put, Reshape
from simulator.accept.inplace import mismatches
from simulator.accept.likeness import Near, likeness, pair_in_order
from simulator.accept.plain import plain_element, plain_value
from simulator.accept.times import respelled
from simulator.expectation import literal
from simulator.expression import Moments, expand
from simulator.match import ABSENT, Mismatch
from simulator.matchers import MATCHER_CHECKS
from simulator.place import KeyPath

_LONG = "a whole prompt is no expectation: write by hand what matters of it"


class Point(NamedTuple):
    """Where an expectation meets what came."""

    at: KeyPath
    """The way to the expectation in its file."""
    path: KeyPath
    """The way to what came, in all that came."""
    exact: bool

    def into(self, written: str | int, key: str | int) -> "Point":
        """One step down in both; a key may be written with an expression in it."""
        return Point((*self.at, written), (*self.path, key), self.exact)

    def under(self, *keys: str | int, exact: bool = False) -> "Point":
        """Inside a matcher: what came stays where it is."""
        return Point((*self.at, *keys), self.path, exact or self.exact)


def is_matcher(written: Any) -> bool:
    """Whether a value is a matcher, or several in one mapping."""
    return is_mapping(written) and bool(written) and all(key in MATCHER_CHECKS for key in written)


class ValueAmender(ABC):
    """Collects the changes to one block, and what stands in their way."""

    def __init__(self, moments: Moments | None) -> None:
        """`moments` are what expressions name; None where the file has none."""
        self.changes: list[Change] = []
        self.problems: list[tuple[KeyPath, str]] = []
        """Ways to expectations that only their author can change, and why."""
        self._moments = moments

    def amend(self, written: Any, got: Any, point: Point) -> None:
        """Change what does not hold of what came; ABSENT is nothing."""
        found = self.mismatches(written, got, point)
        if not found:
            return
        if is_matcher(written):
            self.matchers(written, got, point)
        elif is_mapping(written) and is_mapping(got):
            self._mapping(written, got, point, found)
        elif is_list(written) and is_list(got) and written and got:
            self._list(written, got, point)
        else:
            self.put(written, got, point)

    @abstractmethod
    def matchers(self, written: Mapping[str, Any], got: Any, point: Point) -> None:
        """Change what does not hold of a matcher, or of several in one mapping."""

    def mismatches(self, written: Any, got: Any, point: Point) -> list[Mismatch]:
        """What the judge finds."""
        return mismatches(self.value(written), got, point.path, exact=point.exact)

    def value(self, written: Any) -> Any:
        """What is written, with its expressions filled in."""
        return written if self._moments is None else expand(written, self._moments)

    def refuse(self, point: Point, why: str) -> None:
        """Leave it to the author."""
        self.problems.append((point.at, why))

    # --- plain values -------------------------------------------------------------------------

    def put(self, written: Any, got: Any, point: Point) -> None:
        """What came takes the place of what is written; a whole prompt never does."""
        if point.path[:1] == ("prompts",) and isinstance(got, str):
            self.refuse(point, _LONG)
            return
        if got is ABSENT:
            value = None
        elif isinstance(written, str) and isinstance(got, str):
            value = respelled(written, got, self._moments)
        elif point.path and isinstance(point.path[-1], int):
            value = plain_element(got, (), point.path[:-1], exact=point.exact)
        else:
            value = plain_value(got, point.path, exact=point.exact)
        self.changes.append(Put(point.at, value))

    def _mapping(
        self,
        written: Mapping[str, Any],
        got: Mapping[str, Any],
        point: Point,
        found: Sequence[Mismatch],
    ) -> None:
        names = {self.value(key): key for key in written}
        drops: set[int] = set()
        adds: list[Addition] = []
        for key in dict.fromkeys(mismatch.at[0] for mismatch in found):
            name = names.get(key)
            if name is None:
                value = plain_value(got[str(key)], (*point.path, key), exact=point.exact)
                adds.append(Addition(len(written) - 1, value, literal(key)))
            elif point.exact and point.path and key not in got:
                drops.add(list(written).index(name))
            else:
                self.amend(written[name], got.get(str(key), ABSENT), point.into(name, key))
        if len(drops) < len(written):
            self.reshape(point, drops, adds)
        else:
            self.changes.append(Put(point.at, {str(add.key): add.value for add in adds}))

    def _list(self, written: Sequence[Any], got: Sequence[Any], point: Point) -> None:
        wanted = self.value(written)
        drops: set[int] = set()
        adds: list[Addition] = []
        last = -1
        for old, new in pair_in_order(len(wanted), len(got), self.near(written, got)):
            if old is not None:
                last = old
            if new is None:
                drops.add(last)
            elif old is None:
                adds.append(Addition(last, self.element(got[new], wanted, point)))
            else:
                self.amend(written[old], got[new], point.into(old, new))
        self.reshape(point, drops, adds)

    def near(self, written: Sequence[Any], got: Sequence[Any]) -> Near:
        """How near the elements of two lists are, by their positions."""
        wanted = self.value(written)

        @cache
        def near(left: int, right: int) -> float:
            return likeness(wanted[left], got[right])

        return near

    def element(self, got: Any, wanted: Sequence[Any], point: Point) -> Any:
        """A new element, said as those beside it are."""
        beside = [item for item in wanted if not is_matcher(item)]
        return plain_element(got, beside, point.path, exact=point.exact)

    def reshape(self, point: Point, drops: set[int], adds: Sequence[Addition]) -> None:
        """Let elements go and come."""
        if drops or adds:
            self.changes.append(Reshape(point.at, frozenset(drops), adds))
