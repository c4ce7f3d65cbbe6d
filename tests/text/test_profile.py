"""The profile: what is said of the agent, once and for all."""

from typing import Any

import pytest

from falai.text.profile import Profile, mention_of
from falai.words.field import Field
from falai.words.flow import Flow, Mention, Message, Param, Say, Talk


def test_an_agent_with_a_name_alone_is_just_named():
    assert Profile(name="Ana").identity == "You are Ana."


def test_persona_goal_and_knowledge_make_the_identity():
    profile = Profile(
        name="Ana", persona="Leve.", goal="Vender.", knowledge_base="Abrimos às 9h.\n"
    )
    assert profile.identity == (
        "You are Ana.\n\n## Persona\nLeve.\n\n## Goal\nVender.\n\n## What you know\nAbrimos às 9h."
    )
    assert profile.changing == ()


def test_a_part_with_a_placeholder_is_no_part_of_the_identity():
    profile = Profile(name="Ana", persona="Fala com {{data.nome}}.", goal="Vender.")
    assert profile.identity == "You are Ana.\n\n## Goal\nVender."
    assert profile.changing == (("Persona", "Fala com {{data.nome}}."),)


def test_blank_parts_are_left_out():
    profile = Profile(
        name="Ana", persona=" ", goal="", knowledge_base={"a": None, "b": [], "c": " "}
    )
    assert profile.identity == "You are Ana."


@pytest.mark.parametrize(
    ("base", "lines"),
    [
        ({"preço": 10.0, "ok": True}, ["- preço: 10", "- ok: true"]),
        (["a", 1, None, "b\nc"], ["- a", "- 1", "- b", "  c"]),
        ({"planos": {"pro": {"preço": 1.5}}}, ["- planos:", "  - pro:", "    - preço: 1.5"]),
        ({"x": ["a", {"b": 1}, []]}, ["- x:", "  - a", "  - 2:", "    - b: 1"]),
        ({"x": "a\nb"}, ["- x: a", "  b"]),
        (("a",), ["- a"]),
        (30, ["- 30"]),
    ],
)
def test_knowledge_is_nested_bullets(base: Any, lines: list[str]):
    title, *rest = Profile(name="A", knowledge_base=base).identity.split("\n")[2:]
    assert title == "## What you know"
    assert rest == lines


def test_the_first_mention_of_a_flow_counts():
    first, second = Mention(["a"]), Mention(["b"])
    assert mention_of(Flow(id="f", name="F", on=[Message(["x"]), first, second])) is first
    assert mention_of(Flow(id="f", name="F")) is None


def test_names_are_aliased_once_for_the_whole_agent():
    cupom = Flow(id="cupom #1", name="C", on=[Mention(["x"], {"código": Param(type="string")})])
    plain = Flow(id="flow_1", name="P", on=[Mention(["x"])])
    fields = {"field_1": Field(type="string"), "e mail": Field(type="string")}
    profile = Profile(name="A", flows=[cupom, plain], fields=fields)
    assert profile.flow_names.wire("cupom #1") == "flow_2"
    assert profile.field_names.wire("e mail") == "field_2"
    assert profile.params["cupom #1"].wire("código") == "value_1"
    assert profile.params["flow_1"].wire("x") == "x"
    assert list(profile.mentions) == ["cupom #1", "flow_1"]


def test_a_step_asks_in_its_own_words_first():
    steps = [Say("d", "oi"), Talk("s", collect=["a", "b"], ask={"a": "passo", "b": ""}), Talk("t")]
    fields = {slug: Field(type="string", ask=f"campo {slug}") for slug in "ab"}
    profile = Profile(name="A", flows=[Flow(id="f", name="F", steps=steps)], fields=fields)
    asks = [
        profile.ask_of("f", "s", "a"),
        profile.ask_of("f", "s", "b"),
        profile.ask_of("f", "t", "a"),
    ]
    assert asks == ["passo", "campo b", "campo a"]


def test_a_profile_is_a_key_of_its_own():
    one, two = Profile(name="A"), Profile(name="A")
    assert len({one, two}) == 2
