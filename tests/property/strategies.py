"""Random agents, and random conversations with them: inputs, and all that the world answers.

Each flow and each moment of a story is made from a number that hypothesis draws: a failing story
shrinks to few of them, and an example costs a dozen draws, not a thousand.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from falai.errors import ErrorKind, ProviderError
from falai.providers.base import ModelReply, ToolCall
from falai.words.turn import Usage

T = TypeVar("T")

SLUGS = ("nome", "porte", "nota", "idade", "ok", "quer", "grau")
FLOW_IDS = ("a", "b:c", "d#1")
STEP_IDS = ("s1", "s2", "retry", "s:4")
EVENTS = ("pago", "ping", "humano")
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
START = "2026-01-05T08:00:00.000Z"
"""A Monday, an hour before the shop opens."""
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


@dataclass(frozen=True)
class Scheduled:
    """A wake of this play, by its place among all that were scheduled; or a stale one."""

    place: int
    on_time: bool
    """The clock moves on to the wake's time."""


@dataclass(frozen=True)
class Moment:
    """One input, and what the world answers while it is handled."""

    after: str
    """How far the clock moves before it."""
    given: Mapping[str, Any]
    """A turn's arguments without the session."""
    understand: Sequence[ModelReply | Fail] = ()
    speak: Sequence[ModelReply | Fail] = ()
    acts: Sequence[Act] = ()


@dataclass(frozen=True)
class Story:
    """An agent as data, and what happens to it."""

    agent: Mapping[str, Any]
    moments: Sequence[Moment]


def _some(rng: Random, options: Sequence[T], most: int = 3, least: int = 0) -> list[T]:
    return rng.sample(options, rng.randint(least, min(most, len(options))))


# --- agents -----------------------------------------------------------------------------------

_EQUALS = (
    {"nome": "Ana"},
    {"porte": "G"},
    {"nota": 1.5},
    {"ok": True},
    {"quer": False},
    {"grau": 2},
)
_PREDICATES = (
    *({"equals": wanted} for wanted in _EQUALS),
    {"known": ["nome"]},
    {"known": ["nota", "ok"]},
    {"silenced": True},
    {"silenced": False},
    {"vip": True},
    {"vip": False},
    {"known": ["porte"], "vip": True},
)
_RARE_PREDICATES = (None,) * len(_PREDICATES) + _PREDICATES
_REPEATS = (None, None, None, "once", "always", "always", {"cooldown": "1h"}, {"cooldown": "0s"})
_FLAGS = (None, None, True)
_STEP_KINDS = (
    "prompt",
    "collect",
    "collect",
    "question",
    "say",
    "do",
    "do",
    "wait",
    "waitEvent",
    "if",
)
_TEXTS = ("Oi {{data.nome}}, tudo bem?", "{{context.nome}}", "{{input.x}}!", "Até logo.")


def _without_none(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if value is not None}


def _target(rng: Random, steps: Sequence[str], *, needed: bool = False) -> Any:
    kinds = ("step", "step", "end", "clear", "flow")
    kind = rng.choice(kinds if needed else (None,) * 5 + kinds)
    if kind == "step":
        return rng.choice(steps)
    if kind == "clear":
        return {"step": rng.choice(steps), "clear": _some(rng, SLUGS, 2)}
    if kind == "flow":
        flow = rng.choice((*FLOW_IDS, *FLOW_IDS, "{{data.nome}}", "nenhum"))
        return {"flow": flow} | rng.choice(({}, {"input": {"x": "i"}}, {"input": None}))
    return kind


def _branches(rng: Random, steps: Sequence[str], *, judged: bool = True) -> Any:
    branches: list[Any] = []
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        then = _target(rng, steps, needed=True)
        if judged and rng.choice((True, False)):
            branches.append({"when": "quer sair", "then": then})
        else:
            branches.append({"if": rng.choice(_PREDICATES), "then": then})
    return branches or None


def _talk(rng: Random, kind: str, steps: Sequence[str]) -> dict[str, Any]:
    collect = None
    if kind != "prompt":
        collect = _some(rng, SLUGS, least=1)
    return {
        "prompt": "Converse." if kind == "prompt" else rng.choice((None, "Pergunte.")),
        "collect": collect,
        "question": rng.choice(_TEXTS) if kind == "question" else None,
        "maxAsks": rng.choice((None, 1, 2)) if collect else None,
        "branches": _branches(rng, steps),
        "tools": rng.choice((None, None, ["busca", "grava"])),
    }


def _wait(rng: Random, steps: Sequence[str]) -> dict[str, Any]:
    return {
        "wait": rng.choice(("3s", "10s", "11s", "1h", "2d")),
        "businessHours": rng.choice(_FLAGS),
        "else": _target(rng, steps),
        "branches": _branches(rng, steps, judged=False),
    }


