"""`falai show` and `falai diff`: what they print, and what they end with."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from simulator.trace import trace_of
from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.simulator.kit import text_of
from tests.tui.model.kit import ASKER, ROOT, TALK, record_of
from tui.cli import diff, show
from tui.panes import PANES

FAILING = TALK.replace("- event: oi", "- {event: oi, expect: {floor: nada}}")


@pytest.fixture(autouse=True)
def _files(write: Write) -> None:
    write("s.yaml", text_of(TALK, agent=ASKER))
    write("other.yaml", text_of(TALK.replace("Quem é?", "Seu nome?"), agent=ASKER))


def shown(*args: str) -> Result:
    return CliRunner().invoke(show.command, list(args), catch_exceptions=False)


def printed(*args: str) -> list[str]:
    result = shown(*args)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def compared(*args: str) -> Result:
    return CliRunner().invoke(diff.command, list(args), catch_exceptions=False)


def trace(name: str, *turns: str) -> None:
    """A trace; several plays in it are titled by their numbers."""
    records = [record_of(it) for it in turns]
    for number, record in enumerate(records if len(records) > 1 else (), 1):
        record.scenario = f"play {number}"
    Path(name).write_bytes(msgspec.json.encode(trace_of(records)))


# --- show -----------------------------------------------------------------------------------------


def test_without_a_place_the_end_is_shown_with_bars_and_tabs():
    made = printed("s.yaml")
    assert made[0] == "s.yaml · turn 4/4 · return 8/8 · clock 2026-01-05 11:00Z · calls 4"
    assert made[1] == "✓load ✓ingest ✓understand ✓decide ✓run ✓speak ✓settle ▸return"
    assert [line for line in made if line.startswith("---")] == [
        "--- state", "--- outcomes", "--- prompt", "--- calls", "--- wakes", "--- checks",
    ]  # fmt: skip


def test_a_play_that_failed_opens_at_its_first_failure(write: Write):
    write("f.yaml", text_of(FAILING, agent=ASKER))
    assert printed("f.yaml")[0].startswith("f.yaml · turn 3/4 · return 8/8")
    assert "✗ line 11  floor: it is not there" in printed("f.yaml", "--pane", "checks")


@pytest.mark.parametrize(
    ("place", "bar"),
    [
        ("2", "turn 2/4 · return 8/8"),
        ("2.decide", "turn 2/4 · decide 4/8"),
        ("2.finish", "turn 2/4 · return 8/8"),
        ("#12", "turn 2/4 · decide 4/8"),
        ("11:00", "turn 4/4 · load 1/8"),
    ],
)
def test_a_place_is_named_as_everywhere(place: str, bar: str):
    assert f" {bar} " in printed("s.yaml", "--turn", place, "--pane", "bar")[0]


def test_one_pane_is_printed_alone():
    assert printed("s.yaml", "--turn", "4", "--pane", "outcomes") == [
        "  run       step  kind  status  code     next  llmCalls",
        "✓ pedido#m1 pausa wait  ok      no-reply",
        "    The wait is over.",
        "✓ pedido#m1 fim   say   ok",
    ]


def test_all_panes_are_printed_under_their_names():
    heads = [line[4:] for line in printed("s.yaml", "--pane", "all") if line.startswith("--- ")]
    assert heads == [name for name in PANES if name not in ("bar", "strip", "scrubber")]


def test_lines_are_as_wide_as_is_asked():
    made = printed("s.yaml", "--pane", "turns", "--width", "27")
    assert made[-1] == "✓ 4 11:00 +2h wake pe… 0"


def test_several_plays_are_listed_until_one_is_chosen():
    trace("t.json", TALK, FAILING)
    assert printed("t.json") == [
        "✓ pass     4 turns    4 calls  play 1",
        "✗ fail     4 turns    4 calls  play 2",
    ]
    assert printed("t.json", "-k", "PLAY 2")[0].startswith("s.yaml · turn 3/4 ")


def test_a_trace_shows_what_its_scenario_shows():
    trace("t.json", TALK)
    for place in ("1.load", "2.run", "4"):
        args = ("--turn", place, "--pane", "state", "--pane", "conversation", "--pane", "outcomes")
        assert printed("t.json", *args) == printed("s.yaml", *args)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("nowhere.yaml",), "nowhere.yaml: there is no such file or folder. Check the path."),
        (("s.yaml", "--turn", "9"), "--turn: there is no turn 9. Write one of 1 to 4."),
        (("s.yaml", "-k", "zzz"), 's.yaml: no scenario\'s title holds "zzz".'),
        ((".", "--turn", "1"), ".: 2 plays. Choose one with -k TITLE:\n  t\n  t"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(args: tuple[str, ...], told: str):
    result = shown(*args)
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (2, "", told)


def test_a_broken_file_tells_its_place(write: Write):
    write("b.yaml", "scenario: [")
    result = shown("b.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("b.yaml:1:")


def test_a_newer_trace_names_both_versions():
    Path("n.json").write_text('{"version": 99, "scenarios": []}', encoding="utf-8")
    result = shown("n.json")
    assert result.exit_code == 2
    assert "version 99" in result.stderr
    assert "version 1" in result.stderr


def test_the_house_can_be_listed():
    made = printed(str(ROOT / "scenarios"))
    assert len(made) >= 30
    assert all(line.startswith("✓ pass ") for line in made)


# --- diff -----------------------------------------------------------------------------------------


def test_equal_plays_end_with_0():
    result = compared("s.yaml", "s.yaml")
    assert (result.exit_code, result.stdout) == (0, "no difference\n  … 4 equal turns\n")


def test_plays_that_differ_end_with_1_and_say_where():
    result = compared("s.yaml", "other.yaml")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "first differs at 1.speak: calls[1].reply.message",
        "turn 1",
        "  calls[1].reply.message",
        '    - "{\\"message\\":\\"Quem é?\\"}"',
        '    + "{\\"message\\":\\"Seu nome?\\"}"',
        "  replies[0]",
        '    - "Quem é?"',
        '    + "Seu nome?"',
        "  … 3 equal turns",
    ]


@pytest.mark.parametrize(("turn", "code"), [("1", 1), ("2", 0), ("9", 2)])
def test_one_turn_can_be_compared_alone(turn: str, code: int):
    assert compared("s.yaml", "other.yaml", "--turn", turn).exit_code == code


def test_a_trace_and_its_scenario_are_equal():
    trace("t.json", TALK)
    assert compared("t.json", "s.yaml").exit_code == 0


def test_of_several_plays_those_with_the_title_are_compared():
    trace("one.json", TALK, FAILING)
    trace("two.json", TALK.replace("Quem é?", "Seu nome?"), FAILING)
    assert compared("one.json", "two.json").exit_code == 2
    assert compared("one.json", "two.json", "-k", "play 1").exit_code == 1
    assert compared("one.json", "two.json", "-k", "play 2").exit_code == 0


@pytest.mark.parametrize("files", [("s.yaml", "nowhere.yaml"), ("nowhere.yaml", "s.yaml")])
def test_a_bad_file_ends_with_2(files: tuple[str, str]):
    result = compared(*files)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("nowhere.yaml: ")
