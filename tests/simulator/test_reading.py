"""The scenario itself: its keys, its matrix, and what is wrong with them."""

import msgspec
import pytest

from falai.words.turn import Anchor, HeldClaims, Silenced
from simulator.load import Place, ScenarioFileError, load_document
from simulator.reading import is_scenario, read_scenario
from simulator.scenario import (
    Budget,
    EventEntry,
    ExpectEntry,
    Given,
    MessageEntry,
    PendingWake,
    Scenario,
    StartEntry,
)

HEAD = "scenario: t\nagent: {name: A}\n"


@pytest.fixture
def read(write):
    """Read the scenarios of a text that follows a title and an agent."""

    def make(text: str, head: str = HEAD) -> list[Scenario]:
        return read_scenario(load_document(write("s.yaml", head + text)))

    return make


def test_defaults(read):
    [scenario] = read("turns: [expect: {}]")
    assert scenario.title == "t"
    assert scenario.agent.value == {"name": "A"}
    assert (scenario.clock, scenario.session) == ("2026-01-05T09:00:00Z", "s1")
    assert (scenario.context, scenario.anchors, scenario.claims) == ({}, {}, HeldClaims())
    assert (scenario.silenced, scenario.history) == (None, "auto")
    assert (scenario.store, scenario.provider) == ("memory", "scripted")
    assert (scenario.given, scenario.budget) == (Given(), Budget())
    assert (scenario.stubs, scenario.matrix, scenario.tags) == (None, {}, ())
    assert (scenario.expressions, len(scenario.turns)) == (False, 1)


def test_every_key(read):
    [scenario] = read(
        """
description: d
tags: [a, b]
stubs: {actions: {x: {}}}
clock: 2026-03-29T00:30:00Z
session: s9
context: {lead: {owner: ai}}
anchors: {lead: {key: k, lastInboundAt: 2026-01-01T00:00:00Z}}
claims: {held: {"a:b:": 2026-01-01T00:00:00Z}, active: ["a:b"]}
silenced: humano
history: [{role: user, content: oi}]
store: sqlite:///x.db
provider: {model: openai/x, cassette: c, temperature: 0}
given: {session: {id: s9}, pending: [{key: w, at: 2026-03-29T01:00:00Z}], history: []}
budget: {llmCalls: 3, perTurn: 2, promptTokens: 10, completionTokens: 5, costUsd: 0.5}
turns: [{message: "${now}"}]
"""
    )
    assert (scenario.description, scenario.tags) == ("d", ("a", "b"))
    assert scenario.stubs is not None
    assert scenario.stubs.value == {"actions": {"x": {}}}
    assert (scenario.clock, scenario.session) == ("2026-03-29T00:30:00Z", "s9")
    assert scenario.context == {"lead": {"owner": "ai"}}
    assert scenario.anchors == {"lead": Anchor("k", "2026-01-01T00:00:00Z")}
    assert scenario.claims == HeldClaims({"a:b:": "2026-01-01T00:00:00Z"}, ("a:b",))
    assert scenario.silenced == Silenced("humano")
    assert scenario.history == ({"role": "user", "content": "oi"},)
    assert scenario.store == "sqlite:///x.db"
    assert scenario.provider == {"model": "openai/x", "cassette": "c", "temperature": 0}
    assert scenario.given.session is not None
    assert scenario.given.session.value == {"id": "s9"}
    assert scenario.given.pending == (PendingWake("w", "2026-03-29T01:00:00Z"),)
    assert scenario.budget == Budget(
        llm_calls=3, per_turn=2, prompt_tokens=10, completion_tokens=5, cost_usd=0.5
    )
    assert scenario.expressions


def test_a_race_runs_in_the_scenarios_session_unless_both_say_another(read):
    [scenario] = read(
        "session: s2\nturns:\n- race: [{message: a, session: s2}, {message: b}]\n"
        "- race: [{message: a, session: x}, {message: b, session: x}]"
    )
    assert len(scenario.turns) == 2


def test_a_session_from_a_file_keeps_its_own_places(read, write):
    write("sessions/a.json", '{\n "id": "s1"}')
    [scenario] = read("turns: [message: a]\ngiven: {session: sessions/../sessions/a.json}")
    assert scenario.given.session is not None
    assert scenario.given.session.at("id").place() == Place("sessions/a.json", 2, 8)


