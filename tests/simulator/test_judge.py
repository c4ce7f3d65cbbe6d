"""What an expectation may look at, and what is said of one that does not hold."""

from pathlib import Path
from typing import Any

import pytest

from simulator.judge import Seen, judge
from simulator.load import Document
from simulator.matchers import BLOCK_KEYS
from tests.simulator.kit import agent, do, failures, flow, played, say, shown

EVERYTHING = agent(
    flow(
        "f",
        do() | {"with": {"a": "{{data.nome}}", "b": [1, "{{input.x}}"]}},
        say("Oi, {{data.nome}}!", "b"),
        {"id": "c", "collect": ["idade"], "prompt": "Pergunte a idade."},
        on=[{"message": ["quer entrar"]}],
    ),
    flow("depois", say("Depois!"), on=[{"event": "oi", "after": "1h"}]),
    flow("g", {"id": "a", "prompt": "Fale."}, on=[{"message": ["outro"]}]),
    persona="Você é a Ana.",
    idle={"prompt": "Responda."},
    fields={
        "nome": {"type": "string", "ask": "Pergunte."},
        "idade": {"type": "integer", "ask": "Pergunte."},
    },
    actions={"agir": {"parameters": {"a": {"type": "string"}, "b": {"type": "array"}}}},
    tools=[
        {"id": name, "description": "", "parameters": {"type": "object", "properties": {}}}
        for name in ("busca", "grava")
    ],
)
TURN = """
- event: oi
- start: {flow: f, input: {x: y}}
  context: {a: 1}
  model: {speak: [{toolCalls: [{tool: busca}]}, {message: Quantos anos?, usage: {promptTokens: 3}}]}
"""


def differing(keys: str, block: str = "expect") -> list[tuple[str, Any, Any]]:
    """What does not hold of a block after the turn."""
    return shown(f"{TURN}  {block}: {keys}", agent=EVERYTHING)


# --- views --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        '{replies: ["Oi, {{data.nome}}!", Quantos anos?]}',
        "{messages: [{kind: verbatim, stepId: b}, {kind: ai, stepId: c, key: 'f#k2:c:1'}]}",
        "{data: {nome: null, idade: {$absent: true}}}",
        "{runs: [{flowId: depois, status: waiting}, {flowId: f, status: asking, asked: {idade: 1}}]}",
        "{floor: f}",
        "{calls: [speak, speak]}",
        "{actions: [{do: agir, with: {a: '{{data.nome}}', b: [1, y]}, key: 'f#k2:a:1'}]}",
        "{prompts: {speak: {$contains: [Você é a Ana., Pergunte a idade.]}, understand: null}}",
        "{tools: [busca, grava]}",
        "{error: null}",
        "{sent: [{text: {$startsWith: Oi}, kind: verbatim, sessionId: s1, at: '${now}'}, {kind: ai}]}",
        "{pending: ['depois#e1:start:${ms(now+1h)}']}",
        "{stored: {version: 2, id: s1}}",
        "{session: {version: 1, id: s1}}",
        "{llmCalls: 2, usage: {promptTokens: 3, completionTokens: 0}}",
        "{changed: true, started: [{flowId: f}], ended: [], skipped: [], schedule: []}",
        "{outcomes: {$length: 3}}",
    ],
    ids=lambda keys: keys[1:].partition(":")[0],
)
def test_views(keys: str):
    assert differing(keys) == []


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        ("{replies: [x, y]}", ["replies[0]", "replies[1]"]),
        ("{data: {nome: Ana}}", ["data.nome"]),
        ("{runs: [{}, {status: waiting}]}", ["runs[1].status"]),
        ("{floor: null}", ["floor"]),
        ("{calls: [speak, understand]}", ["calls[1]"]),
        ("{actions: [{do: x, with: {b: [1]}}]}", ["actions[0].do", "actions[0].with.b[1]"]),
        ("{prompts: {speak: {$contains: Bia}}}", ["prompts.speak"]),
        ("{tools: [busca]}", ["tools[1]"]),
        ("{sent: [{at: x}, {}]}", ["sent[0].at"]),
        ("{pending: []}", ["pending[0]"]),
        ("{stored: {version: 1}}", ["stored.version"]),
        ("{session: {version: 2}}", ["session.version"]),
        ("{llmCalls: 1, changed: false}", ["llmCalls", "changed"]),
        ("{usage: {$absent: true}}", ["usage"]),
    ],
    ids=lambda value: value[1:].partition(":")[0] if isinstance(value, str) else "",
)
def test_views_that_differ(keys: str, paths: list[str]):
    assert [path for path, _, _ in differing(keys)] == paths


