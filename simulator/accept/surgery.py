"""Makes changes in the text of a file, and leaves all the rest of it as it is."""

from collections.abc import Iterable
from typing import Any

from falai.shapes import is_list, is_mapping
from simulator.accept.change import Change, Put
from simulator.accept.edit import Edit
from simulator.accept.jsontree import json_tree
from simulator.accept.shape import BlockShape, FlowShape
from simulator.accept.spelling import JsonSpelling, Spelling, literal_block
from simulator.accept.tree import Slot, Tree
from simulator.accept.yamltree import yaml_tree
from simulator.load import Document


class Surgeon:
    """Finds the edits that make changes in one file."""

    def __init__(self, document: Document) -> None:
        """Look at a file; raises CannotEditError when it is written in too odd a way."""
        text = document.text
        self.tree: Tree = json_tree(text) if document.is_json else yaml_tree(text)
        end = self.tree.line_end
        self._spelling = JsonSpelling(text, end) if document.is_json else Spelling(end)

    def edits(self, changes: Iterable[Change]) -> list[Edit]:
        """The edits of some changes; raises CannotEditError."""
        return [edit for change in changes for edit in self._edits(change)]

    def _edits(self, change: Change) -> list[Edit]:
        slot = self.tree.slot(change.at)
        if isinstance(change, Put):
            return [self._put(slot, change.value)]
        kind = FlowShape if slot.node.flow else BlockShape
        shape = kind(self.tree, self._spelling, slot.node, depth=len(change.at))
        return shape.edits(change.drops, change.adds)

    # --- another value --------------------------------------------------------------------------

    def _put(self, slot: Slot, value: Any) -> Edit:
        if slot.node is self.tree.root or slot.parent.flow:
            return self._put_in_brackets(slot, value)
        return self._put_in_block(slot, value)

    def _put_in_brackets(self, slot: Slot, value: Any) -> Edit:
        node = slot.node
        text = self._spelling.inline(value, node.style)
        if node.start == node.end:
            text = f" {text}"
        comments = self.tree.comments_in(node.start, node.end)
        if comments:
            below = f"{self.tree.line_end}{' ' * self.tree.column(slot.item.start)}"
            text = f"{text} {below.join(comment for _, comment in comments)}{below}"
        return Edit(node.start, node.end, text)

    def _put_in_block(self, slot: Slot, value: Any) -> Edit:
        """Behind a colon or a dash of a block."""
        node, after = slot.node, slot.item.after
        text = self._beside(slot, value)
        comments = self.tree.comments_in(after, node.end)
        if node.is_inline and not comments and self.tree.line_end not in text:
            if node.start == node.end:
                return Edit(after, after, text)
            return Edit(node.start, node.end, text[1:])
        return self._put_to_line_end(slot, text)

    def _put_to_line_end(self, slot: Slot, text: str) -> Edit:
        """The rest of a line goes along: it could not stand behind a block. Comments stay."""
        after, end = slot.item.after, self.tree.line_stop(slot.node.end)
        first = self.tree.line_stop(after)
        comments = self.tree.comments_in(after, end)
        below = f"{self.tree.line_end}{' ' * (self.tree.column(slot.item.start) + 2)}"
        beside = "".join(f"  {comment}" for at, comment in comments if at < first)
        beneath = "".join(f"{below}{comment}" for at, comment in comments if at >= first)
        head, line_end, rest = text.partition(self.tree.line_end)
        return Edit(after, end, f"{head}{beside}{line_end}{rest}{beneath}")

    def _beside(self, slot: Slot, value: Any) -> str:
        """What goes behind the colon or dash, in the style of what stood there."""
        node, item = slot.node, slot.item
        at = self.tree.column(item.after)
        column = self.tree.column(item.start) + 2
        if isinstance(value, str) and node.style in ("|", ">"):
            lines = literal_block(value, column, self.tree.line_end)
            return f" {lines or self._spelling.inline(value, node.style)}"
        if node.is_inline or not value or not (is_mapping(value) or is_list(value)):
            line = self._spelling.line(value, at + 1, node.style)
            if line is not None:
                return f" {line}"
        elif is_list(value) and node.kind == "list":
            column = self.tree.column(node.items[0].start)
        lines = self._spelling.block(value, column)
        if item.key is None:
            return f"{' ' * (column - at)}{lines}"
        return f"{self.tree.line_end}{' ' * column}{lines}"
