"""What the pages show is true: scenarios pass, Python runs, output is what comes, links lead on."""

import asyncio
import contextlib
import importlib
import io
import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import falai
from simulator.check import check_file
from simulator.cli import main
from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.promised import PROMISES
from simulator.reading import is_scenario, read_scenario
from tests.modelserver.answers import Request, Response, enveloped
from tests.modelserver.server import ModelServer

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
TAUGHT = [ROOT / "README.md", *DOCS]
"""The pages whose examples are played and run."""
READMES = sorted(
    file
    for name in ("examples", "scenarios", "simulator/starter")
    for file in (ROOT / name).rglob("*.md")
)
LINKED = [*TAUGHT, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *READMES]
"""The pages whose links are followed."""

_FENCE = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"# ([\w./-]+\.(?:yaml|py))\n")
_SECONDS = re.compile(r"\d+\.\d\d s\b")
_DAY = re.compile(r"(?<=recorded on )\d{4}-\d\d-\d\d")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
"""Links and images."""
_OWN_FILE = re.compile(r"`((?:docs|examples|falai|scenarios|simulator|tests)/[\w./-]*)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """One fenced block of a page."""

    page: Path
    line: int
    language: str
    wrong: bool
    """Marked as an example of what does not work."""
    text: str

    @property
    def name(self) -> str:
        """The file that its first line says it is, else one of its own."""
        named = _NAME.match(self.text)
        return named[1] if named else f"line-{self.line}.{self.language}"

    def __str__(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def name_of(page: Path) -> str:
    """A page as its place in the project, without the folder that most are in."""
    return page.relative_to(ROOT).as_posix().removeprefix("docs/")


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2] == "wrong", found[3])
        for found in _FENCE.finditer(text)
    ]


BLOCKS = {page: blocks_of(page) for page in TAUGHT}


def of_language(*languages: str) -> list[Block]:
    return [b for blocks in BLOCKS.values() for b in blocks if b.language in languages]


def model_of_otto(request: Request) -> Response:
    """What a model answers that is asked for Otto."""
    if request.body["response_format"]["json_schema"]["name"] == "understand":
        return enveloped(fields={"name": "Rosa"}, asks=False)(request)
    return enveloped(message="Hi! What is your name?", name=None)(request)


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    """A server for pages on which a model is asked."""
    with ModelServer() as server:
        server.answer_by(model_of_otto)
        yield server


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Iterator[Path]:
    """The current folder, from which modules are found and forgotten again."""
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test-server")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def lay_out(page: Path) -> None:
    """Put every file of a page where its reader would: into the current folder."""
    for block in BLOCKS[page]:
        if block.language == "yaml" or _NAME.match(block.text):
            file = Path(block.name)
            assert not file.exists(), f"{block}: {file} stands on the page twice"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
    importlib.invalidate_caches()


def failures_of(file: Path) -> list[Any]:
    return [
        failure
        for scenario in read_scenario(load_document(file))
        for failure in asyncio.run(play(scenario, PlayOptions(record="once"))).failures
    ]


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", TAUGHT, ids=name_of)
def test_blocks_are_of_a_language_that_is_checked(page: Path):
    text = page.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(BLOCKS[page])
    assert {block.language for block in BLOCKS[page]} <= {"yaml", "python", "text"}


@pytest.mark.parametrize(
    "block", [b for b in of_language("yaml") if b.wrong], ids=lambda block: str(block)
)
def test_a_file_that_is_wrong_is_shown_with_what_it_prints(block: Block):
    played = f"$ falai run {block.name}\n"
    assert any(shown.text.startswith(played) for shown in of_language("text"))


@pytest.mark.parametrize(
    "block", [b for b in of_language("yaml") if not b.wrong], ids=lambda block: str(block)
)
def test_a_file_on_a_page_is_good(block: Block, folder: Path):
    lay_out(block.page)
    document = load_document(Path(block.name))
    if is_scenario(document):
        assert failures_of(document.path) == []
    else:
        assert [finding.message for finding in check_file(document.path)] == [""]


# --- Python -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", DOCS, ids=name_of)
def test_python_on_a_page_runs_and_prints_what_stands_below_it(page: Path, folder: Path):
    lay_out(page)
    namespace: dict[str, Any] = {"__name__": page.stem}
    for block, below in pairwise([*BLOCKS[page], None]):
        if block is not None and block.language == "python":
            printed = run_python(block, namespace)
            shown = below.text if below and is_output(below) else ""
            assert printed == shown, f"{block} prints something else"


def run_python(block: Block, namespace: dict[str, Any]) -> str:
    """Run a block with the names that the blocks before it made; return what it prints."""
    code = compile("\n" * block.line + block.text, str(block.page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, namespace)
    return printed.getvalue()


def is_output(block: Block) -> bool:
    return block.language == "text" and not block.text.startswith("$ ")


# --- commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "block",
    [b for b in of_language("text") if b.text.startswith("$ ")],
    ids=lambda block: str(block),
)
def test_a_command_prints_what_is_shown(block: Block, folder: Path):
    lay_out(block.page)
    for before in commands_before(block):
        printed_by(before)
    command, _, shown = block.text.partition("\n")
    assert printed_by(block) == timeless(shown), command


def commands_before(block: Block) -> list[Block]:
    """What the reader of a page has done already, in case it left a file behind."""
    page = [b for b in BLOCKS[block.page] if b.text.startswith("$ ")]
    return page[: page.index(block)]


def test_the_failure_in_the_readme_is_what_comes(folder: Path):
    scenario, shown, *_ = BLOCKS[ROOT / "README.md"]
    asked = 'model: {speak: {message: "Hi! What is your name?"}}'
    assert asked in scenario.text
    other = scenario.text.replace(asked, 'model: {speak: {message: "Hi! And you are?"}}')
    Path("hello.yaml").write_text(other, encoding="utf-8")
    command = Block(ROOT / "README.md", 0, "text", False, "$ falai run hello.yaml\n")
    assert printed_by(command) == timeless(shown.text)


def printed_by(block: Block) -> str:
    """What a command prints; lines with `>` are what is typed into it."""
    command, *shown = block.text.splitlines()
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "falai"
    typed = "".join(line.removeprefix("> ") + "\n" for line in shown if line.startswith("> "))
    return timeless(CliRunner().invoke(main, arguments, input=typed).output)


def timeless(output: str) -> str:
    return _DAY.sub("2026-05-04", _SECONDS.sub("0.00 s", output))


# --- completeness -------------------------------------------------------------------------------


STRANGE = {"zqxj": None}
"""A key that nothing has: what is said of it lists the keys that there are."""
FLOW = {"id": "a", "name": "A", "steps": []}
STEP = {"id": "s", "say": "Oi!"}
AGENTS: Mapping[str, Mapping[str, Any]] = {
    "agent": STRANGE,
    "field": {"fields": {"a": STRANGE}},
    "event": {"events": {"a": STRANGE}},
    "condition": {"conditions": {"a": STRANGE}},
    "action": {"actions": {"a": STRANGE}},
    "parameter": {"actions": {"a": {"parameters": {"b": {"type": "array", "zqxj": 1}}}}},
    "tool": {"tools": [STRANGE]},
    "instruction": {"instructions": [{"zqxj": 1}]},
    "idle": {"idle": STRANGE},
    "hours": {"businessHours": {"zqxj": 1}},
    "compaction": {"compaction": STRANGE},
    "flow": {"flows": [{**FLOW, "zqxj": 1}]},
    "trigger": {"flows": [{**FLOW, "on": [{"zqxj": 1}], "steps": [STEP]}]},
    "step": {"flows": [{**FLOW, "steps": [{"id": "s", "zqxj": 1}]}]},
    "branch": {
        "flows": [{**FLOW, "steps": [{"id": "s", "prompt": "", "branches": [{"zqxj": 1}]}]}]
    },
}
SCENARIOS: Mapping[str, Mapping[str, Any]] = {
    "scenario": STRANGE,
    "given": {"given": STRANGE},
    "budget": {"budget": STRANGE},
    "stubs": {"stubs": STRANGE},
    "silenced": {"silenced": STRANGE},
    "claims": {"claims": STRANGE},
    "anchor": {"anchors": {"a": STRANGE}},
    "entry": {"turns": [STRANGE]},
    "start": {"turns": [{"start": STRANGE}]},
    "wake": {"turns": [{"wake": STRANGE}]},
    "lost": {"turns": [{"race": [{"message": ""}, {"message": ""}], "lost": STRANGE}]},
    "model": {"turns": [{"message": "", "model": STRANGE}]},
    "failure": {"turns": [{"message": "", "model": {"speak": {"fail": STRANGE}}}]},
    "tool call": {"turns": [{"message": "", "model": {"speak": {"toolCalls": [STRANGE]}}}]},
    "usage": {"turns": [{"message": "", "model": {"speak": {"usage": STRANGE}}}]},
}
PLACES = {
    name: {"scenario": "t", "agent": {"name": "O", **a}, "turns": [{"expect": {}}]}
    for name, a in AGENTS.items()
}
PLACES |= {
    name: {"scenario": "t", "agent": {"name": "O"}, "turns": [{"expect": {}}], **s}
    for name, s in SCENARIOS.items()
}


@pytest.mark.parametrize("place", PLACES)
def test_every_key_of_a_file_is_explained(place: str, folder: Path):
    Path("strange.json").write_text(json.dumps(PLACES[place]), encoding="utf-8")
    [finding] = check_file(Path("strange.json"))
    listed = re.search(r"(?:Write|[Uu]se) (?:one of:? )?(.+)\.$", finding.message)
    assert '"zqxj"' in finding.message
    assert listed is not None, finding.message
    explained = words_in_code("reference/scenario") | words_in_code("reference/agent")
    assert set(re.findall(r"\w+", listed[1])) - explained == set()


def test_every_promise_is_explained():
    rows = re.findall(r"^\| `([a-z-]+)` \| ", page_text("guides/fuzz"), re.MULTILINE)
    assert [row for row in rows if row in PROMISES] == list(PROMISES)


def test_every_public_name_is_on_a_page_for_developers():
    assert (
        set(falai.__all__) - words_in_code("guides/python") - words_in_code("guides/stepping")
        == set()
    )


def words_in_code(name: str) -> set[str]:
    """The words that stand between backticks, examples left out."""
    spans = re.findall(r"`([^`\n]+)`", _FENCE.sub("", page_text(name)))
    return {word for span in spans for word in re.findall(r"\w+", span)}


def page_text(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


# --- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_links_lead_somewhere(page: Path):
    for link in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link} leads nowhere"
        if page in DOCS:
            assert target.is_relative_to(ROOT / "docs"), f"{link} leads out of the site"
        if anchor:
            assert anchor in anchors_of(target), f"{page.name}: {link} has no such heading"


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_files_of_the_project_that_are_named_exist(page: Path):
    named = _OWN_FILE.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def anchors_of(page: Path) -> Mapping[str, str]:
    """The headings of a page, by the anchors that they get where it is shown."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): heading
        for heading in _HEADING.findall(text)
    }
