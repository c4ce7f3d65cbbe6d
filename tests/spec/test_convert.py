"""A flow goes to JSON and back as it came."""

import copy
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falai.errors import FlowConfigurationError
from falai.spec.convert import from_spec, to_spec
from falai.spec.registries import Registries
from falai.spec.validate import validate_flow
from falai.words.flow import (
    Branch,
    Chain,
    Do,
    Event,
    Flow,
    Goto,
    If,
    Instruction,
    Mention,
    Message,
    Param,
    Say,
    Silence,
    Talk,
    Wait,
    WaitEvent,
)

Json = dict[str, Any]

text = st.text(max_size=8)
name = st.text(min_size=1, max_size=8)
texts = st.lists(text, max_size=3)
flag = st.booleans()
duration = st.sampled_from(["30s", "1.5d", "logo"])
scalar = st.none() | flag | st.integers() | st.floats(allow_nan=False) | text
anything = st.recursive(
    scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3)
)
mapping = st.dictionaries(text, anything, max_size=3)


def record(needed: Json, optional: Json) -> st.SearchStrategy[Json]:
    """Mappings of these keys; the optional ones may be missing or null."""
    nullable = {key: value | st.none() for key, value in optional.items()}
    return st.fixed_dictionaries(needed, optional=nullable)


target = (
    text
    | record({"step": text}, {"clear": texts})
    | record({"flow": text}, {"input": anything.filter(lambda value: value is not None)})
)
branch = record({"then": target}, {"when": text, "if": mapping})
instruction = record(
    {"prompt": text},
    {
        "id": text,
        "kind": st.sampled_from(["must", "never", "should"]),
        "when": text | texts,
        "if": mapping,
    },
)
described = {"description": text, "optional": flag}
options = {"enum": st.lists(text | st.integers(), max_size=3)}
scalar_param = record(
    {"type": st.sampled_from(["string", "number", "integer", "boolean"])}, described | options
)
param = scalar_param | record({"type": st.just("array")}, described | {"items": scalar_param})
repeat = st.sampled_from(["once", "always"]) | record({"cooldown": duration}, {})
phrases = texts.map(lambda some: [*some, "oi"] if some else [])
fires: Json = {"if": mapping, "repeat": repeat}
extracts = {"extract": st.dictionaries(name, param, max_size=2)}
trigger = (
    record({"message": phrases}, fires)
    | record({"mention": phrases}, fires | extracts)
    | record({"silence": duration}, fires | {"businessHours": flag})
    | record({"event": name}, fires | {"after": duration, "businessHours": flag})
)


def step(kind: str, needed: Json, optional: Json) -> st.SearchStrategy[Json]:
    shared = {"label": text, "then": target, "ui": anything}
    return record({"id": name, "kind": st.just(kind)} | needed, optional | shared)


waits = {"else": target}
branches = {"branches": st.lists(branch, max_size=2)}
talks: Json = branches | {
    "ask": st.dictionaries(text, text, max_size=2),
    "maxAsks": st.integers(1, 9),
    "tools": texts,
    "instructions": st.lists(instruction, max_size=2),
}
slugs = st.lists(text, min_size=1, max_size=3)
any_step = (
    step("prompt", {"prompt": text}, talks)
    | step("collect", {"collect": slugs}, talks | {"prompt": text, "question": text})
    | step("collect", {"collect": st.just([])}, talks | {"prompt": text})
    | step("say", {"say": text}, {"media": record({"slug": text}, {}), "once": flag})
    | step("do", {"do": text}, {"with": mapping, "onFail": target})
    | step("wait", {"wait": duration}, waits | branches | {"businessHours": flag})
    | step("waitEvent", {"wait": record({"event": name}, {"upTo": duration})}, waits)
    | step("if", {"if": mapping}, waits)
)
any_flow = record(
    {
        "id": name,
        "name": text,
        "steps": st.lists(
            any_step.filter(lambda it: it["id"] != "end"),
            min_size=1,
            max_size=4,
            unique_by=lambda it: it["id"],
        ),
    },
    {
        "description": text,
        "on": st.lists(trigger, max_size=2),
        "anchor": text,
        "while": mapping,
        "collect": texts,
        "clearOnStart": texts,
        "onEnd": st.sampled_from(["end", "stay", "reset"]),
        "instructions": st.lists(instruction, max_size=2),
        "tools": texts,
    },
)


def bare(value: Any) -> Any:
    """The value without its nulls."""
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [bare(item) for item in value if item is not None]
    return value


@settings(deadline=None)
@given(any_flow)
def test_a_spec_comes_back_without_its_nulls(spec: Json):
    before = copy.deepcopy(spec)
    assert json.dumps(to_spec(from_spec(spec)), sort_keys=True) == json.dumps(
        bare(spec), sort_keys=True
    )
    assert spec == before


