"""The outcomes of a turn: what each step did and why."""

import pytest
from msgspec.structs import replace

from tests.simulator.kit import agent, flow, say
from tests.tui.panes.kit import lines, of_the_house, subject, texts
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.panes.outcomes import COLUMNS


def test_each_outcome_is_a_line_and_says_why():
    assert texts("outcomes", subject(), "4.return") == [
        "  run       step  kind  status  code     next  llmCalls",
        "✓ pedido#m1 pausa wait  ok      no-reply",
        "    The wait is over.",
        "✓ pedido#m1 fim   say   ok",
    ]


def test_only_what_was_decided_by_a_step_stands_there():
    counts = [
        len(texts("outcomes", subject(), f"2.{phase}")) - 1
        for phase in ("decide", "run", "speak", "settle")
    ]
    assert counts == [1, 3, 3, 4]
    assert texts("outcomes", subject(), "2.load")[1] == "  Nothing was decided by this step."


def test_columns_stay_where_they_are_through_a_turn():
    heads = {texts("outcomes", subject(), f"2.{it}")[0] for it in ("load", "run", "return")}
    assert len(heads) == 1


def test_a_narrow_pane_leaves_out_where_it_went_and_what_it_cost():
    assert texts("outcomes", subject(), "2.return", width=40)[:3] == [
        "  run        step      kind    status  …",
        "✓ pedido#m1  quem      collect ok",
        "✓ pedido#m1  cobra     do      ok",
    ]


def test_a_line_opens_whole():
    opened = lines("outcomes", subject(), "4.return")[1].opens or ""
    assert opened.splitlines() == [
        "runId: pedido#m1",
        "flowId: pedido",
        "stepId: pausa",
        "kind: wait",
        "status: ok",
        "code: no-reply",
        "message: The wait is over.",
        "at: 2026-01-05T11:00:00.000Z",
    ]


@pytest.mark.parametrize(
    ("sort", "steps"),
    [
        ("", ["quem", "cobra", "pausa", "–"]),
        ("step", ["cobra", "pausa", "quem", "–"]),
        ("kind", ["quem", "cobra", "–", "pausa"]),
        ("status", ["quem", "cobra", "–", "pausa"]),
        ("llmCalls", ["quem", "cobra", "pausa", "–"]),
        ("run", ["–", "quem", "cobra", "pausa"]),
    ],
)
def test_outcomes_are_sorted_by_a_column(sort: str, steps: list[str]):
    shown = texts("outcomes", subject(), "2.return", sort=sort)
    assert [line.split()[2] for line in shown[1:]] == steps
    assert (f"{sort}↓" in shown[0]) is bool(sort)
    assert not sort or sort in COLUMNS


def test_calls_are_sorted_by_their_number():
    many = agent(flow("f", *(say("Oi", f"s{n}") for n in (10, 9, 2))))
    record = subject("- event: oi", agent=many).play
    result = record.turns[0].result
    assert result is not None
    result.outcomes[:] = [
        replace(it, llm_calls=int((it.step_id or "")[1:])) for it in result.outcomes
    ]
    dear = Subject(name="s.yaml", timeline=Timeline(record))
    shown = texts("outcomes", dear, sort="llmCalls")[1:]
    assert [line.split()[-1] for line in shown] == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("only", "left"),
    [("COBRA", ["cobra"]), ("waiting", ["pausa"]), ("ok", ["quem", "cobra", "–"])],
)
def test_only_lines_with_a_text_are_left(only: str, left: list[str]):
    shown = texts("outcomes", subject(), "2.return", only=only)
    assert [line.split()[2] for line in shown[1:]] == left


def test_a_text_that_no_line_holds_leaves_none():
    assert texts("outcomes", subject(), "2.return", only="zzz")[1:] == [
        "  Nothing holds that text."
    ]


def test_starts_that_were_refused_are_told_with_why():
    cart = of_the_house("12-")
    assert texts("outcomes", cart, "5.return")[2:] == [
        "",
        "starts that were refused",
        "  cart  already-claimed  The flow has already run for this key and may not run …",
    ]
    told = [len(texts("outcomes", cart, f"5.{phase}")) for phase in ("load", "ingest", "return")]
    assert told == [2, 5, 5]


def test_a_failure_is_told_by_sign_and_by_meaning():
    made = lines("outcomes", of_the_house("21-"))
    failed = next(line for line in made if line.text.startswith("✗"))
    assert "failed  provider-auth" in failed.text
    assert {span.style for span in failed.spans} == {"bad"}
