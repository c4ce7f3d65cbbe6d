"""The conversation so far, as the model calls of each turn get it."""

from typing import Any

from tests.simulator.kit import played

HEAR = "model: {speak: [{toolCalls: [{tool: hear}]}, {message: Ouvi}]}"
"""Lets the model call the tool that writes down what history its call got."""


def heard(turns: str, **head: Any) -> list[list[str]]:
    """What was heard, by turn; entries say `HEAR` where it is to be written down."""
    text = turns.replace("HEAR", HEAR)
    record = played(text, agent="tests.simulator.kit:hearing", **head)
    assert not record.failures
    results = [turn.result for turn in record.turns if len(turn.calls) > 1]
    return [result.session.data["heard"] for result in results if result is not None]


def test_auto_is_what_was_said_without_the_message_of_the_turn():
    turns = """
        - {message: um, HEAR}
        - {message: dois, HEAR}
        - {message: três, HEAR}
        """
    first = ["user: um", "assistant: Ouvi"]
    second = ["user: dois", "assistant: Ouvi"]
    assert heard(turns) == [[], first, [*first, *second]]


def test_none_passes_nothing():
    turns = "[{message: um, HEAR}, {message: dois, history: none, HEAR}]"
    assert heard(turns) == [[], []]


def test_a_list_is_passed_as_it_is():
    turns = """
        - {message: um, HEAR}
        - message: dois
          history: [{role: user, content: outra}, {role: assistant, content: conversa}]
          HEAR
        """
    assert heard(turns)[1] == ["user: outra", "assistant: conversa"]


def test_a_scenario_says_what_holds_where_an_entry_says_nothing():
    turns = """
        - {message: um, history: auto, HEAR}
        - {message: dois, history: auto, HEAR}
        - {message: três, HEAR}
        - {message: quatro, history: null, HEAR}
        """
    own = [{"role": "user", "content": "a"}]
    assert heard(turns, history=own) == [[], ["user: um", "assistant: Ouvi"], ["user: a"], []]


def test_a_turns_own_list_is_not_kept():
    turns = """
        - message: um
          history: [{role: user, content: outra}]
          HEAR
        - {message: dois, HEAR}
        """
    assert heard(turns)[1] == ["user: um", "assistant: Ouvi"]


def test_each_session_has_its_own():
    turns = """
        - {message: um, session: a, HEAR}
        - {message: dois, session: b, HEAR}
        - {message: três, session: a, HEAR}
        """
    assert heard(turns)[1:] == [[], ["user: um", "assistant: Ouvi"]]


def test_times_in_a_list_are_those_of_the_turn():
    turns = """
        - advance: 1h
        - message: um
          history: [{role: user, content: "são ${now}"}]
          HEAR
        """
    assert heard(turns) == [["user: são 2026-01-05T10:00:00.000Z"]]


def test_times_in_the_list_of_the_scenario_are_those_of_the_turn():
    own = [{"role": "user", "content": "são ${now}"}]
    assert heard("[{advance: 1h}, {message: um, HEAR}]", history=own) == [
        ["user: são 2026-01-05T10:00:00.000Z"]
    ]


def test_what_the_customer_wrote_is_never_filled_in():
    turns = "[{message: '$${now}', model: {speak: {message: Oi}}}, {message: dois, HEAR}]"
    assert heard(turns) == [["user: ${now}", "assistant: Oi"]]


# --- what does not enter ------------------------------------------------------------------------


def test_a_message_that_was_ignored_does_not_enter():
    turns = """
        - {message: um, deliver: twice, model: {speak: {message: Oi}}}
        - {message: um, id: m1}
        - {message: dois, HEAR}
        """
    assert heard(turns) == [["user: um", "assistant: Oi"]]


def test_a_silenced_message_enters():
    turns = "[{message: um, silenced: humano}, {message: dois, HEAR}]"
    assert heard(turns) == [["user: um"]]


def test_what_a_crash_lost_does_not_enter():
    turns = """
        - {message: um, crash: before-save, model: {speak: {message: Oi}}}
        - {message: dois, crash: before-send, model: {speak: {message: Olá}}}
        - {message: três, HEAR}
        """
    spoken = ["user: um", "assistant: Oi", "user: dois", "assistant: Olá"]
    assert heard(turns) == [spoken]


# --- races --------------------------------------------------------------------------------------


def test_who_replays_knows_what_the_first_said():
    turns = """
        - {message: zero, model: {speak: {message: Oi}}}
        - race:
          - {message: um, model: {speak: {message: Olá}}}
          - {message: dois, HEAR}
        """
    lost, replayed = heard(turns)
    assert lost == ["user: zero", "assistant: Oi"]
    assert replayed == [*lost, "user: um", "assistant: Olá"]


def test_who_replays_knows_what_the_first_said_in_a_new_conversation():
    turns = """
        - race:
          - {message: um, model: {speak: {message: Olá}}}
          - {message: dois, HEAR}
        """
    assert heard(turns) == [[], ["user: um", "assistant: Olá"]]


# --- where a conversation stands at the start ---------------------------------------------------

SESSION = {
    "id": "s1",
    "v": 4,
    "version": 1,
    "data": {},
    "runs": [],
    "claims": {},
    "inputs": [],
    "metadata": {},
}
GIVEN = [{"role": "user", "content": "antes"}]


def test_a_given_history_is_what_was_said_so_far():
    turns = "[{message: um, HEAR}, {message: dois, HEAR}]"
    first, second = heard(turns, given={"session": SESSION, "history": GIVEN})
    assert first == ["user: antes"]
    assert second == ["user: antes", "user: um", "assistant: Ouvi"]


def test_a_given_history_needs_no_session():
    assert heard("- {message: um, HEAR}", given={"history": GIVEN}) == [["user: antes"]]
