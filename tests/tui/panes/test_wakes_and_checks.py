"""What is scheduled and what became of it; what was expected and what came."""

from hypothesis import given

from tests.simulator.conftest import Write
from tests.simulator.conftest import write as write
from tests.tui.model.kit import ENTRIES, drawn
from tests.tui.panes.kit import lines, of_the_house, subject, texts
from tui.model.places import place_name
from tui.model.subject import Subject
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.opening import open_path
from tui.panes import wakes
from tui.panes.wakes import jobs

KEY = "pedido#m1:pausa:1767610800000"


def test_a_wake_is_due_from_the_step_that_scheduled_it():
    assert texts("wakes", subject(), "2.decide")[1] == "  Nothing is scheduled."
    assert texts("wakes", subject(), "2.run") == [
        "now  2026-01-05 09:00Z",
        f"  {KEY}",
        "    2026-01-05 11:00Z, in 2h, by turn 2",
        "",
        "over",
        "  None yet.",
    ]


def test_a_wake_that_fired_is_over_from_its_own_turn_on():
    assert texts("wakes", subject(), "4.load") == [
        "now  2026-01-05 11:00Z",
        "  Nothing is scheduled.",
        "",
        "over",
        f"  {KEY}",
        "    fired at turn 4, scheduled by turn 2",
    ]


def test_a_wake_leads_to_the_turn_that_scheduled_it_or_that_it_led_to():
    talk = subject()
    due, over = lines("wakes", talk, "2.return")[1], lines("wakes", talk)[4]
    assert [place_name(talk.timeline, it.to or 0) for it in (due, over)] == ["2.return", "4.return"]
    assert over.opens == f"{KEY}\nsession: s1\ndue: 2026-01-05T11:00:00.000Z\nscheduled by turn 2"


def test_replaced_and_stale_wakes_are_told_apart():
    assert texts("wakes", of_the_house("12-"))[4:] == [
        "  cart#cart-802:start:1773173700000",
        "    fired at turn 4, scheduled by turn 2",
        "  cart#cart-801:start:1773171900000",
        "    stale at turn 3, scheduled by turn 1",
    ]
    silence = texts("wakes", of_the_house("07-"))
    assert silence[-2:] == [
        "  silence:retomar:s1:1781532000000",
        "    replaced at turn 2, scheduled by turn 1",
    ]


def test_sessions_are_named_where_there_are_several():
    shown = texts("wakes", subject("\n".join(ENTRIES)), "9.return")
    assert shown[1] == f"  {KEY} (s1)"


@given(drawn(1))
def test_every_wake_is_due_until_it_is_over_and_never_both(play: Timeline):
    looked_at = Subject(name="s.yaml", timeline=play)
    for at in range(len(play)):
        made = wakes(View(subject=looked_at, at=at, width=200))
        keys = [line.key for line in made if line.key]
        known = [job for job in jobs(play) if job.since <= at]
        assert len(keys) == len(set(keys)) == len(known)


# --- checks -------------------------------------------------------------------------------------

FAILING = """
- {event: oi, expect: {floor: nada, replies: [Oi]}}
- {event: oi}
- {event: oi, expect: {llmCalls: 3}}
"""


def test_a_play_that_passed_says_so_in_a_word():
    assert texts("checks", subject()) == ["✓ pass  everything that was expected came"]


def test_failures_of_the_turn_stand_first_with_wanted_and_got():
    assert texts("checks", subject(FAILING), "1.return") == [
        "✗ fail  3 did not hold",
        "✗ line 3  floor: it is not there",
        '  wanted  "nada"',
        "  got     null",
        "✗ line 3  replies[0]: it differs",
        '  wanted  "Oi"',
        '  got     "Pronto!"',
        "",
        "elsewhere in this play",
        "  ✗ turn 3  line 5  llmCalls: it differs",
    ]


def test_a_failure_elsewhere_leads_to_its_turn():
    failing = subject(FAILING)
    shown = lines("checks", failing, "2.return")
    assert [line.text for line in shown[1:]] == [
        "elsewhere in this play",
        "  ✗ turn 1  line 3  floor: it is not there",
        "  ✗ turn 1  line 3  replies[0]: it differs",
        "  ✗ turn 3  line 5  llmCalls: it differs",
    ]
    ends = [failing.timeline.at(turn) for turn in (0, 0, 2)]
    assert [line.to for line in shown[2:]] == ends


def test_a_failure_opens_with_all_of_it():
    assert lines("checks", subject(FAILING), "1.return")[4].opens == (
        'line 3  replies[0]\nit differs\n\nwanted\n"Oi"\n\ngot\n"Pronto!"'
    )


def test_a_turn_that_raised_tells_why_on_as_many_lines_as_it_takes():
    assert texts("checks", subject("- {message: oi}"), width=30) == [
        "✗ fail  1 did not hold",
        "✗ line 3  model: turn 1 (line",
        "3): unscripted understand call",
        "",
    ]


def test_a_budget_that_was_not_kept_says_what_was_spent():
    spent = subject(
        "- {message: oi, model: {understand: {}, speak: {message: Oi}}}", budget={"llmCalls": 1}
    )
    assert texts("checks", spent)[1:] == [
        "✗ line 5  budget.llmCalls: the scenario spent 2 llmCalls, its budget allows 1",
        "  wanted  1",
        "  got     2",
        "",
    ]


def test_what_is_worth_saying_and_no_failure_is_a_note():
    noted = subject("- {event: oi}")
    noted.play.notes = ["the tape\nis old"]
    assert texts("checks", noted, width=20)[-1] == "note: the tape ⏎ is…"


def test_a_file_that_could_not_be_played_says_what_is_wrong(write: Write):
    [broken] = open_path(write("s.yaml", "scenario: ["))
    shown = texts("checks", broken)
    assert shown[0] == "! error  it could not be played"
    assert shown[1].startswith("  ✗ s.yaml:1:")
