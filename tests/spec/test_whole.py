"""Half of a character in an author's text: no prompt and no store can hold it, so no agent is built."""

from typing import Any

import pytest

from falai import (
    Action,
    Agent,
    Branch,
    Chain,
    Do,
    Field,
    Flow,
    FlowConfigurationError,
    Idle,
    If,
    Instruction,
    Mention,
    Message,
    Param,
    Say,
    Talk,
    Tool,
    Wait,
    from_spec,
)

HALF = "\ud800"
SHOWN = r'"\ud800"'


def never(*_: Any) -> Any:
    raise AssertionError("nothing runs while an agent is built")


def built(*steps: Any, on: Any = (), flow: Any = None, **parts: Any) -> str:
    """What is said of an agent that is refused."""
    made = Flow(id="a", name="A", on=on or (Message(["oi"]),), steps=steps or (Say("s", "Oi"),))
    given: dict[str, Any] = {
        "name": "Ana",
        "fields": {"nome": Field("string")},
        "actions": {"agir": Action(never, {"para": Param("string", optional=True)})},
        "flows": [flow or made],
    }
    with pytest.raises(FlowConfigurationError) as raised:
        Agent(**(given | parts))
    return str(raised.value).removeprefix("[FlowConfigurationError] ")


def told(where: str, path: str) -> str:
    return f"{where}: {path} has half of a character, got {SHOWN}. Remove it."


STEP = 'flow "a", step "s"'
TRIGGER = 'flow "a", trigger #1'
STEPS = [
    (Say("s", HALF), "say"),
    (Say("s", "Oi", media=HALF), "media.slug"),
    (Talk("s", HALF), "prompt"),
    (Talk("s", collect=["nome"], question=HALF), "question"),
    (Talk("s", "Fale.", branches=[Branch(when=HALF, then="end")]), "branches[0].when"),
    (Talk("s", "Fale.", instructions=[Instruction(prompt=HALF)]), "instructions[0].prompt"),
    (Do("s", "agir", with_={"para": HALF}), "with.para"),
    (If("s", if_={"equals": {"nome": HALF}}, then="end"), "if.equals.nome"),
    (Wait("s", "1h", then=Chain("a", input={"x": [HALF]})), "then.input.x[0]"),
    (Wait("s", "1h", then=Chain("a", input={HALF: 1})), "a key of then.input"),
]


@pytest.mark.parametrize(("step", "path"), STEPS, ids=[path for _, path in STEPS])
def test_a_step_is_refused_by_name(step: Any, path: str):
    assert built(step) == told(STEP, path)


TRIGGERS = [
    (Message(["oi", HALF]), "message[1]"),
    (Mention([HALF]), "mention[0]"),
    (Mention(["oi"], extract={"x": Param("string", description=HALF)}), "extract.x.description"),
]


@pytest.mark.parametrize(("trigger", "path"), TRIGGERS, ids=[path for _, path in TRIGGERS])
def test_a_trigger_is_refused_by_name(trigger: Any, path: str):
    assert built(on=(trigger,)) == told(TRIGGER, path)


def test_a_flow_is_refused_by_name():
    flow = Flow(id="a", name="A", description=HALF, steps=[Say("s", "Oi")])
    assert built(flow=flow) == told('flow "a"', "description")
    named = Flow(id=HALF, name="A", steps=[Say("s", "Oi")])
    assert built(flow=named) == told(rf"flow {SHOWN}", "id")


def tool(**parts: Any) -> Tool:
    usual = {"id": "t", "description": "", "parameters": {"type": "object"}, "handler": never}
    return Tool(**(usual | parts))


PARTS: list[tuple[dict[str, Any], str, str]] = [
    ({"name": HALF}, "agent", "name"),
    ({"persona": HALF}, "agent", "persona"),
    ({"goal": HALF}, "agent", "goal"),
    ({"knowledge_base": {"a": [{"b": HALF}]}}, "agent", "knowledgeBase.a[0].b"),
    ({"knowledge_base": {"a": {"x", HALF}}}, "agent", "knowledgeBase.a[1]"),
    ({"knowledge_base": {HALF: 1}}, "agent", "a key of knowledgeBase"),
    ({"fields": {"x": Field("string", ask=HALF)}}, "agent", "fields.x.ask"),
    ({"fields": {"x": Field("string", enum=["a", HALF])}}, "agent", "fields.x.enum[1]"),
    ({"fields": {HALF: Field("string")}}, "agent", "the name of a field"),
    ({"instructions": [Instruction(prompt=HALF)]}, "agent", "instructions[0].prompt"),
    ({"idle": Idle(prompt=HALF)}, "idle", "prompt"),
    (
        {"actions": {"x": Action(never, {"a": Param("string", enum=[HALF])})}},
        "agent",
        "actions.x.parameters.a.enum[0]",
    ),
    ({"tools": [tool(id=HALF)]}, "agent", "the name of a tool"),
    ({"tools": [tool(description=HALF)]}, 'tool "t"', "description"),
    (
        {"tools": [tool(parameters={"type": "object", "properties": {"x": {"title": HALF}}})]},
        'tool "t"',
        "parameters.properties.x.title",
    ),
]


@pytest.mark.parametrize(("parts", "where", "path"), PARTS, ids=[path for _, _, path in PARTS])
def test_a_part_of_the_agent_is_refused_by_name(parts: dict[str, Any], where: str, path: str):
    assert built(**parts) == told(where, path)


def test_a_flow_of_a_spec_is_refused_when_the_agent_is_built():
    spec = {"id": "a", "name": "A", "on": [], "steps": [{"id": "s", "say": HALF}]}
    assert built(flow=from_spec(spec)) == told(STEP, "say")


def test_the_two_halves_beside_each_other_are_refused_too():
    assert "has half of a character" in built(Say("s", "\ud83d\ude00"))


def test_a_whole_character_beyond_the_basic_plane_is_fine():
    flow = Flow(id="a", name="A", steps=[Say("s", "Oi \U0001f600")])
    agent = Agent(name="Ana \U0001f600", flows=[flow])
    assert agent.flows[0].steps == flow.steps


def test_knowledge_that_holds_itself_is_refused():
    knowledge: dict[str, Any] = {"a": 1}
    knowledge["b"] = knowledge
    said = "agent: knowledgeBase is nested more than 100 levels deep. Make it flatter."
    assert built(knowledge_base=knowledge) == said
