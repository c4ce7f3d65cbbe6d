"""What `validate_flow` refuses and warns about once the shapes are right, to the letter."""

from typing import Any

import msgspec
import pytest

from falai.errors import FlowConfigurationError
from falai.spec.convert import from_spec
from falai.spec.registries import Registries
from falai.spec.validate import validate_flow
from falai.words.flow import Param
from falai.words.registry import Action

SAY = {"id": "diz", "say": "Oi!"}


def flow(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"id": "triagem", "name": "T", "steps": [*(steps or (SAY,))], **more}


def step(**body: Any) -> dict[str, Any]:
    """A flow whose second step is the one in question."""
    return flow(SAY, {"id": "a", **body})


def trigger(**body: Any) -> dict[str, Any]:
    return flow(on=[body])


def check_if(**condition: Any) -> dict[str, Any]:
    return step(**{"if": condition, "else": "end"})


def avisar(**params: Any) -> dict[str, Any]:
    return step(do="avisar", **{"with": params})


FIELD = "Add it to the agent's fields or fix the slug."
TOOL = "Register it in the agent's tools or fix the name."
EVENT = "Register it in events or fix the name."
CONDITION = "Register it in conditions or fix the name."
DURATION = 'which is no duration. Write a number and one of s, m, h, d, such as "30s" or "1.5d".'
TYPE = "Write a value of that type: none is converted."
PLACEHOLDER = "A placeholder gives text: declare {} as string."
STEP = 'Use an existing step id or "end".'

NAMES = [
    (flow(collect=["x"]), f'flow: unknown field "x" in collect. {FIELD}'),
    (flow(clearOnStart=["x"]), f'flow: unknown field "x" in clearOnStart. {FIELD}'),
    (flow(tools=["x"]), f'flow: unknown tool "x". {TOOL}'),
    (flow(**{"while": {"x": 1}}), f'flow: unknown condition "x" in while. {CONDITION}'),
    (
        flow(instructions=[{"prompt": "a"}, {"prompt": "a", "if": {"known": ["x"]}}]),
        f'flow: unknown field "x" in instructions[1].if.known. {FIELD}',
    ),
    (trigger(event="x"), f'trigger #1: unknown event "x" in event. {EVENT}'),
    (
        trigger(message=[], **{"if": {"x": 1}}),
        f'trigger #1: unknown condition "x" in if. {CONDITION}',
    ),
    (
        step(collect=["nome", "orcamento"], prompt="a"),
        f'step "a": unknown field "orcamento" in collect. {FIELD}',
    ),
    (step(prompt="a", ask={"x": "y"}), f'step "a": unknown field "x" in ask. {FIELD}'),
    (
        step(say="a", then={"step": "diz", "clear": ["x"]}),
        f'step "a": unknown field "x" in then.clear. {FIELD}',
    ),
    (
        step(do="chamar", onFail={"step": "diz", "clear": ["x"]}),
        f'step "a": unknown field "x" in onFail.clear. {FIELD}',
    ),
    (
        step(prompt="a", branches=[{"when": "b", "then": {"step": "diz", "clear": ["x"]}}]),
        f'step "a": unknown field "x" in branches[0].then.clear. {FIELD}',
    ),
    (check_if(equals={"x": 1}), f'step "a": unknown field "x" in if.equals. {FIELD}'),
    (check_if(known=["x"]), f'step "a": unknown field "x" in if.known. {FIELD}'),
    (check_if(known=[["nome"]]), f'step "a": unknown field ["nome"] in if.known. {FIELD}'),
    (step(prompt="a", tools=["x"]), f'step "a": unknown tool "x". {TOOL}'),
    (
        step(do="notify"),
        'step "a": unknown action "notify". Register it in actions or fix the name.',
    ),
    (step(wait={"event": "x"}), f'step "a": unknown event "x" in wait. {EVENT}'),
    (
        step(wait="1h", branches=[{"if": {"x": 1}, "then": "end"}]),
        f'step "a": unknown condition "x" in branches[0].if. {CONDITION}',
    ),
    (
        step(prompt="a", instructions=[{"prompt": "b", "if": {"x": 1}}]),
        f'step "a": unknown condition "x" in instructions[0].if. {CONDITION}',
    ),
]

