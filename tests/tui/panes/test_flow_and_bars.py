"""The flow as a tree, and the lines around the panes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulator.kit import agent, do, flow, say
from tests.tui.model.kit import ENTRIES, drawn
from tests.tui.panes.kit import lines, of_the_house, subject, texts
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes import scrubber
from tui.panes.head import scrubbed

EVERYTHING = subject("\n".join(ENTRIES))
BRANCHES = agent(
    flow(
        "f",
        {
            "id": "pede",
            "prompt": "Peça.",
            "collect": ["nome"],
            "branches": [{"when": "pede outra coisa", "then": {"flow": "g"}}],
        },
        do("agir", "age", onFail={"step": "pede", "clear": ["nome"]}),
        {"id": "vê", "if": {"known": ["nome"]}, "then": "fim", "else": "end"},
        say("Até\nlogo", "fim"),
        on=[{"message": ["quer"]}, {"event": "oi", "after": "1h"}],
    ),
    flow("g", say("Oi"), on=[{"silence": "24h"}]),
    fields={"nome": {"type": "string"}},
    actions={"agir": {}},
)


@pytest.mark.parametrize(
    ("place", "tree"),
    [
        ("1.load", ["pedido", "  quem", "  cobra", "  pausa", "  fim"]),
        ("2.decide", ["pedido  asking", "▸ quem", "  cobra", "  pausa", "  fim"]),
        ("2.run", ["pedido  waiting", "✓ quem", "✓ cobra", "▸ pausa", "  fim"]),
        ("4.return", ["pedido  ended: end", "✓ quem", "✓ cobra", "✓ pausa", "▸ fim"]),
    ],
)
def test_the_tree_shows_where_the_run_stands_and_where_it_was(place: str, tree: list[str]):
    shown = texts("flow", subject(), place)
    assert shown[1] == "  on message quer"
    assert [shown[0], *(line[2:].split("  ")[0] for line in shown[2:6])] == [
        tree[0], *(line[2:] for line in tree[1:]),
    ]  # fmt: skip
    assert [line[:2] for line in shown[2:6]] == [line[:2] for line in tree[1:]]


def test_steps_tell_what_they_do_and_where_they_lead():
    assert texts("flow", subject("- {event: ping}", agent=BRANCHES)) == [
        "f",
        "  on message quer",
        "  on event oi, 1h later",
        "  pede  collect  nome",
        "      if pede outra coisa → flow g",
        "  age  do  agir",
        "      on failure → pede, forgetting nome",
        '  vê  if  {"known":["nome"]}',
        "      then → fim",
        "      else → end",
        "  fim  say  Até ⏎ logo",
        "",
        "other flows",
        "▸ g",
    ]


def test_steps_that_were_entered_again_say_how_often():
    shown = texts("flow", of_the_house("17-"), "2.return")
    assert "▸ escolher  collect  horario  2×" in shown


def test_another_flow_unfolds_below_its_name():
    talk = subject()
    assert texts("flow", talk, "3.return")[-2:] == ["other flows", "▸ aviso"]
    [fold] = [line.folds for line in lines("flow", talk, "3.return") if line.folds]
    assert texts("flow", talk, "3.return", folded=frozenset([fold]))[-5:] == [
        "other flows",
        "▾ aviso",
        "aviso",
        "  on event oi",
        "  a  say  Pronto!",
    ]


def test_the_flow_that_ended_last_stays_in_sight():
    talk = subject("- {event: oi}\n- {event: ping}")
    assert texts("flow", talk, "1.return")[0] == "aviso  ended: end"
    assert texts("flow", talk, "2.return")[0] == "aviso"


def test_without_its_agent_a_flow_is_not_known():
    bare = Subject(name="t.json", timeline=subject().timeline)
    assert texts("flow", bare) == [
        "The agent of this play is not at hand, so its flows are not known."
    ]


# --- the lines around ---------------------------------------------------------------------------


def test_the_bar_says_where_one_is_and_what_was_spent():
    triage = of_the_house("03-")
    assert texts("bar", triage, "2.decide", width=100) == [
        "03-triage-asks-again.yaml · turn 2/5 · decide 4/8 · clock 2026-04-13 13:00Z · calls 3/8"
    ]
    assert texts("bar", triage, "2.decide", width=60) == [
        "03-triage-asks… · turn 2/5 · decide 4/8 · 13:00Z · calls 3/8"
    ]
    assert texts("bar", triage, "2.decide", width=48) == [
        "turn 2/5 · decide 4/8 · 13:00Z · calls 3/8"
    ]


def test_calls_over_the_budget_are_marked():
    reply = "{understand: {}, speak: {message: Oi}}"
    spent = subject(f"- {{message: oi, model: {reply}}}", budget={"llmCalls": 1})
    ends = [lines("bar", spent, place)[0].spans[-1] for place in ("1.understand", "1.return")]
    assert [(it.text, it.style) for it in ends] == [("calls 1/1", "plain"), ("calls 2/1!", "bad")]


def test_the_strip_shows_what_ran_and_what_is_to_come():
    assert texts("strip", subject(), "2.decide") == [
        "✓load ✓ingest ✓understand ▸decide  run  speak  settle  return"
    ]
    assert texts("strip", subject(), "2.decide", width=30) == ["✓✓✓▸decide ····"]


def test_phases_that_a_turn_never_came_to_are_marked():
    raised = subject("- {message: oi}")
    assert texts("strip", raised, "1.understand") == [
        "✓load ✓ingest ▸understand !decide !run !speak !settle !return"
    ]


def test_the_scrubber_shows_here_failures_and_breakpoints():
    marks = frozenset([0, 30])
    assert texts("scrubber", EVERYTHING, "2.load", width=40, marked=marks) == [
        "●··█·······!··●····!···!·······!···!····"
    ]


@given(drawn(1), st.data())
def test_a_column_of_the_scrubber_leads_back_to_it(play: Timeline, data: st.DataObject):
    width = data.draw(st.integers(1, 200))
    column = data.draw(st.integers(0, width - 1))
    at = scrubbed(column, len(play), width)
    looked_at = Subject(name="s.yaml", timeline=play)
    [line] = scrubber(View(subject=looked_at, at=at, width=width))
    assert len(line.text) == width
    here = line.text.index("█")
    # Where there are fewer steps than columns, the nearest one is meant.
    assert abs(here - column) <= max(1, width // max(1, len(play) - 1))
