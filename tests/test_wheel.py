"""The wheel in an environment of its own: it is whole, and plays a new project's scenarios."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.tui.terminal import TMUX, Terminal

ROOT = Path(__file__).parents[1]
SCENARIO = """\
scenario: Otto asks for the name
agent:
  name: Otto
  fields: {name: {type: string, ask: Ask for the name.}}
  flows:
    - {id: welcome, name: Welcome, on: [{message: []}], steps: [{id: who, collect: [name]}]}
turns:
  - message: hello
    model: {speak: {message: "Hi! What is your name?"}}
    expect: {floor: welcome, replies: ["Hi! What is your name?"]}
"""
PYTHON_TEST = """\
from falai import falai
from simulator.pytest_plugin import assert_budget


def test_one_call(falai_scripted, falai_clock):
    falai_scripted.load({"speak": ["Hello!"]})
    otto = falai().agent("Otto", provider=falai_scripted, clock=falai_clock)
    assert_budget(otto.turn_sync(session_id="rosa", message="hi"), llm_calls=1)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it as an index would get it; the builder is in the lock."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--quiet", "--wheel-dir", str(folder), str(ROOT)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what it depends on is lent by this one."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    subprocess.run(
        [*command, "--prefix", str(folder), "--ignore-installed", str(wheel)],
        check=True,
        capture_output=True,
    )
    # Behind the wheel's own packages; the lender's editable falai is a .pth, which is not read.
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "hello.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "test_otto.py").write_text(PYTHON_TEST, encoding="utf-8")
    return tmp_path


def run(program: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: it for key, it in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_it_holds_all_of_the_packages_and_no_tests(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {
        *("falai", "simulator", "tui")
    }
    files = [
        str(file.relative_to(ROOT))
        for package in ("falai", "simulator", "tui")
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]
    assert {name for name in names if "dist-info" not in name} == set(files)
    assert {f"{package}/py.typed" for package in ("falai", "simulator", "tui")} <= set(names)


def test_it_is_the_wheel_that_is_tested(bin_folder: Path, project: Path):
    code = "import falai, simulator, tui; print(falai.__file__, simulator.__file__, tui.__file__)"
    done = run(bin_folder / "python", "-c", code, folder=project)
    assert done.stdout.count(str(bin_folder.parent)) == 3


def test_pytest_collects_and_passes(bin_folder: Path, project: Path):
    done = run(bin_folder / "python", "-m", "pytest", "-q", folder=project)
    assert (done.returncode, "2 passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_one_character_less_fails_with_its_line_and_a_small_diff(bin_folder: Path, project: Path):
    changed = SCENARIO.replace('replies: ["Hi!', 'replies: ["Hi')
    (project / "hello.yaml").write_text(changed, encoding="utf-8")
    done = run(bin_folder / "python", "-m", "pytest", "-q", "hello.yaml", folder=project)
    assert done.returncode == 1
    shown = done.stdout.splitlines()
    at = shown.index("hello.yaml:10: replies[0]: it differs")
    assert shown[at + 1 : at + 3] == [
        '  wanted  "Hi What is your name?"',
        '  got     "Hi! What is your name?"',
    ]
    assert "Traceback" not in done.stdout


def test_the_first_hour_of_a_newcomer(bin_folder: Path, tmp_path: Path):
    """As the README has it: a new project plays, and a changed reply fails with its line."""
    made = run(bin_folder / "falai", "new", "demo", folder=tmp_path)
    demo = tmp_path / "demo"
    assert made.returncode == 0, made.stderr
    for command in (["falai", "run", "."], ["falai", "check", "."], ["python", "-m", "pytest"]):
        done = run(bin_folder / command[0], *command[1:], folder=demo)
        assert done.returncode == 0, done.stdout + done.stderr
    story = demo / "scenarios" / "01-a-repair.yaml"
    text = story.read_text(encoding="utf-8")
    story.write_text(text.replace('See you then!"]', 'Bye!"]'), encoding="utf-8")
    done = run(bin_folder / "falai", "run", ".", folder=demo)
    assert (done.returncode, "replies[0]: it differs" in done.stdout) == (1, True)


@pytest.mark.skipif(TMUX is None, reason="tmux is not installed")
def test_the_inspector_opens_on_a_new_project(
    bin_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("TMUX", raising=False)
    run(bin_folder / "falai", "new", "demo", folder=tmp_path)
    window = Terminal(tmp_path / "demo")
    try:
        window.start(f"env LANG=C.UTF-8 TERM=screen-256color {bin_folder / 'falai'} tui .")
        seen = window.until(lambda seen: "A bicycle is booked in" in seen)
    finally:
        window.stop()
    assert "Whoever never chooses" in seen


def test_the_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path):
    source, made = tmp_path / "source", tmp_path / "made"
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
    done = subprocess.run([*build, "--directory", str(source)], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr
    [archive] = source.glob("*.tar.gz")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*pip, "--wheel-dir", str(made), str(archive)], check=True, capture_output=True)
    [again] = made.glob("*.whl")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_the_command_plays_them(bin_folder: Path, project: Path):
    done = run(bin_folder / "falai", "run", ".", folder=project)
    assert (done.returncode, "1 passed, 0 failed" in done.stdout) == (0, True)
