"""Agents as data and agents in Python: what is read, what stands in, and what is refused."""

import sys
from pathlib import Path
from typing import Any

import pytest

from falai.agent import Agent
from falai.clock import FakeClock
from falai.errors import FlowConfigurationError
from falai.hours import BusinessHours
from falai.providers.scripted import ScriptedProvider
from falai.words.field import Field
from falai.words.flow import Instruction, Param
from falai.words.registry import EventDef, Idle
from simulator.agentfile import AgentSource, Built, load_agent
from simulator.load import Document, ScenarioFileError, load_document
from simulator.stubs import StubError


def inline(text: str, **options: Any) -> Built:
    return load_agent(Document(Path("a.yaml"), text).spot, **options).build()


def refusal(text: str, **options: Any) -> str:
    with pytest.raises(ScenarioFileError) as caught:
        inline(text, **options)
    return str(caught.value)


FULL = """
name: Ana
persona: Atenciosa.
goal: Vender.
knowledgeBase: {loja: {cidade: Recife}}
instructions: [{prompt: Seja breve., kind: must, when: sempre, if: {vip: true}}]
maxToolLoops: 2
fields:
  nome: {type: string, ask: Pergunte., enum: [Ana, 3], extract: asked, label: Nome}
events: {entrou: {}, reagiu: {direction: inbound}, pago: null}
conditions: {vip: {path: context.vip, op: exists}}
actions:
  avisar:
    parameters: {para: {type: string}, texto: {type: string, optional: true}}
    returns: [{ok: true, detail: a}, {failed: b}]
    set: {nome: Ana}
  vazio:
tools:
- {id: agenda, description: d, parameters: {type: object}, returns: {value: 1, data: {nome: B}},
   isReadOnly: true, maxResultChars: 9}
businessHours: {days: [mon], open: "09:00", close: "18:00", timezone: America/Sao_Paulo}
idle: {prompt: Oi., tools: [agenda], instructions: [{prompt: Curto.}]}
provider: {model: gemini/x}
flows:
- {id: oi, name: Oi, on: [{message: []}], steps: [{id: a, kind: say, say: Oi!}]}
"""


def test_a_declared_agent_in_full():
    source = load_agent(Document(Path("a.yaml"), FULL).spot)
    agent, _ = source.build(clock=FakeClock("2026-01-05T09:00:00Z"))
    assert source.provider == {"model": "gemini/x"}
    assert (agent.name, agent.max_tool_loops) == ("Ana", 2)
    assert agent.fields == {
        "nome": Field("string", ("Ana", 3), label="Nome", ask="Pergunte.", extract="asked")
    }
    assert agent.events == {"entrou": EventDef(), "reagiu": EventDef("inbound"), "pago": EventDef()}
    assert agent.actions["avisar"].parameters == {
        "para": Param("string"),
        "texto": Param("string", optional=True),
    }
    assert agent.tools["agenda"].is_read_only
    assert agent.tools["agenda"].max_result_chars == 9
    assert agent.instructions == (
        Instruction(prompt="Seja breve.", kind="must", when="sempre", if_={"vip": True}),
    )
    assert agent.idle == Idle("Oi.", ("agenda",), (Instruction(prompt="Curto."),))
    assert isinstance(agent.business_hours, BusinessHours)
    assert [flow.id for flow in agent.flows] == ["oi"]


def test_what_is_null_is_not_set():
    agent, _ = inline(
        "{name: A, fields: null, persona: null, idle: null, flows: null, tools: null}"
    )
    assert (agent.fields, agent.idle, agent.flows) == ({}, None, ())


def test_a_tool_may_raise():
    agent, _ = inline(
        "{name: A, tools: [{id: t, parameters: {type: object}, returns: [{throw: x}, {value: 1}]}]}"
    )
    handler: Any = agent.tools["t"].handler
    with pytest.raises(StubError, match="x"):
        handler({}, None)
    assert handler({}, None) == {"value": 1}


def test_silent():
    assert inline("{name: A, idle: silent}").agent.idle == "silent"


