"""Random agents, and random conversations with them: inputs, and all that the world answers.

Each flow and each moment of a story is made from a number that hypothesis draws: a failing story
shrinks to few of them, and an example costs a dozen draws, not a thousand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from falai.providers.base import ModelReply
from tests.property.answers import (
    FLOW_IDS,
    SLUGS,
    Act,
    Fail,
    act,
    some,
    speak_reply,
    understand_reply,
)

STEP_IDS = ("s1", "s2", "retry", "s:4")
EVENTS = ("pago", "ping", "humano")
START = "2026-01-05T08:00:00.000Z"
"""A Monday, an hour before the shop opens."""


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
        return {"step": rng.choice(steps), "clear": some(rng, SLUGS, 2)}
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
        collect = some(rng, SLUGS, least=1)
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
        "collect": some(rng, SLUGS, 2) or None,
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
        understand=[understand_reply(rng) for _ in range(rng.choice((0, 1, 1)))],
        speak=[speak_reply(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))],
        acts=[act(rng) for _ in range(rng.choice((0, 0, 1, 2)))],
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
