"""What the schema that a model writes flows by holds, admits and refuses."""

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from falai import Agent
from falai.errors import FlowConfigurationError
from falai.spec.convert import from_spec, to_spec
from falai.spec.plain import without_nulls
from falai.spec.registries import Registries
from falai.spec.schema import flow_spec_schema
from falai.spec.validate import validate_flow
from falai.words.field import Field
from falai.words.flow import Flow, Param
from falai.words.registry import Action, EventDef
from tests.property.profile import checked
from tests.spec.conftest import never
from tests.spec.schema_instances import Instances, Schema, subschemas

SHOP = Registries(
    fields={
        "nome": Field("string", description="Nome completo."),
        "idade": Field("integer"),
        "nota": Field("number"),
        "porte": Field("string", enum=["P", "M", "G"]),
        "ok": Field("boolean"),
    },
    actions={
        "avisar": Action(
            never,
            {
                "para": Param("string", description="Quem."),
                "canal": Param("string", enum=["sms", "email"], optional=True),
                "vezes": Param("integer", optional=True),
                "tags": Param("array", items=Param("string"), optional=True),
                "soltos": Param("array", optional=True),
            },
        ),
        "marcar": Action(never, {"dia": Param("string", optional=True)}),
        "chamar": Action(never),
    },
    events={"pago": EventDef(), "humano": EventDef("outbound")},
    conditions={"vip": never, "estagio": never},
)
"""An agent with something of everything."""

# --- random agents ------------------------------------------------------------------------------

STRANGE = ("$ref", "$defs", "$id", "end", "null", "oneOf", "equals ", "a/b~c", "{{x}}", '"', "é 日")
NAMES = st.sampled_from(STRANGE) | st.text(min_size=1, max_size=6)
SCALARS = ("string", "number", "integer", "boolean")
OPTIONS = st.lists(
    st.text(max_size=3) | st.integers() | st.floats(allow_nan=False) | st.booleans(), max_size=5
)
ABOUT = st.none() | st.just("o que é")
FIELDS = st.builds(Field, st.sampled_from(SCALARS), enum=st.none() | OPTIONS, description=ABOUT)


def params(*kinds: str, items: st.SearchStrategy[Any]) -> st.SearchStrategy[Param]:
    return st.builds(
        Param,
        st.sampled_from(kinds),
        description=ABOUT,
        enum=st.none() | OPTIONS,
        optional=st.none() | st.booleans(),
        items=items,
    )


SCALAR_PARAMS = params(*SCALARS, items=st.none())
PARAMS = SCALAR_PARAMS | params("array", items=st.none() | SCALAR_PARAMS)
ACTIONS = st.builds(Action, st.just(never), st.none() | st.dictionaries(NAMES, PARAMS, max_size=3))


