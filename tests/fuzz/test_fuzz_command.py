"""`falai fuzz` as somebody uses it: what it prints, writes and gives back."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.simulator.conftest import Write

GOOD = """\
name: Ana
fields: {nome: {type: string, ask: Ask for the name.}}
idle: {prompt: Answer.}
conditions: {vip: {path: context.lead.vip, op: equals}}
flows:
  - id: oi
    name: Oi
    on: [{message: [says hello]}]
    steps:
      - {id: quem, kind: collect, collect: [nome]}
      - {id: se, kind: if, if: {vip: true}, else: end}
      - {id: fim, kind: say, say: "Hi!"}
"""
BAD = GOOD.replace("collect: [nome]", "collect: [nome], maxAsks: 99")
FAILED = 'FAILED  promises.asks: flow "oi": it asks for ever when nobody answers'


@pytest.fixture
def files(write: Write) -> Write:
    write("good.yaml", GOOD)
    write("bad.yaml", BAD)
    return write


def fuzz(falai: Command, *args: str) -> tuple[int, list[str]]:
    result = falai("fuzz", *args, "--seed", "3", "--examples", "120")
    lines = [line for line in result.output.splitlines() if " in " not in line]
    return result.exit_code, lines


def test_nothing_that_breaks(files: Write, falai: Command):
    code, lines = fuzz(falai, "good.yaml")
    reached = "3 of 3 steps, 2 of 2 branches, 1 of 1 triggers, 1 of 1 fields  (100.0 %)"
    assert (code, lines) == (0, [f"reached: {reached}"])
    assert not Path("fuzz").exists()


def test_nothing_is_left_where_somebody_works(files: Write, falai: Command):
    fuzz(falai, "good.yaml")
    assert sorted(path.name for path in Path().iterdir()) == ["bad.yaml", "good.yaml"]


def test_what_breaks_is_told_and_written(files: Write, falai: Command):
    code, lines = fuzz(falai, "bad.yaml")
    file = Path("fuzz/bad-asks-oi.yaml")
    assert (code, lines[:2]) == (1, [FAILED, f"  1 entry: falai run {file}"])
    assert file.read_text(encoding="utf-8").splitlines()[1:5] == [
        "tags: [fuzz]",
        "agent: ../bad.yaml",
        "script: loose",
        "promises: all",
    ]


def test_what_broke_is_played_first_and_not_written_again(files: Write, falai: Command):
    fuzz(falai, "bad.yaml")
    code, lines = fuzz(falai, "bad.yaml")
    assert (code, lines[0]) == (1, f"FAILED  fuzz/bad-asks-oi.yaml: still {FAILED[8:]}")
    assert [path.name for path in Path("fuzz").iterdir()] == ["bad-asks-oi.yaml"]


def test_what_is_mended_is_told_too(files: Write, falai: Command):
    fuzz(falai, "bad.yaml")
    files("bad.yaml", GOOD)
    code, lines = fuzz(falai, "bad.yaml")
    assert (code, lines[0]) == (
        0,
        "ok      fuzz/bad-asks-oi.yaml: it broke once, and does no more",
    )


def test_conversations_of_other_agents_are_left_alone(files: Write, falai: Command):
    fuzz(falai, "bad.yaml")
    code, lines = fuzz(falai, "good.yaml")
    assert (code, lines[0][:7]) == (0, "reached")


def test_the_same_seed_finds_the_same(files: Write, falai: Command):
    fuzz(falai, "bad.yaml", "--out", "one")
    fuzz(falai, "bad.yaml", "--out", "two")
    texts = [Path(folder, "bad-asks-oi.yaml").read_bytes() for folder in ("one", "two")]
    assert texts[0] == texts[1]


def test_what_is_never_reached_is_named(files: Write, falai: Command):
    shut = GOOD.replace("{vip: true}", "{equals: {nome: Nobody is called so}}")
    files("shut.yaml", shut)
    _, lines = fuzz(falai, "shut.yaml")
    assert "  never reached  shut.yaml: oi: step fim" in lines


STORY = """\
scenario: A story
agent: good.yaml
context: {lead: {vip: false}}
session: k9
budget: {llmCalls: 1, perTurn: 1}
turns:
  - message: hello
    model: {understand: {flows: {oi: 90}}}
    expect: {llmCalls: 2}
  - {expect: {floor: oi}}
"""


def test_a_scenario_lends_its_host_and_its_budget_of_a_turn(files: Write, falai: Command):
    files("s/story.yaml", STORY.replace("good.yaml", "../good.yaml"))
    code, lines = fuzz(falai, "s/story.yaml", "--out", "out")
    text = Path("out/story-perturn.yaml").read_text(encoding="utf-8")
    assert (code, lines[0][:24]) == (1, "FAILED  budget.perTurn: ")
    assert "budget: {perTurn: 1}\n" in text
    assert "agent: ../good.yaml\n" in text


def test_a_seed_is_told_where_none_is_given(files: Write, falai: Command):
    result = falai("fuzz", "good.yaml", "--examples", "1")
    assert ", seed " in result.output


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["nowhere.yaml"], "nowhere.yaml"),
        (["nowhere:agent"], "there is no module nowhere"),
        (["broken.yaml"], "broken.yaml:1:1"),
        (["good.yaml", "--time", "soon"], '--time is "soon". Write a duration'),
        (["good.yaml", "--check", "nowhere:f"], "there is no module nowhere"),
        (["good.yaml", "--check", "nonsense"], 'cannot be the text "nonsense"'),
        (["good.yaml", "--examples", "0"], "--examples"),
    ],
)
def test_bad_use_is_told_in_one_line(files: Write, falai: Command, args: list[str], what: str):
    files("broken.yaml", "nombre: Ana\n")
    result = falai("fuzz", *args)
    assert (result.exit_code, what in result.output) == (2, True), result.output
    assert "Traceback" not in result.output