def test_every_build_starts_its_results_anew():
    source = load_agent(Document(Path("a.yaml"), FULL).spot)
    first, second = source.build(), source.build()

    def result(built: Built) -> Any:
        return built.stubs.action("avisar", ({"n": 1}, {"n": 2}))

    assert [result(first), result(first), result(second)] == [{"n": 1}, {"n": 2}, {"n": 1}]


def test_a_file_with_flows_beside_it(write):
    write("flows/one.json", '{"id": "one", "name": "One", "steps": []}')
    write("flows/more.yaml", "- {id: two, name: Two, steps: []}\n- {id: three, name: T, steps: []}")
    write("agents/a.yaml", "name: A\nflows: [../flows/one.json, ../flows/more.yaml]")
    scenario = load_document(write("s/x.yaml", "agent: ../agents/a.yaml"))
    agent, _ = load_agent(scenario.spot.at("agent")).build()
    assert [flow.id for flow in agent.flows] == ["one", "two", "three"]
    assert load_agent("agents/a.yaml").build().agent.name == "A"
    assert load_agent("a.yaml", base=Path("agents")).build().agent.name == "A"


def test_an_agent_given_as_a_mapping(write):
    write("flows/one.json", '{"id": "one", "name": "One", "steps": []}')
    agent, _ = load_agent({"name": "A", "flows": ["one.json"]}, base=Path("flows")).build()
    assert [flow.id for flow in agent.flows] == ["one"]
    with pytest.raises(ScenarioFileError, match=r'^\(agent\):1:1: unknown key "nme"'):
        load_agent({"nme": "A"})


# --- what is refused ----------------------------------------------------------------------------