def up_to_three(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(NAMES, values, max_size=3)


REGISTRIES = st.just(SHOP) | st.builds(
    Registries,
    fields=up_to_three(FIELDS),
    actions=up_to_three(ACTIONS),
    events=up_to_three(st.just(EventDef())),
    conditions=up_to_three(st.just(never)),
)


@st.composite
def written_flows(draw: st.DrawFn) -> tuple[Registries, dict[str, Any]]:
    """An agent's names, and a spec that its schema admits, no two of its steps with one id."""
    registries = draw(REGISTRIES)
    spec = Instances(flow_spec_schema(registries)).drawn(draw)
    taken: set[str] = set()
    for step in spec["steps"]:
        while step["id"] in taken:
            step["id"] += "'"
        taken.add(step["id"])
    return registries, spec


@st.composite
def linked_flows(draw: st.DrawFn) -> tuple[Registries, dict[str, Any]]:
    """One whose targets exist, and whose ifs that go back have an else."""
    registries, spec = draw(written_flows())
    ids = [step["id"] for step in spec["steps"]]
    existing = st.sampled_from([*ids, "end"])

    def linked(target: Any) -> Any:
        if isinstance(target, str):
            return draw(existing)
        return {**target, "step": draw(existing)} if target and "step" in target else target

    for index, step in enumerate(spec["steps"]):
        for place in (step, *(step.get("branches") or ())):
            for key in {"then", "else", "onFail"} & place.keys():
                place[key] = linked(place[key])
        if step["kind"] == "if" and step["else"] is None and goes_back(step, ids[: index + 1]):
            step["else"] = "end"
    return registries, spec


def goes_back(step: Mapping[str, Any], behind: Sequence[str]) -> bool:
    then = step["then"]
    return (then.get("step") if isinstance(then, Mapping) else then) in behind


# --- what holds for every agent -----------------------------------------------------------------


@checked
@given(written_flows())
def test_what_it_admits_passes_from_spec(drawn: tuple[Registries, dict[str, Any]]):
    registries, spec = drawn
    assert Instances(flow_spec_schema(registries)).admits(spec)
    flow = from_spec(spec)
    assert to_spec(flow) == without_nulls(spec)


@checked
@given(linked_flows())
def test_what_it_admits_runs_on_its_agent(drawn: tuple[Registries, dict[str, Any]]):
    registries, spec = drawn
    assert Instances(flow_spec_schema(registries)).admits(spec)
    flow = from_spec(spec)
    validate_flow(flow, registries)
    assert agent_with(flow, registries).flows == (flow,)


def agent_with(flow: Flow, registries: Registries) -> Agent[Any, Any]:
    return Agent(
        name="Ana",
        fields=registries.fields,
        actions=registries.actions,
        events=registries.events,
        conditions=registries.conditions,
        flows=[flow],
    )


@settings(checked, max_examples=20)  # the check itself is slow
@given(REGISTRIES)
def test_it_is_a_json_schema(registries: Registries):
    Draft202012Validator.check_schema(flow_spec_schema(registries))


@checked
@given(REGISTRIES)
def test_it_uses_the_words_that_vendors_take(registries: Registries):
    for part in subschemas(flow_spec_schema(registries)):
        assert part.keys() <= WORDS
        assert part.get("anyOf", [1, 2])[1:], "one option is no choice"


WORDS = {
    *("type", "properties", "required", "additionalProperties", "enum", "anyOf", "items"),
    *("minItems", "minimum", "pattern", "description", "$defs", "$ref"),
}
"""`oneOf` is none of them."""


@checked
@given(REGISTRIES)
def test_every_object_is_closed_and_every_property_required(registries: Registries):
    for part in subschemas(flow_spec_schema(registries)):
        if "object" in part.get("type", ()):
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
        else:
            assert "properties" not in part


@checked
@given(REGISTRIES)
def test_a_reference_stands_alone_and_every_definition_is_used(registries: Registries):
    schema = flow_spec_schema(registries)
    refs = [part for part in subschemas(schema) if "$ref" in part]
    assert all(len(part) == 1 for part in refs)
    assert {part["$ref"] for part in refs} == {f"#/$defs/{name}" for name in schema["$defs"]}


@checked
@given(REGISTRIES)
def test_the_same_names_make_the_same_schema(registries: Registries):
    first = flow_spec_schema(registries)
    spelt = json.dumps(first)
    for part in subschemas(first):
        assert isinstance(part, dict)
        part.clear()  # it is the caller's own
    assert json.dumps(flow_spec_schema(registries)) == spelt


# --- what it holds ------------------------------------------------------------------------------


def step_kinds(schema: Schema) -> list[str]:
    return [step["properties"]["kind"]["enum"][0] for step in variants(schema, "steps")]


def trigger_kinds(schema: Schema) -> list[str]:
    return [next(iter(trigger["properties"])) for trigger in variants(schema, "on")]


def variants(schema: Schema, key: str) -> list[Schema]:
    return schema["properties"][key]["items"]["anyOf"]


def conditions(schema: Schema) -> Schema:
    return schema["$defs"]["condition"]["properties"]


def names(schema: Schema) -> set[str]:
    return {name for part in subschemas(schema) for name in part.get("properties", ())}


NEEDED = {
    "fields": ({"collect"}, set(), {"equals", "known"}),
    "actions": ({"do"}, set(), set()),
    "events": ({"waitEvent"}, {"event"}, set()),
    "conditions": (set(), set(), {"vip", "estagio"}),
}
"""The steps, the triggers and the conditions that need a registry."""


def test_an_agent_without_names_has_what_needs_none():
    schema = flow_spec_schema(Registries())
    assert step_kinds(schema) == ["prompt", "say", "wait", "if"]
    assert trigger_kinds(schema) == ["message", "mention", "silence"]
    assert list(conditions(schema)) == ["silenced"]
    assert not names(schema) & {"collect", "clearOnStart", "clear", "with", "onFail"}


@pytest.mark.parametrize("registry", NEEDED)
def test_a_registry_brings_what_needs_it(registry: str):
    bare = flow_spec_schema(Registries())
    schema = flow_spec_schema(Registries(**{registry: getattr(SHOP, registry)}))
    steps, triggers, added = NEEDED[registry]
    assert {*step_kinds(schema)} - {*step_kinds(bare)} == steps
    assert {*trigger_kinds(schema)} - {*trigger_kinds(bare)} == triggers
    assert {*conditions(schema)} - {*conditions(bare)} == added


def test_the_names_of_the_agent_are_enums():
    schema = flow_spec_schema(SHOP)
    assert schema["$defs"]["field"]["enum"] == ["nome", "idade", "nota", "porte", "ok"]
    assert schema["$defs"]["event"]["enum"] == ["pago", "humano"]
    assert list(conditions(schema)) == ["equals", "known", "silenced", "vip", "estagio"]
    dos = [step["properties"]["do"]["enum"] for step in variants(schema, "steps")[3:6]]
    assert dos == [["avisar"], ["marcar"], ["chamar"]]


def test_the_fields_say_what_they_may_equal():
    equals = conditions(flow_spec_schema(SHOP))["equals"]["properties"]
    assert equals == {
        "nome": {"type": ["string", "null"], "description": "Nome completo."},
        "idade": {"type": ["integer", "null"]},
        "nota": {"type": ["number", "null"]},
        "porte": {"type": ["string", "null"], "enum": ["P", "M", "G", None]},
        "ok": {"type": ["boolean", "null"]},
    }


def test_an_action_has_its_parameters_as_with():
    avisar, marcar, chamar = variants(flow_spec_schema(SHOP), "steps")[3:6]
    placeholder = {"type": "string", "pattern": r"^.*\{\{.*\}\}.*$"}
    assert avisar["properties"]["with"]["type"] == "object"
    assert avisar["properties"]["with"]["properties"] == {
        "para": {"type": "string", "description": "Quem."},
        "canal": {
            "anyOf": [{"type": "string", "enum": ["sms", "email"]}, placeholder, {"type": "null"}]
        },
        "vezes": {"type": ["integer", "null"]},
        "tags": {"type": ["array", "null"], "items": {"type": "string"}},
        "soltos": {
            "type": ["array", "null"],
            "items": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]},
        },
    }
    assert marcar["properties"]["with"]["type"] == ["object", "null"]
    assert "with" not in chamar["properties"]


