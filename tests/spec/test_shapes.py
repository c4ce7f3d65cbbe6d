"""What `from_spec` refuses, to the letter."""

from typing import Any

import pytest

from falai.errors import FlowConfigurationError
from falai.spec.convert import from_spec

SAY = {"id": "diz", "say": "Oi!"}


def flow(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"id": "t", "name": "T", "steps": [*(steps or (SAY,))], **more}


def step(**body: Any) -> dict[str, Any]:
    return flow({"id": "a", **body})


def talk(**body: Any) -> dict[str, Any]:
    return step(prompt="Oi", **body)


def trigger(**body: Any) -> dict[str, Any]:
    return flow(on=[body])


def mention(**param: Any) -> dict[str, Any]:
    return trigger(mention=["x"], extract={"cor": param})


NO_TARGET = (
    'Write a step id, "end", {"step": id, "clear": [field]} or {"flow": id, "input": value}.'
)
DURATION = 'which is no duration. Write a number and one of s, m, h, d, such as "30s" or "1.5d".'

FLOWS = [
    ("triagem", 'flow: is not a mapping, got "triagem". Write it as a mapping.'),
    (["a"], 'flow: is not a mapping, got ["a"]. Write it as a mapping.'),
    (None, "flow: is not a mapping, got null. Write it as a mapping."),
    ({"name": "T", "steps": []}, "flow: has no id. Give it one, as text."),
    (flow(id=""), "flow: has no id. Give it one, as text."),
    (flow(id=7), "flow: id is not text, got 7. Write it as text."),
    ({"id": "t", "steps": []}, 'flow "t": has no name. Give it one, as text.'),
    (flow(name=3), 'flow "t": name is not text, got 3. Write it as text.'),
    (flow(description=7), 'flow "t": description is not text, got 7. Write it as text.'),
    (flow(anchor=True), 'flow "t": anchor is not text, got true. Write it as text.'),
    (
        {"id": "t", "name": "T"},
        'flow "t": has no steps list. Write steps as a list, even an empty one.',
    ),
    (
        flow(steps=None),
        'flow "t": has no steps list. Write steps as a list, even an empty one.',
    ),
    (flow(steps="a"), 'flow "t": steps is not a list, got "a". Write it as a list.'),
    (flow(on={}), 'flow "t": on is not a list, got {}. Write it as a list.'),
    (flow(collect="nome"), 'flow "t": collect is not a list, got "nome". Write it as a list.'),
    (flow(collect=[1]), 'flow "t": collect[0] is not text, got 1. Write it as text.'),
    (
        flow(clearOnStart="nome"),
        'flow "t": clearOnStart is not a list, got "nome". Write it as a list.',
    ),
    (flow(tools="a"), 'flow "t": tools is not a list, got "a". Write it as a list.'),
    (
        flow(instructions={}),
        'flow "t": instructions is not a list, got {}. Write it as a list.',
    ),
    (
        flow(onEnd="loop"),
        'flow "t": onEnd is "loop". Use one of "end", "stay", "reset".',
    ),
    (
        flow(**{"while": "vip"}),
        'flow "t": while is not a mapping, got "vip". Write it as a mapping.',
    ),
    (
        flow(steps=[], on=[{"message": []}]),
        'flow "t": has triggers but no steps. Add a step, or leave out on.',
    ),
    (flow(onend="end"), 'flow "t": unknown key "onend". Did you mean "onEnd"?'),
    (
        flow(zzz=1),
        'flow "t": unknown key "zzz". Remove it, or use one of "id", "name", "description", "on", '
        '"anchor", "while", "collect", "clearOnStart", "steps", "onEnd", "instructions", "tools".',
    ),
]