REFUSED = [
    (
        "[1]",
        "1:1: the file must be a mapping, not a list. "
        "Write a declarative agent, a path, or module:attribute.",
    ),
    ("{flows: []}", "1:1: the file has no name. Add name."),
    ("{name: A, flow: []}", '1:11: unknown key "flow". Did you mean "flows"?'),
    ("{name: A, flows: {}}", "1:18: flows must be a list, not a mapping."),
    ("{name: A, fields: [a]}", "1:19: fields must be a mapping, not a list."),
    (
        "{name: A, fields: {x: {}}}",
        "1:23: [FlowConfigurationError] agent: fields.x has no type. "
        'Use one of "string", "number", "integer", "boolean".',
    ),
    (
        "{name: A, fields: {x: null}}",
        "1:23: [FlowConfigurationError] agent: fields.x has no type. "
        'Use one of "string", "number", "integer", "boolean".',
    ),
    (
        "{name: A, fields: {x: {type: text}}}",
        '1:30: [FlowConfigurationError] agent: fields.x.type is "text". '
        'Use one of "string", "number", "integer", "boolean".',
    ),
    (
        "{name: A, fields: {x: {}, x.y: {type: text}}}",
        "1:23: [FlowConfigurationError] agent: fields.x has no type. "
        'Use one of "string", "number", "integer", "boolean".',
    ),
    (
        "{name: A, fields: {x: {type: string}, x.y: {type: text}}}",
        '1:51: [FlowConfigurationError] agent: fields.x.y.type is "text". '
        'Use one of "string", "number", "integer", "boolean".',
    ),
    (
        "{name: A, fields: {x: {type: string, asks: a}}}",
        '1:38: [FlowConfigurationError] agent: unknown key "asks" in fields.x. Did you mean "ask"?',
    ),
    (
        "{name: A, fields: {x: {type: string, ask: Qual o nome, amor}}}",
        '1:56: [FlowConfigurationError] agent: unknown key "amor" in fields.x. Remove it, or use '
        'one of "type", "enum", "description", "label", "ask", "extract". '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "{name: A, fields: {x: {type: string, enum: [a, {}]}}}",
        "1:48: [FlowConfigurationError] agent: fields.x.enum[1] is neither text nor a number, "
        "got {}. Write it as one of them.",
    ),
    (
        "{name: A, fields: {x: {type: string, extract: never}}}",
        '1:47: [FlowConfigurationError] agent: fields.x.extract is "never". '
        'Use one of "anywhere", "asked".',
    ),
    (
        "{name: A, events: {x: {direction: inbund}}}",
        '1:35: [FlowConfigurationError] agent: events.x.direction is "inbund". '
        'Use one of "inbound", "outbound".',
    ),
    (
        "{name: A, conditions: {x: {path: lead, op: equals}}}",
        '1:34: path cannot begin with "lead". Begin it with context, data, input.',
    ),
    (
        "{name: A, conditions: {x: {path: data.a, op: equal}}}",
        '1:46: op cannot be the text "equal". Did you mean "equals"?',
    ),
    (
        "{name: A, actions: {x: {return: {}}}}",
        '1:25: unknown key "return". Did you mean "returns"?',
    ),
    (
        "{name: A, actions: {x: {returns: []}}}",
        "1:34: returns must have a result in its list. Write {ok: true}.",
    ),
    (
        "{name: A, actions: {x: {returns: {throw: 1}}}}",
        "1:42: throw must be text, not the number 1. Put it in quotes.",
    ),
    ("{name: A, actions: {x: {set: [a]}}}", "1:30: set must be a mapping, not a list."),
    (
        "{name: A, actions: {crm: {parameters: {fase: {type: txt}}}}}",
        '1:53: [FlowConfigurationError] agent: actions.crm.parameters.fase.type is "txt". '
        'Use one of "string", "number", "integer", "boolean", "array".',
    ),
    ("{name: A, tools: {x: {}}}", "1:18: tools must be a list, not a mapping."),
    ("{name: A, tools: [{id: [a]}]}", "1:24: id must be text, not a list."),
    ("{name: A, tools: [{description: d}]}", "1:19: tools[0] has no id. Add id."),
    (
        "{name: A, tools: [{id: x, parameters: {type: object}, returns: {valu: 1}}]}",
        '1:65: unknown key "valu". Did you mean "value"?',
    ),
    (
        "{name: A, tools: [{id: x, parameters: {type: object}, returns: 3}]}",
        "1:64: returns must be a mapping, not the number 3. Write {value: …, data: {…}}.",
    ),
    (
        "{name: A, tools: [{id: x, parameters: {type: object}, returns: {data: 3}}]}",
        "1:71: data must be a mapping, not the number 3.",
    ),
    (
        "{name: A, tools: [{id: x, parameters: {type: object}, returns: [{throw: a, value: 1}]}]}",
        "1:76: value cannot stand beside throw. What raises returns nothing.",
    ),
    (
        "{name: A, tools: [{id: x, parameters: {type: array}}]}",
        "1:19: [FlowConfigurationError] "
        'tool "x": parameters is no JSON Schema object, got {"type": "array"}. '
        'Write {"type": "object", "properties": {…}}.',
    ),
    (
        "{name: A, conditions: {known: {path: data, op: exists}}}",
        "1:31: [FlowConfigurationError] "
        'condition "known": every agent has that one built in. Rename yours.',
    ),
    (
        "{name: A, idle: quiet}",
        '1:17: [FlowConfigurationError] idle: is neither a mapping nor "silent", got "quiet". '
        "Write one of them.",
    ),
    (
        "{name: A, idle: {promt: a}}",
        '1:18: [FlowConfigurationError] idle: unknown key "promt". Did you mean "prompt"?',
    ),
    (
        "{name: A, idle: {prompt: Atenda, amigo}}",
        '1:34: [FlowConfigurationError] idle: unknown key "amigo". '
        'Remove it, or use one of "prompt", "tools", "instructions". '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "{name: A, idle: {instructions: [{prompt: a}, {prompt: a, if: {rico: 1}}]}}",
        '1:69: [FlowConfigurationError] idle: unknown condition "rico" in instructions[1].if. '
        "Register it in conditions or fix the name.",
    ),
    (
        "{name: A, idle: {tools: [x]}}",
        '1:26: [FlowConfigurationError] idle: unknown tool "x". '
        "Register it in the agent's tools or fix the name.",
    ),
    (
        "{name: A, instructions: [{kind: must}]}",
        "1:26: [FlowConfigurationError] "
        "agent: instructions[0] has no prompt. Give it one, as text.",
    ),
    (
        "{name: A, instructions: breve}",
        "1:25: [FlowConfigurationError] "
        'agent: instructions is not a list, got "breve". Write it as a list.',
    ),
    (
        "{name: A, instructions: [{prompt: a, if: {known: [x]}}]}",
        '1:51: [FlowConfigurationError] agent: unknown field "x" in instructions[0].if.known. '
        "Add it to the agent's fields or fix the slug.",
    ),
    (
        '{name: A, fields: {"": {type: string}}}',
        "1:19: [FlowConfigurationError] agent: the name of a field is empty. Give it one.",
    ),
    (
        "{name: A, compaction: {maxTokens: 0}}",
        "1:23: [FlowConfigurationError] agent: compaction has maxTokens 0. "
        "Use a whole number, at least 1.",
    ),
    (
        '{name: A, businessHours: {days: [mon], open: "9", close: "18:00"}}',
        '1:26: [FlowConfigurationError] agent: businessHours has open "9". '
        'Write a time of day like "09:00".',
    ),
    (
        "{name: A, maxToolLoops: -1}",
        "1:25: maxToolLoops must be a whole number, 0 or more, not the number -1.",
    ),
    ("{name: A, provider: scripted}", '1:21: provider must be a mapping, not the text "scripted".'),
    (
        "{name: A, provider: {model: x, api_key: y}}",
        "1:32: api_key does not belong in a file. "
        "Remove it: keys come from the environment, never from a file.",
    ),
    (
        "{name: A, flows: [a]}",
        '1:19: [FlowConfigurationError] flow: is not a mapping, got "a". Write it as a mapping. '
        "The path of a file ends in .yaml, .yml or .json.",
    ),
    (
        "{name: A, flows: [{id: a, name: A, steps: [{id: b, kind: say, say: Oi, amor}]}]}",
        '1:72: the key "amor" has no value. Give it one, such as null. '
        "If it belongs to the text before it, put that text in quotes.",
    ),
    (
        "{name: A, flows: [a.json]}",
        "1:19: there is no file a.json. "
        "A path is read from the folder of the file in which it stands.",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals(text: str, message: str):
    assert refusal(text) == f"a.yaml:{message}"


FLOWS = """
name: A
flows:
- id: one
  name: One
  steps:
  - {id: a, kind: say, say: Oi!}
- id: two
  name: Two
  on:
  - {message: [oi]}
  - {event: gone}
  steps:
  - {id: a, kind: say, say: Oi!}
  - {id: b, kind: say, say: Oi!, then: nowhere}
"""


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("{event: gone}", "{event: gone}", "12:13"),
        ("{event: gone}", "{evnt: gone}", "12:6"),
        ("{event: gone}", "{silence: 1h}", "15:40"),
        ("- {event: gone}\n", "\n", "15:40"),
        ("{id: a, kind: say, say: Oi!}\n- id", "{id: a, kind: say, say: 3}\n- id", "7:29"),
        ("id: two", "id: one", "8:3"),
        ("name: Two", "nam: Two", "9:3"),
    ],
)
def test_the_engines_words_stand_at_the_place_that_they_name(old: str, new: str, place: str):
    shown = refusal(FLOWS.replace(old, new))
    assert shown.startswith(f"a.yaml:{place}: [FlowConfigurationError] flow ")