def test_what_is_left_out_on_purpose():
    left_out = {"ui", "tools", "ask", "extract", "input"}
    schema = flow_spec_schema(SHOP)
    assert not names(schema) & left_out
    assert "instructions" in schema["properties"]
    assert not any("instructions" in step["properties"] for step in variants(schema, "steps"))


def test_options_of_another_type_can_never_be_given():
    fields = {
        "faixa": Field("string", enum=["1-10", 11, "1-10"]),
        "grau": Field("integer", enum=[1, 1.0, True, "2", 2.5]),
        "nada": Field("boolean", enum=["sim"]),
    }
    schema = flow_spec_schema(Registries(fields=fields))
    assert schema["$defs"]["field"]["enum"] == ["faixa", "grau", "nada"]
    assert conditions(schema)["equals"]["properties"] == {
        "faixa": {"type": ["string", "null"], "enum": ["1-10", None]},
        "grau": {"type": ["integer", "null"], "enum": [1, None]},
    }


def test_fields_without_a_possible_value_have_no_equals():
    schema = flow_spec_schema(Registries(fields={"nada": Field("boolean", enum=[])}))
    assert list(conditions(schema)) == ["known", "silenced"]


def test_an_action_that_needs_an_impossible_value_is_left_out():
    nothing = Param("integer", enum=["um"])
    needs = Action(never, {"n": nothing})
    may = Action(never, {"n": Param("integer", enum=["um"], optional=True)})
    lists = Action(never, {"n": Param("array", items=nothing)})
    schema = flow_spec_schema(Registries(actions={"a": needs, "b": may, "c": lists}))
    dos = [step["properties"] for step in variants(schema, "steps") if "do" in step["properties"]]
    assert [(step["do"]["enum"], "with" in step) for step in dos] == [(["b"], False)]


