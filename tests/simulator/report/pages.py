"""Reading a page back: its tables, its words, and all that could reach outside."""

from collections.abc import Sequence
from html.parser import HTMLParser

VOID = {"input", "link", "meta"}
REFERS = {"action", "background", "data", "formaction", "href", "ping", "poster", "src", "srcset"}
"""Attributes that make a browser fetch something, or lead away."""


class Page(HTMLParser):
    """What a page says, once it has been fed; raises AssertionError when tags do not close."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        """The text between tags, without styles and scripts."""
        self.tables: dict[str, list[list[str]]] = {}
        """The rows of each section's table, by the section's id; drawn cells left out."""
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self._section: str | None = None
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        assert len(named) == len(attrs), f"an attribute of {tag} stands twice"
        self.elements.append((tag, named))
        if tag not in VOID:
            self._open.append((tag, named))
        if tag == "section":
            self._section = named.get("id")
        if tag == "tr" and self._section is not None:
            self.tables.setdefault(self._section, []).append([])
        if self._is_cell(tag, named) and self._section is not None:
            self.tables[self._section][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert tag in [name for name, _ in self._open[-1:]], f"</{tag}> closes something else"
        self._open.pop()
        if tag == "section":
            self._section = None

    def handle_data(self, data: str) -> None:
        inside = [tag for tag, _ in self._open]
        if not {"script", "style"} & set(inside) and data.strip():
            self.texts.append(data.strip())
        # What stands small in a cell is an addition to it.
        if self._section is not None and "small" not in inside:
            cells = [each for each in self._open if self._is_cell(*each)]
            if cells and self.tables.get(self._section):
                self.tables[self._section][-1][-1] += data

    def _is_cell(self, tag: str, named: dict[str, str | None]) -> bool:
        return tag in ("td", "th") and named.get("aria-hidden") is None

    def of(self, tag: str, class_: str | None = None) -> list[dict[str, str | None]]:
        """The attributes of every such element."""
        return [
            named
            for name, named in self.elements
            if name == tag and (class_ is None or class_ in (named.get("class") or "").split())
        ]

    @property
    def references(self) -> list[str]:
        """What the page would fetch or lead to; the policy in its head says nothing of that."""
        return [
            value or ""
            for _, named in self.elements
            for name, value in named.items()
            if name in REFERS or name.startswith("on") or name == "style"
        ]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)
