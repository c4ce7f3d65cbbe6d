"""The values of a file as stretches of its text: where each begins and ends, and how it is written."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import msgspec

from simulator.place import KeyPath


class CannotEditError(Exception):
    """The text cannot be changed there; the message goes behind a place."""


class Node(msgspec.Struct, kw_only=True):
    """One value as it is written."""

    kind: Literal["scalar", "list", "mapping", "alias"]
    start: int
    end: int
    """Behind its last character; comments and blank lines that follow are not part of it."""
    flow: bool = False
    """Of a list or mapping: whether it stands in brackets."""
    style: str = ""
    """Of a scalar: its quote, or the sign of a block (`|` or `>`); empty without."""
    items: "list[Item]" = []
    anchor: str | None = None

    @property
    def is_inline(self) -> bool:
        """Whether it could stand in brackets just as it is."""
        return self.flow if self.items else self.style not in ("|", ">")

    def below(self) -> "Iterator[Node]":
        """This value, and everything in it."""
        yield self
        for item in self.items:
            yield from item.node.below()


class Item(msgspec.Struct, kw_only=True):
    """One element of a list, or one entry of a mapping."""

    key: str | None = None
    start: int
    """Of the whole of it: where its key or its dash stands."""
    after: int
    """Behind the colon or the dash; in a list in brackets, where the value begins."""
    node: Node


class Slot(msgspec.Struct, frozen=True):
    """The place of a value: what holds it, and the value."""

    parent: Node
    item: Item

    @property
    def node(self) -> Node:
        return self.item.node


class Tree(msgspec.Struct, dict=True, kw_only=True):
    """A whole file."""

    text: str
    root: Node
    comments: list[tuple[int, int]] = []
    """Start and end of each comment, in order."""
    is_json: bool = False

    @property
    def line_end(self) -> str:
        """How lines end in this file."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @cached_property
    def _shared(self) -> set[str | None]:
        """The names of anchors that some alias names."""
        return {node.anchor for node in self.root.below() if node.kind == "alias"}

    def slot(self, path: KeyPath) -> Slot:
        """The place of a value; raises CannotEditError where the text does not belong to it alone."""
        slot = Slot(self.root, Item(start=self.root.start, after=0, node=self.root))
        for name in path:
            self._check_own(slot.node)
            item = _item(slot.node, name)
            if item is None:
                raise CannotEditError("it is brought in by an alias: edit where it is written")
            slot = Slot(slot.node, item)
        for node in slot.node.below():
            self._check_own(node)
        return slot

    def _check_own(self, node: Node) -> None:
        if node.kind == "alias":
            raise CannotEditError(f"it is an alias of &{node.anchor}: edit it by hand")
        if node.anchor is not None and node.anchor in self._shared:
            raise CannotEditError(f"*{node.anchor} repeats it elsewhere: edit it by hand")

    # --- lines --------------------------------------------------------------------------------

    def line_start(self, offset: int) -> int:
        """Where the line of a character begins."""
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def line_stop(self, offset: int) -> int:
        """Where the line of a character stops, its line break left out."""
        ends = (self.text.find(sign, offset) for sign in "\r\n")
        return min((end for end in ends if end >= 0), default=len(self.text))

    def next_line(self, offset: int) -> int:
        """Where the next line begins; at the end of the text, the end."""
        stop = self.line_stop(offset)
        return stop + (2 if self.text.startswith("\r\n", stop) else stop < len(self.text))

    def line_before(self, offset: int) -> int:
        """Where the line before that of a character stops."""
        start = self.line_start(offset)
        return start - (2 if self.text.startswith("\r\n", start - 2) else 1)

    def column(self, offset: int) -> int:
        """The characters before one in its line."""
        return offset - self.line_start(offset)

    def leads_line(self, offset: int) -> bool:
        """Whether only blanks stand before a character in its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def has_comment(self, start: int, column: int) -> bool:
        """Whether the line that starts there has nothing but a comment, in that column."""
        at = start + column
        return any(begin == at for begin, _ in self.comments) and not self.text[start:at].strip(" ")

    def comments_in(self, start: int, end: int) -> list[tuple[int, str]]:
        """Offset and text of each comment that begins in a stretch of the text."""
        return [(at, self.text[at:stop]) for at, stop in self.comments if start <= at < end]


def _item(node: Node, name: str | int) -> Item | None:
    if node.kind == "list" and isinstance(name, int):
        return node.items[name]
    return next((item for item in node.items if item.key == name), None)
