"""Speech: what counts of a reply to the speak call."""

import json
from typing import Any

import pytest

from falai.providers.base import ModelReply
from falai.text.envelope import speak_envelope
from falai.text.speech import Said, read_speech
from falai.words.field import Field

ENVELOPE = speak_envelope(
    {
        "nome": Field(type="string"),
        "preço (R$)": Field(type="number"),
        "message": Field(type="string"),
    }
)


def read(found: Any) -> Said:
    return read_speech(ModelReply(message=json.dumps(found)), ENVELOPE)


def test_message_and_values_come_in_the_envelopes_order():
    said = read({"field_2": "recado", "field_1": "10", "message": "Oi!", "nome": "Ana"})
    assert said.message == "Oi!"
    assert list(said.fields.items()) == [
        ("nome", "Ana"),
        ("preço (R$)", "10"),
        ("message", "recado"),
    ]


def test_a_real_name_is_understood_but_never_the_messages():
    said = read({"message": "Oi!", "preço (R$)": 10})
    assert said == Said("Oi!", {"preço (R$)": 10})


def test_an_alias_is_believed_over_the_real_name():
    assert read({"message": "Oi!", "preço (R$)": 10, "field_1": 20}).fields == {"preço (R$)": 20}


def test_what_was_not_asked_for_or_not_given_is_left_out():
    said = read({"message": "Oi!", "nome": "", "field_1": None, "outro": 1})
    assert said == Said("Oi!", {})


@pytest.mark.parametrize("value", [["a"], {"a": 1}, 0, False, " "])
def test_values_stay_raw(value: Any):
    assert read({"message": "", "nome": value}).fields == {"nome": value}


@pytest.mark.parametrize(
    ("value", "message"), [(None, ""), ("", ""), (30, "30"), (["a"], ""), ({"text": "a"}, "")]
)
def test_a_message_of_another_type_is_read_as_far_as_it_goes(value: Any, message: str):
    assert read({"message": value}).message == message


def test_an_object_without_a_message_says_nothing():
    assert read({"nome": "Ana"}) == Said("", {"nome": "Ana"})
    assert read({}) == Said("", {})


@pytest.mark.parametrize("text", ["Só texto.", "Oi {nome}!", "", "Use {} aqui."])
def test_a_reply_without_json_is_the_message_itself(text: str):
    assert read_speech(ModelReply(message=text), ENVELOPE) == Said(text, {})


def test_json_is_found_in_prose_and_fences():
    reply = ModelReply(message='Claro:\n```json {"message": "Oi!", "nome": "Ana"} ```')
    assert read_speech(reply, ENVELOPE) == Said("Oi!", {"nome": "Ana"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"message": "Oi, Ana. Tudo b', Said("Oi, Ana. Tudo b", {})),
        ('{"nome": "Ana", "message": "Oi', Said("Oi", {"nome": "Ana"})),
        ('{"message": "Oi!", "nome": "An', Said("Oi!", {})),
        ('{"mess', Said("", {})),
    ],
)
def test_of_a_cut_off_reply_the_message_stands_and_half_a_value_does_not(text: str, said: Said):
    assert read_speech(ModelReply(message=text), ENVELOPE) == said


def test_what_the_provider_parsed_is_used():
    reply = ModelReply(message='{"message": "não"}', structured={"nome": "Ana"})
    assert read_speech(reply, ENVELOPE) == Said("", {"nome": "Ana"})