def test_the_prompt_of_each_purpose_is_seen():
    turns = """
        - message: quero entrar, sou a Zoé
          model: {understand: {}, speak: {message: Oi}}
          expect:
            prompts:
              understand: {$contains: ["sou a Zoé", quer entrar]}
              speak: {$contains: ["sou a Zoé", Responda.]}
        """
    assert not failures(turns, agent=EVERYTHING)


def test_every_round_of_a_purpose_is_in_its_prompt():
    assert differing("{prompts: {speak: {$regex: '(?s)Pergunte a idade.*Pergunte a idade'}}}") == []


def test_all_that_was_sent_is_seen_from_every_session():
    turns = """
        - {event: oi, session: a}
        - {event: oi, session: b, expect: {sent: [{sessionId: a}, {sessionId: b}]}}
        - {session: c, expect: {sent: {$length: 2}}}
        """
    assert not failures(turns)


def test_what_pends_is_of_the_entrys_session_the_earliest_first():
    turns = """
        - {event: oi, session: b}
        - {event: oi}
        - {expect: {pending: [{$any: true}]}, session: b}
        - expect: {pending: ["depois#e2:start:1767607200000"]}
        """
    assert not failures(turns, agent=EVERYTHING)


def test_the_floor_is_nobodys_where_nobody_asks():
    assert not failures("- {event: oi, expect: {floor: null, runs: []}}")


# --- exactly ------------------------------------------------------------------------------------


def test_exactly_leaves_nothing_free_in_the_keys_that_it_has():
    assert [path for path, _, _ in differing("{data: {}, floor: f}", "exactly")] == []
    paths = [path for path, _, _ in differing("{started: [{flowId: f}]}", "exactly")]
    assert paths == ["started[0].runId", "started[0].anchor", "started[0].dedupeKey"]


def test_exactly_may_stand_beside_expect():
    turns = "- {event: oi, expect: {replies: [a]}, exactly: {runs: [b]}}"
    assert [path for path, _, _ in shown(turns)] == ["replies[0]", "runs[0]"]


def test_the_sentence_beside_a_code_is_free():
    skipped = "{flowId: x, anchor: s1, triggerKey: k1, code: flow-gone}"
    assert not failures(f"- {{start: x, exactly: {{skipped: [{skipped}]}}}}")


# --- how it is told -----------------------------------------------------------------------------


def test_each_difference_has_its_own_line():
    turns = """
        - event: oi
          expect:
            replies:
              - Olá!
            messages:
              - kind: ai
                text: Oi!
          exactly:
            runs: []
            llmCalls:
              $atLeast: 1
        """
    assert failures(turns) == [
        (6, "replies[0]", "it differs"),
        (8, "messages[0].kind", "it differs"),
        (13, "llmCalls", "it is less than that"),
    ]


def test_a_difference_shows_what_was_wanted_and_what_came():
    [failure] = played("- {event: oi, expect: {messages: [{kind: ai}]}}").failures
    assert (failure.wanted, failure.got) == ("ai", "verbatim")


def test_times_are_those_of_the_turn():
    turns = """
        - advance: 1h
        - {event: oi, expect: {sent: [{at: "${now}"}], outcomes: [{at: "${start+1h}"}]}}
        - {event: oi, expect: {outcomes: [{at: "${now+1s}"}]}}
        """
    assert shown(turns) == [
        ("outcomes[0].at", "2026-01-05T10:00:01.000Z", "2026-01-05T10:00:00.000Z")
    ]


def test_without_moments_texts_are_compared_as_they_are():
    document = Document(Path("s.yaml"), "data: {a: b}")
    seen = Seen(result=None, session=None, stored=None)
    [failure] = judge({"data": {"a": "${now}"}}, document.spot, seen, None, exactly=False)
    assert (failure.path, failure.wanted, failure.line) == ("data.a", "${now}", 1)


@pytest.mark.parametrize("key", BLOCK_KEYS)
def test_nothing_is_there_before_anything_happened(key: str):
    views = {"replies", "data", "runs", "calls", "actions", "prompts", "tools", "sent", "pending"}
    wanted = "{$any: true}" if key in views else "null"
    assert not failures(f"- expect: {{{key}: {wanted}}}")
