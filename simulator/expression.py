"""Times written in texts: `${now}`, `${start-5m}`, `${now+2d+1s}` and `${ms(now)}`.

`now` is the turn's clock, `start` the scenario's. `$${` is a literal `${`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

import msgspec

from falai.clock import iso_of, ms_of
from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from simulator.place import nearest
from simulator.spot import Spot

_MARK = re.compile(r"\$\$\{|\$\{([^}]*)(\})?")
_CALL = re.compile(r"(\w+)\s*\((.*)\)")
_MOMENT = re.compile(r"(\w*)\s*(.*)")
_SHIFT = re.compile(r"\s*([+-])\s*([\w.]+)")
_SHAPE = "Write now or start, with durations added or taken: ${now+24h}, ${ms(start-5m)}."


class ExpressionError(Exception):
    """A `${…}` that says nothing."""

    def __init__(self, what: str, fix: str = _SHAPE) -> None:
        self.what = what
        self.fix = fix
        super().__init__(f"{what}. {fix}")


class Moments(NamedTuple):
    """What expressions may name."""

    now: datetime
    """The clock of the turn."""
    start: datetime
    """The clock of the scenario before its first turn."""


class _Expression(NamedTuple):
    root: str
    shift_ms: int
    in_ms: bool

    def at(self, moments: Moments) -> datetime:
        moment = moments.now if self.root == "now" else moments.start
        try:
            return moment + timedelta(milliseconds=self.shift_ms)
        except OverflowError:
            raise ExpressionError("a time beyond the calendar", "Add or take less.") from None

    def text(self, moments: Moments) -> str:
        moment = self.at(moments)
        return str(ms_of(moment)) if self.in_ms else iso_of(moment)


def expand(value: Any, moments: Moments, *, numbers: bool = False) -> Any:
    """Fill in every expression of a value, at any depth, in mapping keys too.

    Lists, mappings, tuples and structs (replies, anchors) are copied where something in them
    changes. A time comes as the wire writes it, milliseconds as text: with `numbers`, which is
    for what a model answers, a text that is nothing but `${ms(…)}` becomes a number.
    Raises ExpressionError; `check_expressions` finds the same errors with their places.
    """
    if isinstance(value, str):
        return _expand_text(value, moments, numbers) if "${" in value else value
    again = partial(expand, moments=moments, numbers=numbers)
    if isinstance(value, Mapping):
        mapping = cast("Mapping[str, Any]", value)
        return {expand(key, moments): again(item) for key, item in mapping.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any] | tuple[Any, ...]", value)
        return type(items)(map(again, items))
    return _expand_struct(value, again) if isinstance(value, msgspec.Struct) else value


def _expand_struct(struct: msgspec.Struct, again: Callable[[Any], Any]) -> msgspec.Struct:
    old = {name: getattr(struct, name) for name in struct.__struct_fields__}
    changes = {name: new for name, value in old.items() if (new := again(value)) != value}
    return msgspec.structs.replace(struct, **changes) if changes else struct


def _expand_text(text: str, moments: Moments, numbers: bool) -> Any:
    whole = _MARK.fullmatch(text)
    if numbers and whole is not None and whole[1] is not None:
        expression = parse(whole[1])
        if expression.in_ms:
            return ms_of(expression.at(moments))
    return _MARK.sub(lambda found: _replacement(found, moments), text)


def _replacement(found: re.Match[str], moments: Moments) -> str:
    return "${" if found[0] == "$${" else parse(_inner(found)).text(moments)


def _inner(found: re.Match[str]) -> str:
    if found[2] is None:
        raise ExpressionError("${ without a closing }", "Close it, or write $${ for a literal ${.")
    return found[1]


@lru_cache(maxsize=1024)
def parse(inner: str) -> _Expression:
    """Read what stands between the braces; raises ExpressionError."""
    text = inner.strip()
    call = _CALL.fullmatch(text)
    if call is None:
        return _moment(text, in_ms=False)
    if call[1] != "ms":
        raise ExpressionError(f'unknown function "{call[1]}" in ${{{inner}}}', _SHAPE)
    return _moment(call[2].strip(), in_ms=True)


def _moment(text: str, *, in_ms: bool) -> _Expression:
    found = _MOMENT.fullmatch(text)
    root, rest = (found[1], found[2]) if found else ("", text)
    if root not in ("now", "start"):
        close = nearest(root, ("now", "start"))
        fix = f'Did you mean "{close}"? {_SHAPE}' if close else f"{_SHAPE} $${{ is a literal ${{."
        raise ExpressionError(f'unknown name "{root or text}" in an expression', fix)
    return _Expression(root, _shift(rest, text), in_ms)


def _shift(rest: str, text: str) -> int:
    """Sum the durations behind the name, in ms."""
    total = at = 0
    while at < len(rest):
        step = _SHIFT.match(rest, at)
        if step is None:
            raise ExpressionError(f"${{{text}}} cannot be read")
        try:
            amount = parse_duration(step[2])
        except FlowConfigurationError:
            raise ExpressionError(f'"{step[2]}" in ${{{text}}} is no duration') from None
        total += amount if step[1] == "+" else -amount
        at = step.end()
    return total


def check_expressions(spot: Spot) -> None:
    """Raise ScenarioFileError for the first expression below this place that says nothing."""
    if _holds_one(spot.value):
        _check(spot)


def _holds_one(value: Any) -> bool:
    """Whether an expression stands anywhere in a value; most hold none."""
    if isinstance(value, str):
        return "${" in value
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        return any("${" in key or _holds_one(item) for key, item in mapping.items())
    return isinstance(value, list) and any(map(_holds_one, cast("list[Any]", value)))


def _check(spot: Spot) -> None:
    value = spot.value
    if isinstance(value, str):
        _check_text(value, spot, key=False)
    elif isinstance(value, dict):
        for key, item in spot.entries():
            _check_text(key, item, key=True)
            _check(item)
    elif isinstance(value, list):
        for item in spot.items():
            _check(item)


def _check_text(text: str, spot: Spot, *, key: bool) -> None:
    for found in _MARK.finditer(text):
        if found[0] == "$${":
            continue
        try:
            parse(_inner(found))
        except ExpressionError as exc:
            raise spot.error(exc.what, exc.fix, key=key) from None