def test_numbers_and_default_ids(read):
    [scenario] = read(
        "turns: [{message: a}, {event: b}, {start: c}, {message: d, id: null}, {expect: {}}]"
    )
    message, event, start, without, look = scenario.turns
    assert isinstance(message, MessageEntry)
    assert isinstance(event, EventEntry)
    assert isinstance(start, StartEntry)
    assert isinstance(without, MessageEntry)
    assert isinstance(look, ExpectEntry)
    assert (message.id, event.key, start.key, without.id) == ("m1", "e2", "k3", None)
    assert [entry.number for entry in scenario.turns] == [1, 2, 3, 4, 5]
    assert scenario.turns[3].path == ("turns", 3)
    assert str(scenario.turns[1].place) == "s.yaml:3:23"


def test_json_that_is_nested_too_deeply(write):
    deep = "[" * 700 + '"${now}"' + "]" * 700
    text = f'{{"scenario": "t", "agent": "a", "turns": [{{"message": "a", "context": {deep}}}]}}'
    with pytest.raises(ScenarioFileError, match=r"^s\.json:1:1: the file is nested too deeply\."):
        read_scenario(load_document(write("s.json", text)))


def test_a_json_file_is_a_scenario_too(write):
    text = '{"scenario": "t", "agent": "a.yaml", "turns": [{"message": "oi"}]}'
    document = load_document(write("s.json", text))
    assert is_scenario(document)
    [scenario] = read_scenario(document)
    assert scenario.agent.value == "a.yaml"


# --- the matrix ---------------------------------------------------------------------------------


def test_a_matrix_makes_one_scenario_of_each_combination(read):
    scenarios = read(
        """
context: {lead: {owner: nobody, name: Ana}}
matrix: {clock: [2026-03-29T00:30:00Z, 2024-02-28T23:50:00Z], context.lead.owner: [ai, 3]}
turns: [{message: oi}]
"""
    )
    assert [scenario.title for scenario in scenarios] == [
        "t [clock=2026-03-29T00:30:00Z, context.lead.owner=ai]",
        "t [clock=2026-03-29T00:30:00Z, context.lead.owner=3]",
        "t [clock=2024-02-28T23:50:00Z, context.lead.owner=ai]",
        "t [clock=2024-02-28T23:50:00Z, context.lead.owner=3]",
    ]
    assert scenarios[3].clock == "2024-02-28T23:50:00Z"
    assert scenarios[3].context == {"lead": {"owner": 3, "name": "Ana"}}
    assert scenarios[3].matrix == {"clock": "2024-02-28T23:50:00Z", "context.lead.owner": 3}
    assert scenarios[0].turns is scenarios[3].turns


def test_a_matrix_may_make_up_what_it_varies(read):
    scenarios = read(
        "matrix: {silenced: [null, humano], context.a.b: [{c: 1}], agent: [x.yaml]}\n"
        "turns: [message: a]"
    )
    assert [scenario.silenced for scenario in scenarios] == [None, Silenced("humano")]
    assert scenarios[0].context == {"a": {"b": {"c": 1}}}
    assert scenarios[0].title == 't [silenced=null, context.a.b={"c": 1}, agent=x.yaml]'
    assert str(scenarios[0].agent.place()) == "s.yaml:3:67"


def test_values_of_a_matrix_are_shown_so_that_they_can_be_told_apart(read):
    scenarios = read(
        'matrix: {context.lead.nome: ["", " ", "3", 3, "null", null, "não", a b]}\n'
        "turns: [message: a]"
    )
    shown = ('""', '" "', '"3"', "3", '"null"', "null", "não", "a b")
    assert [scenario.title for scenario in scenarios] == [
        f"t [context.lead.nome={value}]" for value in shown
    ]


# --- a session that is given --------------------------------------------------------------------


def test_a_given_session_is_the_one_that_is_played(read, write):
    write("sessions/a.json", '{"id": "5511"}')
    for given in ("sessions/a.json", "{id: '5511'}"):
        [scenario] = read(f"given: {{session: {given}}}\nturns: [message: a]")
        assert scenario.session == "5511"


