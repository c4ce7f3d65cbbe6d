"""The list of turns: a line each, at any width."""

import pytest

from tests.tui.model.kit import ENTRIES
from tests.tui.panes.kit import lines, subject, texts
from tui.model.timeline import PHASES

EVERYTHING = subject("\n".join(ENTRIES))


def test_a_turn_has_its_verdict_its_time_what_came_its_flow_and_its_calls():
    assert texts("turns", EVERYTHING, width=59) == [
        "✓  1 09:00 quero                          pedido       2",
        "✓  2 09:00 Bia                                         2",
        "✗  3 09:00 Rui                                         1 1✗",
        "✓  4 09:00 quero                          pedido       2",
        "✗  5 09:00 Ana                                         2 1✗",
        "✗  6 09:00 oi                                          1 1✗",
        "✓  7 09:00 event oi                                    0",
        "✗  8 09:00 event oi                                    0 1✗",
        "✗  9 09:00 nada                                        1 1✗",
        "✓ 10 11:00 +2h wake pedido#m1:pausa:1767…              0",
    ]


def test_a_narrow_list_leaves_out_the_flow():
    assert texts("turns", subject(), width=27) == [
        "✓ 1 09:00 quero        2",
        "✓ 2 09:00 Bia          2",
        "✓ 3 09:00 event oi     0",
        "✓ 4 11:00 +2h wake pe… 0",
    ]


def test_a_line_leads_to_the_end_of_its_turn_and_is_known_again():
    made = lines("turns", subject())
    assert [(line.key, line.to) for line in made] == [
        ("turn-0", 7), ("turn-1", 15), ("turn-2", 23), ("turn-3", 31),
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["1.load", "2.decide", "4.return"])
def test_the_list_is_the_same_from_wherever_it_is_seen(place: str):
    assert texts("turns", subject(), place) == texts("turns", subject())


def test_a_breakpoint_is_a_dot_at_its_turn():
    made = texts("turns", subject(), marked=frozenset([8, 9, len(PHASES) * 3]), width=30)
    assert [line[:2] for line in made] == ["✓ ", "✓●", "✓ ", "✓●"]
    assert [line[2:] for line in made] == [line[2:] for line in texts("turns", subject(), width=30)]


@pytest.mark.parametrize(("most", "style", "calls"), [(1, "bad", " 2!"), (2, "dim", " 2 ")])
def test_calls_over_the_budget_of_a_turn_are_marked(most: int, style: str, calls: str):
    budgeted = subject(budget={"perTurn": most})
    shown = lines("turns", budgeted)[0].spans
    assert any((span.text, span.style) == (calls, style) for span in shown)


def test_a_day_is_named_where_it_begins():
    days = subject("- {event: oi}\n- {advance: 20h}\n- {event: oi}\n- {event: oi}")
    assert [line[:30].rstrip() for line in texts("turns", days)] == [
        "✓ 1 01-05 09:00 event oi",
        "✓ 2 01-06 05:00 +20h event oi",
        "✓ 3       05:00 event oi",
    ]
    assert texts("turns", days, width=27)[1] == "✓ 2 05:00 +20h event … 0"


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("{message: ''}", "(an empty message)"),
        ("{start: aviso}", "start aviso"),
        ("{event: oi}", "event oi"),
        ('{message: "a\\nb\\e[1m"}', "a ⏎ b\\x1b[1m"),
    ],
)
def test_what_came_is_told_in_a_few_words(turn: str, told: str):
    made = texts("turns", subject(f"- {turn}"))[0]
    assert made.removeprefix("✓ 1 09:00 ").removeprefix("✗ 1 09:00 ").startswith(told)
