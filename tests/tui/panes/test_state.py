"""What the session held: before and after, and who changed it."""

import pytest

from tests.simulator.kit import agent, flow, say
from tests.tui.model.kit import TALK, record_of
from tests.tui.panes.kit import lines, of_the_house, subject, texts, without_phases
from tui.model.subject import Subject
from tui.model.timeline import Timeline

TWO = agent(
    flow("a", {"id": "q", "prompt": "Pergunte.", "collect": ["nome"]}, on=[{"message": ["um"]}]),
    flow("b", {"id": "r", "prompt": "Peça.", "collect": ["cor"]}, on=[{"message": ["dois"]}]),
    flow("c", {"id": "s", "wait": {"event": "pago", "upTo": "1d"}}, say("Obrigada!", "t")),
    fields={"nome": {"type": "string"}, "cor": {"type": "string"}},
)
"""Two flows that ask, and one that waits for a payment."""


def test_a_step_shows_what_it_changed_first_and_who_did_it():
    assert texts("state", subject(), "2.run") == [
        "fields",
        "* visto  – → true  by action cobrar",
        '  nome  "Bia"',
        "",
        "runs",
        "* pedido#m1  waiting at pausa",
        "    waits for timer until 2026-01-05 11:00Z",
        '    asked {"nome":1}',
        '    visits {"quem":1,"cobra":1,"pausa":1}',
        "",
        "claims  1",
        "  2026-01-05 09:00Z  pedido:s1:",
        "",
        "inputs  2",
        "  m1 m2",
    ]


def test_fields_that_are_declared_and_not_known_yet_are_dashes():
    assert texts("state", subject(), "1.load")[:3] == ["fields", "  nome  –", "  visto  –"]
    bare = Subject(name="t.json", timeline=Timeline(record_of(TALK)))
    assert texts("state", bare, "1.load")[:2] == ["fields", "  none yet"]


def test_watches_stand_on_top():
    watched = ("data.nome", "floor", "runs.pedido.visits.quem", "nada")
    assert texts("state", subject(), "2.run", watches=watched)[:6] == [
        "watches",
        '  data.nome  "Bia"',
        '* floor  "pedido" → –',
        "  runs.pedido.visits.quem  1",
        "  nada  –",
        "fields",
    ]


def test_a_field_can_be_watched_and_opened_from_its_line():
    line = lines("state", subject(), "2.decide")[1]
    assert (line.key, line.path) == ("data.nome", "data.nome")
    assert line.opens == 'data.nome\n\nbefore\n–\n\nafter\n"Bia"'


@pytest.mark.parametrize(("width", "told"), [(40, "* nome  – → "), (26, "* nome  – → ")])
def test_a_change_that_is_too_wide_is_cut_and_opens_whole(width: int, told: str):
    name = "Bia " * 30
    fields = f"{{understand: {{fields: {{nome: {name}}}}}, speak: {{message: Oi}}}}"
    start = TALK.partition("- message: Bia")[0]
    talk = subject(f"{start}\n- message: Bia\n  model: {fields}")
    line = next(it for it in lines("state", talk, "2.decide", width=width) if it.text[0] == "*")
    assert line.text.startswith(told)
    assert "…" in line.text
    assert line.opens is not None
    assert name.strip() in line.opens


def test_the_run_that_asks_has_the_floor_and_others_say_what_they_wait_for():
    talk = subject(
        """
        - event: oi
        - {message: um, model: {understand: {flows: {a: 90}}, speak: {message: Nome?}}}
        - {message: dois, model: {understand: {flows: {b: 90}}, speak: {message: Cor?}}}
        """,
        agent=TWO,
    )
    told = [line for line in texts("state", talk) if "#" in line or "    " in line]
    assert told == [
        "  c#e1  waiting at s",
        "    waits for event pago until 2026-01-06 09:00Z",
        '    visits {"s":1}',
        "  a#m2  suspended at q",
        "    suspended since 2026-01-05 09:00Z",
        '    asked {"nome":1}',
        '    visits {"q":1}',
        "  b#m3  asking at r  ▸ has the floor",
        '    asked {"cor":1}',
        '    visits {"r":1}',
    ]


def test_a_run_that_is_over_and_a_claim_that_is_new_are_told_where_they_came_about():
    ended = ["4.run", "4.speak", "4.settle", "4.return"]
    over = [place for place in ended if "* pedido#m1 is over" in texts("state", subject(), place)]
    assert len(over) == 1
    new = texts("state", subject(), "1.decide")
    assert "* 2026-01-05 09:00Z  pedido:s1:" in new


def test_only_the_last_inputs_are_shown():
    talk = subject("\n".join(["- {message: oi}"] * 7), agent=agent())
    assert texts("state", talk)[-2:] == ["inputs  7", "  m3 m4 m5 m6 m7"]


def test_a_trace_without_phases_shows_what_was_saved_and_by_which_turn():
    plain = Subject(name="t.json", timeline=Timeline(without_phases(record_of(TALK))))
    assert texts("state", plain, "2.settle")[1:3] == [
        '* nome  – → "Bia"  by this turn',
        "* visto  – → true  by this turn",
    ]


def test_what_was_forgotten_is_a_change_too():
    triage = of_the_house("03-")
    cleared = [
        line
        for phase in ("decide", "run", "speak", "settle", "return")
        for line in texts("state", triage, f"3.{phase}")
        if line.startswith("* imovel")
    ]
    assert [line.partition("  by")[0] for line in cleared] == ['* imovel  "sítio" → –']
