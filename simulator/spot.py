"""A value of a file with the way back to its place: reads shapes, and says what is wrong where."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from falai.clock import to_datetime
from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from simulator.place import KeyPath, Place, ScenarioFileError, nearest, suggestion

T = TypeVar("T")

SHOWN = 60
"""Characters of a value that a message shows."""
CUT_TEXT = "If it belongs to the text before it, put that text in quotes."
"""What to do about a key that a comma made of a part of a text."""


class Source(Protocol):
    """What values come from: a document, or one in which some values were replaced."""

    path: Path
    has_matchers: bool
    has_expressions: bool

    def place(self, path: KeyPath, *, key: bool = False) -> Place: ...

    def is_left_out(self, path: KeyPath) -> bool: ...

    def check_bare_keys(self) -> None: ...


class Spot:
    """One value at its place. Every reader raises ScenarioFileError when the shape is wrong."""

    __slots__ = ("path", "source", "value")

    def __init__(self, value: Any, source: Source, path: KeyPath = ()) -> None:
        self.value = value
        self.source = source
        self.path = path

    def __repr__(self) -> str:
        return f"Spot({self.value!r}, at {self.place()})"

    # --- moving ---------------------------------------------------------------------------------

    def at(self, key: str | int) -> "Spot":
        """The value of a key that is there, or of a position in a list."""
        return Spot(self.value[key], self.source, (*self.path, key))

    def get(self, key: str) -> "Spot | None":
        """The value of a key, None when it is missing or null."""
        value = self.value.get(key)
        return None if value is None else Spot(value, self.source, (*self.path, key))

    def optional(self, key: str, read: "Callable[[Spot], T]") -> T | None:
        """What `read` makes of the value of a key, None when it is missing or null."""
        found = self.get(key)
        return None if found is None else read(found)

    def has(self, key: str) -> bool:
        """Whether a key is there, null or not."""
        return key in self.value

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def name(self) -> str:
        """What messages call it: its key, with the positions behind it."""
        name = ""
        for part in self.path:
            name = f"{name}[{part}]" if isinstance(part, int) else part
        return name or "the file"

    # --- complaining ----------------------------------------------------------------------------

    def place(self, *, key: bool = False) -> Place:
        """Where it stands; with `key`, where its key does."""
        return self.source.place(self.path, key=key)

    def error(self, what: str, fix: str = "", *, key: bool = False) -> ScenarioFileError:
        """The error to raise for what is wrong here."""
        return ScenarioFileError(self.place(key=key), what, fix)

    def wanted(self, what: str, fix: str = "") -> ScenarioFileError:
        """The error for a value of another shape."""
        return self.error(f"{self.name} must be {what}, not {described(self.value)}", fix)

    def stranger(self, key: str, what: str, fix: str = "") -> ScenarioFileError:
        """The error for a key that has no business here; a comma in a text may have made it."""
        if self.source.is_left_out((*self.path, key)):
            fix = f"{fix} {CUT_TEXT}".lstrip()
        return self.at(key).error(what, fix, key=True)

    def unknown(
        self, key: str, known: Collection[str], others: Collection[str] = ()
    ) -> ScenarioFileError:
        """The error for a key that is not known; `others` are known in other places."""
        close = nearest(key, (*known, *others))
        fix = f'Did you mean "{close}"?' if close else suggestion(key, known)
        return self.stranger(key, f'unknown key "{key}"', fix)

    # --- shapes ---------------------------------------------------------------------------------

    def mapping(self, known: Collection[str] | None = None, fix: str = "") -> Mapping[str, Any]:
        """The mapping that this is, its keys among the known ones."""
        value = self.value
        if not isinstance(value, dict):
            raise self.wanted("a mapping", fix)
        found = cast("dict[str, Any]", value)
        if known is not None:
            for key in found:
                if key not in known:
                    raise self.unknown(key, known)
        return found

    def need(self, key: str) -> "Spot":
        """The value of a key that must be there."""
        found = self.get(key)
        if found is None:
            raise self.error(f"{self.name} has no {key}", f"Add {key}.")
        return found

    def entries(self) -> Iterator[tuple[str, "Spot"]]:
        """Key and value of everything in the mapping that this is."""
        for key in self.mapping():
            yield key, self.at(key)

    def items(self, fix: str = "") -> list["Spot"]:
        """The elements of the list that this is."""
        if not self.is_list:
            raise self.wanted("a list", fix)
        return [self.at(index) for index in range(len(self.value))]

    def text(self) -> str:
        """The text that this is."""
        if isinstance(self.value, str):
            return self.value
        scalar = isinstance(self.value, bool | int | float)
        raise self.wanted("text", "Put it in quotes." if scalar else "")

    def texts(self) -> tuple[str, ...]:
        """The list of texts that this is."""
        return tuple(item.text() for item in self.items())

    def word(self, options: Collection[str], fix: str = "") -> str:
        """The text that this is, one of a few."""
        if isinstance(self.value, str) and self.value in options:
            return self.value
        fix = fix or suggestion(str(self.value), options)
        raise self.error(f"{self.name} cannot be {described(self.value)}", fix)

    def flag(self) -> bool:
        """The true or false that this is."""
        if isinstance(self.value, bool):
            return self.value
        raise self.wanted("true or false")

    def whole(self, least: int = 0) -> int:
        """The whole number that this is."""
        if isinstance(self.value, int) and not isinstance(self.value, bool) and self.value >= least:
            return self.value
        raise self.wanted(f"a whole number, {least} or more")

    def number(self) -> float:
        """The number that this is, 0 or more."""
        value = self.value
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return value
        raise self.wanted("a number, 0 or more")

    def instant(self) -> str:
        """The time that this is, as written; one with an expression is read when it is played."""
        text = self.text()
        if "${" not in text:
            try:
                to_datetime(text)
            except (ValueError, OverflowError):
                fix = "Write a UTC time such as 2026-01-05T09:00:00Z."
                raise self.error(f"{self.name} is no time: {described(text)}", fix) from None
        return text

    def duration(self) -> int:
        """The milliseconds of the duration that this is."""
        if isinstance(self.value, str):
            try:
                return parse_duration(self.value)
            except FlowConfigurationError:
                pass
        fix = "Write a number and one of s m h d, such as 30s, 1.5h or 2d."
        raise self.error(f"{self.name} is no duration: {described(self.value)}", fix)


def described(value: object) -> str:
    """Name a value for people: its kind, and itself where it is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}…"
        return f"the text {json.dumps(shown, ensure_ascii=False)}"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "a mapping"