# --- by hand, in both directions ----------------------------------------------------------------

VISIT: dict[str, Any] = {
    "id": "visita",
    "name": "Visita",
    "description": "Marca uma visita.",
    "on": [
        {"message": ["quer uma visita"], "if": {"equals": {"porte": "G"}, "vip": True}},
        {"mention": [], "repeat": "always"},
        {"silence": "1.5d", "businessHours": True, "repeat": {"cooldown": "7d"}},
        {"event": "pago", "after": "30s"},
    ],
    "anchor": "lead",
    "while": {"silenced": False, "estagio": ["novo", 2]},
    "collect": ["nota"],
    "clearOnStart": ["ok"],
    "steps": [
        {
            "id": "quem",
            "kind": "collect",
            "collect": ["nome", "idade"],
            "prompt": "Com leveza.",
            "question": "Qual o seu nome?",
            "maxAsks": 2,
            "branches": [
                {"when": "quer parar", "then": "end"},
                {"if": {"known": ["idade"]}, "then": {"flow": "preços"}},
            ],
        },
        {"id": "fala", "kind": "prompt", "prompt": "Explique.", "label": "Fala"},
        {"id": "diz", "kind": "say", "say": "Oi!", "media": {"slug": "mapa"}, "once": True},
        {
            "id": "avisa",
            "kind": "do",
            "do": "avisar",
            "with": {"para": "{{data.nome}}", "canal": "{{data.canal}}", "soltos": [1, "a", True]},
            "onFail": {"step": "quem", "clear": ["nome"]},
        },
        {"id": "marca", "kind": "do", "do": "marcar"},
        {
            "id": "espera",
            "kind": "wait",
            "wait": "2d",
            "businessHours": True,
            "else": "fala",
            "branches": [{"if": {"vip": 1}, "then": "diz"}],
        },
        {"id": "pago", "kind": "waitEvent", "wait": {"event": "pago", "upTo": "3d"}},
        {"id": "é?", "kind": "if", "if": {"equals": {"ok": True}}, "then": "quem", "else": "end"},
    ],
    "onEnd": "stay",
    "instructions": [
        {
            "id": "tom",
            "kind": "must",
            "when": ["fala de preço", "!brinca"],
            "prompt": "Seja breve.",
        },
        {"when": "pergunta", "if": {"known": ["nome"]}, "prompt": "Use o nome."},
    ],
}
"""A flow with one of everything, its nulls not written."""
QUEM, FALA, DIZ, AVISA, _, ESPERA, PAGO, SE = (("steps", index) for index in range(8))


@pytest.fixture(scope="module")
def shop() -> Instances:
    return Instances(flow_spec_schema(SHOP))


def test_a_flow_with_one_of_everything_is_admitted(shop: Instances):
    filled = shop.filled(VISIT)
    assert without_nulls(filled) == VISIT
    assert filled["steps"][1]["then"] is None
    assert shop.admits(filled)
    assert not shop.admits(VISIT)
    assert agent_with(from_spec(filled), SHOP).flows[0].id == "visita"


def test_the_least_flow_is_admitted(shop: Instances):
    least = {"id": "a", "name": "A", "steps": [{"id": "b", "kind": "say", "say": "Oi!"}]}
    assert shop.admits(shop.filled(least))


