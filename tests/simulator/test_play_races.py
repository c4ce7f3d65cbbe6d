"""Two inputs on one stored session: the first saves, the second loses and replays."""

from typing import Any

import pytest

from tests.simulator.kit import (
    ACTOR,
    TALKER,
    TIMER,
    agent,
    do,
    entries,
    failures,
    flow,
    played,
    said,
    say,
    shown,
    times,
)

RACE = """
- race:
  - {message: um, model: {speak: {message: Olá}}}
  - {message: dois, model: {speak: {message: Oi}}}
"""


def test_the_first_saves_and_the_second_replays_on_what_is_there():
    record = played(RACE, agent=TALKER)
    assert entries(record) == ["1a", "1b lost", "1b"]
    results = [turn.result for turn in record.turns if turn.result is not None]
    assert [result.session.version for result in results] == [0, 0, 1]
    assert results[-1].session.inputs == ["m1a", "m1b"]


def test_what_the_lost_attempt_said_never_leaves():
    turns = f"{RACE}\n- expect: {{sent: [{{text: Olá}}, {{text: Oi}}], stored: {{version: 2}}}}"
    assert not failures(turns, agent=TALKER)


def test_the_wakes_of_the_lost_attempt_are_not_scheduled():
    assert not failures(
        """
        - race: [{event: pago}, {event: oi}]
        - expect: {pending: [{$startsWith: uma#e1b}, {$startsWith: duas#e1a}]}
        """,
        agent=TIMER,
    )


def test_each_racer_has_an_id_of_its_own():
    record = played(
        "[{race: [{event: oi}, {start: hello}]}, {race: [{start: hello}, {event: oi}]}]"
    )
    runs = [
        started.run_id for turn in record.turns if turn.result for started in turn.result.started
    ]
    assert runs == ["hello#e1a", "hello#k1b", "hello#k1b", "hello#k2a", "hello#e2b", "hello#e2b"]


def test_a_racer_may_name_its_own_id():
    record = played("- race: [{event: oi, key: k}, {message: oi, id: x}]")
    assert [turn.input.get("key") for turn in record.turns] == ["k", None, None]
    assert record.turns[-1].input["id"] == "x"


def test_expectations_of_the_second_are_about_its_replay():
    assert not failures(
        """
        - race:
          - {event: oi, expect: {stored: {version: 1}, sent: [{text: Oi!}]}}
          - {event: oi, expect: {session: {version: 1}, stored: {version: 2}, sent: {$length: 2}}}
        """
    )


def test_a_wake_that_loses_is_judged_where_it_is_stale():
    turns = """
        - event: oi
        - advance: 1h
          fire: false
        - race:
          - {message: oi, expect: {outcomes: [{code: replied}]}}
          - wake: {flow: f}
            expect: {changed: false, outcomes: [{code: stale-wake}]}
          lost: {expect: {outcomes: [{code: no-reply}, {stepId: b}], replies: [Tchau]}}
        - expect: {sent: [], pending: []}
        """
    waits = flow("f", {"id": "a", "wait": "1h", "else": "end"}, say("Tchau", "b"))
    assert not failures(turns, agent=agent(waits))


def test_a_race_may_be_lost_by_a_message():
    turns = """
        - event: oi
        - race:
          - {wake: next, expect: {replies: [1h]}}
          - {message: um, expect: {runs: []}}
          lost: {expect: {runs: [{flowId: uma, status: waiting}]}}
        """
    record = played(turns, agent=TIMER)
    assert not record.failures
    assert times(record) == ["09:00", "10:00", "10:00", "10:00"]


def test_what_stands_beside_a_race_is_judged_when_both_are_done():
    race = "{race: [{event: oi}, {event: oi}], BLOCK}"
    assert not failures(
        f"- {race.replace('BLOCK', 'expect: {sent: [{}, {}], stored: {version: 2}}')}"
    )
    assert failures(f"- {race.replace('BLOCK', 'expect: {sent: []}')}")
    assert failures(f"- {race.replace('BLOCK', 'exactly: {sent: []}')}")


