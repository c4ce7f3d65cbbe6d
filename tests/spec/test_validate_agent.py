"""What is refused of an agent as a whole, to the letter."""

from typing import Any

import msgspec
import pytest

from falai.errors import FlowConfigurationError
from falai.spec.agent import validate_agent
from falai.spec.registries import Registries
from falai.words.field import Field
from falai.words.flow import Chain, Flow, Instruction, Param, Say
from falai.words.registry import Action, EventDef, Idle, Tool


def never(*_: Any) -> Any:
    raise AssertionError("nothing runs while an agent is checked")


def tool(tool_id: Any, parameters: Any) -> Tool:
    return Tool(id=tool_id, description="", parameters=parameters, handler=never)


def flow(flow_id: str, *steps: Say) -> Flow:
    return Flow(id=flow_id, name="T", steps=steps)


def wrong(value: Any) -> Any:
    """What the types forbid and Python lets pass."""
    return value


def told(**condition: Any) -> Idle:
    return Idle(instructions=(Instruction(prompt="a", if_=condition),))


def refused(registries: Registries, flows: Any = (), **parts: Any) -> str:
    with pytest.raises(FlowConfigurationError) as raised:
        validate_agent(flows, registries, **parts)
    return str(raised.value).removeprefix("[FlowConfigurationError] ")


SCALARS = '"string", "number", "integer", "boolean"'
SCHEMA = 'Write {"type": "object", "properties": {…}}.'

REGISTERED = [
    ({"fields": {"": Field("string")}}, "agent: the name of a field is empty. Give it one."),
    ({"actions": {"": Action(never)}}, "agent: the name of an action is empty. Give it one."),
    ({"events": {"": EventDef()}}, "agent: the name of an event is empty. Give it one."),
    ({"conditions": {"": never}}, "agent: the name of a condition is empty. Give it one."),
    (
        {"tools": {5: tool(5, {"type": "object"})}},
        "agent: the name of a tool is not text, got 5. Write it as text.",
    ),
    (
        {"fields": {"nome": Field(wrong("text"))}},
        f'agent: fields.nome.type is "text". Use one of {SCALARS}.',
    ),
    (
        {"fields": {"nome": {"ask": "Pergunte."}}},
        f"agent: fields.nome has no type. Use one of {SCALARS}.",
    ),
    (
        {"fields": {"nome": "string"}},
        'agent: fields.nome is not a mapping, got "string". Write it as a mapping.',
    ),
    (
        {"fields": {"nome": Field("string", enum="P")}},
        'agent: fields.nome.enum is not a list, got "P". Write it as a list.',
    ),
    (
        {"fields": {"nome": Field("string", extract=wrong("all"))}},
        'agent: fields.nome.extract is "all". Use one of "anywhere", "asked".',
    ),
    (
        {"fields": {"nome": Field("string", ask=wrong(5))}},
        "agent: fields.nome.ask is not text, got 5. Write it as text.",
    ),
    (
        {"actions": {"a": Action(never, {"x": Param(wrong("text"))})}},
        f'agent: actions.a.parameters.x.type is "text". Use one of {SCALARS}, "array".',
    ),
    (
        {"events": {"pago": EventDef(wrong("up"))}},
        'agent: events.pago.direction is "up". Use one of "inbound", "outbound".',
    ),
    (
        {"fields": {"nome": {"type": "string"}}},
        "agent: fields.nome is no Field, but a mapping. Write Field(…).",
    ),
    (
        {"events": {"pago": {}}},
        "agent: events.pago is no EventDef, but a mapping. Write EventDef(…).",
    ),
    (
        {"actions": {"a": Action(never, wrong({"x": {"type": "string"}}))}},
        "agent: actions.a.parameters.x is no Param, but a mapping. Write Param(…).",
    ),
    (
        {"conditions": {"known": never}},
        'condition "known": every agent has that one built in. Rename yours.',
    ),
    (
        {"tools": {"agenda": tool("agenda", {"dia": {"type": "string"}})}},
        'tool "agenda": parameters is no JSON Schema object, got {"dia": {"type": "string"}}. '
        f"{SCHEMA}",
    ),
    (
        {"tools": {"agenda": tool("agenda", ["dia"])}},
        f'tool "agenda": parameters is no JSON Schema object, got ["dia"]. {SCHEMA}',
    ),
    (
        {"tools": {"agenda": tool("agenda", {"type": "object", "properties": []})}},
        'tool "agenda": parameters is no JSON Schema object, got '
        f'{{"type": "object", "properties": []}}. {SCHEMA}',
    ),
]


