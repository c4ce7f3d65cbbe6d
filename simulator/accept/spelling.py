"""How a value is written in a file: in brackets or as a block, in the quotes of what it replaces."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import yaml

from falai.shapes import is_list, is_mapping
from simulator.place import TextError
from simulator.yamltext import parse_yaml

WIDTH = 100
"""Columns that a line of a new block may take."""
_SHORT = 80
"""Characters that a list or mapping may take to stand on one line."""
_UNSAFE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
"""What JSON leaves as it is and YAML does not take, or takes for a line break."""
_ODD_IN_BRACKETS = frozenset(",:?[]{}")
"""Signs that some reader of YAML takes for more than a part of a text."""
_TEXT = "tag:yaml.org,2002:str"


class Spelling:
    """Writes YAML."""

    comma: str = ", "
    """What stands between two elements in brackets."""

    def __init__(self, line_end: str) -> None:
        self._line_end = line_end

    def inline(self, value: Any, like: str = "") -> str:
        """A value as it may stand in brackets; `like` is the quote of what stood there."""
        if is_mapping(value):
            pairs = (f"{self.inline(key)}: {self.inline(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        if is_list(value):
            return f"[{', '.join(map(self.inline, value))}]"
        return _text(value, like, flow=True) if isinstance(value, str) else json.dumps(value)

    def block(self, value: Any, column: int) -> str:
        """A list or mapping over several lines, the first of which begins in `column` already."""
        return self._break(column).join(self._parts(value, column))

    def _parts(self, value: Any, column: int) -> Iterator[str]:
        if is_mapping(value):
            for key, item in value.items():
                yield self.pair(key, item, column)
        else:
            yield from (self.dashed(item, column) for item in value)

    def pair(self, key: str, value: Any, column: int) -> str:
        """An entry of a mapping whose keys stand in `column`."""
        name = f"{_text(key, '', flow=False)}:"
        line = self.line(value, column + len(name) + 1)
        if line is not None:
            return f"{name} {line}"
        return f"{name}{self._break(column + 2)}{self.block(value, column + 2)}"

    def pair_in_brackets(self, key: str, value: Any, column: int) -> str:
        """An entry on a line of its own in braces, which begins in `column`."""
        return self.inline({key: value})[1:-1]

    def dashed(self, value: Any, column: int) -> str:
        """An element of a list whose dashes stand in `column`."""
        line = self.line(value, column + 2)
        return f"- {self.block(value, column + 2) if line is None else line}"

    def line(self, value: Any, column: int, like: str = "") -> str | None:
        """A value on a line, from `column` on; None when it is a list or mapping that does not fit.

        `like` is the quote of what stood there.
        """
        if isinstance(value, str):
            return _text(value, like, flow=False)
        line = self.inline(value)
        fits = len(line) <= _SHORT and column + len(line) <= WIDTH
        is_full = value and (is_mapping(value) or is_list(value))
        return line if fits or not is_full else None

    def _break(self, column: int) -> str:
        return f"{self._line_end}{' ' * column}"


class JsonSpelling(Spelling):
    """Writes JSON, with the blanks and escapes that the file has."""

    def __init__(self, text: str, line_end: str) -> None:
        super().__init__(line_end)
        self._escapes = text.isascii() and "\\u" in text
        is_tight = '":' in text and '": ' not in text
        self._separators = (",", ":") if is_tight else (", ", ": ")
        self.comma = self._separators[0]

    def inline(self, value: Any, like: str = "") -> str:
        """A value as it may stand anywhere."""
        return json.dumps(value, ensure_ascii=self._escapes, separators=self._separators)

    def pair_in_brackets(self, key: str, value: Any, column: int) -> str:
        """An entry on a line of its own, which begins in `column`; a long one takes several."""
        line = super().pair_in_brackets(key, value, column)
        if column + len(line) <= WIDTH or not isinstance(value, dict | list):
            return line
        spread = json.dumps({key: value}, ensure_ascii=self._escapes, indent=2)
        below = "\n".join(text.removeprefix("  ") for text in spread.split("\n")[1:-1])
        return below.replace("\n", self._break(column))


def _text(text: str, like: str, *, flow: bool) -> str:
    """A text in the quotes that it had, if it can have them; a new one without, if it can."""
    if like == "'" and _means(single := "'" + text.replace("'", "''") + "'", text, flow):
        return single
    if not like and _is_plain(text, flow) and _means(text, text, flow):
        return text
    return quoted(text)


def _is_plain(text: str, flow: bool) -> bool:
    """Whether any reader of YAML takes it for a text, those included for which `yes` is true."""
    is_odd = flow and not _ODD_IN_BRACKETS.isdisjoint(text)
    return len(text.splitlines()) == 1 and not is_odd and _is_text_in_yaml(text)


@cache
def _is_text_in_yaml(text: str) -> bool:
    resolve: Callable[..., str] = yaml.resolver.Resolver().resolve  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - no types
    return resolve(yaml.ScalarNode, text, (True, False)) == _TEXT


def _means(spelled: str, text: str, flow: bool) -> bool:
    """Whether a spelling is read as that text, as a value, a key and an element."""
    tries = f"[{spelled}, {{a: {spelled}}}]" if flow else f"- {spelled}\n- a: {spelled}"
    try:
        return parse_yaml(tries)[0] == [text, {"a": text}]
    except TextError:
        return False


def quoted(text: str) -> str:
    """A text in double quotes, as JSON and YAML read it."""
    written = json.dumps(text, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def literal_block(text: str, column: int, line_end: str) -> str | None:
    """A text of several lines as a block (`|`), its lines in `column`; None when it cannot be."""
    lines = text.rstrip("\n").split("\n")
    ends = len(text) - len(text.rstrip("\n"))
    sign = "|-" if ends == 0 else "|" if ends == 1 else "|+"
    filled = [f"{' ' * column}{line}" if line else "" for line in lines]
    written = "\n".join([sign, *filled, *[""] * (ends - 1)])
    try:
        same = parse_yaml(f"a: {written}\n")[0] == {"a": text}
    except TextError:
        return None
    return written.replace("\n", line_end) if same and column else None