@settings(deadline=None)
@given(any_flow)
def test_a_step_needs_no_kind(spec: Json):
    unkind = [{key: it[key] for key in it if key != "kind"} for it in spec["steps"]]
    assert from_spec({**spec, "steps": unkind}) == from_spec(spec)


@settings(deadline=None)
@given(any_flow)
def test_a_spec_and_its_flow_are_judged_alike(spec: Json):
    assert judged(spec) == judged(from_spec(spec))


def judged(flow: Flow | Json) -> list[str]:
    try:
        return validate_flow(flow, Registries())
    except FlowConfigurationError as problem:
        return [str(problem)]


@settings(deadline=None)
@given(any_flow, anything, st.data())
def test_nothing_but_a_configuration_error_ever_comes_of_a_spec(
    spec: Json, odd: Any, data: st.DataObject
):
    """Put something odd in one place of a good spec, at any depth."""
    spec, spot = copy.deepcopy(spec), None
    inner: Any = spec
    while isinstance(inner, dict | list) and inner:
        spot, holder = data.draw(keys(inner)), inner
        inner = inner[spot]
        if data.draw(flag):
            holder[spot] = odd
            break
    try:
        flow = from_spec(spec)
    except FlowConfigurationError:
        return
    judged(flow)
    assert from_spec(to_spec(flow)) == flow


def keys(holder: Json | list[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder)))


def always(_: Any) -> bool:
    return True


BUILT = Flow(
    id="t",
    name="T",
    on=[
        Message(("oi",)),
        Mention(["cor"], {"cor": Param("array", items=Param("string", optional=True))}),
        Silence("24h", business_hours=False),
        Event("pago", after="1h", repeat={"cooldown": "1d"}),
    ],
    while_={"silenced": False},
    clear_on_start=("nome",),
    on_end="stay",
    instructions=[Instruction(prompt="Seja breve.", kind="must", when=("a", "b"))],
    steps=(
        Talk("a", "Oi", branches=[Branch(when="sim?", then="end")], max_asks=1),
        Talk("b", collect=(), ask={}),
        Say("c", "Oi", media="foto", once=False, ui={"x": (1, 2)}, then=Goto("d", ("nome",))),
        Do("d", "avisar", {"para": None, "nomes": ("Ana",)}, on_fail=Chain("u", {"n": 1})),
        Wait("e", "1h", business_hours=True, else_="end", label="Espera"),
        WaitEvent("f", "pago", up_to="2d"),
        If("g", {"known": ("nome",)}, then=Goto("a"), else_=Chain("u")),
    ),
)

WRITTEN = {
    "id": "t",
    "name": "T",
    "on": [
        {"message": ["oi"]},
        {
            "mention": ["cor"],
            "extract": {"cor": {"type": "array", "items": {"type": "string", "optional": True}}},
        },
        {"silence": "24h", "businessHours": False},
        {"event": "pago", "after": "1h", "repeat": {"cooldown": "1d"}},
    ],
    "while": {"silenced": False},
    "clearOnStart": ["nome"],
    "onEnd": "stay",
    "instructions": [{"prompt": "Seja breve.", "kind": "must", "when": ["a", "b"]}],
    "steps": [
        {
            "id": "a",
            "kind": "prompt",
            "prompt": "Oi",
            "branches": [{"when": "sim?", "then": "end"}],
            "maxAsks": 1,
        },
        {"id": "b", "kind": "collect", "collect": [], "ask": {}},
        {
            "id": "c",
            "kind": "say",
            "say": "Oi",
            "media": {"slug": "foto"},
            "once": False,
            "ui": {"x": [1, 2]},
            "then": {"step": "d", "clear": ["nome"]},
        },
        {
            "id": "d",
            "kind": "do",
            "do": "avisar",
            "with": {"nomes": ["Ana"]},
            "onFail": {"flow": "u", "input": {"n": 1}},
        },
        {
            "id": "e",
            "kind": "wait",
            "wait": "1h",
            "businessHours": True,
            "else": "end",
            "label": "Espera",
        },
        {"id": "f", "kind": "waitEvent", "wait": {"event": "pago", "upTo": "2d"}},
        {
            "id": "g",
            "kind": "if",
            "if": {"known": ["nome"]},
            "then": {"step": "a"},
            "else": {"flow": "u"},
        },
    ],
}


def test_a_flow_built_in_python_is_written_under_its_wire_names():
    assert to_spec(BUILT) == WRITTEN
    assert list(to_spec(BUILT)["steps"][2])[:2] == ["id", "kind"]


def test_a_flow_shares_nothing_with_its_spec():
    spec = copy.deepcopy(WRITTEN)
    flow = from_spec(spec)
    spec["steps"][0]["branches"].clear()
    spec["while"]["silenced"] = True
    assert to_spec(flow) == WRITTEN


