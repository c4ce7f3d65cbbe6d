"""For every call, whatever is asked and said: an answer of its shape, and the same one again."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from falai import Field, Flow, Mention, Message, ModelCall, Param, Talk
from falai.text.profile import Profile
from falai.text.summary import summary_call
from tests.property.profile import checked
from tests.providers.calls import admitting_null, answer_to, reply_to, speak, understand

PIECES = """\
sou a o me chamo Ana Zeta da de empresa nome: e-mail é ana@zeta.com 98888-7777 R$ 1.500,50 mil 5k \
30 pessoas dia 15 às 15h L-1042 não sim quero falar com alguém quanto ? , . ; I'm from Zeta twenty \
two boxes {{data.nome}} {{ }} {"a":1} casa 11-50 200+ \n"""
WORDS = st.sampled_from(PIECES.split(" "))
TEXTS = (
    st.lists(WORDS, max_size=12).map(" ".join)
    | st.text(max_size=60)
    | st.sampled_from(["", " ", "\0", "e\u0301", "İ" * 50, "9" * 5_000, "a " * 5_000])
)
MESSAGES = TEXTS | st.text(st.characters(), max_size=60) | st.just("sou a \ud83d Ana")
"""A channel may deliver halves of characters, which JSON cannot hold."""
SLUGS = st.sampled_from(
    ["nome", "empresa", "e-mail", "telefone", "cidade", "dia", "preço (R$)", "message", "👍", " "]
) | st.text(min_size=1, max_size=8)
OPTIONS = st.lists(
    st.sampled_from(["casa", "P", "11-50", "200+", "", "Zeta", 30, 1.5]), min_size=1, max_size=4
)
FIELDS = st.builds(
    Field,
    st.sampled_from(["string", "number", "integer", "boolean"]),
    enum=st.none() | OPTIONS,
    description=st.none() | TEXTS,
    label=st.none() | TEXTS,
    ask=st.none() | TEXTS,
)
PARAMS = st.builds(
    Param,
    type=st.sampled_from(["string", "number", "integer", "boolean", "array"]),
    enum=st.none() | OPTIONS,
    items=st.none() | st.builds(Param, type=st.just("string"), enum=st.none() | OPTIONS),
)
HISTORIES = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "tool", "system"]),
            "content": TEXTS | st.none() | st.integers(),
        }
    ),
    max_size=3,
)


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """An agent with one flow that talks and one that is mentioned, all its texts drawn."""
    fields = draw(st.dictionaries(SLUGS, FIELDS, max_size=5))
    step = Talk(
        "s", draw(st.none() | TEXTS), collect=list(fields), question=draw(st.none() | TEXTS)
    )
    phrases = draw(st.lists(TEXTS, max_size=3))
    extract = draw(st.none() | st.dictionaries(SLUGS, PARAMS, max_size=3))
    return Profile(
        name=draw(TEXTS),
        persona=draw(st.none() | TEXTS),
        knowledge_base=draw(st.none() | TEXTS | st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS))),
        fields=fields,
        flows=[
            Flow(id="fala #1", name=draw(TEXTS), on=[Message(phrases)], steps=[step]),
            Flow(id="outro", name=draw(TEXTS), on=[Message(["quero falar"])]),
            Flow(id="cita", name=draw(TEXTS), on=[Mention(phrases, extract)]),
        ],
    )


def check(call: ModelCall) -> dict[str, Any]:
    """The answer, held against the schema and against the same call's other answer."""
    answer = answer_to(call)
    assert call.schema is not None
    Draft202012Validator(admitting_null(call.schema)).validate(answer)
    assert reply_to(call).message == reply_to(call).message
    return answer


@checked
@given(
    profile=profiles(),
    message=MESSAGES,
    history=HISTORIES,
    on_floor=st.booleans(),
    whens=st.lists(TEXTS, max_size=2),
)
def test_every_judgement_has_the_shape_that_was_asked_for(
    profile: Profile,
    message: str,
    history: list[Mapping[str, Any]],
    on_floor: bool,
    whens: list[str],
):
    parts: dict[str, Any] = {"history": history}
    if on_floor:
        parts |= {"floor": profile.flows[0], "pending": list(profile.fields), "whens": whens}
    answer = check(understand(profile, message, **parts))
    assert all(0 <= score <= 100 for score in answer["flows"].values())
    assert None not in (*answer["mentions"].values(), *answer.get("branches", {}).values())


@checked
@given(
    profile=profiles(),
    message=st.none() | MESSAGES,
    known=st.none() | TEXTS,
    history=HISTORIES,
    question=st.none() | TEXTS,
    idle=st.booleans(),
    sent=st.lists(TEXTS, max_size=1),
)
def test_every_reply_has_the_shape_that_was_asked_for_and_something_to_say(
    profile: Profile,
    message: str | None,
    known: str | None,
    history: list[Mapping[str, Any]],
    question: str | None,
    idle: bool,
    sent: list[str],
):
    flow = None if idle else profile.flows[0]
    fields = [] if idle or question else list(profile.fields)
    answer = check(
        speak(
            profile,
            message,
            flow=flow,
            fields=fields,
            question=question,
            awaiting=message is None,
            sent=sent,
            data=dict.fromkeys(profile.fields, known),
            history=history,
        )
    )
    assert answer["message"].strip()
    assert "{{" not in answer["message"]


@checked
@given(older=HISTORIES)
def test_every_summary_is_some_text(older: list[Mapping[str, Any]]):
    call = summary_call(Profile(name="Lia"), older, context=None)
    reply = reply_to(call)
    assert reply == reply_to(call)
    assert reply.message.strip()
    assert json.loads(json.dumps(reply.message)) == reply.message


@pytest.mark.parametrize(
    "message",
    [
        *("1 " * 5_000, "sou a " * 2_000, "a@" * 5_000, "mil e " * 2_000, "nome: " * 2_000),
        *("1.1," * 3_000, "(11) " * 2_000, "empresa é " * 1_000, "\n" * 9_000, "www." * 3_000),
    ],
)
def test_a_message_made_to_be_hard_is_answered(message: str):
    fields = {slug: Field("string") for slug in ("nome", "empresa", "cidade", "e-mail", "x")}
    fields |= {slug: Field("number") for slug in ("preço", "caixas")}
    flow = Flow(id="f", name="F", steps=[Talk("s", collect=list(fields))])
    profile = Profile(name="Lia", fields=fields, flows=[flow])
    assert "fields" in check(understand(profile, message, floor=flow, pending=list(fields)))
