"""Works out what a block has to change, matchers included: one that still holds stays."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from falai.shapes import is_list
from simulator.accept.amendvalues import Point, ValueAmender
from simulator.accept.change import Addition
from simulator.accept.likeness import pair_nearest
from simulator.pairing import pair_up

_PROHIBITIONS = ("$not", "$excludes")
_PROHIBITED = "what was not to be is there: only you can say whether it may"
_NO_SUCH = "nothing that came is anything like it: edit it by hand"

Mend: TypeAlias = Callable[[Any, Any, Point], bool]
"""Changes a matcher's argument, at its place; False when what came is of another kind."""


class Amender(ValueAmender):
    """Changes the argument of a matcher where that keeps its sense; else what came replaces it."""

    def matchers(self, written: Mapping[str, Any], got: Any, point: Point) -> None:
        """Change what does not hold of a matcher, or of several in one mapping."""
        failing = {
            name: argument
            for name, argument in written.items()
            if self.mismatches({name: argument}, got, point)
        }
        if not failing.keys().isdisjoint(_PROHIBITIONS):
            self.refuse(point, _PROHIBITED)
        elif all(name in self._mends for name in failing):
            self._mend(failing, written, got, point)
        else:
            self.put(written, got, point)

    def _mend(
        self, failing: Mapping[str, Any], written: Mapping[str, Any], got: Any, point: Point
    ) -> None:
        before = len(self.changes)
        for name, argument in failing.items():
            if not self._mends[name](argument, got, point.under(name)):
                del self.changes[before:]
                self.put(written, got, point)
                return

    @property
    def _mends(self) -> Mapping[str, Mend]:
        return {
            "$exactly": self._exactly,
            "$length": self._length,
            "$includes": self._includes,
            "$unordered": self._unordered,
            "$atMost": self._bound,
            "$atLeast": self._bound,
            "$between": self._between,
        }

    # --- each matcher ---------------------------------------------------------------------------

    def _exactly(self, argument: Any, got: Any, point: Point) -> bool:
        self.amend(argument, got, point.under(exact=True))
        return True

    def _length(self, argument: Any, got: Any, point: Point) -> bool:
        if not isinstance(got, str) and not is_list(got):
            return False
        self.amend(argument, len(got), point)
        return True

    def _bound(self, argument: Any, got: Any, point: Point) -> bool:
        if not _compares(self.value(argument), got):
            return False
        self.amend(argument, got, point)
        return True

    def _between(self, argument: Sequence[Any], got: Any, point: Point) -> bool:
        least, most = self.value(argument)
        if not (_compares(least, got) and _compares(most, got)):
            return False
        broken = 0 if got < least else 1
        return self._bound(argument[broken], got, point.under(broken))

    def _includes(self, argument: Sequence[Any], got: Any, point: Point) -> bool:
        """An item that nothing is like becomes the nearest element that no other item names."""
        if not is_list(got) or not got:
            return False
        fitting = self._fitting(argument, got, point)
        failing = [at for at, fits in enumerate(fitting) if not fits]
        named = {position for fits in fitting for position in fits}
        free = [at for at in range(len(got)) if at not in named]
        near = self.near(argument, got)
        pairs = pair_nearest(failing, free or range(len(got)), near)
        for item in failing:
            if item in pairs and near(item, pairs[item]) > 0:
                self.amend(argument[item], got[pairs[item]], point.into(item, pairs[item]))
            else:
                self.refuse(point.under(item), _NO_SUCH)
        return True

    def _unordered(self, argument: Sequence[Any], got: Any, point: Point) -> bool:
        """What has no partner is paired up with what is left; the rest goes or comes."""
        if not is_list(got) or not got or not argument:
            return False
        partners = pair_up(self._fitting(argument, got, point))
        alone = [at for at in range(len(argument)) if at not in partners]
        free = [at for at in range(len(got)) if at not in partners.values()]
        pairs = pair_nearest(alone, free, self.near(argument, got))
        for item, position in pairs.items():
            self.amend(argument[item], got[position], point.into(item, position))
        wanted = self.value(argument)
        adds = [
            Addition(len(argument) - 1, self.element(got[at], wanted, point))
            for at in free
            if at not in pairs.values()
        ]
        self.reshape(point, {at for at in alone if at not in pairs}, adds)
        return True

    def _fitting(
        self, argument: Sequence[Any], got: Sequence[Any], point: Point
    ) -> list[list[int]]:
        """For each item the positions of what matches it."""
        return [
            [at for at, found in enumerate(got) if not self.mismatches(item, found, point)]
            for item in argument
        ]


def _compares(left: Any, right: Any) -> bool:
    """Whether two bounds are of a kind: two numbers, or two texts."""
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    return isinstance(left, str) == isinstance(right, str) and isinstance(right, int | float | str)
