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
    assert read_instructions(None) == ()


def test_the_idle_speaker_is_read():
    raw = {"prompt": "Atenda.", "tools": ["agenda"], "instructions": [{"prompt": "a"}]}
    assert read_idle(raw) == Idle("Atenda.", ("agenda",), (Instruction(prompt="a"),))
    assert (read_idle("silent"), read_idle(None), read_idle({})) == ("silent", None, Idle())
