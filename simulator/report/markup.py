"""HTML that cannot be broken by what stands in it: text is escaped, only markup is not."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content: TypeAlias = str | Iterable[str]
"""Plain text, markup, or several of them in order."""

_VOID = frozenset({"input", "link", "meta"})
"""Elements that hold nothing."""


def tag(element: str, /, *content: Content, **attributes: str | float | bool | None) -> Markup:
    """One element. `class_` is written `class`, `data_x` is `data-x`; None leaves one out."""
    start = "".join([f"<{element}", *(_attribute(*each) for each in attributes.items()), ">"])
    if element in _VOID:
        return Markup(start)
    return Markup(f"{start}{joined(content)}</{element}>")


def joined(content: Iterable[Content]) -> Markup:
    """Several contents in a row; what is not markup is escaped."""
    return Markup("".join(_escaped(each) for each in content))


def _escaped(content: Content) -> str:
    if isinstance(content, Markup):
        return content
    return escape(content) if isinstance(content, str) else joined(content)


def _attribute(name: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    spelled = name.rstrip("_").replace("_", "-")
    return f" {spelled}" if value is True else f' {spelled}="{escape(str(value))}"'
