"""Takes elements out of lists and mappings, and puts new ones in, where some of them stay."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from falai.shapes import is_list, is_mapping
from simulator.accept.change import Addition
from simulator.accept.edit import Edit
from simulator.accept.spelling import Spelling
from simulator.accept.tree import CannotEditError, Item, Node, Tree


class Shape(ABC):
    """One list or mapping that is written with at least one element that stays."""

    def __init__(self, tree: Tree, spelling: Spelling, node: Node, *, depth: int) -> None:
        self._tree = tree
        self._spelling = spelling
        self._node = node
        self._depth = depth

    def edits(self, drops: Collection[int], adds: Sequence[Addition]) -> list[Edit]:
        """The edits that drop elements, by position, and add others."""
        kept = [at for at in range(len(self._node.items)) if at not in drops]
        dropped = [self._drop(first, last) for first, last in _stretches(drops)]
        added = [
            self._add(list(group), max((at for at in kept if at <= after), default=None), kept[0])
            for after, group in groupby(adds, key=lambda add: add.after)
        ]
        return [*dropped, *added]

    @abstractmethod
    def _drop(self, first: int, last: int) -> Edit:
        """Take out the elements from one position to another, both included."""

    @abstractmethod
    def _add(self, adds: Sequence[Addition], after: int | None, first_kept: int) -> Edit:
        """Put elements behind one that stays, or in front of the first that does."""

    def _edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(start, end, text, self._depth)

    def _next(self, position: int) -> Item | None:
        items = self._node.items
        return items[position + 1] if position + 1 < len(items) else None

    def _comments(self, start: int, end: int, column: int) -> str:
        """The comments of a stretch that goes: each on a line, with the indentation of the next."""
        below = f"{self._tree.line_end}{' ' * column}"
        return "".join(f"{text}{below}" for _, text in self._tree.comments_in(start, end))


class BlockShape(Shape):
    """One that is written line by line."""

    @property
    def _column(self) -> int:
        return self._tree.column(self._node.items[0].start)

    def _drop(self, first: int, last: int) -> Edit:
        items = self._node.items
        start, stop = items[first].start, self._tree.line_stop(items[last].node.end)
        following = self._next(last)
        if not self._tree.leads_line(start) and following is not None:
            # What stands before it in its line now leads the next one.
            end = following.start
            return self._edit(start, end, self._comments(start, end, self._column))
        comments = self._tree.comments_in(start, stop)
        lead = f"{self._tree.line_end}{' ' * self._column}"
        before = self._tree.line_before(start)
        return self._edit(before, stop, "".join(f"{lead}{text}" for _, text in comments))

    def _add(self, adds: Sequence[Addition], after: int | None, first_kept: int) -> Edit:
        lead = f"{self._tree.line_end}{' ' * self._column}"
        if after is None:
            start = self._node.items[first_kept].start
            return self._edit(start, start, "".join(f"{self._spelled(add)}{lead}" for add in adds))
        end = self._behind(after, is_entry=adds[0].key is not None)
        return self._edit(end, end, "".join(f"{lead}{self._spelled(add)}" for add in adds))

    def _behind(self, position: int, *, is_entry: bool) -> int:
        """The end of an element's last line; comments about the next key of a mapping go along."""
        tree = self._tree
        end = tree.line_stop(self._node.items[position].node.end)
        while is_entry and tree.has_comment(tree.next_line(end), self._column):
            end = tree.line_stop(tree.next_line(end))
        return end

    def _spelled(self, add: Addition) -> str:
        if add.key is not None:
            return self._spelling.pair(add.key, add.value, self._column)
        beside = self._node.items[max(add.after, 0)].node
        is_open = beside.kind in ("list", "mapping") and not beside.is_inline
        if is_open and add.value and (is_mapping(add.value) or is_list(add.value)):
            return f"- {self._spelling.block(add.value, self._column + 2)}"
        return self._spelling.dashed(add.value, self._column)


class FlowShape(Shape):
    """One that is written in brackets."""

    def edits(self, drops: Collection[int], adds: Sequence[Addition]) -> list[Edit]:
        """The same; a mapping that has no braces of its own is left alone."""
        if self._tree.text[self._node.start] not in "[{&!":
            raise CannotEditError("a pair without braces cannot grow: edit it by hand")
        return super().edits(drops, adds)

    def _drop(self, first: int, last: int) -> Edit:
        items = self._node.items
        following = self._next(last)
        if following is not None:
            start, end = items[first].start, following.start
            return self._edit(start, end, self._comments(start, end, self._tree.column(end)))
        start, end = items[first - 1].node.end, items[last].node.end
        comments = self._comments(start, end, self._tree.column(items[first - 1].start))
        return self._edit(start, end, f" {comments}" if comments else "")

    def _add(self, adds: Sequence[Addition], after: int | None, first_kept: int) -> Edit:
        items = self._node.items
        beside = items[first_kept if after is None else after]
        column = self._tree.column(beside.start)
        between = self._spelling.comma
        if self._is_spread:
            between = f",{self._tree.line_end}{' ' * column}"
        texts = [self._spelled(add, column) for add in adds]
        if after is None:
            return self._edit(beside.start, beside.start, "".join(f"{it}{between}" for it in texts))
        end = beside.node.end
        return self._edit(end, end, "".join(f"{between}{it}" for it in texts))

    @property
    def _is_spread(self) -> bool:
        """Whether each element has a line of its own."""
        return all(self._tree.leads_line(item.start) for item in self._node.items)

    def _spelled(self, add: Addition, column: int) -> str:
        if add.key is None:
            return self._spelling.inline(add.value)
        if self._is_spread:
            return self._spelling.pair_in_brackets(add.key, add.value, column)
        return self._spelling.inline({add.key: add.value})[1:-1]


def _stretches(positions: Collection[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of positions that follow one another."""
    for _, group in groupby(enumerate(sorted(positions)), key=lambda pair: pair[1] - pair[0]):
        run = [position for _, position in group]
        yield run[0], run[-1]