INSTRUCTIONS = [
    ("seja breve", 'instructions[0] is not a mapping, got "seja breve". Write it as a mapping.'),
    ({"kind": "must"}, "instructions[0] has no prompt. Give it one, as text."),
    ({"prompt": 5}, "instructions[0].prompt is not text, got 5. Write it as text."),
    (
        {"prompt": "a", "kind": "may"},
        'instructions[0].kind is "may". Use one of "must", "never", "should".',
    ),
    (
        {"prompt": "a", "when": {}},
        "instructions[0].when is not a list, got {}. Write it as a list.",
    ),
    (
        {"prompt": "a", "when": ["b", 1]},
        "instructions[0].when[1] is not text, got 1. Write it as text.",
    ),
    ({"prompt": "a", "id": 1}, "instructions[0].id is not text, got 1. Write it as text."),
    (
        {"prompt": "a", "promt": "b"},
        'unknown key "promt" in instructions[0]. Did you mean "prompt"?',
    ),
]

TRIGGERS = [
    (flow(on=["oi"]), 'is not a mapping, got "oi". Write it as a mapping.'),
    (trigger(message="oi"), 'message is not a list, got "oi". Write it as a list.'),
    (trigger(mention="oi"), 'mention is not a list, got "oi". Write it as a list.'),
    (trigger(message=[1]), "message[0] is not text, got 1. Write it as text."),
    (
        trigger(**{"if": {"silenced": True}}),
        "names no kind. Give it one of message, mention, silence, event.",
    ),
    (trigger(mesage=["oi"]), 'unknown key "mesage". Did you mean "message"?'),
    (
        trigger(message=[], event="pago"),
        "names two kinds: message and event. Make them two triggers.",
    ),
    (
        trigger(message=["!a", " ! ", ""]),
        'message has exclusions only. Add a phrase that does not start with "!".',
    ),
    (
        trigger(mention=[" !a"]),
        'mention has exclusions only. Add a phrase that does not start with "!".',
    ),
    (
        trigger(message=[], repeat="sempre"),
        'repeat is "sempre". Use one of "once", "always", {"cooldown": duration}.',
    ),
    (
        trigger(message=[], repeat={"every": "1d"}),
        'repeat is {"every": "1d"}. Use one of "once", "always", {"cooldown": duration}.',
    ),
    (
        trigger(message=[], repeat={"cooldown": "1d", "cooldow": 1}),
        'unknown key "cooldow" in repeat. Did you mean "cooldown"?',
    ),
    (trigger(message=[], repeat={"cooldown": 5}), f"repeat.cooldown is 5, {DURATION}"),
    (trigger(silence=24), f"silence is 24, {DURATION}"),
    (trigger(event="pago", after=["1h"]), f'after is ["1h"], {DURATION}'),
    (trigger(event=""), "has no event. Give it one, as text."),
    (trigger(event=5), "event is not text, got 5. Write it as text."),
    (
        trigger(silence="1h", businessHours="yes"),
        'businessHours is not true or false, got "yes". Write it as true or false.',
    ),
    (
        trigger(message=[], after="1h"),
        'unknown key "after". Remove it, or use one of "message", "if", "repeat".',
    ),
    (
        trigger(mention=["x"], extract=[]),
        "extract is not a mapping, got []. Write it as a mapping.",
    ),
    (mention(), "extract.cor has no type. Give it one."),
    (
        mention(type="text"),
        'extract.cor.type is "text". Use one of "string", "number", "integer", "boolean", "array".',
    ),
    (
        mention(type="string", enum="a"),
        'extract.cor.enum is not a list, got "a". Write it as a list.',
    ),
    (
        mention(type="string", items={"type": "string"}),
        'unknown key "items" in extract.cor. '
        'Remove it, or use one of "type", "description", "enum", "optional".',
    ),
    (
        mention(type="array", items={"type": "array"}),
        'extract.cor.items.type is "array". Use one of "string", "number", "integer", "boolean".',
    ),
]