VALUES = [
    (
        check_if(equals=["nome"]),
        'step "a": if.equals is not a mapping, got ["nome"]. Write {field: value}.',
    ),
    (
        check_if(equals={"idade": "30"}),
        f'step "a": if.equals gives "idade" the string "30", expected an integer. {TYPE}',
    ),
    (
        check_if(equals={"idade": 3.5}),
        f'step "a": if.equals gives "idade" the number 3.5, expected an integer. {TYPE}',
    ),
    (
        check_if(equals={"nota": float("nan")}),
        f'step "a": if.equals gives "nota" the number NaN, expected a number. {TYPE}',
    ),
    (
        check_if(equals={"ok": 1}),
        f'step "a": if.equals gives "ok" the number 1, expected a boolean. {TYPE}',
    ),
    (
        check_if(equals={"nota": True}),
        f'step "a": if.equals gives "nota" the boolean true, expected a number. {TYPE}',
    ),
    (
        check_if(equals={"nome": ["Ana"]}),
        f'step "a": if.equals gives "nome" the list ["Ana"], expected a string. {TYPE}',
    ),
    (
        check_if(equals={"nome": {}}),
        f'step "a": if.equals gives "nome" the mapping {{}}, expected a string. {TYPE}',
    ),
    (
        check_if(equals={"porte": "X"}),
        'step "a": if.equals gives "porte" the string "X". Use one of "P", "M", "G".',
    ),
    (
        check_if(equals={"porte": "{{data.nome}}"}),
        'step "a": if.equals gives "porte" the string "{{data.nome}}". Use one of "P", "M", "G".',
    ),
    (
        flow(**{"while": {"known": "nome"}}),
        'flow: while.known is not a list, got "nome". Write a list of fields.',
    ),
    (
        trigger(message=[], **{"if": {"silenced": "yes"}}),
        'trigger #1: if.silenced is not true or false, got "yes". Write one of them.',
    ),
    (step(wait="amanhã"), f'step "a": wait is "amanhã", {DURATION}'),
    (step(wait={"event": "pago", "upTo": "1.h"}), f'step "a": wait.upTo is "1.h", {DURATION}'),
    (trigger(silence="1w"), f'trigger #1: silence is "1w", {DURATION}'),
    (trigger(event="pago", after="-1h"), f'trigger #1: after is "-1h", {DURATION}'),
    (
        trigger(message=[], repeat={"cooldown": "1"}),
        f'trigger #1: repeat.cooldown is "1", {DURATION}',
    ),
    (
        step(do="avisar"),
        'step "a": with lacks "para", which action "avisar" needs. Add it.',
    ),
    (
        avisar(para="Ana", cor="azul"),
        'step "a": with has "cor", which action "avisar" does not take. Use one of '
        '"para", "vezes", "valor", "canal", "urgente", "nomes", "tags", "soltos".',
    ),
    (
        step(do="chamar", **{"with": {"cor": 1}}),
        'step "a": with has "cor", which action "chamar" does not take. Remove it.',
    ),
    (
        avisar(para=1),
        f'step "a": with gives "para" of action "avisar" the number 1, expected a string. {TYPE}',
    ),
    (
        avisar(para="", valor="3"),
        'step "a": with gives "valor" of action "avisar" the string "3", '
        f"expected a number. {TYPE}",
    ),
    (
        avisar(para="", valor="{{data.nota}}"),
        'step "a": with gives "valor" of action "avisar" the string "{{data.nota}}", '
        f"expected a number. {PLACEHOLDER.format('the parameter')}",
    ),
    (
        avisar(para="", vezes="{{data.idade}} vezes"),
        'step "a": with gives "vezes" of action "avisar" the string "{{data.idade}} vezes", '
        f"expected an integer. {PLACEHOLDER.format('the parameter')}",
    ),
    (
        avisar(para="", urgente="{{data.ok}}"),
        'step "a": with gives "urgente" of action "avisar" the string "{{data.ok}}", '
        f"expected a boolean. {PLACEHOLDER.format('the parameter')}",
    ),
    (
        avisar(para="", nomes="{{data.nome}}"),
        'step "a": with gives "nomes" of action "avisar" the string "{{data.nome}}", '
        f"expected a list of strings. {PLACEHOLDER.format('the parameter')}",
    ),
    (
        avisar(para="", nomes=["{{data.nome}}", 2]),
        'step "a": with gives "nomes" of action "avisar" the list ["{{data.nome}}", 2], '
        f"expected a list of strings. {TYPE}",
    ),
    (
        avisar(para="", vezes=3.5),
        'step "a": with gives "vezes" of action "avisar" the number 3.5, '
        f"expected an integer. {TYPE}",
    ),
    (
        avisar(para="", urgente="true"),
        'step "a": with gives "urgente" of action "avisar" the string "true", '
        f"expected a boolean. {TYPE}",
    ),
    (
        avisar(para="", nomes="Ana"),
        'step "a": with gives "nomes" of action "avisar" the string "Ana", '
        f"expected a list of strings. {TYPE}",
    ),
    (
        avisar(para="", nomes=["Ana", 2]),
        'step "a": with gives "nomes" of action "avisar" the list ["Ana", 2], '
        f"expected a list of strings. {TYPE}",
    ),
    (
        avisar(para="", soltos="x"),
        f'step "a": with gives "soltos" of action "avisar" the string "x", expected a list. {TYPE}',
    ),
    (
        avisar(para="", canal="fax"),
        'step "a": with gives "canal" of action "avisar" the string "fax". '
        'Use one of "sms", "email".',
    ),
    (
        avisar(para="", tags=["a", "c"]),
        'step "a": with gives "tags" of action "avisar" the string "c". Use one of "a", "b".',
    ),
]

