"""Compares what was expected with what came, by the rules and matchers of a scenario."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, TypeAlias

from falai.shapes import is_list, is_mapping
from falai.words.field import same_scalar
from simulator.excerpt import excerpt, matched_passage, nearest_match, nearest_passage
from simulator.mismatch import Mismatch, format_path, one_line
from simulator.pairing import pair_up
from simulator.place import KeyPath

__all__ = ["ABSENT", "Mismatch", "format_path", "match", "matches"]


class _Absent:
    """Nothing at all, which is not the same as a null that is there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""Pass it to `match` as what came when nothing did."""

Found: TypeAlias = Iterator[Mismatch]

_SCALARS: frozenset[type] = frozenset({str, int, float, bool})
_HOSTS_OWN = frozenset({"context", "data", "history", "input", "metadata", "payload", "with"})
"""Keys of values in which `code` and `message` are words like any other."""


def match(wanted: Any, got: Any, *, exactly: bool = False) -> list[Mismatch]:
    """List every difference between an expectation and what came; none means that it holds.

    With `exactly` the expectation is read as under `$exactly`. `got` is data as JSON has it.
    """
    return list(_compare(wanted, got, _Where((), (), exactly, True)))


def matches(wanted: Any, got: Any, *, exactly: bool = False) -> bool:
    """Whether an expectation holds; stops at the first difference."""
    return _fits(wanted, got, _Where((), (), exactly, True))


class _Where:
    """How a comparison came to where it is, and the rules that hold there."""

    __slots__ = ("at", "exact", "lines", "path", "tries")

    def __init__(
        self, path: KeyPath, at: KeyPath, exact: bool, lines: bool, tries: bool = False
    ) -> None:
        self.path = path
        self.at = at
        self.exact = exact
        self.lines = lines
        """Whether a `message` beside a `code` is an English sentence about it."""
        self.tries = tries
        """Whether nobody will read what a mismatch says: only that there is one counts."""

    def into(self, key: str | int) -> "_Where":
        """One step down, in the expectation and in what came."""
        lines = self.lines and key not in _HOSTS_OWN
        return _Where((*self.path, key), (*self.at, key), self.exact, lines, self.tries)

    def under(self, *keys: str | int, exact: bool = False) -> "_Where":
        """Inside a matcher: what came stays where it is."""
        at = (*self.at, *keys)
        return _Where(self.path, at, exact or self.exact, self.lines, self.tries)

    def item(self, index: int) -> "_Where":
        """An element of what came, for which the expectation has no element of its own."""
        return _Where((*self.path, index), self.at, self.exact, self.lines, self.tries)

    def trying(self) -> "_Where":
        """The same, for finding out whether something fits."""
        return self if self.tries else _Where(self.path, self.at, self.exact, self.lines, True)

    def miss(self, wanted: Any, got: Any, message: str) -> Mismatch:
        """The mismatch here; ABSENT on either side stands for nothing."""
        return Mismatch(
            path=self.path,
            at=self.at,
            wanted=None if wanted is ABSENT else wanted,
            got=None if got is ABSENT else got,
            message=message,
            missing=got is ABSENT,
            extra=wanted is ABSENT,
        )


def _compare(wanted: Any, got: Any, where: _Where) -> Found:
    if is_mapping(wanted):
        if wanted and all(key in _MATCHERS for key in wanted):
            return _match_all(wanted, got, where)
        return _compare_mapping(wanted, got, where)
    if is_list(wanted):
        return _compare_list(wanted, got, where)
    return _compare_scalar(wanted, got, where)


def _fits(wanted: Any, got: Any, where: _Where) -> bool:
    return next(_compare(wanted, got, where.trying()), None) is None


# --- plain values -------------------------------------------------------------------------------


def _compare_scalar(wanted: Any, got: Any, where: _Where) -> Found:
    if wanted is None:
        if not _is_nothing(got):
            yield where.miss(wanted, got, "nothing was expected here")
    elif got is ABSENT:
        yield where.miss(wanted, got, "it is not there")
    elif is_mapping(got) or is_list(got) or not same_scalar(wanted, got):
        yield where.miss(wanted, got, _difference(wanted, got))


def _are_one(wanted: object, got: object) -> bool:
    """Whether two scalars are equal beyond doubt: most are, and need no comparison in full."""
    return type(wanted) in _SCALARS and type(wanted) is type(got) and wanted == got


def _is_nothing(got: Any) -> bool:
    return got is None or got is ABSENT


def _difference(wanted: Any, got: Any) -> str:
    kind = _kind(wanted)
    return "it differs" if kind == _kind(got) else f"{kind} was expected, not {_kind(got)}"


def _kind(value: Any) -> str:
    if value is None or value is ABSENT:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    if is_list(value):
        return "a list"
    return "a mapping" if is_mapping(value) else "a number"


def _compare_mapping(wanted: Mapping[str, Any], got: Any, where: _Where) -> Found:
    if not is_mapping(got):
        yield where.miss(wanted, got, _other_shape(wanted, got))
        return
    free = where.exact and where.lines and ("code" in got or "code" in wanted)
    for key, value in wanted.items():
        found = got.get(key, ABSENT)
        if not (_are_one(value, found) or (free and key == "message")):
            yield from _compare(value, found, where.into(key))
    if not where.exact:
        return
    # What a raised error says is wording too, but an expectation may hold the words to it.
    spoken = free or (where.lines and "class" in got)
    for key, value in got.items():
        if key not in wanted and not (spoken and key == "message"):
            yield where.into(key).miss(ABSENT, value, "nothing was expected here")


def _other_shape(wanted: Any, got: Any) -> str:
    if got is ABSENT:
        return "it is not there"
    return f"{_kind(wanted)} was expected, not {_kind(got)}"


def _compare_list(wanted: Sequence[Any], got: Any, where: _Where) -> Found:
    if not is_list(got):
        yield where.miss(wanted, got, _other_shape(wanted, got))
    elif len(wanted) == len(got):
        for index, (item, found) in enumerate(zip(wanted, got, strict=True)):
            if not _are_one(item, found):
                yield from _compare(item, found, where.into(index))
    else:
        yield from _compare_uneven(wanted, got, where)


def _compare_uneven(wanted: Sequence[Any], got: Sequence[Any], where: _Where) -> Found:
    """Lists of different lengths: name what is missing or extra, if the rest agrees."""
    shorter, longer = sorted((len(wanted), len(got)))
    head = 0
    while head < shorter and _fits(wanted[head], got[head], where.into(head)):
        head += 1
    tail = 0
    while head + tail < shorter and _fits(wanted[-1 - tail], got[-1 - tail], where):
        tail += 1
    lengths = f"the list has {len(got)} {_elements(len(got))}, not {len(wanted)}"
    if head + tail < shorter:
        yield where.miss(wanted, got, f"{lengths}; the first difference is at [{head}]")
        yield from _compare(wanted[head], got[head], where.into(head))
        return
    for index in range(head, head + longer - shorter):
        if len(wanted) > len(got):
            yield where.into(index).miss(wanted[index], ABSENT, f"missing: {lengths}")
        else:
            yield where.item(index).miss(ABSENT, got[index], f"not expected: {lengths}")


def _elements(count: int) -> str:
    return "element" if count == 1 else "elements"


# --- matchers -----------------------------------------------------------------------------------


def _match_all(wanted: Mapping[str, Any], got: Any, where: _Where) -> Found:
    """Several matchers in one mapping must all hold."""
    for name, argument in wanted.items():
        yield from _MATCHERS[name](argument, got, where.under(name))


def _any(argument: Any, got: Any, where: _Where) -> Found:
    if _is_nothing(got):
        yield where.miss({"$any": argument}, got, "something was expected here")


def _absent(_: Any, got: Any, where: _Where) -> Found:
    if not _is_nothing(got):
        yield where.miss(ABSENT, got, "nothing was expected here")


def _exactly(argument: Any, got: Any, where: _Where) -> Found:
    return _compare(argument, got, where.under(exact=True))


def _includes(argument: Sequence[Any], got: Any, where: _Where) -> Found:
    if not is_list(got):
        yield where.miss({"$includes": argument}, got, _no_list(got))
        return
    for index, item in enumerate(argument):
        place = where.under(index)
        if not any(_fits(item, found, place) for found in got):
            yield _not_included(item, got, place)


def _not_included(item: Any, got: Sequence[Any], where: _Where) -> Mismatch:
    if where.tries or not got:
        return where.miss(item, ABSENT, "the list is empty")
    likenesses = [_likeness(item, found, where) for found in got]
    nearest = likenesses.index(max(likenesses))
    message = f"no element of the list is like this; the nearest is [{nearest}]"
    return where.miss(item, got[nearest], message)


def _likeness(wanted: Any, got: Any, where: _Where) -> float:
    """How near a value comes, from 0 to 1: between mappings, how many keys match."""
    if _fits(wanted, got, where):
        return 1.0
    if isinstance(wanted, str) and isinstance(got, str):
        return SequenceMatcher(None, wanted, got).quick_ratio() / 2  # 1 for the same letters, too
    if not (is_mapping(wanted) and is_mapping(got)):
        return 0.0
    parts = [
        _likeness(value, got.get(key, ABSENT), where.into(key)) for key, value in wanted.items()
    ]
    matching = parts.count(1.0)
    # What comes near in several keys counts less than one key that matches.
    near = (sum(parts) - matching) / (len(parts) + 1)
    return (matching + near) / (len(parts) + 1)


def _excludes(argument: Sequence[Any], got: Any, where: _Where) -> Found:
    if not is_list(got):
        yield where.miss({"$excludes": argument}, got, _no_list(got))
        return
    for index, item in enumerate(argument):
        place = where.under(index)
        for position, found in enumerate(got):
            if _fits(item, found, place):
                # What is shown as wanted is the opposite of the item.
                wanted, shown = {"$not": item}, _passage(item, found)
                yield place.item(position).miss(wanted, shown, "no element may be like this")


def _unordered(argument: Sequence[Any], got: Any, where: _Where) -> Found:
    if not is_list(got):
        yield where.miss({"$unordered": argument}, got, _no_list(got))
        return
    fitting = [
        [j for j, found in enumerate(got) if _fits(item, found, where.under(i))]
        for i, item in enumerate(argument)
    ]
    partners = pair_up(fitting)
    for index, item in enumerate(argument):
        if index not in partners:
            yield where.under(index).miss(item, ABSENT, "no element is left that is like this")
    for position in sorted(set(range(len(got))) - set(partners.values())):
        yield where.item(position).miss(ABSENT, got[position], "not expected in the list")


def _no_list(got: Any) -> str:
    return "it is not there" if got is ABSENT else f"a list was expected, not {_kind(got)}"


def _length(argument: Any, got: Any, where: _Where) -> Found:
    if not isinstance(got, str) and not is_list(got):
        yield where.miss({"$length": argument}, got, _no_text(got, "text or a list"))
    elif not _fits(argument, len(got), where):
        yield where.miss({"$length": argument}, got, f"its length is {len(got)}")


def _contains(argument: str | Sequence[str], got: Any, where: _Where) -> Found:
    if not isinstance(got, str):
        yield where.miss({"$contains": argument}, got, _no_text(got))
    elif isinstance(argument, str):
        yield from _contains_one(argument, got, where)
    else:
        for index, text in enumerate(argument):
            yield from _contains_one(text, got, where.under(index))


def _contains_one(text: str, got: str, where: _Where) -> Found:
    if text not in got:
        shown = got if where.tries else excerpt(got, nearest_passage(text, got))
        yield where.miss({"$contains": text}, shown, f"the text does not contain {one_line(text)}")


def _regex(argument: str, got: Any, where: _Where) -> Found:
    if not isinstance(got, str):
        yield where.miss({"$regex": argument}, got, _no_text(got))
    elif not re.search(argument, got):
        shown = got if where.tries else excerpt(got, nearest_match(argument, got))
        yield where.miss({"$regex": argument}, shown, "the text does not match the pattern")


def _starts_with(argument: str, got: Any, where: _Where) -> Found:
    if not isinstance(got, str):
        yield where.miss({"$startsWith": argument}, got, _no_text(got))
    elif not got.startswith(argument):
        yield where.miss({"$startsWith": argument}, got, "the text does not start like this")


def _no_text(got: Any, wanted: str = "text") -> str:
    return "it is not there" if got is ABSENT else f"{wanted} was expected, not {_kind(got)}"


def _at_most(argument: Any, got: Any, where: _Where) -> Found:
    if not _is_ordered(argument, got):
        yield where.miss({"$atMost": argument}, got, _other_shape(argument, got))
    elif got > argument:
        yield where.miss({"$atMost": argument}, got, "it is more than that")


def _at_least(argument: Any, got: Any, where: _Where) -> Found:
    if not _is_ordered(argument, got):
        yield where.miss({"$atLeast": argument}, got, _other_shape(argument, got))
    elif got < argument:
        yield where.miss({"$atLeast": argument}, got, "it is less than that")


def _between(argument: Sequence[Any], got: Any, where: _Where) -> Found:
    least, most = argument
    if not (_is_ordered(least, got) and _is_ordered(most, got)):
        yield where.miss({"$between": argument}, got, _other_shape(least, got))
    elif not least <= got <= most:
        yield where.miss({"$between": argument}, got, "it is not between these")


def _is_ordered(left: Any, right: Any) -> bool:
    """Two numbers, or two texts such as times of the wire, which sort as they are written."""
    return _kind(left) == _kind(right) and _kind(left) in ("a number", "text")


def _not(argument: Any, got: Any, where: _Where) -> Found:
    if _fits(argument, got, where):
        yield where.miss({"$not": argument}, _passage(argument, got), "this was not to be")


def _passage(matcher: Any, got: Any) -> Any:
    """What came; of a long text, the part that a matcher found in it."""
    span = matched_passage(matcher, got) if isinstance(got, str) else None
    return got if span is None else excerpt(got, span)


def _one_of(argument: Sequence[Any], got: Any, where: _Where) -> Found:
    if not any(_fits(item, got, where.under(i)) for i, item in enumerate(argument)):
        yield where.miss({"$oneOf": argument}, got, "it is none of these")


_MATCHERS: Mapping[str, Callable[[Any, Any, _Where], Found]] = {
    "$any": _any,
    "$absent": _absent,
    "$exactly": _exactly,
    "$includes": _includes,
    "$excludes": _excludes,
    "$unordered": _unordered,
    "$length": _length,
    "$contains": _contains,
    "$regex": _regex,
    "$startsWith": _starts_with,
    "$atMost": _at_most,
    "$atLeast": _at_least,
    "$between": _between,
    "$not": _not,
    "$oneOf": _one_of,
}
