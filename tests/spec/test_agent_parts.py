"""Parts of an agent that are written as data."""

import pytest

from falai.errors import FlowConfigurationError
from falai.spec.agent_parts import (
    read_event,
    read_field,
    read_idle,
    read_instructions,
    read_parameters,
)
from falai.words.field import Field
from falai.words.flow import Instruction, Param
from falai.words.registry import EventDef, Idle


def test_a_field_is_read_and_its_nulls_are_not_set():
    raw = {"type": "string", "enum": ["P", "M"], "ask": "Pergunte.", "label": None}
    assert read_field("porte", raw) == Field("string", enum=("P", "M"), ask="Pergunte.")


def test_an_unknown_key_of_a_field_is_refused():
    with pytest.raises(FlowConfigurationError, match=r'agent: unknown key "enun" in fields.porte'):
        read_field("porte", {"type": "string", "enun": []})


@pytest.mark.parametrize(
    ("read", "raw", "message"),
    [
        (
            lambda raw: read_field("porte", raw),
            {"type": "string", "enun": None},
            'unknown key "enun" in fields.porte. Did you mean "enum"?',
        ),
        (
            lambda raw: read_event("pago", raw),
            {"dirction": None},
            'unknown key "dirction" in events.pago. Did you mean "direction"?',
        ),
        (
            read_instructions,
            [{"prompt": "a", "whn": None}],
            'unknown key "whn" in instructions[0]. Did you mean "when"?',
        ),
        (
            lambda raw: read_parameters("crm", raw),
            {"fase": {"type": "string", "enun": None}},
            'unknown key "enun" in actions.crm.parameters.fase. Did you mean "enum"?',
        ),
    ],
    ids=["field", "event", "instruction", "parameter"],
)
def test_a_key_that_is_unknown_is_refused_also_when_it_is_null(read, raw: object, message: str):
    with pytest.raises(FlowConfigurationError) as raised:
        read(raw)
    assert str(raised.value) == f"[FlowConfigurationError] agent: {message}"


@pytest.mark.parametrize("option", [None, {}, ["a"]])
def test_an_option_is_text_or_a_number(option: object):
    with pytest.raises(FlowConfigurationError, match=r"fields\.porte\.enum\[1\] is neither text"):
        read_field("porte", {"type": "string", "enum": ["P", option]})


def test_a_null_in_a_list_is_no_instruction():
    with pytest.raises(
        FlowConfigurationError, match=r"instructions\[1\] is not a mapping, got null"
    ):
        read_instructions([{"prompt": "a"}, None])


def test_an_event_is_read():
    assert read_event("pago", {}) == EventDef()
    assert read_event("pago", {"direction": "inbound"}) == EventDef("inbound")


def test_parameters_are_read():
    raw = {"nomes": {"type": "array", "items": {"type": "string"}, "optional": True}}
    items = Param("string")
    assert read_parameters("a", raw) == {"nomes": Param("array", items=items, optional=True)}
    assert read_parameters("a", None) is None


def test_instructions_are_read():
    assert read_instructions([{"prompt": "a", "if": {}}]) == (Instruction(prompt="a", if_={}),)
    assert read_instructions([{"prompt": "a", "when": None, "if": {"vip": None}}]) == (
        Instruction(prompt="a", if_={}),
    )
    assert read_instructions(None) == ()


def test_the_idle_speaker_is_read():
    raw = {"prompt": "Atenda.", "tools": ["agenda"], "instructions": [{"prompt": "a"}]}
    assert read_idle(raw) == Idle("Atenda.", ("agenda",), (Instruction(prompt="a"),))
    assert (read_idle("silent"), read_idle(None), read_idle({})) == ("silent", None, Idle())
