"""The site builds without a warning, and whatever it links to is there, without the network."""

import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.simulator.report.browser import MISSING, Browser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the site is built from: the build leaves files beside its config."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(DOCS, folder / "docs")
    shutil.copy(ROOT / "zensical.toml", folder)
    return folder


@pytest.fixture(scope="module")
def built(project: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("zensical")
    command = [program, "build", "--strict", "--clean"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


class Page(HTMLParser):
    """A page of the site: what it links to, what it loads, and where one may go on it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if identity := given.get("id"):
            self.anchors.add(identity)
        if place := given.get("href" if tag in ("a", "link") else "src"):
            (self.links if tag == "a" else self.loads).append(place)


@pytest.fixture(scope="module")
def pages(project: Path, built: object) -> dict[Path, Page]:
    site = project / "site"
    return {file: Page(file) for file in sorted(site.rglob("*.html")) if file.name != "404.html"}


def test_the_site_builds_without_a_warning(built: subprocess.CompletedProcess[str]):
    assert built.returncode == 0, built.stdout + built.stderr
    assert "No issues found" in built.stdout + built.stderr


def test_every_page_is_in_the_site_and_in_its_navigation(pages: dict[Path, Page]):
    written = {file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md")}
    config = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(leaves_of(config["project"]["nav"])) == sorted(written)
    assert len(pages) == len(written)


def leaves_of(nav: Any) -> Iterator[str]:
    """The files that a navigation names, at any depth."""
    if isinstance(nav, str):
        yield nav
        return
    for item in nav.values() if isinstance(nav, dict) else nav:
        yield from leaves_of(item)


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(pages: dict[Path, Page]):
    for file, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            assert target.exists(), f"{file.name}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, f"{file.name}: {link}"


def test_a_page_loads_nothing_from_the_network(pages: dict[Path, Page]):
    loaded = {place for page in pages.values() for place in page.loads}
    assert loaded
    assert [place for place in loaded if urlsplit(place).scheme not in ("", "data")] == []


def test_no_fence_is_shown_as_it_is_written(pages: dict[Path, Page]):
    for file in pages:
        shown = re.sub(r"<code.*?</code>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "```" not in shown, file.name


def test_the_search_knows_every_page(project: Path, pages: dict[Path, Page]):
    index = (project / "site" / "search.json").read_text(encoding="utf-8")
    for file in pages:
        assert file.relative_to(project / "site").as_posix().removesuffix("index.html") in index


# --- in a browser -------------------------------------------------------------------------------


SEARCH = """
const [words, done] = arguments;
const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (node) => (node.shadowRoot ? [node, ...all(node.shadowRoot)] : [node]));
const type = (field) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, words);
    field.dispatchEvent(new Event("input", {bubbles: true}));
};
const look = (typed) => {
    const nodes = all(document);
    const field = nodes.find((node) => node.matches("input[role=combobox]"));
    if (field && !typed) type(field);
    const found = nodes.filter((node) => node.matches("a[href*='?h=']")).map((node) => node.href);
    if (found.length) done(found);
    else setTimeout(() => look(Boolean(field)), 20);
};
document.querySelector(".md-search__button").click();
look(false);
"""
"""Types words into the search, and is done with the links that it finds."""


class Reader(Browser):
    """A browser that reads a site."""

    def open(self, url: str) -> None:
        self._ask("POST", "/url", {"url": url})

    def search(self, words: str) -> list[str]:
        return self._ask("POST", "/execute/async", {"script": SEARCH, "args": [words]})


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that keeps no log."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.fixture
def address(project: Path, built: object) -> Iterator[str]:
    """Where the site is served."""
    handler = partial(Quiet, directory=str(project / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_the_search_finds_a_guide_and_asks_nobody_else(address: str, tmp_path: Path):
    with Reader(tmp_path) as reader:
        reader.open("about:blank")
        reader.requests()
        reader.open(f"{address}/index.html")
        assert f"{address}/guides/handover.html" in reader.search("colleague wrote")[0]
        assert [url for url in reader.requests() if not url.startswith((address, "data:"))] == []
        assert reader.console() == []