STEPS = [
    (talk(collect="nome"), 'collect is not a list, got "nome". Write it as a list.'),
    (talk(tools={}), "tools is not a list, got {}. Write it as a list."),
    (talk(branches={}), "branches is not a list, got {}. Write it as a list."),
    (talk(instructions="x"), 'instructions is not a list, got "x". Write it as a list.'),
    (talk(branches=["a"]), 'branches[0] is not a mapping, got "a". Write it as a mapping.'),
    (talk(branches=[{"when": "x?"}]), 'branches[0] has no then. Give it a step id or "end".'),
    (
        talk(branches=[{"when": ["x?"], "then": "end"}]),
        'branches[0].when is not text, got ["x?"]. Write it as text.',
    ),
    (
        talk(branches=[{"wen": "x?", "then": "end"}]),
        'unknown key "wen" in branches[0]. Did you mean "when"?',
    ),
    (
        talk(branches=[{"when": "x?", "then": 2}]),
        f"branches[0].then is no target, got 2. {NO_TARGET}",
    ),
    (step(prompt=5), "prompt is not text, got 5. Write it as text."),
    (step(say=5), "say is not text, got 5. Write it as text."),
    (step(do=5), "do is not text, got 5. Write it as text."),
    (
        talk(collect=["nome"], question=True),
        "question is not text, got true. Write it as text.",
    ),
    (talk(label=1), "label is not text, got 1. Write it as text."),
    (talk(ask="nome"), 'ask is not a mapping, got "nome". Write it as a mapping.'),
    (talk(ask={"nome": 1}), "ask.nome is not text, got 1. Write it as text."),
    (talk(maxAsks=0), "maxAsks is 0, not a whole number of 1 or more. Write one, such as 2."),
    (talk(maxAsks=1.5), "maxAsks is 1.5, not a whole number of 1 or more. Write one, such as 2."),
    (talk(maxAsks="3"), 'maxAsks is "3", not a whole number of 1 or more. Write one, such as 2.'),
    (talk(maxAsks=True), "maxAsks is true, not a whole number of 1 or more. Write one, such as 2."),
    (talk(then=2), f"then is no target, got 2. {NO_TARGET}"),
    (talk(then={}), f"then is no target, got {{}}. {NO_TARGET}"),
    (talk(then=["a"]), f'then is no target, got ["a"]. {NO_TARGET}'),
    (talk(then={"step": 1}), f'then is no target, got {{"step": 1}}. {NO_TARGET}'),
    (
        talk(then={"step": "a", "flow": "b"}),
        f'then is no target, got {{"step": "a", "flow": "b"}}. {NO_TARGET}',
    ),
    (
        talk(then={"step": "a", "clear": "nome"}),
        'then.clear is not a list, got "nome". Write it as a list.',
    ),
    (
        talk(then={"step": "a", "clean": []}),
        'unknown key "clean" in then. Did you mean "clear"?',
    ),
    (
        talk(then={"flow": "a", "imput": 1}),
        'unknown key "imput" in then. Did you mean "input"?',
    ),
    (step(wait="1h", **{"else": 1}), f"else is no target, got 1. {NO_TARGET}"),
    (step(do="x", onFail=1), f"onFail is no target, got 1. {NO_TARGET}"),
    (step(do="x", **{"with": "y"}), 'with is not a mapping, got "y". Write it as a mapping.'),
    (step(say="a", wait="1h"), "does two things: say and wait. Make them two steps."),
    (step(collect=[], do="x"), "does two things: collect and do. Make them two steps."),
    (step(say="a", once="x"), 'once is not true or false, got "x". Write it as true or false.'),
    (step(say="a", media="x"), 'media is not a mapping, got "x". Write it as a mapping.'),
    (step(say="a", media={}), "media has no slug. Give it one, as text."),
    (step(say="a", media={"slugs": "x"}), 'unknown key "slugs" in media. Did you mean "slug"?'),
    (step(wait=5), f"wait is 5, {DURATION}"),
    (step(wait={}), 'wait names no event. Write {"event": name}.'),
    (step(wait={"upTo": "1d"}), 'wait names no event. Write {"event": name}.'),
    (step(wait={"event": 5}), "wait.event is not text, got 5. Write it as text."),
    (step(wait={"event": "pago", "upTo": 5}), f"wait.upTo is 5, {DURATION}"),
    (
        step(wait={"event": "pago", "upto": "1d"}),
        'unknown key "upto" in wait. Did you mean "upTo"?',
    ),
    (step(**{"if": ["vip"]}), 'if is not a mapping, got ["vip"]. Write it as a mapping.'),
    (
        step(kind="prompt", collect=["nome"]),
        'kind is "prompt", but its body is that of "collect". Fix the kind or the body.',
    ),
    (
        step(kind="wait", wait={"event": "pago"}),
        'kind is "wait", but its body is that of "waitEvent". Fix the kind or the body.',
    ),
    (
        step(kind="ask", prompt="a"),
        'kind is "ask". Use one of "prompt", "collect", "say", "do", "wait", "waitEvent", "if".',
    ),
    (step(), "does nothing. Give it one of prompt, collect, say, do, wait, if."),
    (step(kind="say"), 'does nothing: its kind is "say". Give it say.'),
    (step(kind="waitEvent"), 'does nothing: its kind is "waitEvent". Give it wait.'),
    (step(kind="collect"), "has neither prompt nor collect. Give it one of them."),
    (step(maxAsks=2), "has neither prompt nor collect. Give it one of them."),
    (step(sai="Oi"), 'unknown key "sai". Did you mean "say"?'),
    (
        step(say="Oi", branches=[]),
        'unknown key "branches". Remove it, or use one of "id", "kind", "label", "then", "ui", '
        '"say", "media", "once".',
    ),
    (
        step(collect=[], question="Quem?"),
        "question has nothing to collect. Give it collect, or use say.",
    ),
    (talk(question="Quem?"), "question has nothing to collect. Give it collect, or use say."),
]

