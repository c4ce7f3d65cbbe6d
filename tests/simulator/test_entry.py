"""Turn entries: what each kind holds, and what is wrong with them."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from falai.words.turn import Anchor, HeldClaims, Silenced
from simulator.entry import read_entries
from simulator.load import Document, ScenarioFileError
from simulator.scenario import (
    AdvanceEntry,
    ClockEntry,
    EventEntry,
    ExpectEntry,
    FiredEntry,
    MessageEntry,
    RaceEntry,
    StartEntry,
    TurnEntry,
    WakeEntry,
)


def entry(text: str) -> TurnEntry:
    """Read one entry; its text begins in column 3 of line 1."""
    [made] = read_entries(Document(Path("s.yaml"), f"- {text}").spot)
    return made


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("message: oi", MessageEntry, {"text": "oi", "id": "m1"}),
        ("{message: no, id: x}", MessageEntry, {"text": "no", "id": "x"}),
        (
            "{message: oi, id: null, at: '${now-1m}'}",
            MessageEntry,
            {"text": "oi", "id": None, "at": "${now-1m}"},
        ),
        ("event: pago", EventEntry, {"name": "pago", "key": "e1", "hop": 0, "payload": UNSET}),
        (
            "{event: pago, key: k, hop: 2, payload: [1]}",
            EventEntry,
            {"name": "pago", "key": "k", "hop": 2, "payload": [1]},
        ),
        ("start: f", StartEntry, {"flow": "f", "key": "k1", "input": UNSET}),
        (
            "start: {flow: f, input: null, key: x, hop: 1}",
            StartEntry,
            {"flow": "f", "key": "x", "hop": 1, "input": None},
        ),
        ("{start: f, input: 3, key: x}", StartEntry, {"flow": "f", "key": "x", "input": 3}),
        ("wake: next", WakeEntry, {"key": None, "flow": None}),
        ("wake: {flow: f}", WakeEntry, {"key": None, "flow": "f"}),
        ("wake: f#1:a:2", WakeEntry, {"key": "f#1:a:2", "flow": None}),
        ("wake: silence:f:s1:2", WakeEntry, {"key": "silence:f:s1:2", "flow": None}),
        ("wake: '${now}'", WakeEntry, {"key": "${now}", "flow": None}),
        ("advance: 1.5h", AdvanceEntry, {"by_ms": 5_400_000, "fire": True, "fired": None}),
        ("{advance: 1d, fire: false}", AdvanceEntry, {"by_ms": 86_400_000, "fire": False}),
        ("{advance: 1d, fired: []}", AdvanceEntry, {"by_ms": 86_400_000, "fired": ()}),
        ("clock: 2026-01-06", ClockEntry, {"at": "2026-01-06"}),
        ("{clock: '${start}', back: true}", ClockEntry, {"at": "${start}", "back": True}),
        ("expect: {data: {a: 1}}", ExpectEntry, {"expect": {"data": {"a": 1}}}),
        ("exactly: {floor: null}", ExpectEntry, {"exactly": {"floor": None}}),
    ],
)
def test_kinds(text: str, kind: type, said: dict[str, Any]):
    made = entry(text)
    assert type(made) is kind
    assert {name: getattr(made, name) for name in said} == said


def test_what_may_stand_beside_any_of_them():
    made = entry(
        """message: oi
  session: s2
  context: {a: 1}
  anchors: {lead: {key: k}}
  claims: {active: ["a:b"]}
  silenced: {reason: r, understand: true, skip: true}
  history: none
  agent: b.yaml
  expect: {llmCalls: 1}
  exactly: {calls: []}
  note: why
  model: {speak: {message: a}}
  actions: {x: {ok: true}, y: [{failed: a}, null]}
  deliver: twice
  crash: before-send"""
    )
    assert isinstance(made, MessageEntry)
    assert (made.session, made.context, made.note) == ("s2", {"a": 1}, "why")
    assert made.anchors == {"lead": Anchor("k")}
    assert made.claims == HeldClaims(active=("a:b",))
    assert made.silenced == Silenced("r", understand=True, skip=True)
    assert made.history == "none"
    assert made.agent is not None
    assert made.agent.value == "b.yaml"
    assert (made.expect, made.exactly) == ({"llmCalls": 1}, {"calls": []})
    assert [reply.envelope for reply in made.model.speak] == [{"message": "a"}]
    assert made.actions == {"x": ({"ok": True},), "y": ({"failed": "a"}, None)}
    assert (made.deliver, made.crash) == ("twice", "before-send")


def test_null_turns_a_default_off():
    made = entry("{message: oi, anchors: null, claims: null, silenced: null, history: null}")
    assert (made.anchors, made.claims, made.silenced) == ({}, HeldClaims(), None)
    assert made.history == "none"


def test_a_history_of_its_own_is_read():
    made = entry("{message: oi, history: auto}")
    assert made.history == "auto"


def test_a_fired_wake_knows_what_its_entry_knows():
    made = entry(
        """advance: 1d
  context: {a: 1}
  silenced: humano
  fired:
  - model: {speak: {message: a}}
  - {silenced: null, exactly: {calls: []}}"""
    )
    assert isinstance(made, AdvanceEntry)
    assert made.fired is not None
    first, second = made.fired
    assert isinstance(first, FiredEntry)
    assert (first.number, second.number) == (1, 2)
    assert (first.context, first.silenced) == ({"a": 1}, Silenced("humano"))
    assert (second.context, second.silenced) == ({"a": 1}, None)
    assert second.exactly == {"calls": []}
    assert second.path == (0, "fired", 1)


def test_a_race_has_ids_of_its_own_and_one_session():
    made = entry(
        """race:
  - {message: a}
  - {event: b, context: null, lost: {model: {speak: {message: x}}, expect: {calls: []}}}
  session: s2
  context: {a: 1}"""
    )
    assert isinstance(made, RaceEntry)
    first, second = made.first, made.second
    assert isinstance(first, MessageEntry)
    assert isinstance(second, EventEntry)
    assert (first.id, second.key) == ("m1a", "e1b")
    assert (first.session, second.session) == ("s2", "s2")
    assert (first.context, second.context) == ({"a": 1}, None)
    assert made.lost is not None
    assert made.lost.model is not None
    assert made.lost.model.speak[0].envelope == {"message": "x"}
    assert made.lost.expect == {"calls": []}


def test_lost_may_stand_beside_the_race():
    made = entry("{race: [{message: a}, {message: b}], lost: {expect: {calls: []}}}")
    assert isinstance(made, RaceEntry)
    assert made.lost is not None
    assert made.lost.model is None


_KINDS = "message, event, start, wake, advance, clock, race, expect"
_DURATION = "Write a number and one of s m h d, such as 30s, 1.5h or 2d."
_TIME = "Write a UTC time such as 2026-01-05T09:00:00Z."
_CUT = "If it belongs to the text before it, put that text in quotes."
_FIRED = "It says how one wake went; which one fires is up to the clock."

MISTAKES = [
    (
        "3",
        "3: [0] must be a mapping, not the number 3. Write it as a mapping such as {message: oi}.",
    ),
    ("{mesage: oi}", '4: unknown key "mesage". Did you mean "message"?'),
    ("{message: oi, evnt: x}", '17: unknown key "evnt". Did you mean "event"?'),
    (
        "{message: oi, qqq: x}",
        '17: unknown key "qqq". Write one of: message, id, at, session, '
        "context, anchors, claims, silenced, history, agent, expect, exactly, note, model, "
        "actions, deliver, crash.",
    ),
    (
        "{message: oi, event: x}",
        "17: an entry does one thing, and this one has both message and "
        "event. Write two entries, one after the other.",
    ),
    ("{session: s1}", f"3: this entry does not say what happens. Add one of: {_KINDS}."),
    ("{}", f"3: this entry does not say what happens. Add one of: {_KINDS}."),
    ("message: 30", "12: message must be text, not the number 30. Put it in quotes."),
    ("message: true", "12: message must be text, not true. Put it in quotes."),
    ("message:", "11: message must be text, not null."),
    (
        "{message: Oi, tudo bem?}",
        '17: unknown key "tudo bem?". Write one of: message, id, at, session, '
        "context, anchors, claims, silenced, history, agent, expect, exactly, note, model, "
        f"actions, deliver, crash. {_CUT}",
    ),
    ("{message: Oi, evnt}", f'17: unknown key "evnt". Did you mean "event"? {_CUT}'),
    (
        "{message: Oi, start}",
        "17: an entry does one thing, and this one has both message and start. "
        f"Write two entries, one after the other. {_CUT}",
    ),
    ("{message: Oi, key}", f'17: "key" does not go with message. Did you mean "id"? {_CUT}'),
    ("{message: oi, replies: [a]}", '17: unknown key "replies". Write it inside expect.'),
    ("{message: oi, messages: [a]}", '17: unknown key "messages". Did you mean "message"?'),
    ("{message: oi, speak: {}}", '17: unknown key "speak". Write it inside model.'),
    ("{floor: null}", '4: unknown key "floor". Write it inside expect.'),
    ("{message: a, key: k}", '16: "key" does not go with message. Did you mean "id"?'),
    ("{message: a, payload: 1}", '16: "payload" does not go with message. It belongs to event.'),
    ("{message: a, input: 1}", '16: "input" does not go with message. It belongs to start.'),
    (
        "{message: a, hop: 1}",
        '16: "hop" does not go with message. It belongs to event and start.',
    ),
    ("{message: a, fired: []}", '16: "fired" does not go with message. It belongs to advance.'),
    ("{event: a, id: b}", '14: "id" does not go with event. Did you mean "key"?'),
    ("{event: a, input: 1}", '14: "input" does not go with event. Did you mean "payload"?'),
    ("{event: a, at: b}", '14: "at" does not go with event. It belongs to message.'),
    ("{event: a, fired: []}", '14: "fired" does not go with event. It belongs to advance.'),
    ("{event: a, fire: false}", '14: "fire" does not go with event. It belongs to advance.'),
    ("{event: a, back: true}", '14: "back" does not go with event. It belongs to clock.'),
    ("{start: a, id: b}", '14: "id" does not go with start. Did you mean "key"?'),
    ("{start: a, payload: 1}", '14: "payload" does not go with start. Did you mean "input"?'),
    (
        "{wake: next, key: b}",
        '16: "key" does not go with wake. Write the key itself: wake: <key>.',
    ),
    ("{wake: next, id: b}", '16: "id" does not go with wake. Write the key itself: wake: <key>.'),
    (
        "{clock: 2026-01-01, fire: false}",
        '23: "fire" does not go with clock. It belongs to advance.',
    ),
    (
        "{message: a, lost: {}}",
        '16: "lost" does not go with message. Only the second entry of a race loses an attempt.',
    ),
    ("{message: a, id: 4}", "20: id must be text, not the number 4. Put it in quotes."),
    ("{message: a, at: ontem}", f'20: at is no time: the text "ontem". {_TIME}'),
    ("{message: a, deliver: once}", '25: deliver cannot be the text "once". Write twice.'),
    (
        "{message: a, crash: before-saving}",
        '23: crash cannot be the text "before-saving". Did you mean "before-save"?',
    ),
    ("{message: a, session: 3}", "25: session must be text, not the number 3. Put it in quotes."),
    (
        "{message: a, silenced: true}",
        "26: silenced must be a reason, or a mapping with one, not true.",
    ),
    ("{message: a, silenced: {skip: true}}", "26: silenced has no reason. Add reason."),
    (
        "{message: a, silenced: {reason: x, skipp: true}}",
        '38: unknown key "skipp". Did you mean "skip"?',
    ),
    ("{message: a, anchors: {lead: x}}", '32: lead must be a mapping, not the text "x".'),
    ("{message: a, anchors: {lead: {}}}", "32: lead has no key. Add key."),
    ("{message: a, claims: {held: {x: y}}}", f'35: x is no time: the text "y". {_TIME}'),
    ("{message: a, claims: {active: x}}", '33: active must be a list, not the text "x".'),
    ("{message: a, history: all}", "25: history must be auto, none or a list of messages."),
    (
        "{message: a, history: [{role: bot, content: a}]}",
        '33: role cannot be the text "bot". Write one of: user, assistant, tool, system.',
    ),
    ("{message: a, history: [{role: user}]}", "26: history[0] has no content. Add content."),
    ("{event: a, hop: -1}", "19: hop must be a whole number, 0 or more, not the number -1."),
    ("{event: a, key: null}", "19: key must be text, not null."),
    ("{start: {flow: a}, key: b}", "22: key cannot stand beside start. Write it inside start."),
    ("start: {flw: a}", '11: unknown key "flw". Did you mean "flow"?'),
    ("start: {key: a}", "10: start has no flow. Add flow."),
    ("wake: nxt", '9: wake cannot be the text "nxt". Did you mean "next"?'),
    ("wake: Next", '9: wake cannot be the text "Next". Did you mean "next"?'),
    (
        "wake: triagem",
        '9: wake cannot be the text "triagem". '
        "Write next, {flow: id}, or a whole key such as triagem#m1:espera:1767607200000.",
    ),
    (
        "race: [{message: a}, {wake: nxt}]",
        '31: wake cannot be the text "nxt". Did you mean "next"?',
    ),
    ("wake: 3", "9: wake must be text, not the number 3. Put it in quotes."),
    ("wake: {flw: a}", '10: unknown key "flw". Did you mean "flow"?'),
    ("advance: 3", f"12: advance is no duration: the number 3. {_DURATION}"),
    ("advance: 3 dias", f'12: advance is no duration: the text "3 dias". {_DURATION}'),
    (
        "{advance: 3d, model: {}}",
        '17: "model" does not go with advance. '
        "Write it in an entry of fired: each wake that fires has its own.",
    ),
    (
        "{advance: 3d, fire: false, fired: []}",
        "30: nothing fires with fire: false. Remove one of them.",
    ),
    ("{advance: 3d, fired: [{message: x}]}", f'26: "message" does not go in fired. {_FIRED}'),
    ("{advance: 3d, fired: [{session: x}]}", f'26: "session" does not go in fired. {_FIRED}'),
    (
        "{advance: 3d, fired: [{agent: b.yaml}]}",
        '26: "agent" does not go in fired. Write it beside advance: it holds from there on.',
    ),
    (
        "race: [{message: a}, {message: b, agent: c.yaml}]",
        '37: "agent" does not go in a race. Write it beside race: it holds from there on.',
    ),
    (
        "{advance: 3d, fired: [{back: true}]}",
        '26: "back" does not go in fired. It belongs to clock.',
    ),
    (
        "{advance: 3d, fired: [{lost: {}}]}",
        '26: "lost" does not go in fired. Only the second entry of a race loses an attempt.',
    ),
    (
        "{advance: 3d, fired: [{replies: []}]}",
        '26: unknown key "replies". Write it inside expect.',
    ),
    (
        "{advance: 3d, crash: before-save}",
        '17: "crash" does not go with advance. '
        "Write it in an entry of fired: each wake that fires has its own.",
    ),
    ("{advance: 3d, fired: [{modl: x}]}", '26: unknown key "modl". Did you mean "model"?'),
    ("{advance: 3d, fired: [x]}", '25: fired[0] must be a mapping, not the text "x".'),
    ("clock: amanhã", f'10: clock is no time: the text "amanhã". {_TIME}'),
    ("{clock: 2026-01-01, back: sim}", '29: back must be true or false, not the text "sim".'),
    (
        "{clock: 2026-01-01, model: {}}",
        '23: "model" does not go with clock. '
        "Nothing is played in this entry: add what happens, such as message.",
    ),
    (
        "race: [{message: a}]",
        "9: a race has 2 entries, not 1. "
        "Write the one that saves first, then the one that replays.",
    ),
    (
        "race: [{message: a}, {advance: 1d}]",
        "25: a race is between two inputs, and advance is none. Use message, event, start, wake.",
    ),
    (
        "race: [{message: a, lost: {}}, {message: b}]",
        "23: the first entry of a race never loses. Write lost in the second.",
    ),
    (
        "race: [{message: a, crash: before-save}, {message: b}]",
        '23: "crash" does not go in a race. Test one fault at a time.',
    ),
    (
        "{race: [{message: a}, {message: b}], deliver: twice}",
        '40: "deliver" does not go with race. Test one fault at a time.',
    ),
    (
        "race: [{message: a}, {event: b, id: c}]",
        '35: "id" does not go with event. Did you mean "key"?',
    ),
    (
        "race: [{message: a}, {message: b, lost: {models: 1}}]",
        '44: unknown key "models". Did you mean "model"?',
    ),
    (
        "{race: [{message: a}, {message: b}], model: {}}",
        '40: "model" does not go with race. Write it in one of the two entries of the race.',
    ),
    (
        "{expect: {}, actions: {}}",
        '16: "actions" does not go with expect. '
        "Nothing is played in this entry: add what happens, such as message.",
    ),
    (
        "{clock: 2026-01-01, deliver: twice}",
        '23: "deliver" does not go with clock. '
        "Nothing is played in this entry: add what happens, such as message.",
    ),
    (
        "{expect: {}, model: {}}",
        '16: "model" does not go with expect. '
        "Nothing is played in this entry: add what happens, such as message.",
    ),
    ("expect: []", "11: expect must be a mapping, not a list."),
    ("expect: {dta: {}}", '12: unknown key "dta". Did you mean "data"?'),
    ("{message: a, actions: {x: []}}", "29: x must have a result in its list. Write {ok: true}."),
    (
        "{message: a, actions: {x: {throw: 3}}}",
        "37: throw must be text, not the number 3. Put it in quotes.",
    ),
    (
        "{message: a, actions: {x: [{throw: a, ok: true}]}}",
        "41: ok cannot stand beside throw. What raises returns nothing.",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes(text: str, message: str):
    with pytest.raises(ScenarioFileError) as caught:
        entry(text)
    assert str(caught.value) == f"s.yaml:1:{message}"


@pytest.mark.parametrize(
    "text",
    [
        "{message: '${nwo}'}",
        "{message: a, context: {b: '${nwo}'}}",
        "{event: a, payload: '${nwo}'}",
        "{message: a, model: {speak: {message: '${nwo}'}}}",
        "{message: a, actions: {x: {ok: true, detail: '${nwo}'}}}",
        "{advance: 1d, fired: [{expect: {replies: ['${nwo}']}}]}",
        "race: [{message: a}, {message: b, lost: {expect: {replies: ['${nwo}']}}}]",
    ],
)
def test_expressions_are_checked_in_every_value(text: str):
    with pytest.raises(ScenarioFileError, match='unknown name "nwo"'):
        entry(text)


def test_an_agent_and_a_note_hold_no_expressions():
    made = entry("{message: a, note: '${nwo}', agent: {persona: '${nwo}'}}")
    assert made.note == "${nwo}"