JUMPS = [
    (
        step(say="x", then="fim"),
        f'step "a": then points at step "fim", which does not exist. {STEP}',
    ),
    (
        step(wait="1h", **{"else": "fim"}),
        f'step "a": else points at step "fim", which does not exist. {STEP}',
    ),
    (
        step(do="chamar", onFail={"step": "fim"}),
        f'step "a": onFail points at step "fim", which does not exist. {STEP}',
    ),
    (
        step(prompt="x", branches=[{"when": "y", "then": "fim"}]),
        f'step "a": branches[0].then points at step "fim", which does not exist. {STEP}',
    ),
    (
        step(prompt="x", branches=[{"then": "end"}]),
        'step "a": branches[0] has neither when nor if. Give it one of them.',
    ),
    (
        step(**{"if": {}, "then": "diz"}),
        'step "a": then goes back to step "diz" with no else, so the run ends when the condition '
        "does not hold. Add an else.",
    ),
    (
        step(**{"if": {}, "then": {"step": "a", "clear": ["nome"]}}),
        'step "a": then goes back to step "a" with no else, so the run ends when the condition '
        "does not hold. Add an else.",
    ),
]

PROBLEMS = [*NAMES, *VALUES, *JUMPS]


def placed(text: str) -> str:
    """Put the flow before a place inside of it."""
    return f'flow "triagem"{text[4:]}' if text.startswith("flow:") else f'flow "triagem", {text}'


@pytest.mark.parametrize(("spec", "text"), PROBLEMS, ids=[text[:60] for _, text in PROBLEMS])
def test_a_problem_is_refused(spec: dict[str, Any], text: str, registries: Registries):
    with pytest.raises(FlowConfigurationError) as raised:
        validate_flow(spec, registries)
    assert str(raised.value) == f"[FlowConfigurationError] {placed(text)}"


def test_a_placeholder_in_a_list_of_numbers_is_text_too(registries: Registries):
    notas = Action(print, {"notas": Param("array", items=Param("number"))})
    with pytest.raises(FlowConfigurationError) as raised:
        validate_flow(
            step(do="notar", **{"with": {"notas": [1, "{{data.nota}}"]}}),
            msgspec.structs.replace(registries, actions={"notar": notas}),
        )
    assert str(raised.value) == (
        '[FlowConfigurationError] flow "triagem", step "a": with gives "notas" of action "notar" '
        'the list [1, "{{data.nota}}"], expected a list of numbers. '
        f"{PLACEHOLDER.format('its items')}"
    )


BACK = 'so what is known is not asked again. Write {"step": "diz", "clear": [field]}.'

WARNINGS = [
    (
        step(say="x", then="diz"),
        f'step "a": then jumps back to "diz" and clears nothing, {BACK}',
    ),
    (
        step(wait="1h", **{"else": {"step": "diz", "clear": []}}),
        f'step "a": else jumps back to "diz" and clears nothing, {BACK}',
    ),
    (
        step(do="chamar", onFail={"step": "diz"}),
        f'step "a": onFail jumps back to "diz" and clears nothing, {BACK}',
    ),
    (
        step(prompt="x", branches=[{"when": "y", "then": "diz"}]),
        f'step "a": branches[0].then jumps back to "diz" and clears nothing, {BACK}',
    ),
    (
        step(collect=["nome", "idade"]),
        'step "a": collects "nome", "idade" with no prompt, no question and no ask. '
        "Say how to ask, in the step or in the field.",
    ),
    (
        flow(collect=["nome", "ok"]),
        'flow: collect has "ok", which is only read from the reply to the step that asks for it, '
        "and no step collects it. Collect it in a step, or give the field "
        'extract "anywhere".',
    ),
    (
        step(wait="1h", branches=[{"when": "x?", "then": "end"}]),
        'step "a": branches[0].when is never judged, because nobody speaks in a wait step. '
        "Use if, or branch in a talk step.",
    ),
    (
        step(say="x", then={"flow": "suporte"}),
        'step "a": then chains to flow "suporte", which this agent does not have. '
        "Add the flow or fix the id.",
    ),
]