# --- no conflict --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    ["{message: um, id: velha}", '{wake: "uma#x:start:1"}', "{event: nada}"],
    ids=["duplicate", "stale", "nobody-listens"],
)
def test_a_first_that_changes_nothing_causes_no_conflict(first: str):
    record = played(
        f"""
        - {{message: zero, id: velha, silenced: humano}}
        - race:
          - {first}
          - {{message: dois, model: {{speak: {{message: Oi}}}}, expect: {{session: {{version: 1}}}}}}
        """,
        agent=TALKER,
    )
    assert not record.failures
    assert entries(record) == ["1", "2a", "2b"]


def test_a_first_that_raises_causes_no_conflict():
    judge = agent(flow("f", say("Oi"), on=[{"message": ["x"]}]), idle={"prompt": "Responda."})
    record = played(
        """
        - race:
          - message: um
            model: {understand: {fail: rate}}
            expect: {error: {kind: rate}}
          - {message: dois, model: {understand: {}, speak: {message: Oi}}}
        """,
        agent=judge,
    )
    assert not record.failures
    assert entries(record) == ["1a", "1b"]


def test_without_a_conflict_every_reply_must_be_used():
    turns = """
        - race:
          - {wake: x#1:a:1}
          - {message: dois, model: {speak: [{message: Oi}, {message: sobra}]}}
        """
    [(line, path, message)] = failures(turns, agent=TALKER)
    assert (line, path) == (5, "model")
    assert message.endswith("scripted replies that no call asked for: 1 speak")


def test_what_is_expected_of_a_lost_attempt_fails_when_nothing_is_lost():
    lost = "lost: {expect: {replies: [nunca]}}"
    assert failures(f"- {{race: [{{wake: x#1:a:1}}, {{event: oi}}], {lost}}}")


def test_a_second_that_is_ignored_saves_nothing_and_so_meets_no_conflict():
    record = played(
        "[{event: oi}, {race: [{event: oi}, {wake: 'f#1:a:1', expect: {changed: false}}]}]"
    )
    assert not record.failures
    assert len(record.turns) == 3


# --- what the lost attempt plays ----------------------------------------------------------------


def test_the_lost_attempt_plays_the_same_script_unless_it_has_its_own():
    turns = """
        - race:
          - {message: um, model: {speak: {message: Olá}}}
          - message: dois
            model: {speak: {message: Oi}}
            LOST
        """
    lost = "lost: {model: {speak: {message: perdido}}}"
    assert said(played(turns.replace("LOST", ""), agent=TALKER)) == [["Olá"], ["Oi"], ["Oi"]]
    assert said(played(turns.replace("LOST", lost), agent=TALKER))[1:] == [["perdido"], ["Oi"]]


JUDGES = agent(
    flow("f", {"id": "a", "prompt": "Fale."}, on=[{"message": ["x"], "repeat": "always"}]),
    flow("g", say("Oi!")),
    idle={"prompt": "Responda."},
)


def test_calls_that_the_lost_attempt_has_no_reply_for_get_a_neutral_one():
    record = played(
        """
        - race:
          - {event: oi}
          - {message: dois, model: {understand: {}, speak: {message: Oi}}}
          lost: {model: {}, expect: {calls: [understand, speak], replies: [{$any: true}]}}
        """,
        agent=JUDGES,
    )
    assert not record.failures
    assert said(record)[2] == ["Oi"]


def test_replies_that_the_lost_attempt_leaves_over_are_not_judged():
    assert not failures(
        """
        - race:
          - {event: oi}
          - {message: dois, model: {understand: {}, speak: {message: Oi}}}
          lost: {model: {understand: [{}, {}], speak: [{message: a}, {message: b}]}}
        """,
        agent=JUDGES,
    )


