"""`falai report`: what it reads, what it writes, how it ends."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.cli.conftest import Command
from tests.cli.test_process import HEAVY, PASSES, simulator
from tests.simulator.conftest import Write
from tests.simulator.report.kit import TALK, call, line, scenario, trace, turn
from tests.simulator.report.pages import Page

DOCS = Path(__file__).parents[2] / "docs" / "guides" / "report.md"


@pytest.fixture
def talk(write: Write) -> Path:
    return write("t.json", json.dumps(TALK))


def more_calls(document: Any) -> Any:
    """The same, with one more call where the flow triage speaks first."""
    grown = json.loads(json.dumps(document))
    first = grown["scenarios"][0]["turns"][0]
    first["calls"].append(call(tokens=(200, 20, 0)))
    return grown


# --- formats ------------------------------------------------------------------------------------


def test_text_has_every_table(talk: Path, falai: Command):
    result = falai("report", "t.json")
    assert (result.exit_code, result.stderr) == (0, "")
    heads = [each for each in result.output.splitlines() if each.startswith("By ")]
    assert heads == ["By scenario", "By flow", "By step", "By phase", "By code"]
    assert result.output.endswith("50 cached, counted in 6 of 7 calls\n")


def test_one_table_is_chosen(talk: Path, falai: Command):
    result = falai("report", "t.json", "--by", "phase")
    assert result.output.splitlines()[:4] == [
        "By phase",
        "  turns  calls  failed  prompt  completion  cached  phase",
        "      2      2       0     210          20       0  understand",
        "      4      5       1     860          55      50  speak",
    ]


def test_several_traces_are_one_report(talk: Path, write: Write, falai: Command):
    write("u.json", json.dumps(trace(scenario(turn(line("f", "a", llmCalls=1), calls=[call()])))))
    assert (
        falai("report", "t.json", "u.json")
        .output.splitlines()[-1]
        .startswith("3 scenarios, 5 turns, 8 model calls (1 failed); ")
    )


def test_csv_has_every_call(talk: Path, falai: Command):
    result = falai("report", "t.json", "--format", "csv")
    rows = pd.read_csv(io.StringIO(result.output))
    assert list(rows["promptTokens"].fillna(-1)) == [100, 200, 110, 300, 310, 50, -1]
    assert list(rows["flow"]) == ["-", "triage", "triage", "triage", "triage", "-", "nudge"]
    assert list(rows["error"].fillna("")) == [""] * 6 + ["rate"]
    assert ",100,10,0,,,False,\n" in result.output


def test_csv_of_one_table(talk: Path, falai: Command):
    result = falai("report", "t.json", "--format", "csv", "--by", "flow")
    assert result.output == (
        "flow,turns,calls,failed,promptTokens,completionTokens,cachedTokens,"
        "costUsd,latencyP50Ms,latencyP95Ms,outcomes\n"
        "triage,3,4,0,920,60,50,,,,4\n"
        "-,2,2,0,150,15,0,,,,1\n"
        "nudge,1,1,1,,,,,,,1\n"
    )


def test_the_page_has_the_numbers_of_the_trace(talk: Path, falai: Command):
    result = falai("report", "t.json", "-o", "r.html")
    assert (result.exit_code, result.output) == (0, "r.html written\n")
    tables = Page(Path("r.html").read_text(encoding="utf-8")).tables
    assert [row[:3] for row in tables["by-flow"][1:]] == [
        ["triage", "3", "4"],
        ["-", "2", "2"],
        ["nudge", "1", "1"],
    ]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("r.txt", "By scenario\n"),
        ("r.csv", "play,file,scenario,"),
        ("r.html", "<!doctype html>\n"),
        ("r.HTM", "<!doctype html>\n"),
    ],
)
def test_the_end_of_the_name_tells_the_format(talk: Path, falai: Command, name: str, start: str):
    assert falai("report", "t.json", "-o", name).exit_code == 0
    assert Path(name).read_text(encoding="utf-8").startswith(start)


def test_a_format_that_is_named_counts(talk: Path, falai: Command):
    assert falai("report", "t.json", "-o", "r.log", "--format", "csv").exit_code == 0
    assert Path("r.log").read_text(encoding="utf-8").startswith("play,file,scenario,")


@pytest.mark.parametrize("form", ["text", "csv", "html"])
def test_a_file_holds_what_would_be_printed(talk: Path, falai: Command, form: str):
    printed = falai("report", "t.json", "--format", form).output
    falai("report", "t.json", "--format", form, "-o", "r")
    assert Path("r").read_text(encoding="utf-8") == printed


def test_parquet_keeps_the_numbers_and_their_types(talk: Path, falai: Command):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert falai("report", "t.json", "-o", "r.parquet").exit_code == 0
    rows = pd.read_parquet("r.parquet")
    assert [None if pd.isna(count) else count for count in rows["promptTokens"]] == [
        *(100, 200, 110, 300, 310, 50, None)
    ]
    assert str(rows["promptTokens"].dtype) == "Int64"


def test_parquet_says_what_it_needs(talk: Path, falai: Command, monkeypatch: pytest.MonkeyPatch):
    for package in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, package, None)
    result = falai("report", "t.json", "-o", "r.parquet")
    assert result.exit_code == 2
    assert result.stderr == "Parquet needs a package that is not installed: pip install pyarrow\n"
    assert not Path("r.parquet").exists()


# --- the baseline -------------------------------------------------------------------------------


def test_one_call_more_fails_and_names_the_flow_and_the_step(
    talk: Path, write: Write, falai: Command
):
    write("new.json", json.dumps(more_calls(TALK)))
    result = falai("report", "new.json", "--baseline", "t.json")
    assert result.exit_code == 1
    assert (
        "GREW  s/triage.yaml: Triage: flow triage, step who: "
        "calls 4 -> 5 (+25.0%), tokens 980 -> 1200 (+22.4%)"
    ) in result.stdout.splitlines()


@pytest.mark.parametrize(
    ("percent", "code"),
    [("24.9%", 1), ("25%", 0), ("25", 0), ("25 %", 0), ("100%", 0), ("0", 1)],
)
def test_growth_within_the_percentage_is_fine(
    talk: Path, write: Write, falai: Command, percent: str, code: int
):
    write("new.json", json.dumps(more_calls(TALK)))
    options = ["--baseline", "t.json", "--max-increase", percent]
    assert falai("report", "new.json", *options).exit_code == code


def test_nothing_grew(talk: Path, write: Write, falai: Command):
    write("old.json", json.dumps(more_calls(TALK)))
    result = falai("report", "t.json", "--baseline", "old.json", "--by", "phase")
    assert result.exit_code == 0
    assert result.output.splitlines()[-2:] == [
        "",
        "Nothing grew in 2 scenarios. In all: calls 8 -> 7 (-12.5%), tokens 1365 -> 1145 (-16.1%).",
    ]


def test_what_a_program_reads_stays_apart_from_the_verdict(
    talk: Path, write: Write, falai: Command
):
    write("new.json", json.dumps(more_calls(TALK)))
    result = falai("report", "new.json", "--baseline", "t.json", "--format", "csv")
    assert result.exit_code == 1
    assert len(pd.read_csv(io.StringIO(result.stdout))) == 8
    assert result.stderr.startswith("GREW  s/triage.yaml: Triage: flow triage, step who: calls ")


def test_a_page_is_written_even_when_something_grew(talk: Path, write: Write, falai: Command):
    write("new.json", json.dumps(more_calls(TALK)))
    result = falai("report", "new.json", "--baseline", "t.json", "-o", "r.html")
    assert result.exit_code == 1
    assert result.stdout.startswith("r.html written\nGREW  s/triage.yaml: Triage: flow triage")
    told = Page(Path("r.html").read_text(encoding="utf-8")).text
    assert "flow triage, step who\ncalls 4 -> 5 (+25.0%)" in told


def test_a_baseline_of_other_scenarios_judges_nothing(talk: Path, write: Write, falai: Command):
    write("other.json", json.dumps(trace(scenario(title="z"))))
    result = falai("report", "t.json", "--baseline", "other.json", "-o", "r.txt")
    assert result.exit_code == 2
    assert result.stderr == (
        "other.json: nothing to compare: none of its scenarios was played. "
        "Play the same files for both, from the same folder.\n"
    )
    assert not Path("r.txt").exists()


# --- bad files and usage ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["bad.json"],
        ["t.json", "bad.json"],
        ["t.json", "--baseline", "bad.json"],
        ["bad.json", "-o", "r.html"],
    ],
)
def test_a_file_that_is_no_trace(talk: Path, write: Write, falai: Command, args: list[str]):
    write("bad.json", '{"a": 1}')
    result = falai("report", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "bad.json: not a trace: it is a JSON object with other keys: a."
    )
    assert not Path("r.html").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing argument 'TRACES...'"),
        (["t.json", "--by", "nada"], "'nada' is not one of"),
        (["t.json", "--format", "xml"], "'xml' is not one of"),
        (["t.json", "-o", "r.doc"], "r.doc: the name tells no format. Use .txt, .csv, .html"),
        (["t.json", "-o", "r"], "r: the name tells no format."),
        (["t.json", "--by", "flow", "-o", "r.html"], "--by chooses a table; the page has all"),
        (["t.json", "--format", "parquet"], "Name a file: -o report.parquet"),
        (["t.json", "--max-increase", "5%"], "Name it: --baseline FILE"),
        (["t.json", "-o", "."], "is a directory"),
        *(
            (["t.json", "--baseline", "t.json", f"--max-increase={text}"], "is no percentage")
            for text in ("", "-5%", "five", "5%%", "nan", "inf", "1e3")
        ),
    ],
)
def test_wrong_usage(talk: Path, falai: Command, args: list[str], message: str):
    result = falai("report", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in re.sub(r"\s+", " ", result.stderr)


@pytest.mark.parametrize("name", ["t.json", "./t.json", "s/../t.json"])
def test_a_trace_is_never_written_over(talk: Path, falai: Command, name: str):
    Path("s").mkdir()
    before = talk.read_bytes()
    for args in (["t.json"], ["t.json", "--baseline", "t.json"]):
        result = falai("report", *args, "--format", "text", "-o", name)
        assert result.exit_code == 2
        assert "is read here. Write the report to another file." in result.stderr
    assert talk.read_bytes() == before


def test_a_place_that_cannot_be_written(talk: Path, falai: Command):
    result = falai("report", "t.json", "-o", "nada/r.html")
    assert result.exit_code == 2
    assert result.stderr == (
        "nada/r.html: cannot be written: No such file or directory. Choose another place.\n"
    )


def test_pandas_that_is_missing_is_said(
    talk: Path, falai: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = falai("report", "t.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "A report needs pandas, which is not installed: pip install 'falai[workbench]'\n"
    )


def test_help_shows_an_example(falai: Command):
    result = falai("report", "--help")
    assert result.exit_code == 0
    assert "falai report trace.json --baseline main.json --max-increase 5%" in result.output
    assert "report  Say what" in falai("--help").output


# --- in a process of its own --------------------------------------------------------------------


def test_what_a_run_wrote_is_reported(write: Write):
    write("s.yaml", PASSES)
    assert simulator("run", "s.yaml", "--json", "t.json").returncode == 0
    ended = simulator("report", "t.json", "--by", "step")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[2] == "      1      1       0         1  -     idle"


def test_the_same_trace_gives_the_same_report_whatever_the_hash_seed(talk: Path):
    for form in ("text", "csv", "html"):
        one, two = (simulator("report", "t.json", "--format", form, seed=seed) for seed in "12")
        assert one.stdout == two.stdout != ""


@pytest.mark.parametrize("args", [["--help"], ["report", "--help"], ["run", "s.yaml"]])
def test_pandas_is_loaded_for_a_report_only(write: Write, args: list[str]):
    write("s.yaml", PASSES)
    write(
        "sitecustomize.py",
        "import atexit, sys\n"
        "atexit.register(lambda: print(*{m.partition('.')[0] for m in sys.modules}, file=sys.stderr))\n",
    )
    ended = simulator(*args, PYTHONPATH=".")
    assert "simulator" in ended.stderr.split()
    assert not HEAVY & set(ended.stderr.split())


# --- the page of the docs -----------------------------------------------------------------------


def test_the_growth_in_the_docs_is_what_comes(write: Write, falai: Command):
    page = DOCS.read_text(encoding="utf-8")
    [text] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    [shown] = re.findall(r"```text\n(GREW.*?)```", page, re.DOTALL)
    write("bikes.yaml", text)
    falai("run", "bikes.yaml", "--json", "trace.json")
    fixed, spoken = (
        '{id: done, say: "Bring your {{data.bike}} in tomorrow."}',
        "{id: done, prompt: Bye.}",
    )
    reply = '{message: "Bring your tandem in tomorrow.", usage: {promptTokens: 280, completionTokens: 15}}'
    assert fixed in text
    write(
        "bikes.yaml",
        text.replace(fixed, spoken).replace("    expect:", f"      speak: {reply}\n    expect:"),
    )
    assert falai("run", "bikes.yaml", "--json", "changed.json").exit_code == 0
    args = ["--baseline", "trace.json", "--max-increase", "5%", "--by", "phase"]
    result = falai("report", "changed.json", *args)
    assert result.exit_code == 1
    assert result.output.endswith(f"\n\n{shown}")