@pytest.mark.parametrize(("spec", "text"), WARNINGS, ids=[text[:60] for _, text in WARNINGS])
def test_what_looks_unmeant_is_said(spec: dict[str, Any], text: str, registries: Registries):
    assert validate_flow(spec, registries) == [placed(text)]


FINE = [
    flow(steps=[]),
    flow(on=[], steps=[]),
    trigger(message=["oi", "!tchau"]),
    trigger(mention=[], repeat={"cooldown": "1.5d"}),
    trigger(event="pago", after="1h", businessHours=True),
    step(say="x", then="end"),
    step(say="x", then={"step": "end", "clear": ["nome"]}),
    step(say="x", then={"flow": "outro", "input": {}}),
    step(say="x", then={"flow": "triagem"}),
    step(say="x", then={"flow": "{{data.nome}}"}),
    step(say="x", then={"step": "diz", "clear": ["nome"]}),
    step(collect=["nome", "email"]),
    step(collect=["nome"], ask={"nome": "Pergunte."}),
    step(collect=["nome"], question="Quem?"),
    step(collect=[]),
    step(prompt="x", tools=["agenda"], maxAsks=2.0),
    step(prompt="x", branches=[{"when": "y", "if": {"vip": 1}, "then": "end"}]),
    step(wait={"event": "pago"}),
    step(wait="1h", branches=[{"if": {"vip": 1}, "then": "end"}], **{"else": "end"}),
    flow({"id": "a", "if": {}, "then": "b"}, {"id": "b", "say": "x"}),
    check_if(equals={"idade": 30.0, "nota": 10**400, "porte": "P", "ok": True}, silenced=False),
    check_if(vip=None, known=["nome"]),
    step(**{"if": {}, "then": {"step": "diz", "clear": ["nome"]}, "else": "end"}),
    avisar(para="{{data.nome}}", canal="{{x}}", tags=["a", "{{x}}"], soltos=[1, "a"], vezes=2),
    flow(collect=["ok"], steps=[{"id": "a", "collect": ["ok"], "prompt": "x"}]),
]


@pytest.mark.parametrize("spec", FINE, ids=str)
def test_what_is_fine_is_not_mentioned(spec: dict[str, Any], registries: Registries):
    assert validate_flow(spec, registries) == []
    assert validate_flow(from_spec(spec), registries) == []


def test_chains_are_not_judged_while_the_flows_are_unknown():
    spec = step(say="x", then={"flow": "suporte"})
    assert validate_flow(spec, Registries()) == []


def test_an_earlier_place_comes_first_whatever_its_problem(registries: Registries):
    spec = flow({"id": "a", "say": "x", "then": "fim"}, {"id": "b"}, on=[{"silence": "1w"}])
    with pytest.raises(FlowConfigurationError, match="trigger #1: silence"):
        validate_flow(spec, registries)
    with pytest.raises(FlowConfigurationError, match='step "a": then points'):
        validate_flow({**spec, "on": []}, registries)


UNKNOWN, REGISTERED = {"if": {"rico": 1}, "then": "end"}, {"if": {"vip": 1}, "then": "end"}


@pytest.mark.parametrize(
    ("branch", "wait", "text"),
    [
        ({"if": {"rico": 1}}, "x", "branches[0] has no then"),
        (UNKNOWN, "x", 'unknown condition "rico"'),
        (REGISTERED, "x", 'wait is "x"'),
        (REGISTERED, "1h", "then points at"),
    ],
)
def test_within_a_place_shapes_names_values_and_jumps_follow_each_other(
    branch: dict[str, Any], wait: str, text: str, registries: Registries
):
    step = {"id": "a", "wait": wait, "then": "fim", "branches": [branch]}
    with pytest.raises(FlowConfigurationError) as raised:
        validate_flow(flow(step), registries)
    assert text in str(raised.value)


def test_warnings_come_in_order(registries: Registries):
    spec = flow(
        {"id": "a", "collect": ["nome"], "then": {"flow": "suporte"}},
        {"id": "b", "say": "x", "then": "a"},
        collect=["ok"],
    )
    places = [warning.partition(": ")[0] for warning in validate_flow(spec, registries)]
    head = 'flow "triagem"'
    assert places == [head, f'{head}, step "a"', f'{head}, step "a"', f'{head}, step "b"']