IDS = [
    (flow("oi"), 'flow "t", step #1: is not a mapping, got "oi". Write it as a mapping.'),
    (flow(SAY, ["oi"]), 'flow "t", step #2: is not a mapping, got ["oi"]. Write it as a mapping.'),
    (flow({"say": "a"}), 'flow "t", step #1: has no id. Give it one, as text.'),
    (flow({"id": "", "say": "a"}), 'flow "t", step #1: has no id. Give it one, as text.'),
    (flow({"id": 1, "say": "a"}), 'flow "t", step #1: id is not text, got 1. Write it as text.'),
    (
        flow({"id": "end", "say": "a"}),
        'flow "t", step "end": the id "end" is reserved: it ends the run. Choose another id.',
    ),
    (
        flow(SAY, SAY),
        'flow "t", step "diz" is declared twice: step ids must be unique in a flow. '
        "Rename one of them.",
    ),
]

TABLE = [
    *FLOWS,
    *((flow(instructions=[raw]), f'flow "t": {text}') for raw, text in INSTRUCTIONS),
    *((spec, f'flow "t", trigger #1: {text}') for spec, text in TRIGGERS),
    *((spec, f'flow "t", step "a": {text}') for spec, text in STEPS),
    *IDS,
]


@pytest.mark.parametrize(("spec", "text"), TABLE, ids=[text[:60] for _, text in TABLE])
def test_a_wrong_shape_is_refused(spec: Any, text: str):
    with pytest.raises(FlowConfigurationError) as raised:
        from_spec(spec)
    assert str(raised.value) == f"[FlowConfigurationError] {text}"


def test_the_first_problem_in_order_is_told():
    spec = flow({"id": "a"}, {"id": "b"}, on=[{}])
    with pytest.raises(FlowConfigurationError, match="trigger #1: names no kind"):
        from_spec(spec)


def test_a_key_that_is_no_text_is_unknown():
    spec: Any = {**flow(), 5: 1}
    with pytest.raises(FlowConfigurationError, match="unknown key 5"):
        from_spec(spec)


def test_what_json_cannot_spell_is_shown_as_python_shows_it():
    with pytest.raises(FlowConfigurationError, match=r"name is not text, got \{\(1, 2\): 3\}\."):
        from_spec(flow(name={(1, 2): 3}))


def test_a_long_value_is_cut():
    with pytest.raises(FlowConfigurationError) as raised:
        from_spec(flow(name=["x"] * 200))
    assert len(str(raised.value)) < 300


def test_names_are_not_checked():
    assert from_spec(step(do="nobody", then="nowhere")).steps[0].then == "nowhere"