@pytest.mark.parametrize(("parts", "text"), REGISTERED, ids=[text[:60] for _, text in REGISTERED])
def test_what_is_registered_must_be_sound(parts: dict[str, Any], text: str):
    assert refused(Registries(**parts)) == text


@pytest.mark.parametrize("name", ["equals", "known", "silenced"])
def test_a_built_in_condition_keeps_its_name(name: str):
    assert refused(Registries(conditions={name: never})).startswith(f'condition "{name}": ')


AROUND = [
    (
        {"flows": {}},
        "agent: flows is not a list, got {}. Write it as a list.",
    ),
    (
        {"flows": [flow("a"), flow("b"), flow("a")]},
        'flow "a" is declared twice: flow ids must be unique. Rename one of them.',
    ),
    (
        {"flows": [flow("a"), {"id": "a"}]},
        'flow "a" is declared twice: flow ids must be unique. Rename one of them.',
    ),
    (
        {"flows": [flow("a"), {"id": "b", "name": "T", "steps": []}]},
        'flow "b": is no Flow, but a mapping. Read it with from_spec.',
    ),
    ({"idle": {"prompt": "a"}}, "idle: is no Idle, but a mapping. Write Idle(…)."),
    (
        {"idle": Idle(instructions=({"prompt": "a"},))},
        "idle: instructions[0] is no Instruction, but a mapping. Write Instruction(…).",
    ),
    (
        {"instructions": [{"prompt": "a"}]},
        "agent: instructions[0] is no Instruction, but a mapping. Write Instruction(…).",
    ),
    ({"flows": ["a", "a"]}, 'flow: is not a mapping, got "a". Write it as a mapping.'),
    (
        {"tools": [tool("agenda", {}), tool("agenda", {})]},
        'tool "agenda" is declared twice: tool ids must be unique. Rename one of them.',
    ),
    (
        {"idle": Idle(tools=("buscar_preco",))},
        'idle: unknown tool "buscar_preco". Register it in the agent\'s tools or fix the name.',
    ),
    (
        {"idle": told(rico=True)},
        'idle: unknown condition "rico" in instructions[0].if. '
        "Register it in conditions or fix the name.",
    ),
    (
        {"idle": told(known=["x"])},
        'idle: unknown field "x" in instructions[0].if.known. '
        "Add it to the agent's fields or fix the slug.",
    ),
    (
        {"idle": told(silenced=1)},
        "idle: instructions[0].if.silenced is not true or false, got 1. Write one of them.",
    ),
    (
        {"idle": {"promt": "a"}},
        'idle: unknown key "promt". Did you mean "prompt"?',
    ),
    ({"idle": Idle(wrong(5))}, "idle: prompt is not text, got 5. Write it as text."),
    ({"idle": "quiet"}, 'idle: is neither a mapping nor "silent", got "quiet". Write one of them.'),
    (
        {"instructions": "breve"},
        'agent: instructions is not a list, got "breve". Write it as a list.',
    ),
    (
        {"instructions": [Instruction(prompt="a", if_={"rico": True})]},
        'agent: unknown condition "rico" in instructions[0].if. '
        "Register it in conditions or fix the name.",
    ),
]


@pytest.mark.parametrize(("parts", "text"), AROUND, ids=[text[:60] for _, text in AROUND])
def test_what_stands_around_the_flows_is_checked(
    parts: dict[str, Any], text: str, registries: Registries
):
    assert refused(registries, **parts) == text


def test_a_sound_agent_gives_the_warnings_of_its_flows(registries: Registries):
    chained = Say("x", "Oi", then=Chain("c"))
    warnings = validate_agent(
        [flow("a", chained), flow("b", chained), flow("outro")],
        msgspec.structs.replace(registries, flow_ids=["c"]),
        instructions=[Instruction(prompt="a", if_=never), Instruction(prompt="b", if_={"vip": 1})],
        idle=Idle("Atenda.", ("agenda",), (Instruction(prompt="a", when=["b"]),)),
        tools=list(registries.tools.values()),
    )
    assert [warning[:10] for warning in warnings] == ['flow "a", ', 'flow "b", ']


@pytest.mark.parametrize("idle", [None, "silent", Idle(), Idle("Atenda.")])
def test_the_idle_speaker_is_optional(idle: Any, registries: Registries):
    assert validate_agent([], registries, idle=idle) == []
