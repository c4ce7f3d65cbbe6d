"""`falai step`: what is typed at its prompt, and what is shown."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from simulator.trace import trace_of
from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.simulator.kit import text_of
from tests.tui.model.kit import ASKER, ROOT, TALK, record_of
from tui.cli.step import command

HOUSE = ROOT / "scenarios"
FAILING = "- {event: oi}\n- {event: oi, expect: {floor: nada}}\n- {event: oi}"


@pytest.fixture(autouse=True)
def _scenario(write: Write) -> None:
    write("s.yaml", text_of(TALK, agent=ASKER))


def step(*typed: str, args: tuple[str, ...] = ("s.yaml",)) -> Result:
    text = "".join(f"{line}\n" for line in typed)
    return CliRunner().invoke(command, list(args), input=text, catch_exceptions=False)


def answers(*typed: str, args: tuple[str, ...] = ("s.yaml",)) -> list[list[str]]:
    """What is printed before the first line is typed, and then after each."""
    result = step(*typed, args=args)
    assert result.exit_code == 0, result.output
    parts: list[list[str]] = [[]]
    for line in result.output.splitlines():
        if line.startswith("> "):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def places(*typed: str, args: tuple[str, ...] = ("s.yaml",)) -> list[str]:
    """Where one stands before anything was typed, and after each line that led somewhere."""
    heads = [line for part in answers(*typed, args=args) for line in part if line[:5] == "turn "]
    return [f"{head.split('/')[0][5:]}.{head.split(' · ')[1].split()[0]}" for head in heads]


# --- moving ---------------------------------------------------------------------------------------


def test_a_move_shows_the_place_and_what_its_step_brought():
    assert answers("s", ":2.decide") == [
        ["turn 1/4 · load 1/8 · clock 2026-01-05 09:00Z · calls 0", "  customer: quero"],
        ["turn 1/4 · ingest 2/8 · clock 2026-01-05 09:00Z · calls 0"],
        [
            "turn 2/4 · decide 4/8 · clock 2026-01-05 09:00Z · calls 3",
            '  nome: – → "Bia"  by understand call',
        ],
    ]


@pytest.mark.parametrize(
    ("typed", "way"),
    [
        (["s", "", "", "S"], ["1.ingest", "1.understand", "1.decide", "1.understand"]),
        (["n", "s", "N"], ["2.load", "2.ingest", "1.ingest"]),
        (["G", "C", "g"], ["4.return", "1.load"]),
        (
            [":3", ":#12", ": 11:00", "'", "'"],
            ["3.load", "2.decide", "4.load", "2.decide", "3.load"],
        ),
        (["b wake", "c", "c", "C", "C"], ["2.run", "4.return", "2.run", "1.load"]),
        (["b field:nome", "b 2.speak", "c", "", ""], ["2.decide", "2.speak", "4.return"]),
        (["u nome", ":4", "u nome", "U visto", "G", "u"], ["4.load", "2.decide", "2.run"]),
    ],
)
def test_keys_lead_there(typed: list[str], way: list[str]):
    shown = places(*typed)[1:]
    assert shown[: len(way)] == way


def test_who_set_without_a_path_asks_of_the_one_before():
    assert places("G", "u nome", "G", "u")[1:] == ["4.return", "2.decide", "4.return", "2.decide"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("S", "There is nothing further that way."),
        ("N", "There is nothing further that way."),
        ("C", "This is the start."),
        ("e", "No later turn failed."),
        ("E", "No earlier turn failed."),
        ("'", "Nothing was jumped from."),
        ("u nome", "data.nome was not set before."),
        ("U nada", "data.nada was not set later."),
        ("u", "write a path that begins with data, runs, claims, inputs, floor, clock. data.name."),
        (":99", "there is no turn 99. Write one of 1 to 4."),
        ("b cod:x", '"cod:x" is no breakpoint. Did you mean code:max-asks?'),
        ("b -1", "There is no breakpoint 1. b lists them."),
        ("/zebra", '"zebra" is nowhere in this play.'),
        ("p outcome", 'There is no pane "outcome". Did you mean outcomes?'),
        ("w", "Nothing is watched. w data.name watches a field."),
        ("pp", 'There is no "pp". ? lists what can be typed.'),
        ("xyz", 'There is no "xyz". ? lists what can be typed.'),
    ],
)
def test_what_cannot_be_done_is_told_and_all_goes_on(typed: str, told: str):
    _, answer, after = answers(typed, "s")
    assert answer == [f"  {told}"]
    assert after[0].startswith("turn 1/4 · ingest")


def test_a_failed_play_begins_at_its_first_failure(write: Write):
    write("f.yaml", text_of(FAILING, agent=ASKER))
    [first] = answers(args=("f.yaml",))
    assert first[0].startswith("turn 2/3 · return 8/8")
    assert first[-1].startswith("  ✗ line 4  floor: ")
    assert places("E", "g", "e", args=("f.yaml",)) == ["2.return", "1.load", "2.return"]


# --- what is set up -------------------------------------------------------------------------------


def test_a_stop_names_its_breakpoint_and_the_list_counts():
    parts = answers("b text:bia", "c", "c", "b", "b -1")
    assert parts[1] == ["  1 ● text:bia  3 in this play  stopped 0 times"]
    assert parts[2][-1] == "  ● text:bia"
    assert parts[4] == ["  1 ● text:bia  3 in this play  stopped 2 times"]
    assert parts[5][0] == "  No breakpoint is set. b WHAT sets one:"


def test_breakpoints_given_on_the_command_line_are_set():
    args = ("s.yaml", "--break", "failed", "--break", "text:bia")
    assert places("c", args=args) == ["1.load", "2.load"]


def test_a_breakpoint_is_switched_off_or_stops_at_some_of_its_hits():
    parts = answers("b phase:load", "b 1", "c", "g", "b 1", "b 1 skip 1", "b 1 every 2", "c")
    assert parts[2] == ["  1 ○ off phase:load  4 in this play  stopped 0 times"]
    assert parts[3][0].startswith("turn 4/4 · return")
    assert parts[7] == ["  1 ● phase:load  4 in this play  stopped 0 times  skips 1  every 2"]
    assert parts[8][0].startswith("turn 3/4 · load")
    assert answers("b wake", "b 1 often")[2] == ["  Write b 2, b -2, b 2 skip 3 or b 2 every 4."]


def test_a_watched_value_is_shown_after_each_move():
    parts = answers("w nome", "n", "n", "w nome", "n")
    assert parts[1] == ["  data.nome = –"]
    assert parts[2][-1] == "  data.nome = –"
    assert parts[3][-1] == '  data.nome = "Bia"'
    assert not any("data.nome" in line for line in parts[5])


def test_hits_are_walked_with_n_until_the_search_ends():
    parts = answers("/tchau", "n", "N", "/", "N")
    assert parts[1][0] == "  1 hit"
    assert parts[1][1].startswith("turn 4/4 · run")
    assert parts[1][-1] == "  / conversation: Tchau, Bia!"
    assert parts[2] == parts[3] == ["  There is no further hit that way. / ends the search."]
    assert parts[4] == ["  No longer searching."]
    assert parts[5][0].startswith("turn 3/4 · run")


# --- what is looked at ----------------------------------------------------------------------------


def test_a_pane_or_a_value_is_printed():
    _, _, value, floor, conversation, state = answers(
        "G", "p data.nome", "p floor", "p conversation", "p"
    )
    assert value == ['  "Bia"']
    assert floor == ["  –"]
    assert "    Tchau, Bia!" in conversation
    assert any("visto" in line for line in state)


def test_help_tells_every_key_and_what_is_piped_in_is_shown():
    result = step("?", "q", "s")
    assert "> ?\n" in result.output
    assert "An empty line does the last thing again." in result.output
    assert result.output.endswith("> q\n")
    assert len([line for line in result.output.splitlines() if line.startswith("turn ")]) == 1


def test_signs_that_steer_a_terminal_are_shown_and_not_sent(write: Write):
    turns = (
        '- {message: "[red]\\u001b[31moi\\u0007", model: {understand: {}, speak: {message: "[/]"}}}'
    )
    write("h.yaml", text_of(turns, agent=ASKER))
    output = step("", "n", "/[red]", "p conversation", "G", args=("h.yaml",)).output
    assert "customer: [red]\\x1b[31moi\\x07" in output
    assert output.replace("\n", "").isprintable()


# --- files ----------------------------------------------------------------------------------------


def test_a_trace_is_stepped_through_as_its_scenario_is():
    import msgspec

    trace = trace_of([record_of(TALK)])
    Path("trace.json").write_bytes(msgspec.json.encode(trace))
    typed = ("n", "c", "p data.nome", "b field:nome", "g", "c")
    assert answers(*typed, args=("trace.json",)) == answers(*typed)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("nada.yaml",), "nada.yaml: there is no such file or folder. Check the path."),
        (("s.yaml", "--break", "cod:x"), '--break: "cod:x" is no breakpoint. Did you mean'),
        (("s.yaml", "-k", "zebra"), "s.yaml: no scenario's title holds"),
        (("bad.yaml",), "bad.yaml:1:"),
    ],
)
def test_what_cannot_be_opened_ends_with_two_and_a_sentence(
    write: Write, args: tuple[str, ...], told: str
):
    write("bad.yaml", json.dumps({"scenario": "x", "turn": []}))
    result = step("s", args=args)
    assert result.exit_code == 2
    assert result.stderr.startswith(told)
    assert result.stdout == ""


@pytest.mark.parametrize("file", sorted(HOUSE.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_scenario_of_the_house_is_stepped_through_to_its_end(file: Path):
    typed = ("c", "p conversation", "p outcomes", "p prompt", "p calls", "p wakes", "p checks", "p")
    result = step(*typed, args=(str(file),))
    if "plays. Choose one" in result.stderr:
        result = step(*typed, args=(str(file), "-k", result.stderr.splitlines()[1].strip()))
    assert result.exit_code == 0
    assert "· return 8/8 ·" in result.output
