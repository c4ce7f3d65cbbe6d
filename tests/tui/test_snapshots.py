"""Pictures of the screens: each tab, small and large, light and dark; `make snapshots` takes new ones.

A picture is compared by what it shows and how; of two that differ the new one lies in the folder
that the failure names.
"""

import asyncio
import os
import re
from pathlib import Path

import pytest

from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.tui.pilot import ROOT, TRIAGE, Driver, opened
from tui.app import Inspector

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"80x24": (80, 24), "160x45": (160, 45)}
TABS = {
    "state": "1",
    "outcomes": "2",
    "prompt": "3",
    "calls": "4",
    "wakes": "5",
    "checks": "6",
    "flow": "F",
}
HOSTILE = """\
scenario: "[/] [stage=x: [data: /m?x=-609b-] \\u202e"
agent:
  name: "[bold]Ana[/"
  fields: {"nome": {type: string}}
  flows: [{id: f, name: F, on: [{message: []}], steps: [{id: a, prompt: "[/", collect: [nome]}]}]
turns:
  - message: "[/ \\e[31m[red]oi \\u200b 日本 👩\\u200d💻 [/]"
    model: {speak: {message: "[stage=x: [/ \\a tchau"}}
    expect: {replies: ["[/"], data: {nome: "[/"}}
"""


def compared(app: Inspector, name: str, folder: Path) -> None:
    taken = _stable(app.export_screenshot())
    file = PICTURES / f"{name}.svg"
    if os.environ.get("FALAI_SNAPSHOTS") == "take":
        PICTURES.mkdir(exist_ok=True)
        file.write_text(taken, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != taken:
        new = folder / f"{name}.svg"
        new.write_text(taken, encoding="utf-8")
        pytest.fail(f"{name} looks otherwise: compare {file} with {new}, then make snapshots")


def _stable(picture: str) -> str:
    """Without the id that is made of the machine's fonts and of the whole picture."""
    return re.sub(r"terminal-\d+", "terminal", picture)


def picture(name: str, size: str, *keys: str, path: Path, folder: Path, theme: str) -> None:
    async def run() -> None:
        app = Inspector(path)
        app.theme = theme
        async with opened(app, SIZES.get(size, (120, 36))) as driver:
            await keyed(driver, keys)
            compared(app, f"{name}-{size}-{theme.removeprefix('textual-')}", folder)

    asyncio.run(run())


async def keyed(driver: Driver, keys: tuple[str, ...]) -> None:
    for key in keys:
        if key.startswith(":"):
            await driver.press("colon")
            await driver.type(key[1:])
        else:
            await driver.press(key)
    await driver.settle()


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tab", TABS)
def test_each_tab(tab: str, size: str, theme: str, tmp_path: Path):
    keys = (":3.decide", "b", ":2.return", TABS[tab])
    picture(tab, size, *keys, path=TRIAGE, folder=tmp_path, theme=theme)


@pytest.mark.parametrize("size", [*SIZES, "120x36"])
def test_the_conversation(size: str, tmp_path: Path):
    picture("talk", size, ":4.settle", path=TRIAGE, folder=tmp_path, theme="textual-dark")


def test_the_runs(tmp_path: Path):
    path = ROOT / "scenarios" / "taped"
    picture("runs", "120x36", "space", path=path, folder=tmp_path, theme="textual-dark")


def test_the_help(tmp_path: Path):
    keys = ("question_mark",)
    picture("help", "80x24", *keys, path=TRIAGE, folder=tmp_path, theme="textual-dark")


def test_a_form_for_a_fork(tmp_path: Path):
    keys = (":2.decide", "f")
    picture("fork", "80x24", *keys, path=TRIAGE, folder=tmp_path, theme="textual-dark")


@pytest.mark.parametrize("size", SIZES)
def test_hostile_texts_are_shown_as_they_stand(size: str, write: Write, tmp_path: Path):
    file = write("hostile.yaml", HOSTILE)
    picture("hostile", size, path=file, folder=tmp_path, theme="textual-dark")


def test_without_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    keys = (":3.decide", "b", ":2.return")
    picture("plain", "80x24", *keys, path=TRIAGE, folder=tmp_path, theme="textual-dark")
