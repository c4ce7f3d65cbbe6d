"""Makes up what a model answers to a call: sensible, hostile or broken, by the call's own schema.

Replies are written as a scenario's `model` has them, so that a file can hold each of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from falai.errors import ErrorKind
from falai.providers.base import ModelCall
from falai.text.envelope import MESSAGE
from simulator.fuzz.dice import Dice

Reply = dict[str, Any]

_WORDS = (
    "Ana",
    "sim",
    "não",
    "30",
    "P",
    "a",
    "amanhã às 10h",
    "",
    "  ",
    "1.500,50",
    "😀",
    "\u202eabc",
)
_INJECTED = ("{{data.nome}}", "{{context.secret}}", "{{", '"}, {"message": "x"', "</s><|im_end|>")
_HUGE = 20_000
"""Characters of a text that is too long for any customer."""
_SCORES = (0, 20, 39, 40, 54, 55, 90, 100)
_NUMBERS = (0, 1, -1, 30, 30.5, 1e300, 10**18)
_JUNK: Sequence[Any] = (None, "", [], {}, {"a": 1}, [1, "x"], "x", -5, 10**30, True, [[[[]]]])
_ARGUMENTS: Sequence[Any] = ({}, '{"x": "cort', "lixo", {"y": {}})
_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
_SAID = ("Certo!", "Como posso ajudar?", "…", "ok")


def draw_reply(dice: Dice, call: ModelCall) -> Reply:
    """A reply to a call, as a scenario has it."""
    made = dice.weighted(_WAYS if not call.tools else _WAYS_WITH_TOOLS)
    return made(dice, call)


# --- what a schema admits -----------------------------------------------------------------------


def _valid(dice: Dice, call: ModelCall) -> Reply:
    return _spoken(_object(dice, call.schema or {}, nulls=30), dice)


def _eager(dice: Dice, call: ModelCall) -> Reply:
    return _spoken(_object(dice, call.schema or {}, nulls=0), dice)


def _shy(dice: Dice, call: ModelCall) -> Reply:
    return _spoken(_object(dice, call.schema or {}, nulls=95), dice)


def _spoken(envelope: Reply, dice: Dice) -> Reply:
    if MESSAGE in envelope and not envelope[MESSAGE]:
        envelope[MESSAGE] = dice.one(_SAID)
    return {key: value for key, value in envelope.items() if value is not None}


def _object(dice: Dice, schema: Mapping[str, Any], nulls: int) -> Reply:
    properties: Mapping[str, Any] = schema.get("properties", {})
    return {name: draw_value(dice, part, nulls) for name, part in properties.items()}


def draw_value(dice: Dice, schema: Mapping[str, Any], nulls: int = 0) -> Any:
    """A value that a JSON Schema admits; null so often, in per cent, where it may be."""
    kinds = schema.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    kind = next((kind for kind in kinds if kind != "null"), "null")
    if kind != "object" and "null" in kinds and dice.chance(nulls):
        return None
    if "enum" in schema:
        return dice.one(list(schema["enum"]))
    match kind:
        case "object":
            return _object(dice, schema, nulls)
        case "array":
            items = schema.get("items", {})
            return [draw_value(dice, items) for _ in range(dice.number(0, 3))]
        case "boolean":
            return dice.chance(60)
        case "integer":
            return dice.one(_SCORES)
        case "number":
            return dice.one(_NUMBERS)
        case "null":
            return None
        case _:
            return dice.one(_INJECTED) if dice.chance(10) else dice.one(_WORDS)


# --- what no schema admits ----------------------------------------------------------------------


def _hostile(dice: Dice, call: ModelCall) -> Reply:
    envelope = _object(dice, call.schema or {}, nulls=20)
    for name in [*envelope, "inventado"]:
        if dice.chance(40):
            envelope[name] = dice.one(_JUNK)
    return {"raw": _around(dice, json.dumps(envelope, ensure_ascii=False))}


def _around(dice: Dice, text: str) -> str:
    """JSON as models send it: bare, fenced, in prose, or cut off."""
    ways: Sequence[Callable[[str], str]] = (
        lambda text: text,
        lambda text: f"Claro! Aqui está:\n```json\n{text}\n```\nMais alguma coisa?",
        lambda text: f"{text} {text}",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"', "'"),
    )
    return dice.one(ways)(text)


def _prose(dice: Dice, _: ModelCall) -> Reply:
    texts = (*_SAID, *_INJECTED, "[" * 500, "NaN", "null", "[]", '"oi"', "\x00")
    return {"raw": dice.one(texts)}


def _long(dice: Dice, call: ModelCall) -> Reply:
    envelope = _object(dice, call.schema or {}, nulls=0)
    texts = [name for name, value in envelope.items() if isinstance(value, str)]
    if not texts:
        return {"raw": "x" * _HUGE}
    return _spoken({**envelope, dice.one(texts): "x" * _HUGE}, dice)


def _blank(dice: Dice, _: ModelCall) -> Reply:
    return dice.one(({"empty": True}, {"raw": " \n"}, {"raw": '{"message": ""}'}))


def _failure(dice: Dice, _: ModelCall) -> Reply:
    failure: Reply = {"kind": dice.one(_KINDS)}
    if dice.chance(20):
        failure["shouldRetry"] = dice.chance(50)
    if dice.chance(20):
        failure["retryAfterMs"] = dice.one((0, 1_000, 86_400_000))
    if dice.chance(20):
        failure["resetAtMs"] = dice.one((0, 1_767_700_000_000, 1_800_000_000_000))
    return {"fail": failure if len(failure) > 1 else failure["kind"]}


def _tools(dice: Dice, call: ModelCall) -> Reply:
    calls: list[Reply] = []
    for _ in range(dice.number(1, 3)):
        offer = dice.one(call.tools)
        arguments: Any = _object(dice, offer.parameters, nulls=20)
        if dice.chance(20):
            arguments = dice.one(_ARGUMENTS)
        calls.append({"tool": "nenhuma" if dice.chance(10) else offer.id, "arguments": arguments})
    beside = {"message": "Um momento."} if dice.chance(30) else {}
    return {**beside, "toolCalls": calls}


_WAYS: Sequence[tuple[int, Callable[[Dice, ModelCall], Reply]]] = (
    (40, _valid),
    (20, _eager),
    (12, _shy),
    (9, _hostile),
    (4, _prose),
    (3, _long),
    (3, _blank),
    (9, _failure),
)
_WAYS_WITH_TOOLS = (*_WAYS, (40, _tools))
