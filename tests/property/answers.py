"""What the world answers in a drawn conversation: the model's replies, and the host's own code."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from falai.errors import ErrorKind, ProviderError
from falai.providers.base import ModelReply, ToolCall
from falai.words.turn import Usage

T = TypeVar("T")

SLUGS = ("nome", "porte", "nota", "idade", "ok", "quer", "grau")
FLOW_IDS = ("a", "b:c", "d#1")
KINDS: tuple[ErrorKind, ...] = (
    "aborted",
    "timeout",
    "network",
    "overload",
    "rate",
    "quota",
    "entitlement",
    "auth",
    "model",
    "context",
    "content",
    "invalid",
    "unknown",
)
LATER = 1_800_000_000_000
"""A moment that lies far ahead of every story, in ms."""


@dataclass(frozen=True)
class Fail:
    """A call that fails."""

    kind: ErrorKind
    should_retry: bool | None = None
    reset_at_ms: int | None = None

    def error(self) -> ProviderError:
        return ProviderError(
            "drawn", self.kind, should_retry=self.should_retry, reset_at_ms=self.reset_at_ms
        )


@dataclass(frozen=True)
class Act:
    """What the host's code does when it is called: writes, and then returns or raises."""

    returns: Any = None
    sets: Mapping[str, Any] = field(default_factory=dict)
    raises: bool = False


def some(rng: Random, options: Sequence[T], most: int = 3, least: int = 0) -> list[T]:
    return rng.sample(options, rng.randint(least, min(most, len(options))))


# --- what the model answers -------------------------------------------------------------------

_VALUES: Mapping[str, Sequence[Any]] = {
    "nome": ("Ana", "a", "nenhum", "  ", 30, True),
    "porte": ("P", "G", "enorme", "p"),
    "nota": (1.5, "1500,50", "3", 2, "muito"),
    "idade": (30, "30", 30.9, "trinta", True),
    "ok": (True, "sim", "não", "talvez", 1),
    "quer": (False, "SIM ", "0"),
    "grau": (1, "2", 9, 2.0),
}
_JUNK: Sequence[Any] = (
    None,
    "",
    [],
    {},
    {"a": 1},
    [1, "x"],
    "x" * 300,
    10**30,
    1e300,
    "NaN",
    "\x00",
)
_SCORES = (0, 20, 39, 40, 54, 55, 90, 100, "70", None, -5, 1000, True)
_VERDICTS = (True, True, False, "sim", None, "talvez")
_TRUE_KEYS = ("branch_1", "branch_2", "s1/0", "s2/0")


def _fields(rng: Random) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for slug in some(rng, (*SLUGS, "inventado"), 4):
        given[slug] = rng.choice((*_VALUES.get(slug, ("x",)), None, ""))
    return given


def _judgement(rng: Random) -> dict[str, Any]:
    sections = {
        "flows": {flow_id: rng.choice(_SCORES) for flow_id in FLOW_IDS},
        "mentions": {flow_id: rng.choice(_VERDICTS) for flow_id in FLOW_IDS},
        "extract": {
            flow_id: {"valor": rng.choice((3, None, ""))} for flow_id in some(rng, FLOW_IDS, 2)
        },
        "branches": {key: rng.choice(_VERDICTS) for key in _TRUE_KEYS},
        "fields": _fields(rng),
        "asks": rng.choice((True, False, False, None)),
    }
    for left_out in some(rng, tuple(sections), 2):
        del sections[left_out]
    return sections


def _hostile(rng: Random, keys: Sequence[str]) -> dict[str, Any]:
    return {key: rng.choice(_JUNK) for key in some(rng, keys, 5)}


def _written(rng: Random, envelope: Mapping[str, Any]) -> ModelReply:
    """An envelope as a provider gives it: parsed, or as text of some sort."""
    usage = rng.choice((None, Usage(prompt_tokens=10, completion_tokens=2)))
    how = rng.choice(("parsed", "parsed", "text", "fence", "cut"))
    text = json.dumps(envelope, ensure_ascii=False)
    if how == "parsed":
        return ModelReply(message=text, structured=envelope, usage=usage)
    if how == "fence":
        text = f"Claro!\n```json\n{text}\n```"
    elif how == "cut":
        text = text[: -rng.choice((1, 5))]
    return ModelReply(message=text, usage=usage)


def _fail(rng: Random) -> Fail:
    return Fail(
        rng.choice(KINDS),
        should_retry=rng.choice((None, None, True, False)),
        reset_at_ms=rng.choice((None, None, LATER)),
    )


def understand_reply(rng: Random) -> ModelReply | Fail:
    how = rng.choice(("valid",) * 8 + ("hostile", "prose", "blank", "fail"))
    if how == "fail":
        return _fail(rng)
    if how == "blank":
        return ModelReply(message=" \n")
    if how == "prose":
        return ModelReply(message="Não entendi {bem}.")
    if how == "hostile":
        return _written(
            rng, _hostile(rng, ("flows", "mentions", "extract", "branches", "fields", "asks", "x"))
        )
    return _written(rng, _judgement(rng))


_TOOL_IDS = ("busca", "busca", "grava", "alta", "nenhuma")
_ARGUMENTS = ({}, {"x": 1}, None, '{"x": "cort', "lixo", {"y": {}})


def speak_reply(rng: Random) -> ModelReply | Fail:
    how = rng.choice(
        ("valid",) * 6 + ("tools",) * 3 + ("hostile", "plain", "blank", "fail", "fail")
    )
    if how == "fail":
        return _fail(rng)
    if how == "plain":
        return ModelReply(message="Tudo certo.")
    if how == "blank":
        return _written(rng, {"message": rng.choice(("", " \t", None))})
    if how == "hostile":
        return _written(rng, _hostile(rng, ("message", *SLUGS, "x")))
    if how == "tools":
        calls = [
            ToolCall(rng.choice(_TOOL_IDS), rng.choice(_ARGUMENTS))
            for _ in range(rng.choice((1, 2, 3)))
        ]
        beside = rng.choice(("", "Um momento.", json.dumps({"message": "Já.", **_fields(rng)})))
        return ModelReply(message=beside, tool_calls=calls, reasoning={"sig": "x"})
    return _written(rng, {"message": "Certo!", **_fields(rng)})


# --- what the host's code does ----------------------------------------------------------------

_RETURNS = (
    {"ok": True},
    {"ok": True, "detail": "feito"},
    {"ok": False},
    {"ok": True, "spoke": True},
    {"skipped": "já fiz"},
    {"failed": "sem rede"},
    {"failed": {"code": 5}},
    {"defer": "1h"},
    {"defer": "1h", "detail": "ocupado"},
    {"defer": "logo"},
    {"defer": 5},
    None,
    "ok",
    {},
    {"talvez": 1},
    [1],
)
_SETS = ({}, {}, {"nome": "Bia"}, {"nome": None, "ok": True}, {"livre": [1, {"x": None}]})
_TOOL_RETURNS = (
    {"value": "livre"},
    {"value": {"a": [1]}, "data": {"nota": 9}},
    {"data": {"nome": None, "livre": 1}},
    {"value": "x" * 200},
    {},
    None,
    "texto",
)


def act(rng: Random) -> Act:
    returns = rng.choice((*_RETURNS, *_TOOL_RETURNS))
    return Act(returns, sets=rng.choice(_SETS), raises=rng.choice((False,) * 7 + (True,)))
