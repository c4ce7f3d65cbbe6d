"""What the made-up model answers: by the schema of each call, and as a scenario has it."""

from pathlib import Path
from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from falai.providers.base import ModelCall, ToolOffer
from simulator.fuzz.dice import Dice
from simulator.fuzz.replies import draw_reply, draw_value
from simulator.fuzz.shrink import shrink_candidates
from simulator.fuzz.subject import read_raw

SCORE = {"type": ["integer", "null"]}
TEXT = {"type": ["string", "null"]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "message": TEXT,
        "porte": {"type": ["string", "null"], "enum": ["P", "G", None]},
        "nota": {"type": ["number", "null"]},
        "ok": {"type": ["boolean", "null"]},
        "lista": {"type": ["array", "null"], "items": {"type": "string"}},
        "flows": {"type": ["object", "null"], "properties": {"a": SCORE}},
    },
    "required": ["message", "porte", "nota", "ok", "lista", "flows"],
    "additionalProperties": False,
}
LOOKUP = ToolOffer("busca", "", {"type": "object", "properties": {"x": {"type": "integer"}}})
SEEDS = st.integers(min_value=0, max_value=2**32)


@given(SEEDS, st.integers(min_value=0, max_value=100))
def test_a_value_is_one_that_its_schema_admits(seed: int, nulls: int):
    jsonschema.validate(draw_value(Dice(seed), SCHEMA, nulls), SCHEMA)


@settings(max_examples=300)
@given(SEEDS, st.sampled_from(["understand", "speak", "summary"]), st.booleans())
def test_every_reply_can_stand_in_a_file(seed: int, purpose: Any, tools: bool):
    schema = None if purpose == "summary" else SCHEMA
    offers = (LOOKUP,) if tools and purpose == "speak" else ()
    call = ModelCall(
        purpose=purpose, system=None, history=(), prompt="", schema=schema, tools=offers
    )
    reply = draw_reply(Dice(seed), call)
    turns = [{"message": "oi", "model": {purpose: reply}}]
    raw = {"scenario": "t", "agent": {"name": "Ana"}, "turns": turns}
    assert read_raw(raw, Path()).turns[0].place.line == 1


@given(SEEDS)
def test_a_smaller_conversation_is_smaller(seed: int):
    call = ModelCall(purpose="speak", system=None, history=(), prompt="", schema=SCHEMA)
    entry = {"message": "olá", "id": "m1", "model": {"speak": draw_reply(Dice(seed), call)}}
    size = len(repr([entry, entry]))
    assert all(len(repr(smaller)) < size for smaller in shrink_candidates([entry, entry]))