def _wait_event(rng: Random, steps: Sequence[str]) -> dict[str, Any]:
    wait = {"event": rng.choice(EVENTS), "upTo": rng.choice((None, "1h", "3d"))}
    return {"wait": _without_none(wait), "else": _target(rng, steps)}


def _step(rng: Random, step_id: str, steps: Sequence[str]) -> dict[str, Any]:
    kind = rng.choice(_STEP_KINDS)
    then = _target(rng, steps)
    body: dict[str, Any]
    if kind == "say":
        body = {"say": rng.choice(_TEXTS), "once": rng.choice(_FLAGS)}
    elif kind == "do":
        body = {"do": "agir", "with": {"texto": rng.choice(_TEXTS)}}
        body["onFail"] = _target(rng, steps)
    elif kind == "wait":
        body = _wait(rng, steps)
    elif kind == "waitEvent":
        body = _wait_event(rng, steps)
    elif kind == "if":
        # A jump back needs another way out.
        body = {"if": rng.choice(_PREDICATES)}
        body["else"] = _target(rng, steps, needed=then is not None)
    else:
        body = _talk(rng, kind, steps)
    return _without_none({"id": step_id, **body, "then": then})


def _trigger(rng: Random) -> dict[str, Any]:
    kind = rng.choice(
        ("message", "message", "catch-all", "catch-all", "mention", "detector", "silence", "event")
    )
    trigger: dict[str, Any]
    if kind == "mention":
        trigger = {"mention": ["fala disso"], "extract": {"valor": {"type": "number"}}}
    elif kind == "detector":
        trigger = {"mention": []}
    elif kind == "silence":
        trigger = {"silence": rng.choice(("1h", "2d")), "businessHours": rng.choice(_FLAGS)}
    elif kind == "event":
        trigger = {
            "event": rng.choice(EVENTS),
            "after": rng.choice((None, None, "0s", "1h")),
            "businessHours": rng.choice(_FLAGS),
        }
    else:
        trigger = {"message": ["quer isso", "!não quer"] if kind == "message" else []}
    trigger["if"] = rng.choice(_RARE_PREDICATES)
    trigger["repeat"] = rng.choice(_REPEATS)
    return _without_none(trigger)