FUNCTIONS: list[tuple[Flow, str]] = [
    (Flow(id="t", name="T", while_=always), 'flow "t": while'),
    (
        Flow(id="t", name="T", on=[Message(if_=always)], steps=[Say("a", "x")]),
        'flow "t", trigger #1: if',
    ),
    (
        Flow(id="t", name="T", steps=[Say("a", "x"), If("b", always)]),
        'flow "t", step "b": if',
    ),
    (
        Flow(
            id="t",
            name="T",
            steps=[
                Talk(
                    "a",
                    "x",
                    branches=[Branch(when="b", then="end"), Branch(if_=always, then="end")],
                )
            ],
        ),
        'flow "t", step "a": branches[1].if',
    ),
    (
        Flow(id="t", name="T", instructions=[Instruction(prompt="a", if_=always)]),
        'flow "t": instructions[0].if',
    ),
]


@pytest.mark.parametrize(("flow", "place"), FUNCTIONS, ids=[place for _, place in FUNCTIONS])
def test_a_function_is_no_json(flow: Flow, place: str):
    with pytest.raises(FlowConfigurationError) as raised:
        to_spec(flow)
    assert str(raised.value) == (
        f"[FlowConfigurationError] {place} is a function, which a spec cannot hold. "
        "Write it as a condition mapping, with a condition of the agent."
    )


def wrong(build: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """Build with what the types forbid and Python lets pass."""
    return build(*args, **more)


BROKEN: list[tuple[Any, str]] = [
    (wrong(Flow, id=7, name="T"), "flow: id is not text, got 7."),
    (wrong(Flow, id="t", name="T", steps=None), 'flow "t": has no steps list.'),
    (wrong(Flow, id="t", name="T", collect="nome"), 'flow "t": collect is not a list, got "nome".'),
    (wrong(Flow, id="t", name="T", steps=["oi"]), 'flow "t", step #1: is not a mapping, got "oi".'),
    (
        wrong(Flow, id="t", name="T", steps=[Message(["oi"])]),
        'flow "t", step #1: has no id.',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[Talk("a")]),
        'flow "t", step "a": has neither prompt nor collect.',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[wrong(Wait, "a", {"event": "pago"})]),
        'flow "t", step "a": kind is "wait", but its body is that of "waitEvent".',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[wrong(Say, "a", "x", then=2)]),
        'flow "t", step "a": then is no target, got 2.',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[wrong(Do, "a", None)]),
        'flow "t", step "a": does nothing: its kind is "do".',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[If("a", {"equals": {"nome": None}})]),
        'flow "t", step "a": if.equals gives "nome" null, expected a string.',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[{"id": "a", "say": "x"}]),
        'flow "t", step "a": is no Say, but a mapping. Write Say(…).',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[Say("a", "x")], on=[{"message": []}]),
        'flow "t", trigger #1: is no Message, but a mapping. Write Message(…).',
    ),
    (
        wrong(Flow, id="t", name="T", instructions=[{"prompt": "a"}]),
        'flow "t": instructions[0] is no Instruction, but a mapping.',
    ),
    (
        wrong(Flow, id="t", name="T", steps=[wrong(Say, "a", "x", then={"flow": "t"})]),
        'flow "t", step "a": then is no Chain, but a mapping.',
    ),
    (
        Flow(
            id="t",
            name="T",
            steps=[
                Talk("a", "x", branches=[wrong(Branch, when="b", then={"step": "a"})]),
            ],
        ),
        'flow "t", step "a": branches[0].then is no Goto, but a mapping.',
    ),
    (
        Flow(
            id="t",
            name="T",
            on=[Mention(["x"], wrong(dict, cor={"type": "string"}))],
            steps=[Say("a", "x")],
        ),
        'flow "t", trigger #1: extract.cor is no Param, but a mapping.',
    ),
    ("triagem", 'flow: is not a mapping, got "triagem".'),
]


@pytest.mark.parametrize(("flow", "text"), BROKEN, ids=[text for _, text in BROKEN])
def test_a_flow_built_in_python_has_its_shapes_checked(
    flow: Any, text: str, registries: Registries
):
    with pytest.raises(FlowConfigurationError) as raised:
        validate_flow(flow, registries)
    assert str(raised.value).startswith(f"[FlowConfigurationError] {text}")


def test_a_flow_built_in_python_passes(registries: Registries):
    flow = msgspec.structs.replace(BUILT, steps=[*BUILT.steps[:3], Do("d", "chamar")])
    assert validate_flow(flow, registries) == []


def test_functions_may_be_predicates_of_a_flow_built_in_python(registries: Registries):
    flow = Flow(id="t", name="T", while_=always, steps=[If("a", always, else_="end")])
    assert validate_flow(flow, registries) == []
