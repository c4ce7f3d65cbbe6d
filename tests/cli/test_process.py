"""The command in a process of its own, as people and machines start it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulator.conftest import Write

ROOT = Path(__file__).parents[2]
HEAVY = {"hypothesis", "litellm", "pandas", "pytest", "textual", "vcr"}
TIMES = re.compile(r"\d+\.\d\d s|\"durationMs\":\d+")
PASSES = """\
scenario: passa
agent: {name: Ana, idle: {prompt: Responda.}, flows: []}
turns:
  - message: oi
    model: {speak: {message: Olá}}
    expect: {replies: [Olá]}
"""


def simulator(*args: str, seed: str = "0", **more: str) -> subprocess.CompletedProcess[str]:
    """Start `python -m simulator` in the current folder, with more in its environment."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "simulator", *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        errors="replace",
        env=os.environ
        | {"PYTHONPATH": path, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        | more,
    )


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        (PASSES, 0, "1 passed, 0 failed  (1 turn, 1 model call, "),
        (PASSES.replace("[Olá]", "[Oi]"), 1, "s.yaml:6: replies[0]: it differs"),
        (PASSES.replace("expect", "expct"), 2, 's.yaml:6:5: unknown key "expct".'),
        (PASSES.replace("flows: []", "flows: {"), 2, "s.yaml:"),
        ("scenario: t\nagent: nada:x\nturns: [{message: a}]\n", 2, "s.yaml:2:8: nada:x: there is"),
    ],
    ids=["passes", "fails", "unknown-key", "bad-yaml", "no-module"],
)
def test_how_it_ends(write: Write, text: str, code: int, says: str):
    write("s.yaml", text)
    ended = simulator("run", "s.yaml")
    assert ended.returncode == code
    assert says in ended.stdout
    assert "Traceback" not in ended.stderr


def test_what_it_cannot_do_it_says_on_the_other_stream(write: Write):
    write("s.yaml", PASSES)
    for args in (["run", "nada"], ["run", "s.yaml", "--json", "nada/t.json"], ["run"]):
        ended = simulator(*args)
        assert (ended.returncode, len(ended.stderr) > 0) == (2, True)
        assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_it_prints_on_a_console_that_lacks_some_signs(write: Write, encoding: str):
    write("s.yaml", PASSES.replace("passa", "ação 🙂").replace("[Olá]", "[→]"))
    ended = simulator("run", "s.yaml", PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "1 failed" in ended.stdout


def test_a_run_loads_nothing_heavy(write: Write):
    write("s.yaml", PASSES)
    code = (
        "import sys\nfrom simulator.cli import main\n"
        "try: main(['run', 's.yaml', '--json', 't.json'])\n"
        "except SystemExit as end: code = end.code\n"
        "print(code, *(name.partition('.')[0] for name in sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ended_with, *loaded = ended.stdout.splitlines()[-1].split()
    assert ended_with == "0"
    assert not HEAVY & set(loaded)


def test_another_hash_seed_changes_no_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    outputs: list[str] = []
    for seed in ("1", "2"):
        trace = tmp_path / f"{seed}.json"
        ended = simulator("run", "scenarios", "--json", str(trace), seed=seed)
        outputs.append(TIMES.sub("", ended.stdout + trace.read_text(encoding="utf-8")))
    assert outputs[0] == outputs[1]
    assert "30-budgets" in outputs[0]


def test_findings_have_the_same_bytes_under_another_hash_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    found = [simulator("check", "scenarios", seed=seed) for seed in ("1", "2")]
    assert found[0].stdout == found[1].stdout
    assert not found[0].stderr


def test_an_expectation_that_is_broken_names_line_wanted_and_got(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shutil.copytree(ROOT / "scenarios", tmp_path / "scenarios")
    monkeypatch.chdir(tmp_path)
    file = Path("scenarios/01-first-message.yaml")
    text = file.read_text(encoding="utf-8")
    expected = 'replies: ["Oi, Marina!'
    line = text[: text.index(expected)].count("\n") + 1
    file.write_text(text.replace(expected, 'replies: ["Olá, Marina!'), encoding="utf-8")
    ended = simulator("run", "scenarios")
    assert ended.returncode == 1
    shown = ended.stdout[ended.stdout.index(f"  {file}:{line}: replies[0]: it differs") :]
    assert [text[:26] for text in shown.splitlines()[1:3]] == [
        '    wanted  "Olá, Marina! ',
        '    got     "Oi, Marina! Q',
    ]


@pytest.mark.parametrize(
    ("module", "command"),
    [("hypothesis", "fuzz"), ("textual", "tui"), ("vcr", "record")],
)
def test_what_is_not_installed_is_told_with_how_to_get_it(write: Write, module: str, command: str):
    write("scenarios/s.yaml", PASSES.replace("flows: []}", "flows: [], provider: {model: x/y}}"))
    missing = f'raise ModuleNotFoundError("no such module", name="{module}")\n'
    folder = write(f"nothing/{module}.py", missing).parent.resolve()
    path = "scenarios/s.yaml"
    ended = simulator(command, path, PYTHONPATH=os.pathsep.join([str(folder), str(ROOT)]))
    told = f"falai {command} needs {module}, which is not installed: pip install 'falai[workbench]'"
    assert (ended.returncode, ended.stderr.strip()) == (2, told)
