"""One mapping of a spec, read key by key; what a key must not hold is refused with its place."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from falai.errors import FlowConfigurationError
from falai.shapes import is_list, is_mapping
from falai.spec.wording import listed, quote, suggestion
from falai.words.flow import Predicate

L = TypeVar("L", bound=str)
T = TypeVar("T")


class Part:
    """A mapping at its place: `where` as messages name it, `path` inside of that."""

    __slots__ = ("path", "raw", "where")

    def __init__(self, raw: object, where: str, path: str = "") -> None:
        """Raise FlowConfigurationError when `raw` is no mapping."""
        self.where = where
        self.path = path
        if not is_mapping(raw):
            what = f"{path} is not a mapping".strip()
            raise self.refusal(f"{what}, got {quote(raw)}", "Write it as a mapping.")
        self.raw = raw

    def refusal(self, what: str, fix: str) -> FlowConfigurationError:
        """Make the error that names this place."""
        return FlowConfigurationError.at(self.where, what, fix)

    def name(self, key: str) -> str:
        """Name a key as messages do: with the path that leads to it."""
        return f"{self.path}.{key}" if self.path else key

    def close(self, known: Iterable[str]) -> None:
        """Refuse any key that is not known."""
        names = tuple(known)
        for key in self.raw:
            if key not in names:
                inside = f" in {self.path}" if self.path else ""
                raise self.refusal(f"unknown key {quote(key)}{inside}", suggestion(key, names))

    def text(self, key: str) -> str | None:
        """Read a text; None when it is not set."""
        value = self.raw.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self._wrong(key, "text")

    def needed_text(self, key: str) -> str:
        """Read a text that may be empty, but not missing."""
        value = self.text(key)
        if value is None:
            raise self._missing(key)
        return value

    def needed_name(self, key: str) -> str:
        """Read a text that may be neither missing nor empty."""
        value = self.text(key)
        if not value:
            raise self._missing(key)
        return value

    def _missing(self, key: str) -> FlowConfigurationError:
        return self.refusal(f"{self.path} has no {key}".strip(), "Give it one, as text.")

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.raw.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise self._wrong(key, "true or false")

    def choice(self, key: str, options: tuple[L, ...]) -> L | None:
        """Read one of a few words."""
        value = self.raw.get(key)
        if value is None:
            return None
        for option in options:
            if value == option:
                return option
        raise self.refusal(f"{self.name(key)} is {quote(value)}", f"Use one of {listed(options)}.")

    def entries(self, key: str) -> tuple[Any, ...] | None:
        """Read a list, whatever it holds."""
        value = self.raw.get(key)
        if value is None:
            return None
        if is_list(value):
            return tuple(value)
        raise self._wrong(key, "a list")

    def options(self, key: str) -> tuple[str | int | float, ...] | None:
        """Read a list of the values that something may take."""
        entries = self.entries(key)
        if entries is None:
            return None
        return tuple(
            self._option(f"{self.name(key)}[{index}]", entry) for index, entry in enumerate(entries)
        )

    def _option(self, path: str, entry: object) -> str | int | float:
        if isinstance(entry, str | int | float):
            return entry
        what = f"{path} is neither text nor a number, got {quote(entry)}"
        raise self.refusal(what, "Write it as one of them.")

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Read a list of texts."""
        entries = self.entries(key)
        if entries is None:
            return None
        return tuple(
            self._entry_text(f"{self.name(key)}[{index}]", entry)
            for index, entry in enumerate(entries)
        )

    def _entry_text(self, path: str, entry: object) -> str:
        if isinstance(entry, str):
            return entry
        raise self.refusal(f"{path} is not text, got {quote(entry)}", "Write it as text.")

    def parts(self, key: str, read: "Callable[[Part], T]") -> tuple[T, ...] | None:
        """Read a list of mappings, each with `read`."""
        entries = self.entries(key)
        if entries is None:
            return None
        return tuple(
            read(Part(entry, self.where, f"{self.name(key)}[{index}]"))
            for index, entry in enumerate(entries)
        )

    def part(self, key: str) -> "Part | None":
        """Read a mapping."""
        value = self.raw.get(key)
        return None if value is None else Part(value, self.where, self.name(key))

    def mapping(self, key: str) -> Mapping[str, Any] | None:
        """Read a mapping whose keys and values are the author's own."""
        part = self.part(key)
        return None if part is None else part.raw

    def predicate(self, key: str) -> Predicate | None:
        """Read a condition mapping, or a function where the flow was built in Python."""
        value = self.raw.get(key)
        return None if value is None else self.needed_predicate(key)

    def needed_predicate(self, key: str) -> Predicate:
        """Read a predicate that must be there."""
        value = self.raw[key]
        if callable(value):
            return cast("Predicate", value)  # what it takes and returns shows when it runs
        return Part(value, self.where, self.name(key)).raw

    def _wrong(self, key: str, expected: str) -> FlowConfigurationError:
        what = f"{self.name(key)} is not {expected}, got {quote(self.raw[key])}"
        return self.refusal(what, f"Write it as {expected}.")
