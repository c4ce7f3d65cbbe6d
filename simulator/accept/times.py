"""Writes the times in a text as expressions, where it replaces a text that had some."""

import re

from falai.clock import ms_of, to_ms
from simulator.expectation import literal
from simulator.expression import Moments, parse

_EXPRESSION = re.compile(r"(?<!\$)\$\{([^}]*)\}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|(?<!\d)\d{13}(?!\d)")
_MINUTE = 60_000
_UNITS = ((48 * 60, 24 * 60, "d"), (60, 60, "h"), (0, 1, "m"))
"""From how many minutes on a unit is used if it divides them; its minutes; its sign."""


def respelled(old: str, new: str, moments: Moments | None) -> str:
    """The new text as a file has it; its times as expressions if the old text has any.

    A time that is no whole number of minutes away stays as it is.
    """
    written = literal(new)
    expressions = _EXPRESSION.findall(old) if moments is not None else []
    if not expressions or moments is None:
        return written
    times = _TIME.findall(written)
    paired = expressions if len(expressions) == len(times) else expressions[:1] * len(times)
    models = iter(paired)
    return _TIME.sub(lambda found: _expression(found[0], next(models), moments), written)


def _expression(time: str, model: str, moments: Moments) -> str:
    """A time as the model has it, if that is the time, else counted from the same moment."""
    parsed = parse(model)
    if parsed.text(moments) == time:
        return f"${{{model}}}"
    root = ms_of(moments.now if parsed.root == "now" else moments.start)
    is_ms = time.isdigit()
    try:
        away = (int(time) if is_ms else to_ms(time)) - root
    except ValueError:  # a text like a time, of a 30th of February
        return time
    if away % _MINUTE:
        return time
    moment = f"{parsed.root}{_shift(away // _MINUTE)}"
    return f"${{ms({moment})}}" if is_ms else f"${{{moment}}}"


def _shift(minutes: int) -> str:
    if minutes == 0:
        return ""
    sign, minutes = ("+" if minutes > 0 else "-"), abs(minutes)
    for least, size, unit in _UNITS:
        if minutes >= least and minutes % size == 0:
            return f"{sign}{minutes // size}{unit}"
    raise AssertionError(minutes)