def _flow(rng: Random, flow_id: str) -> dict[str, Any]:
    ids = STEP_IDS[: rng.choice((1, 2, 3, 4))]
    triggers = [_trigger(rng) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    flow = {
        "id": flow_id,
        "name": flow_id.upper(),
        "on": triggers or None,
        "anchor": rng.choice((None, None, "lead")),
        "while": rng.choice((None,) * 20 + _PREDICATES),
        "collect": _some(rng, SLUGS, 2) or None,
        "clearOnStart": rng.choice((None, None, ["nome"], ["nota", "ok"])),
        "onEnd": rng.choice((None, "end", "stay", "stay", "reset")),
        "tools": rng.choice((None, None, ["alta"])),
        "steps": [_step(rng, step_id, ids) for step_id in ids],
    }
    return _without_none(flow)


def _agent(seed: int, flow_seeds: Sequence[int]) -> dict[str, Any]:
    rng = Random(seed)
    return {
        "flows": [
            _flow(Random(flow_seed), flow_id)
            for flow_id, flow_seed in zip(FLOW_IDS, flow_seeds, strict=False)
        ],
        "extract": {slug: rng.choice((None, None, "anywhere", "asked")) for slug in SLUGS},
        "idle": rng.choice(("silent", "silent", None, "Ajude.")),
        "max_tool_loops": rng.choice((0, 1, 2)),
        "office": rng.choice((True, False)),
    }


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
    for slug in _some(rng, (*SLUGS, "inventado"), 4):
        given[slug] = rng.choice((*_VALUES.get(slug, ("x",)), None, ""))
    return given


def _judgement(rng: Random) -> dict[str, Any]:
    sections = {
        "flows": {flow_id: rng.choice(_SCORES) for flow_id in FLOW_IDS},
        "mentions": {flow_id: rng.choice(_VERDICTS) for flow_id in FLOW_IDS},
        "extract": {
            flow_id: {"valor": rng.choice((3, None, ""))} for flow_id in _some(rng, FLOW_IDS, 2)
        },
        "branches": {key: rng.choice(_VERDICTS) for key in _TRUE_KEYS},
        "fields": _fields(rng),
        "asks": rng.choice((True, False, False, None)),
    }
    for left_out in _some(rng, tuple(sections), 2):
        del sections[left_out]
    return sections


def _hostile(rng: Random, keys: Sequence[str]) -> dict[str, Any]:
    return {key: rng.choice(_JUNK) for key in _some(rng, keys, 5)}


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


def _understand_reply(rng: Random) -> ModelReply | Fail:
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


def _speak_reply(rng: Random) -> ModelReply | Fail:
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


def _act(rng: Random) -> Act:
    returns = rng.choice((*_RETURNS, *_TOOL_RETURNS))
    return Act(returns, sets=rng.choice(_SETS), raises=rng.choice((False,) * 7 + (True,)))


# --- what happens -----------------------------------------------------------------------------

_DELAYS = ("0s", "0s", "5s", "30s", "1m", "1h", "1d", "3d")
_CONTEXTS = (None, {"vip": True, "nome": "Bia"}, {"vip": False, "nome": None}, {"nome": ""})
_SILENCED = (
    (None,) * 40
    + ("pausa",)
    + tuple(
        {"reason": "humano", "understand": understand, "skip": skip}
        for understand in (True, False)
        for skip in (True, False)
    )
)
_ANCHORS = (
    None,
    None,
    {"lead": {"key": "lead:9"}},
    {"lead": {"key": "lead:9", "lastInboundAt": "2026-01-05T10:00:00.000Z"}},
    {"outro": {"key": "x"}},
)
_CLAIMS = (
    (None,) * 20
    + ({"held": {"a:s1:": START, "b:c:lead:9:": START, "a:s1:s1": START}},)
    + ({"active": ["a:s1", "b:c:lead:9"]},)
)
_HISTORIES = (
    None,
    [],
    [{"role": "user", "content": "oi"}],
    [{"role": "user", "content": "oi"}, {"role": "assistant", "content": "olá"}],
)
_STALE = (
    "a#m1:s1:0",
    "silence:a:s1:0",
    "silence:b:c:s1:1767603600000",
    "silence:",
    "x",
    "a#m1:start:",
)


def _what(rng: Random, number: int) -> dict[str, Any]:
    kinds = ("message",) * (5 if number else 20)
    kind = rng.choice((*kinds, "wake", "wake", "wake", "event", "event", "start"))
    keys = (f"k{number}", f"k{number}", f"k{number}", "k:retry:0")
    if kind == "wake":
        place = rng.choice((-1, -1, -1, -2, -3, 0, 1))
        scheduled = Scheduled(place, on_time=rng.choice((True, True, False)))
        return {"wake": rng.choice((scheduled,) * 6 + _STALE)}
    if kind == "event":
        payload = rng.choice(({}, {"payload": {"x": 1}}, {"payload": None}, {"hop": 4}))
        return {"event": rng.choice((*EVENTS, "nada")), "key": rng.choice(keys), **payload}
    if kind == "start":
        start = {"flow": rng.choice((*FLOW_IDS, "nenhum")), "key": rng.choice(keys)}
        return {"start": start | rng.choice(({}, {"input": {"x": "{{data.nome}}"}}, {"hop": 5}))}
    ids = ({"id": f"m{number}"},) * 5 + ({}, {"id": "m0"}, {"at": "2026-01-05T08:30:00.000Z"})
    return {"message": rng.choice(("oi", "", "{{context.nome}}")), **rng.choice(ids)}


def _moment(number: int, seed: int, host: Mapping[str, Any]) -> Moment:
    rng = Random(seed)
    given = {
        "context": rng.choice((host["context"], host["context"], *_CONTEXTS)),
        "silenced": rng.choice(_SILENCED),
        "anchors": host["anchors"],
        "claims": rng.choice(_CLAIMS),
        "history": rng.choice(_HISTORIES),
    }
    return Moment(
        after=rng.choice(_DELAYS),
        given={**_without_none(given), **_what(rng, number)},
        understand=[_understand_reply(rng) for _ in range(rng.choice((0, 1, 1)))],
        speak=[_speak_reply(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))],
        acts=[_act(rng) for _ in range(rng.choice((0, 0, 1, 2)))],
    )


def _story(seed: int, flow_seeds: Sequence[int], moment_seeds: Sequence[int]) -> Story:
    rng = Random(seed)
    host = {"context": rng.choice(_CONTEXTS), "anchors": rng.choice(_ANCHORS)}
    return Story(
        _agent(seed, flow_seeds),
        [_moment(number, moment_seed, host) for number, moment_seed in enumerate(moment_seeds)],
    )


_SEEDS = st.integers(min_value=0, max_value=2**48)


def stories(*, least: int = 1, most: int = 12) -> st.SearchStrategy[Story]:
    """An agent, and so many inputs for it."""
    return st.builds(
        _story,
        _SEEDS,
        st.lists(_SEEDS, min_size=1, max_size=len(FLOW_IDS)),
        st.lists(_SEEDS, min_size=least, max_size=most),
    )


def drawn(seed: int) -> Story:
    """One story of many turns, without hypothesis: the same for the same number."""
    rng = Random(seed)
    seeds = [rng.getrandbits(48) for _ in range(15)]
    return _story(seed, seeds[: rng.randint(1, len(FLOW_IDS))], seeds[len(FLOW_IDS) :])