Path: TypeAlias = tuple[str | int, ...]
REFUSED: list[tuple[Path, Any]] = [
    (("id",), ""),
    (("id",), None),
    (("ui",), None),
    (("tools",), None),
    (("onEnd",), "loop"),
    (("collect",), ["cpf"]),
    (("clearOnStart",), "ok"),
    (("steps",), []),
    (("instructions", 0, "kind"), "may"),
    (("instructions", 0, "prompt"), None),
    (("while",), {}),
    (("while", "cliente"), True),
    (("while", "silenced"), "não"),
    (("while", "estagio"), {"nome": "novo"}),
    (("on", 0, "if", "equals", "porte"), "XG"),
    (("on", 0, "if", "equals", "idade"), "30"),
    (("on", 0, "if", "equals", "idade"), 3.5),
    (("on", 0, "if", "equals", "ok"), 1),
    (("on", 0, "if", "equals", "cpf"), "1"),
    (("on", 0, "if", "known"), ["cpf"]),
    (("on", 0, "message"), None),
    (("on", 0, "message"), ["quer uma visita", "!só pergunta"]),
    (("on", 0, "message"), [" "]),
    (("on", 0, "mention"), ["fala disso"]),
    (("on", 1, "extract"), None),
    (("on", 1, "repeat"), "sempre"),
    (("on", 2, "silence"), "24"),
    (("on", 2, "silence"), "1000000d"),
    (("on", 2, "repeat"), {"cooldown": "7"}),
    (("on", 3, "event"), "cancelado"),
    ((*QUEM, "id"), "end"),
    ((*QUEM, "id"), ""),
    ((*QUEM, "kind"), "prompt"),
    ((*QUEM, "collect"), []),
    ((*QUEM, "collect"), ["cpf"]),
    ((*QUEM, "maxAsks"), 0),
    ((*QUEM, "ask"), None),
    ((*QUEM, "say"), None),
    ((*QUEM, "branches", 0, "if"), None),
    ((*QUEM, "branches", 0, "then"), None),
    ((*QUEM, "branches", 1, "then"), {"flow": "preços", "input": None}),
    ((*FALA, "question"), None),
    ((*FALA, "prompt"), None),
    ((*FALA, "instructions"), None),
    ((*DIZ, "say"), None),
    ((*DIZ, "media"), "mapa"),
    ((*AVISA, "do"), "cobrar"),
    ((*AVISA, "do"), "marcar"),
    ((*AVISA, "with"), None),
    ((*AVISA, "with", "para"), None),
    ((*AVISA, "with", "quem"), "Ana"),
    ((*AVISA, "with", "canal"), "fax"),
    ((*AVISA, "with", "vezes"), "{{data.nota}}"),
    ((*AVISA, "with", "tags"), ["a", None]),
    ((*AVISA, "onFail", "clear"), ["cpf"]),
    ((*AVISA, "onFail", "flow"), None),
    ((*ESPERA, "wait"), {"event": "pago", "upTo": None}),
    ((*ESPERA, "branches", 0), {"when": "quer parar", "then": "diz"}),
    ((*PAGO, "wait", "event"), None),
    ((*PAGO, "wait", "upTo"), "3 days"),
    ((*SE, "if"), None),
    ((*SE, "then"), 3),
]
"""Where the flow is changed, and what it then says there."""


def held(spec: dict[str, Any], path: Path) -> Any:
    """What holds the last key of the path."""
    inside: Any = spec
    for key in path[:-1]:
        inside = inside[key]
    return inside


@pytest.mark.parametrize(("path", "value"), REFUSED, ids=str)
def test_refused(shop: Instances, path: Path, value: Any):
    spec = copy.deepcopy(shop.filled(VISIT))
    held(spec, path)[path[-1]] = value
    assert not shop.admits(spec)


MISSING: list[Path] = [
    ("name",),
    ("onEnd",),
    ("on", 0, "if"),
    ("while", "vip"),
    (*QUEM, "question"),
    (*AVISA, "with"),
    (*AVISA, "with", "para"),
    (*PAGO, "wait", "upTo"),
    (*SE, "id"),
]


@pytest.mark.parametrize("path", MISSING, ids=str)
def test_a_missing_key_is_refused(shop: Instances, path: Path):
    spec = copy.deepcopy(shop.filled(VISIT))
    del held(spec, path)[path[-1]]
    assert not shop.admits(spec)


def test_the_id_of_a_step_is_any_text_but_end(shop: Instances):
    for step_id in ("e", "en", "ends", "End", "e d", "fim", "s:1", "é"):
        assert shop.admits(with_step_id(shop, step_id)), step_id
    for step_id in ("end", ""):
        assert not shop.admits(with_step_id(shop, step_id)), step_id


def with_step_id(shop: Instances, step_id: str) -> Any:
    step = {"id": step_id, "kind": "say", "say": "Oi!"}
    return shop.filled({"id": "a", "name": "A", "steps": [step]})


def test_two_steps_with_one_id_are_admitted_but_refused_when_read(shop: Instances):
    step = {"id": "b", "kind": "say", "say": "Oi!"}
    spec = shop.filled({"id": "a", "name": "A", "steps": [step, step]})
    assert shop.admits(spec)
    with pytest.raises(FlowConfigurationError, match="declared twice"):
        from_spec(spec)