def test_a_refusal_keeps_its_cause_and_names_the_flow_file(write):
    write("f.yaml", "id: f\nname: F\nsteps:\n- {id: a, kind: say}")
    with pytest.raises(ScenarioFileError) as caught:
        load_agent({"name": "A", "flows": ["f.yaml"]})
    assert str(caught.value).startswith('f.yaml:4:3: [FlowConfigurationError] flow "f", step "a": ')
    assert isinstance(caught.value.__cause__, FlowConfigurationError)


def test_a_flow_file_may_have_its_ending_in_capitals(write):
    write("f.JSON", '{"id": "f", "name": "F", "steps": []}')
    agent, _ = load_agent({"name": "A", "flows": ["f.JSON"]}).build()
    assert [flow.id for flow in agent.flows] == ["f"]


def test_paths_in_messages_are_tidy(write):
    write("flows/x.json", '{"id": "x", "name": "X", "steps": [{"id": "a"}]}')
    write("agents/a.yaml", "{name: A, flows: [../flows/x.json]}")
    write("agents/b.yaml", "{name: B, flows: [../flows/no.json]}")
    with pytest.raises(ScenarioFileError, match=r"^flows/x\.json:1:36: \[Flow"):
        load_agent("agents/../agents/a.yaml")
    with pytest.raises(ScenarioFileError, match=r"^agents/b\.yaml:1:19: there is no file flows/no"):
        load_agent("agents/b.yaml")
    with pytest.raises(ScenarioFileError, match=r"^no\.yaml:1:1: there is no file no\.yaml\."):
        load_agent("agents/../no.yaml")


