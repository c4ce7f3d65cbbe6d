"""The toolkit: what a developer writes in Python, and the agent that comes of it."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
import pytest

from falai import (
    ActionCtx,
    Chain,
    Ctx,
    Do,
    EventDef,
    FakeClock,
    Field,
    Fields,
    FlowConfigurationError,
    Goto,
    If,
    Param,
    Say,
    ScriptedProvider,
    Session,
    Talk,
    ToolCtx,
    ask,
    chain,
    defer,
    failed,
    falai,
    goto,
    ok,
    skipped,
)
from falai.declared import fields_of

CLOCK = FakeClock("2026-01-05T09:00:00Z")


class Answers:
    """Fields as a class."""

    nome: str = ask("Pergunte o nome.", description="Nome próprio", label="Nome")
    porte: Literal["P", "G"] = ask("Pergunte o porte.")
    nota: Literal[1, 2, 3]
    valor: float
    idade: int = ask(extract="asked")
    certo: bool
    _hidden: str


def test_annotations_are_fields():
    assert fields_of(Answers) == {
        "nome": Field("string", ask="Pergunte o nome.", description="Nome próprio", label="Nome"),
        "porte": Field("string", ask="Pergunte o porte.", enum=("P", "G")),
        "nota": Field("integer", enum=(1, 2, 3)),
        "valor": Field("number"),
        "idade": Field("integer", extract="asked"),
        "certo": Field("boolean"),
    }


def test_a_class_and_a_mapping_make_the_same_definitions():
    mapping = fields_of(Answers)
    assert falai(Answers).fields == falai(mapping).fields


@pytest.mark.parametrize("hint", [list[str], dict, Literal["a", 1], str | int])
def test_an_annotation_that_no_field_can_have_is_refused(hint: Any):
    class Wrong:
        nome: str

    Wrong.__annotations__["nome"] = hint
    with pytest.raises(
        FlowConfigurationError, match=r'field "nome": .* is no field type\. Use str'
    ):
        falai(Wrong)


def test_a_field_has_no_default():
    class Wrong:
        nome: str = "Ana"

    with pytest.raises(
        FlowConfigurationError, match=r"field \"nome\": its value is 'Ana'\. Write ask"
    ):
        falai(Wrong)


# --- fields as a class that knows their types ----------------------------------------------------


class Person(Fields):
    nome: str = ask("Pergunte o nome.")
    idade: int | None = ask()


class Lead(Person):
    porte: Literal["P", "G"]
    _hidden: str = "no field"


def test_a_class_of_fields_makes_the_definitions_of_a_mapping():
    assert falai(Lead).fields == {
        "nome": Field("string", ask="Pergunte o nome."),
        "idade": Field("integer"),
        "porte": Field("string", enum=("P", "G")),
    }
    assert list(falai(Lead).fields) == ["nome", "idade", "porte"]


def test_an_instance_holds_the_values_that_it_is_given():
    lead = Lead(nome="Ana", porte="G")
    assert lead == {"nome": "Ana", "porte": "G"}
    assert (lead.nome, lead["porte"], lead.get("idade")) == ("Ana", "G", None)


def test_reading_what_is_not_known_says_so():
    with pytest.raises(AttributeError, match='"nome" is not in the data: it is not known yet'):
        _ = Lead(porte="P").nome
    assert not hasattr(Lead(porte="P"), "nome")


def test_a_value_is_not_set_by_attribute():
    lead: Any = Lead(porte="P")
    with pytest.raises(AttributeError, match='"nome" cannot be set like this: an action writes'):
        lead.nome = "Ana"
    assert lead == {"porte": "P"}


def test_what_is_no_field_of_the_class_is_refused():
    made: Any = Lead
    with pytest.raises(TypeError, match="Lead has no field nmoe: declare it there"):
        made(nmoe="Ana")


@pytest.mark.parametrize("slug", ["items", "get", "keys", "update", "copy"])
def test_a_field_cannot_have_the_name_of_what_every_mapping_has(slug: str):
    with pytest.raises(FlowConfigurationError, match=f'field "{slug}": every mapping has'):
        type("Wrong", (Fields,), {"__annotations__": {slug: str}})
    assert slug in falai({slug: Field("string")}).fields


def test_the_data_of_a_session_is_read_by_attribute_before_and_after_a_turn():
    f = falai(Lead)

    @f.action
    def write(ctx: ActionCtx[Any, Lead]):
        seen = hasattr(ctx.data, "nome")
        ctx.set(Lead(nome="Bia", porte="P"))
        return ok(f"{seen}, {ctx.data.nome}")

    result = played(f, Do("d", "write"), Say("s", "Oi {{data.nome}}"))
    assert result.outcomes[0].detail == "False, Bia"
    assert result.session.data.porte == "P"
    row = msgspec.json.encode(result.session)
    assert b'"data":{"nome":"Bia","porte":"P"}' in row
    read: Session[Any] = msgspec.json.decode(row, type=Session)
    assert read.data.nome == "Bia"


def test_an_action_forgets_by_none():
    f = falai(Lead)

    @f.action
    def forget(ctx: ActionCtx[Any, Lead]):
        ctx.set(Lead(nome="Bia", porte="P"))
        ctx.set({"nome": None})
        return ok()

    assert played(f, Do("d", "forget")).session.data == {"nome": None, "porte": "P"}


def test_either_type_may_be_left_out_where_a_context_is_annotated():
    for written in (ActionCtx, ActionCtx[dict[str, str]], ActionCtx[dict[str, str], Lead]):

        def act(seen: Any) -> Mapping[str, Any]:
            return ok()

        act.__annotations__["seen"] = written
        f = falai()
        f.action(act)
        assert f.actions["act"].parameters is None


# --- actions ----------------------------------------------------------------------------------


def test_an_action_has_the_parameters_of_its_function():
    f = falai()

    @f.action
    def notify(
        to: str,
        times: int,
        ratio: float,
        urgent: bool,
        channel: Literal["sms", "email"],
        names: list[str],
        note: str | None = None,
    ) -> Mapping[str, Any]:
        return ok()

    assert notify("a", 1, 1.5, True, "sms", []) == {"ok": True}
    assert f.actions["notify"].parameters == {
        "to": Param("string"),
        "times": Param("integer"),
        "ratio": Param("number"),
        "urgent": Param("boolean"),
        "channel": Param("string", enum=("sms", "email")),
        "names": Param("array", items=Param("string")),
        "note": Param("string", optional=True),
    }


def test_an_optional_type_makes_a_parameter_optional():
    f = falai()

    @f.action
    def act(note: str | None, tags: Sequence[str] = ()) -> Mapping[str, Any]:
        return ok(note)

    assert act("x") == ok("x")
    assert f.actions["act"].parameters == {
        "note": Param("string", optional=True),
        "tags": Param("array", items=Param("string"), optional=True),
    }


def test_an_action_without_parameters_takes_none():
    f = falai()

    @f.action
    def act(ctx: ActionCtx[Any]) -> Mapping[str, Any]:
        return ok(ctx.key)

    assert f.actions["act"].parameters is None
    assert f.actions["act"].handler is not act


@pytest.mark.parametrize(
    "hint",
    [dict, Mapping[str, str], str | int, list, object, Literal["a", 1], Annotated[dict, "x"]],
)
def test_a_type_that_no_parameter_can_have_is_refused(hint: Any):
    def act(x: Any) -> Mapping[str, Any]:
        return ok()

    act.__annotations__["x"] = hint
    with pytest.raises(FlowConfigurationError, match='function "act": parameter "x" has a type'):
        falai().action(act)


def test_any_number_of_values_is_no_parameter():
    def act(*args: str) -> Mapping[str, Any]:
        return ok()

    with pytest.raises(FlowConfigurationError, match='parameter "args" stands for any number'):
        falai().action(act)


def test_a_parameter_that_has_no_name_for_its_value_is_refused():
    def act(x: str, /) -> Mapping[str, Any]:
        return ok(x)

    with pytest.raises(FlowConfigurationError, match='parameter "x" cannot be given by its name'):
        falai().action(act)


def test_an_annotation_describes_its_parameter():
    f = falai()

    @f.action
    def notify(to: Annotated[str, "Who reads it."], times: Annotated[int | None, "How often."]):
        return ok(f"{to}, {times}")

    assert notify("ana", 2) == ok("ana, 2")
    assert f.actions["notify"].parameters == {
        "to": Param("string", description="Who reads it."),
        "times": Param("integer", description="How often.", optional=True),
    }


def test_parameters_and_a_name_may_be_given_in_place_of_what_the_function_says():
    f = falai()
    parameters = {"to": Param("string"), "cc": Param("array", items=Param("string"))}

    @f.action(name="send-mail", parameters=parameters)
    def send(ctx: ActionCtx, **given: Any):
        return ok(f"{ctx.key} {given}")

    assert f.actions["send-mail"].parameters == parameters
    line = played(f, Do("d", "send-mail", {"to": "ana", "cc": ["bia"]})).outcomes[0]
    assert line.detail == "f#k:d:1 {'to': 'ana', 'cc': ['bia']}"
    assert callable(send)


def test_a_tool_and_a_condition_may_have_names_of_their_own():
    f = falai()
    schema = {"type": "object", "properties": {"when": {"type": "string", "format": "date"}}}

    @f.tool(name="free-hours", description="When there is time.", parameters=schema)
    def hours(**given: Any) -> str:
        return given["when"]

    @f.condition(name="inStage")
    def in_stage(ctx: Ctx, stage: str) -> bool:
        return ctx.context == stage

    tool = f.tools["free-hours"]
    assert (tool.id, tool.description, tool.parameters) == (
        "free-hours",
        "When there is time.",
        schema,
    )
    ctx: ToolCtx = ToolCtx(key="k", context=None, data={}, now=CLOCK.now())
    handler: Any = tool.handler
    assert asyncio.run(handler({"when": "2026-01-05"}, ctx)) == {"value": "2026-01-05"}
    assert f.conditions == {"inStage": in_stage}
    assert callable(hours)


def test_a_name_is_registered_once():
    f = falai()

    def act() -> Mapping[str, Any]:
        return ok()

    f.action(act)
    with pytest.raises(FlowConfigurationError, match='action "act" is registered twice'):
        f.action(act)


def played(f: "falai[Any, Any]", *steps: Any, **given: Any) -> Any:
    """Start a flow of these steps, and give what came of it."""
    agent = f.agent("Ana", flows=[f.flow("f", "F", steps=steps)], clock=CLOCK)
    return agent.turn_sync(session_id="s1", start={"flow": "f", "key": "k"}, **given)


def test_an_action_is_called_with_what_its_step_gives_and_may_write():
    f = falai[dict[str, str]]({"nome": Field("string")})

    @f.action
    async def greet(name: str, seen: ActionCtx[dict[str, str]]) -> Mapping[str, Any]:
        await asyncio.sleep(0)
        seen.set({"nome": name})
        return ok(f"{seen.context['who']}, {seen.key}")

    greets = Do("d", "greet", with_={"name": "Bia"})
    result = played(f, greets, Say("s", "Oi {{data.nome}}"), context={"who": "Ana"})
    assert result.messages[0].text == "Oi Bia"
    assert result.outcomes[0].detail == "Ana, f#k:d:1"


@pytest.mark.parametrize(
    ("returned", "status", "code", "detail"),
    [
        (ok(), "ok", None, None),
        (ok("feito", spoke=True), "ok", None, "feito"),
        (skipped("já fiz"), "skipped", "action-skipped", "já fiz"),
        (failed("fora do ar"), "failed", "action-failed", "fora do ar"),
        (defer("1h", "fila"), "deferred", "action-deferred", "fila"),
        (defer("1h"), "deferred", "action-deferred", None),
    ],
)
def test_results_say_what_came_of_an_action(
    returned: Any, status: str, code: str | None, detail: str | None
):
    f = falai()

    @f.action
    def act() -> Any:
        return returned

    line = played(f, Do("d", "act")).outcomes[0]
    assert (line.status, line.code, line.detail) == (status, code, detail)
    assert act() == returned


# --- tools ------------------------------------------------------------------------------------


def test_a_tool_is_described_by_its_function():
    f = falai()

    @f.tool
    def agenda(day: str, hours: list[int] | None = None) -> list[int]:
        """Free hours of a day."""
        return hours or [9]

    assert agenda("seg") == [9]
    assert f.tools["agenda"].description == "Free hours of a day."
    assert f.tools["agenda"].parameters == {
        "type": "object",
        "properties": {
            "day": {"type": "string"},
            "hours": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["day"],
        "additionalProperties": False,
    }


def test_a_tool_may_say_more_of_itself():
    f = falai()

    @f.tool(is_read_only=True, max_result_chars=10)
    def level(kind: Literal["a", "b"]) -> str:
        return kind

    assert level("a") == "a"
    assert (f.tools["level"].is_read_only, f.tools["level"].max_result_chars) == (True, 10)
    assert f.tools["level"].parameters["properties"] == {
        "kind": {"type": "string", "enum": ["a", "b"]}
    }


@pytest.mark.parametrize(
    ("returned", "read"),
    [
        ([9, 10], {"value": [9, 10]}),
        ({"value": 1, "data": {"x": 2}}, {"value": 1, "data": {"x": 2}}),
        ({"hours": 9}, {"value": {"hours": 9}}),
        ({}, {"value": {}}),
        (None, {"value": None}),
    ],
)
def test_what_a_tool_returns_is_its_value_unless_it_says_more(returned: Any, read: Any):
    f = falai()

    @f.tool
    async def look(ctx: ToolCtx[Any]) -> Any:
        return returned

    ctx: ToolCtx[Any] = ToolCtx(key="k", context=None, data={}, now=CLOCK.now())
    handler: Any = f.tools["look"].handler
    assert asyncio.run(handler({}, ctx)) == read
    assert asyncio.run(look(ctx)) == returned


# --- events, conditions, flows ----------------------------------------------------------------


def test_an_event_is_named_by_what_it_returns():
    f = falai()
    assert f.event("reaction", direction="inbound") == "reaction"
    assert f.events == {"reaction": EventDef("inbound")}


def test_a_condition_is_named_by_its_function():
    f = falai[dict[str, str]]()

    @f.condition
    def in_stage(ctx: Ctx[dict[str, str]], stage: str) -> bool:
        return ctx.context["stage"] == stage

    forks = If("i", {"in_stage": "novo"}, then="s", else_="end"), Say("s", "Oi!")
    assert played(f, *forks, context={"stage": "novo"}).messages
    assert not played(falai_with(in_stage), *forks, context={"stage": "velho"}).messages


def falai_with(condition: Any) -> "falai[Any]":
    f = falai[Any]()
    f.condition(condition)
    return f


async def later(ctx: Any, argument: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("condition", "what"),
    [(later, "is async"), (lambda ctx: True, "does not take two parameters")],
)
def test_a_condition_that_cannot_be_judged_is_refused(condition: Any, what: str):
    with pytest.raises(FlowConfigurationError, match=what):
        falai().condition(condition)


def test_an_agent_has_the_flows_that_were_made():
    f = falai({"nome": Field("string", ask="Nome?")})
    made = f.flow("a", "A", steps=[Talk("t", collect=["nome"])], on_end="stay")
    assert f.agent("Ana").flows == (made,)
    assert f.agent("Ana", flows=[]).flows == ()


def test_an_agent_has_the_parts_that_it_is_given():
    provider = ScriptedProvider()
    agent = falai().agent("Ana", provider=provider, idle="silent", max_tool_loops=1)
    assert (agent.provider, agent.idle, agent.max_tool_loops) == (provider, "silent", 1)


def test_jumps_and_chains_read_as_what_they_do():
    assert goto("a", clear=["x"]) == Goto("a", ["x"])
    assert goto("a") == Goto("a")
    assert (chain("f"), chain("f", input=None)) == (Chain("f"), Chain("f", None))