def test_a_given_session_may_be_named_once_more(read):
    [scenario] = read("session: s9\ngiven: {session: {id: s9}}\nturns: [message: a]")
    assert scenario.session == "s9"


def test_a_given_session_without_an_id_is_that_of_the_scenario(read):
    [scenario] = read("session: s9\ngiven: {session: {}}\nturns: [message: a]")
    assert scenario.session == "s9"


def test_a_race_is_over_the_session_that_is_given(read):
    [scenario] = read(
        "given: {session: {id: s9}}\nturns: [race: [{message: a, session: s9}, {message: b}]]"
    )
    assert scenario.session == "s9"


# --- mistakes -----------------------------------------------------------------------------------

_SHAPE = "Write now or start, with durations added or taken: ${now+24h}, ${ms(start-5m)}."

MISTAKES = [
    (
        "turns: []",
        "3:8: turns has no entries. Write what happens: a scenario without entries tests nothing.",
    ),
    (
        "turns: [message: a]\nsession: s2\ngiven: {session: {id: s9}}",
        '4:10: session is "s2", and the given session has the id "s9". '
        "Leave session out, or write that id.",
    ),
    (
        "turns: [message: a]\ngiven: {session: {id: s9}}\nmatrix: {session: [s9, s2]}",
        '5:24: session is "s2", and the given session has the id "s9". '
        "Leave session out, or write that id.",
    ),
    (
        "turns: [message: a]\nmodel: {}",
        '4:1: unknown key "model". Write it in an entry of turns.',
    ),
    (
        "turns: [message: a]\nbudget: {llmCalls: 3, tokens}",
        '4:23: unknown key "tokens". Did you mean "promptTokens"? '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "turns: [{message: a, context: {nome: Ana, a chefe, idade: 3}}]",
        '3:43: the key "a chefe" has no value. Give it one, such as null. '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "turns: [{message: a, model: {speak: {message: Oi, tudo bem?}}}]",
        '3:51: the key "tudo bem?" has no value. Give it one, such as null. '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "turns: [{message: a, agent: b.yaml}]\nmatrix: {given: [{history: [], sesion}]}",
        '4:32: unknown key "sesion". Did you mean "session"? '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    ("turns: 3", "3:8: turns must be a list, not the number 3."),
    ("", "1:1: the file has no turns. Add turns."),
    ("turn: []", '3:1: unknown key "turn". Did you mean "turns"?'),
    ("turns: []\nzzz: 1", None),
    ("turns: []\ntags: a", '4:7: tags must be a list, not the text "a".'),
    ("turns: []\ndescription: [a]", "4:14: description must be text, not a list."),
    (
        "turns: []\nstore: redis",
        '4:8: store cannot be the text "redis". Write memory, sqlite or a store URL.',
    ),
    (
        "turns: []\nprovider: openai",
        '4:11: provider cannot be the text "openai". Write scripted, offline or {model: …}.',
    ),
    ("turns: []\nprovider: {cassette: x}", "4:11: provider has no model. Add model."),
    (
        "turns: []\nprovider: {model: x, cassette: 1}",
        "4:32: cassette must be text, not the number 1. Put it in quotes.",
    ),
    (
        "turns: []\nprovider: {model: x, api_key: y}",
        "4:22: api_key does not belong in a file. "
        "Remove it: keys come from the environment, never from a file.",
    ),
    (
        "turns: []\nbudget: {calls: 3}",
        '4:10: unknown key "calls". Did you mean "llmCalls"?',
    ),
    (
        "turns: []\nbudget: {llmCalls: 1.5}",
        "4:20: llmCalls must be a whole number, 0 or more, not the number 1.5.",
    ),
    (
        "turns: []\nbudget: {costUsd: -1}",
        "4:19: costUsd must be a number, 0 or more, not the number -1.",
    ),
    (
        "turns: []\ngiven: {session: a.json}",
        "4:18: there is no file a.json. "
        "A path is read from the folder of the file in which it stands.",
    ),
    (
        "turns: []\ngiven: {session: [1]}",
        "4:18: session must be a mapping, not a list. "
        "Write a stored session, or the path of a file that holds one.",
    ),
    ("turns: []\ngiven: {pending: [{key: a}]}", "4:19: pending[0] has no at. Add at."),
    (
        "turns: []\ngiven: {pendin: []}",
        '4:9: unknown key "pendin". Did you mean "pending"?',
    ),
    (
        "turns: []\nmatrix: {clok: [a]}",
        '4:10: unknown key "clok" in the matrix. Did you mean "clock"?',
    ),
    (
        "turns: []\nmatrix: {turns: [[]]}",
        "4:10: a matrix cannot vary turns. It can vary agent, stubs, clock, session, context, "
        "anchors, claims, silenced, history, store, provider, given, budget.",
    ),
    ("turns: []\nmatrix: {clock: a}", '4:17: clock must be a list, not the text "a".'),
    (
        "turns: []\nmatrix: {clock: []}",
        "4:17: clock has no values. List the values that it takes.",
    ),
    (
        "turns: []\nmatrix: {clock: [2026-01-01, amanhã]}",
        '4:30: clock is no time: the text "amanhã". Write a UTC time such as 2026-01-05T09:00:00Z.',
    ),
    (
        "turns: []\nclock: 2026-01-01\nmatrix: {clock.x: [1]}",
        "5:20: clock.x leads through something that is no mapping. "
        "Vary the whole of it, or make it a mapping.",
    ),
    (
        "turns: []\nmatrix: {given.pendin: [[]]}",
        '4:25: unknown key "pendin". Did you mean "pending"?',
    ),
    ("turns: []\ntags: a\nmatrix: {session: [x]}", '4:7: tags must be a list, not the text "a".'),
    (
        "session: s2\nturns:\n- race: [{message: a, session: s1}, {message: b}]",
        '5:37: a race is over one session, and these are "s1" and "s2". '
        "Give both entries the same session.",
    ),
    ("turns: []\nclock: 3", "4:8: clock must be text, not the number 3. Put it in quotes."),
    (
        'turns: []\ncontext: {a: "${nwo}"}',
        f'4:14: unknown name "nwo" in an expression. Did you mean "now"? {_SHAPE}',
    ),
    (
        'turns: []\nmatrix: {session: ["x"], context.a: ["${nwo}"]}',
        f'4:38: unknown name "nwo" in an expression. Did you mean "now"? {_SHAPE}',
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes(read, text: str, message: str | None):
    with pytest.raises(ScenarioFileError) as caught:
        read(text)
    if message is None:
        message = (
            '4:1: unknown key "zzz". Write one of: scenario, description, tags, agent, stubs, '
            "clock, session, context, anchors, claims, silenced, history, store, provider, "
            "given, budget, script, promises, matrix, turns."
        )
    assert str(caught.value) == f"s.yaml:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scenaro: x", '1:1: unknown key "scenaro". Did you mean "scenario"?'),
        (
            "name: x",
            "1:1: this is no scenario: it has no scenario key. Begin it with a title, scenario: …",
        ),
        (
            "- x",
            "1:1: the file must be a mapping, not a list. Begin it with a title, scenario: …",
        ),
        ("scenario: ' '\nagent: a\nturns: []", "1:11: the title is empty. "),
        ("scenario:\nagent: a\nturns: []", "1:10: scenario must be text, not null."),
        ("scenario: x\nturns: []", "1:1: the file has no agent. Add agent."),
    ],
)
def test_no_scenario(read, text: str, message: str):
    with pytest.raises(ScenarioFileError) as caught:
        read(text, head="")
    assert str(caught.value).startswith(f"s.yaml:{message}")


def test_unset_and_null_are_told_apart(read):
    [scenario] = read(
        "turns: [{event: a}, {event: a, payload: null, context: null, silenced: null}]"
    )
    plain, nulls = scenario.turns
    assert isinstance(plain, EventEntry)
    assert isinstance(nulls, EventEntry)
    unset = msgspec.UNSET
    assert (plain.payload, plain.context, plain.silenced) == (unset, unset, unset)
    assert (nulls.payload, nulls.context, nulls.silenced) == (None, None, None)