def test_the_replay_has_a_script_to_keep_to():
    turns = """
        - race:
          - {event: oi}
          - {message: dois, model: {understand: {}}}
        """
    [(line, path, message)] = failures(turns, agent=JUDGES)
    assert (line, path) == (5, "model")
    assert message.startswith("turn 1b (line 5): unscripted speak call")


def test_what_is_expected_of_the_lost_attempt_fails_at_its_own_line():
    turns = """
        - race:
          - {event: oi}
          - event: oi
            lost:
              expect: {replies: [Olá!]}
              exactly: {data: {a: 1}}
        """
    assert failures(turns) == [
        (7, "replies[0]", "it differs"),
        (8, "data.a", "it is not there"),
    ]


def test_the_first_is_judged_too():
    turns = """
        - race:
          - {event: oi, expect: {replies: [Olá!]}}
          - {message: dois, model: {speak: {message: sobra}}}
        """
    assert [line for line, _, _ in failures(turns)] == [4, 5]


def test_a_first_without_its_reply_is_named():
    turns = "- race:\n  - message: um\n  - {message: dois, model: {speak: {message: Oi}}}"
    [(line, path, message)] = failures(turns, agent=TALKER)
    assert (line, path) == (4, "model")
    assert message.startswith("turn 1a (line 4): unscripted speak call")


# --- what actions return ------------------------------------------------------------------------

COUNTED = agent(
    flow("f", do(), say("{{data.visto}}", "b")),
    actions={
        "agir": {"returns": [{"ok": True, "detail": n} for n in "123"], "set": {"visto": "sim"}}
    },
)


def details(record: Any) -> list[str]:
    lines = [line for turn in record.turns for line in turn.result.outcomes]
    return [line.detail for line in lines if line.step_id == "a"]


def test_the_lost_attempt_uses_up_no_results():
    record = played("[{race: [{event: oi}, {event: oi}]}, {event: oi}]", agent=COUNTED)
    assert details(record) == ["1", "2", "2", "3"]


def test_the_lost_attempt_uses_up_no_results_of_the_turn():
    record = played(
        """
        - race:
          - event: oi
          - event: oi
            actions: {agir: [{ok: true, detail: x}, {ok: true, detail: y}]}
        """,
        agent=COUNTED,
    )
    assert details(record) == ["1", "x", "x"]


def test_actions_run_on_both_attempts_under_the_same_key():
    record = played("- race: [{event: pago}, {event: oi}]", agent=ACTOR)
    keys = [[action.key for action in turn.actions] for turn in record.turns]
    assert keys == [[], ["f#e1b:a:1"], ["f#e1b:a:1"]]


# --- which session ------------------------------------------------------------------------------


def test_a_race_is_in_the_session_of_its_entry():
    record = played("- {session: b, race: [{event: oi}, {event: oi}]}")
    assert {turn.input["sessionId"] for turn in record.turns} == {"b"}


def test_a_racing_wake_is_of_the_session_of_the_race():
    record = played(
        """
        - {event: oi, session: a}
        - {advance: 1m}
        - {event: oi, session: b}
        - {session: b, race: [{wake: next}, {message: oi}]}
        - {session: a, expect: {pending: [{$any: true}]}}
        """,
        agent=TIMER,
    )
    assert not record.failures
    assert times(record)[2:] == ["10:01"] * 3


def test_a_race_without_its_wake_fails_and_plays_nothing():
    record = played("[{event: oi, session: b}, {race: [{message: oi}, {wake: next}]}]", agent=TIMER)
    [failure] = record.failures
    assert failure.message == "there is no wake in session s1 to fire"
    assert entries(record) == ["1"]


def test_times_in_a_race_are_those_of_its_turns():
    turns = '[{event: oi}, {race: [{message: "${now}"}, {wake: next}]}]'
    record = played(turns, agent=TIMER)
    assert record.turns[1].input["message"] == record.turns[1].now


def test_the_budget_counts_what_was_lost():
    turns = f"{RACE}\n- expect: {{}}"
    assert shown(turns, agent=TALKER, budget={"llmCalls": 2}) == [("budget.llmCalls", 2, 3)]
