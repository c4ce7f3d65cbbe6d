"""Envelopes: closed schemas, and the names under which things travel."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.text.envelope import speak_envelope, understand_envelope
from falai.text.judging import BranchQuestion, Judging
from falai.text.profile import Profile
from falai.words.field import Field
from falai.words.flow import Flow, Mention, Message, Param, Talk

FIELDS = {
    "nome": Field(
        type="string", description="O nome", label="Nome", ask="Pergunte.", extract="asked"
    ),
    "porte": Field(type="string", enum=("1-10", "11-50")),
    "preço (R$)": Field(type="number", description="Até {{context.teto}}"),
}
TRIAGEM = Flow(id="triagem", name="Triagem", on=[Message(["quer preço"])])
CUPOM = Flow(
    id="cupom #1",
    name="Cupom",
    on=[
        Mention(
            ["cita um cupom"],
            extract={
                "código": Param(type="string", description="Como escrito", optional=True),
                "itens": Param(
                    type="array", items=Param(type="string", enum=["a"], description="i")
                ),
                "soltos": Param(type="array"),
            },
        )
    ],
)
FALA = Flow(id="fala", name="Fala", on=[Mention(["fala de algo"])])
PROFILE = Profile(name="Ana", fields=FIELDS, flows=[TRIAGEM, CUPOM, FALA])


def judging(**parts: Any) -> Judging:
    nothing: dict[str, Any] = {
        "flow": None,
        "step": None,
        "pending": [],
        "candidates": [],
        "mentions": [],
        "branches": [],
        "fields": [],
        "asks": False,
        "message": "oi",
    }
    return Judging(**(nothing | parts))


def schema_of(**parts: Any) -> Mapping[str, Any]:
    return understand_envelope(PROFILE, judging(**parts)).schema


def objects(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "properties" in schema:
        yield schema
        for part in schema["properties"].values():
            yield from objects(part)


def mention(flow: Flow) -> tuple[Flow, Mention]:
    return flow, PROFILE.mentions[flow.id]


EVERYTHING = judging(
    candidates=[TRIAGEM, CUPOM],
    mentions=[mention(CUPOM), mention(FALA)],
    branches=[BranchQuestion("triagem#m1/s/0", "aceitou"), BranchQuestion("triagem#m1/s/2", "x")],
    fields=list(FIELDS),
    asks=True,
    step=Talk("s"),
)


def test_only_the_sections_with_something_to_judge_stand_in_it():
    assert list(schema_of(candidates=[TRIAGEM])["properties"]) == ["flows"]
    assert list(schema_of(mentions=[mention(FALA)])["properties"]) == ["mentions"]
    assert list(schema_of(fields=["nome"], asks=True)["properties"]) == ["fields", "asks"]
    whole = understand_envelope(PROFILE, EVERYTHING).schema["properties"]
    assert list(whole) == ["flows", "mentions", "extract", "branches", "fields", "asks"]
    assert list(whole["extract"]["properties"]) == ["flow_1"]


@pytest.mark.parametrize(
    "schema", [understand_envelope(PROFILE, EVERYTHING).schema, speak_envelope(FIELDS).schema]
)
def test_every_object_is_closed_and_every_property_required_and_nullable(schema: Mapping[str, Any]):
    assert schema["type"] == "object"
    for part in objects(schema):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
        assert all(item["type"][1] == "null" for item in part["properties"].values())


def test_scores_are_integers_and_verdicts_booleans():
    whole = understand_envelope(PROFILE, EVERYTHING).schema["properties"]
    assert whole["flows"]["properties"]["flow_1"] == {"type": ["integer", "null"]}
    assert whole["mentions"]["properties"]["fala"] == {"type": ["boolean", "null"]}
    assert whole["branches"]["properties"]["branch_2"] == {"type": ["boolean", "null"]}
    assert whole["asks"] == {"type": ["boolean", "null"]}


def test_only_type_description_enum_and_items_reach_the_wire():
    assert schema_of(fields=list(FIELDS))["properties"]["fields"]["properties"] == {
        "nome": {"type": ["string", "null"], "description": "O nome"},
        "porte": {"type": ["string", "null"], "enum": ["1-10", "11-50"]},
        "field_1": {"type": ["number", "null"]},
    }
    extract = schema_of(mentions=[mention(CUPOM)])["properties"]["extract"]["properties"]
    assert extract["flow_1"]["properties"] == {
        "value_1": {"type": ["string", "null"], "description": "Como escrito"},
        "itens": {
            "type": ["array", "null"],
            "items": {"type": "string", "enum": ["a"], "description": "i"},
        },
        "soltos": {"type": ["array", "null"]},
    }


def test_the_skeleton_is_the_shape_with_placeholder_values():
    assert understand_envelope(PROFILE, EVERYTHING).skeleton == (
        '{"flows":{"triagem":0,"flow_1":0},"mentions":{"flow_1":false,"fala":false},'
        '"extract":{"flow_1":{"value_1":null,"itens":null,"soltos":null}},'
        '"branches":{"branch_1":false,"branch_2":false},'
        '"fields":{"nome":null,"porte":null,"field_1":null},"asks":false}'
    )


def test_a_branch_is_known_by_its_alias_its_key_and_its_step():
    first, second = "triagem#m1/s/0", "triagem#m1/s/2"
    assert understand_envelope(PROFILE, EVERYTHING).branches == {
        first: first,
        "branch_1": first,
        "s/0": first,
        second: second,
        "branch_2": second,
        "s/2": second,
    }
    nowhere = judging(branches=[BranchQuestion(first, "aceitou")])
    assert understand_envelope(PROFILE, nowhere).branches == {first: first, "branch_1": first}


def test_message_is_aliased_only_where_it_collides():
    fields = {"message": Field(type="string"), "field_1": Field(type="string")}
    spoken = speak_envelope(fields)
    assert list(spoken.schema["properties"]) == ["message", "field_2", "field_1"]
    assert spoken.skeleton == '{"message":"…","field_2":null,"field_1":null}'
    profile = Profile(name="A", fields=fields)
    judged = understand_envelope(profile, judging(fields=["message"]))
    assert list(judged.schema["properties"]["fields"]["properties"]) == ["message"]


@given(st.lists(st.text(max_size=5) | st.sampled_from(["message", "field_1"]), unique=True))
def test_every_field_has_one_property_of_its_own(slugs: list[str]):
    envelope = speak_envelope({slug: Field(type="string") for slug in slugs})
    properties = list(envelope.schema["properties"])
    assert len(properties) == len(set(properties)) == len(slugs) + 1
    assert [envelope.fields.real(name) for name in properties[1:]] == slugs