def test_a_text_that_a_comma_cuts_in_a_flow_file_has_its_place(write):
    write("f.yaml", "id: f\nname: F\nsteps:\n- {id: a, kind: say, say: Oi, tudo bem?}")
    with pytest.raises(
        ScenarioFileError, match=r'^f\.yaml:4:31: the key "tudo bem\?" has no value'
    ):
        load_agent({"name": "A", "flows": ["f.yaml"]})


def test_a_warning_has_its_place():
    text = FLOWS.replace("  - {event: gone}\n", "").replace("nowhere", "a")
    source = load_agent(Document(Path("a.yaml"), text).spot)
    [warning] = source.build().agent.warnings
    assert str(source.place_of(warning).place()) == "a.yaml:14:40"


# --- stand-ins ----------------------------------------------------------------------------------

STUBS = """
actions: {avisar: {returns: {failed: x}}}
tools: [{id: agenda, returns: {value: 9}, isReadOnly: false}]
conditions: {vip: {path: data.vip, op: exists}}
"""


def stubs(text: str = STUBS):
    return Document(Path("s.yaml"), text).spot


def test_stubs_replace_by_name_and_keep_what_they_do_not_say():
    agent, _ = inline(FULL, stubs=stubs())
    assert agent.actions["avisar"].parameters == {
        "para": Param("string"),
        "texto": Param("string", optional=True),
    }
    assert agent.actions["avisar"].handler({}, None) == {"failed": "x"}  # pyright: ignore[reportArgumentType]
    tool = agent.tools["agenda"]
    assert tool.handler({}, None) == {"value": 9}  # pyright: ignore[reportArgumentType]
    assert (tool.description, tool.is_read_only, tool.max_result_chars) == ("d", False, 9)


def test_a_stand_in_is_refused_at_its_place():
    shown = refusal(FULL, stubs=stubs("{actions: {avisar: {parameters: {p: {type: txt}}}}}"))
    assert shown.startswith(
        's.yaml:1:44: [FlowConfigurationError] agent: actions.avisar.parameters.p.type is "txt". '
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{action: {}}", '1:2: unknown key "action". Did you mean "actions"?'),
        ("{actions: {avsar: {}}}", '1:12: the agent has no action "avsar". Did you mean "avisar"?'),
        (
            "{tools: [{id: qqq}]}",
            '1:10: the agent has no tool "qqq". A stub replaces what is there.',
        ),
        (
            "{conditions: {vipp: {path: data, op: exists}}}",
            '1:15: the agent has no condition "vipp". Did you mean "vip"?',
        ),
    ],
)
def test_a_stub_must_replace_something(text: str, message: str):
    assert refusal(FULL, stubs=stubs(text)) == f"s.yaml:{message}"


# --- agents in Python ---------------------------------------------------------------------------

MODULE = """
from falai.agent import Agent
from falai.words.registry import Action, Tool

def avisar(args, ctx):
    return {"ok": True, "detail": "own"}

def make():
    tool = Tool(id="t", description="d", parameters={"type": "object"}, handler=lambda a, c: {})
    return Agent(name="Py", actions={"avisar": Action(avisar)}, tools=[tool],
                 conditions={"vip": lambda ctx, arg: True})

async def make_later():
    return make()

def fails():
    raise ValueError("sem chave")

def refused():
    return Agent(name="Py", fields={"": None})

class Nested:
    agent = make()

agent = Nested.agent
number = 3
def makes_number():
    return 3
"""


