"""Finds in a JSON text where every value begins and ends."""

import json
import re

from simulator.accept.tree import Item, Node, Tree

_BLANKS = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}]+')


def json_tree(text: str) -> Tree:
    """Read the stretches of a text that was read as JSON before: it has no mistakes."""
    return Tree(text=text, root=_Builder(text).node(), is_json=True)


class _Builder:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def node(self) -> Node:
        """The value that comes next."""
        self._skip()
        opening = self._text[self._at]
        if opening in "[{":
            return self._collection(is_list=opening == "[")
        start, stop = self._scalar()
        style = '"' if opening == '"' else ""
        return Node(kind="scalar", start=start, end=stop, style=style)

    def _collection(self, *, is_list: bool) -> Node:
        start = self._at
        self._at += 1
        items: list[Item] = []
        while self._skip() not in "]}":
            items.append(self._element() if is_list else self._entry())
            if self._skip() == ",":
                self._at += 1
        self._at += 1
        kind = "list" if is_list else "mapping"
        return Node(kind=kind, start=start, end=self._at, flow=True, items=items)

    def _element(self) -> Item:
        node = self.node()
        return Item(start=node.start, after=node.start, node=node)

    def _entry(self) -> Item:
        start, stop = self._scalar()
        self._skip()
        self._at += 1
        after = self._at
        key: str = json.loads(self._text[start:stop])
        return Item(key=key, start=start, after=after, node=self.node())

    def _scalar(self) -> tuple[int, int]:
        found = _SCALAR.match(self._text, self._at)
        assert found is not None  # the text is JSON
        self._at = found.end()
        return found.span()

    def _skip(self) -> str:
        """Go on to the next sign, and return it."""
        blanks = _BLANKS.match(self._text, self._at)
        assert blanks is not None  # the pattern matches nothing, too
        self._at = blanks.end()
        return self._text[self._at : self._at + 1]
