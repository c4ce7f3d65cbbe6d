"""Writes the reference pages from the code; `make reference` calls it."""

from tests.reference.pages import FOLDER, PAGES

for name, page in PAGES.items():
    (FOLDER / f"{name}.md").write_text(page(), encoding="utf-8")