@pytest.fixture
def module(write, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with a name of its own, for Python keeps what it has imported."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = f"agents_{abs(hash(request.node.name))}"
    write(f"{name}.py", MODULE)
    return name


def python(reference: str, **options: Any) -> AgentSource:
    return load_agent(Document(Path("s.yaml"), f"agent: {reference}").spot.at("agent"), **options)


@pytest.mark.parametrize("name", ["agent", "make", "make_later", "Nested.agent"])
def test_an_agent_of_a_module(module: str, name: str):
    clock, provider = FakeClock("2026-01-05T09:00:00Z"), ScriptedProvider()
    source = python(f"{module}:{name}")
    agent, results = source.build(clock=clock, provider=provider)
    assert (source.provider, source.place_of("any words")) == (None, source.spot)
    assert isinstance(agent, Agent)
    assert (agent.name, agent.clock, agent.provider) == ("Py", clock, provider)
    handler: Any = agent.actions["avisar"].handler
    assert handler({}, None)["detail"] == "own"
    results.override({"avisar": ({"failed": "x"},)})
    assert handler({}, None) == {"failed": "x"}


async def in_a_loop(source: AgentSource) -> Built:
    return source.build()


def test_a_coroutine_is_waited_for_inside_a_loop_too(module: str):
    import asyncio

    assert asyncio.run(in_a_loop(python(f"{module}:make_later"))).agent.name == "Py"


def test_stubs_stand_in_for_python_code(module: str):
    text = "{actions: {avisar: {returns: {failed: x}}}, tools: [{id: t, returns: {value: 1}}]}"
    agent, _ = python(f"{module}:agent", stubs=stubs(text)).build()
    action: Any = agent.actions["avisar"].handler
    tool: Any = agent.tools["t"].handler
    assert (action({}, None), tool({}, None)) == ({"failed": "x"}, {"value": 1})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("agen", '{0} has no agen. Did you mean "agent"?'),
        ("Nested.qqq", "{0} has no Nested.qqq. Check the name."),
        (
            "number",
            "{0}:number is no Agent but a int. Name an Agent, or a callable that returns one.",
        ),
        (
            "makes_number",
            "{0}:makes_number is no Agent but a int. Name an Agent, or a callable "
            "that returns one.",
        ),
        (
            "fails",
            "{0}:fails fails: ValueError: sem chave. Mend it, or import it in Python to see where.",
        ),
        ("refused", "[FlowConfigurationError] agent: the name of a field is empty. Give it one."),
    ],
)
def test_python_that_is_no_agent(module: str, name: str, message: str):
    with pytest.raises(ScenarioFileError) as caught:
        python(f"{module}:{name}").build()
    assert str(caught.value) == f"s.yaml:1:8: {message.format(module)}"


def test_what_is_refused_of_an_agent_in_python_stands_where_it_is_named(module: str):
    source = python(f"{module}:agent", stubs=stubs("{tools: [{id: t, parameters: {type: text}}]}"))
    with pytest.raises(ScenarioFileError, match=r'^s\.yaml:1:8: \[Flow.*\] tool "t": parameters'):
        source.build()


def test_modules_that_cannot_be_imported(write, module: str):
    write(f"{module}_bad.py", "import nowhere_at_all")
    write(f"{module}_worse.py", "1 / 0")
    fix = "Check the name, and run from the folder in which it is found."
    for name, what in [
        (f"{module}_none", f"{module}_none:a: there is no module {module}_none. {fix}"),
        (f"{module}_bad", f"{module}_bad:a: there is no module nowhere_at_all. {fix}"),
        (
            f"{module}_worse",
            f"{module}_worse:a fails: ZeroDivisionError: division by zero. "
            "Mend it, or import it in Python to see where.",
        ),
    ]:
        with pytest.raises(ScenarioFileError) as caught:
            python(f"{name}:a")
        assert str(caught.value) == f"s.yaml:1:8: {what}"
