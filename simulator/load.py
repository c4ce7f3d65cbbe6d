"""Reads a YAML or JSON file into plain values that remember where in the file they stand."""

import os.path
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from simulator.collecting import uncollected
from simulator.jsontext import JsonPlaces, parse_json
from simulator.place import KeyPath, Lines, Place, ScenarioFileError, TextError, tidied
from simulator.spot import CUT_TEXT, Spot
from simulator.yamlfast import Plain, read_plain
from simulator.yamltext import bare_keys, is_left_out, parse_yaml, yaml_offset

__all__ = ["Document", "KeyPath", "Place", "ScenarioFileError", "load_beside", "load_document"]

SUFFIXES = (".yaml", ".yml", ".json")
"""Endings of the files that are read, in any case."""


class Document:
    """One file: its value and its text. Places are worked out when somebody asks."""

    def __init__(self, path: Path, text: str) -> None:
        """Read a text that was found in `path`; raises ScenarioFileError."""
        self.path = path
        self.text = text
        escaped = "\\u0024" in text
        self.has_matchers = escaped or "$" in text
        """Whether a matcher may stand anywhere in it."""
        self.has_expressions = escaped or "${" in text
        """Whether a `${…}` may stand anywhere in it."""
        self._plain: Plain | None = None
        with uncollected():
            self.value: Any = self._read()
        """What JSON can hold: mappings with text keys, lists, text, numbers, booleans, None."""

    @property
    def spot(self) -> Spot:
        """The whole of the file, to read it from."""
        return Spot(self.value, self)

    @property
    def is_json(self) -> bool:
        return self.path.suffix.lower() == ".json"

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """Where a value stands, or its key; for what is not there, its nearest ancestor."""
        if self.is_json:
            return self.place_of(self._json_places.offset(path, key=key))
        if self._plain is not None and path in self._plain.items and not key:
            return self.place_of(self._plain.items[path])
        return self.place_of(yaml_offset(self._root, path, key=key))

    def place_of(self, offset: int) -> Place:
        """Where the character at an offset of the text stands."""
        return Place(str(self.path), *self._lines.position(offset))

    def is_left_out(self, path: KeyPath) -> bool:
        """Whether there is a key in braces, and nothing behind it."""
        return self._may_leave_out and is_left_out(self._root, path)

    def check_bare_keys(self) -> None:
        """Raise ScenarioFileError for a key in braces without a colon: `{message: Oi, Ana}`.

        To be called when the keys that nobody knows were refused: this one is about the rest.
        """
        for offset, key in bare_keys(self._root, self.text) if self._may_leave_out else ():
            fix = f"Give it one, such as null. {CUT_TEXT}"
            raise ScenarioFileError(self.place_of(offset), f'the key "{key}" has no value', fix)

    def _read(self) -> Any:
        if not self.text.strip():
            raise ScenarioFileError(self.place_of(0), "the file is empty", "Write something in it.")
        try:
            if self.is_json:
                return parse_json(self.text)
            self._plain = read_plain(self.text)
            if self._plain is not None:
                return self._plain.value
            value, root = parse_yaml(self.text)
        except TextError as exc:
            raise ScenarioFileError(self.place_of(exc.offset), exc.what, exc.fix) from None
        if root is None:
            what = "the file holds nothing but comments"
            raise ScenarioFileError(self.place_of(0), what, "Write something in it.")
        self._root = root
        return value

    @cached_property
    def _root(self) -> yaml.Node:
        """The nodes of a YAML text, made when somebody asks for a place in it."""
        _, root = parse_yaml(self.text)
        assert root is not None
        return root

    @property
    def _may_leave_out(self) -> bool:
        """Whether a mapping in braces may hold a key with nothing behind it."""
        return not self.is_json and (self._plain is None or self._plain.may_leave_out)

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def _json_places(self) -> JsonPlaces:
        return JsonPlaces(self.text)


def load_document(path: Path | str) -> Document:
    """Read a file, as JSON when its name ends in `.json`, else as YAML.

    Raises ScenarioFileError for a file that is missing, unreadable or malformed.
    """
    path = tidied(Path(path))
    return Document(path, _text(path, _bytes(path)))


def load_beside(spot: Spot) -> Document:
    """Read the file that a text names, relative to the file in which it stands.

    Raises ScenarioFileError at that text when there is no such file.
    """
    path = tidied(spot.source.path.parent / spot.text())
    # Unlike a Path, this takes a name that no file can have for one that none has.
    if not os.path.isfile(path):
        what = f"{path} is a folder" if os.path.isdir(path) else f"there is no file {path}"
        fix = "A path is read from the folder of the file in which it stands."
        raise spot.error(what, fix)
    return load_document(path)


def _bytes(path: Path) -> bytes:
    start = Place(str(path), 1, 1)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ScenarioFileError(start, "there is no such file", "Check the path.") from None
    except IsADirectoryError:
        raise ScenarioFileError(start, "this is a folder", "Name a file in it.") from None
    except (OSError, ValueError) as exc:  # a name with a NUL in it is a ValueError
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
        what = f"the file cannot be read: {reason[:1].lower()}{reason[1:]}"
        raise ScenarioFileError(start, what, "Check its name and rights.") from None


def _text(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        # What stands before the bad byte is good, and shows its line and column.
        before = data[: exc.start].decode("utf-8-sig", errors="replace")
        place = Place(str(path), *Lines(before).position(len(before)))
        raise ScenarioFileError(place, "the file is not UTF-8", "Save it as UTF-8.") from None
