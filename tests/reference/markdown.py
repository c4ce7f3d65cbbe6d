"""The Markdown that reference pages are made of."""

from collections.abc import Iterable, Sequence


def code(text: str) -> str:
    """A word as it is written in a file; empty for none."""
    return f"`{text}`" if text else ""


def cell(text: str) -> str:
    """A text that fits a cell: on one line, its bars no borders."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a row for each thing, empty columns left out."""
    lines = [tuple(map(cell, row)) for row in rows]
    used = [n for n in range(len(head)) if any(line[n] for line in lines)]
    shown = [tuple(head), ("---",) * len(head), *lines]
    return "\n".join("| " + " | ".join(line[n] for n in used) + " |" for line in shown)


def page(title: str, intro: str, *parts: str) -> str:
    """A whole page; it says where it comes from to whoever would change it."""
    made = "<!-- Made from the code by `make reference`: change it there. -->"
    return "\n\n".join([made, f"# {title}", intro, *parts]) + "\n"
