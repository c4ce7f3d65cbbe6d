"""Traces written out as data: as small as a test needs, or anything that hypothesis thinks of."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from simulator.report.document import TracedScenario, TraceFile, read_traces
from simulator.report.frames import Frames, frames_of

# --- by hand ------------------------------------------------------------------------------------


def call(purpose: str = "speak", tokens: Sequence[int] | None = None, **rest: Any) -> Any:
    """A model call; `tokens` are prompt, completion and cached ones."""
    names = ("promptTokens", "completionTokens", "cachedInputTokens")
    usage = dict(zip(names, tokens, strict=True)) if tokens is not None else None
    return {"purpose": purpose, "reply": {"message": "m"}, "usage": usage, **rest}


def failed_call(purpose: str = "speak", kind: str | None = "rate", **rest: Any) -> Any:
    error = {"class": "ProviderError", "message": "no", **({"kind": kind} if kind else {})}
    return {**call(purpose, **rest), "reply": {"error": error}}


def line(
    flow: str | None = "f", step: str | None = "a", code: str | None = None, **rest: Any
) -> Any:
    """An outcome line; `llmCalls` in it makes the step the one that spoke."""
    known = {"flowId": flow, "stepId": step, "code": code}
    named = {name: value for name, value in known.items() if value is not None}
    return {"kind": "collect", "status": "ok", "at": "2026-01-05T09:00:00.000Z", **named, **rest}


def asking(flow: str, step: str) -> Any:
    """A run that holds the floor."""
    return {"id": f"{flow}#m1", "flowId": flow, "stepId": step, "status": "asking"}


def turn(
    *lines: Any,
    calls: Sequence[Any] = (),
    runs: Sequence[Any] = (),
    version: int = 0,
    skipped: Sequence[Any] = (),
    **rest: Any,
) -> Any:
    """A turn of session s1; `runs` are those that it leaves behind."""
    return {
        "entry": "1",
        "line": 3,
        "now": "2026-01-05T09:00:00.000Z",
        "input": {"sessionId": "s1", "message": "oi"},
        "result": {
            "session": {"id": "s1", "v": 4, "version": version, "runs": list(runs)},
            "changed": True,
            "messages": [],
            "outcomes": list(lines),
            "skipped": list(skipped),
            "llmCalls": len(calls),
        },
        "calls": list(calls),
        "actions": [],
        "error": None,
        **rest,
    }


def scenario(*turns: Any, title: str = "t", file: str = "s/t.yaml", **rest: Any) -> Any:
    known = {"file": file, "scenario": title, "status": "passed", "durationMs": 5, "failures": []}
    return {**known, "turns": list(turns), **rest}


def trace(*scenarios: Any) -> Any:
    return {"passed": len(scenarios), "failed": 0, "errors": 0, "scenarios": list(scenarios)}


TALK = trace(
    scenario(
        turn(
            line("triage", "who", llmCalls=1),
            calls=[call("understand", (100, 10, 0)), call("speak", (200, 20, 50))],
            runs=[asking("triage", "who")],
        ),
        turn(
            line("triage", "who", "bad-value", status="skipped", message="It does not fit."),
            line("triage", "who", llmCalls=2),
            calls=[
                call("understand", (110, 10, 0)),
                call(tokens=(300, 5, 0)),
                call(tokens=(310, 25, 0)),
            ],
            runs=[asking("triage", "who")],
            version=1,
        ),
        title="Triage",
        file="s/triage.yaml",
    ),
    scenario(
        turn(line(None, None, kind="idle", llmCalls=1), calls=[call(tokens=(50, 5, 0))]),
        turn(
            line("nudge", "touch", "provider-unavailable", status="deferred", message="Away."),
            calls=[failed_call()],
            skipped=[{"flowId": "triage", "code": "already-claimed", "message": "It ran."}],
            version=1,
        ),
        title="Idle",
        file="s/idle.yaml",
        status="failed",
    ),
)
"""Two scenarios: 4 turns, 7 calls (one failed), 6 outcome lines and refused starts."""


# --- reading ------------------------------------------------------------------------------------


def put(folder: Path, document: Any, name: str = "trace.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def read(folder: Path, document: Any) -> list[TracedScenario]:
    return read_traces([put(folder, document)])


def decoded(document: Any) -> Sequence[TracedScenario]:
    """The same without a file."""
    return msgspec.json.decode(json.dumps(document), type=TraceFile).scenarios


def frames(folder: Path, document: Any) -> Frames:
    return frames_of(read(folder, document))


# --- anything -----------------------------------------------------------------------------------

_names = st.sampled_from(["f", "g", "-", "a:b", "<b>", "ç ã"])
_counts = st.none() | st.integers(0, 10_000)
_amounts = st.none() | st.integers(0, 1_000_000).map(lambda number: number / 64)
"""Such fractions add up exactly, in whatever order."""


@st.composite
def calls(draw: st.DrawFn) -> Any:
    purpose = draw(st.sampled_from(["understand", "speak", "summary", "another"]))
    tokens = draw(st.none() | st.tuples(_counts, _counts, _counts))
    rest = {"costUsd": draw(_amounts), "durationMs": draw(_amounts)}
    if draw(st.booleans()):
        return call(purpose, tokens, **rest)  # pyright: ignore[reportArgumentType] - null is no count
    return failed_call(purpose, draw(st.sampled_from(["rate", None])), **rest)


@st.composite
def lines(draw: st.DrawFn) -> Any:
    codes = st.sampled_from([None, "branch", "provider-quota", "max-asks", "<i>"])
    rest: dict[str, Any] = {"llmCalls": draw(st.integers(1, 3))} if draw(st.booleans()) else {}
    kind = draw(st.sampled_from(["collect", "idle", "do"]))
    return line(draw(st.none() | _names), draw(st.none() | _names), draw(codes), kind=kind, **rest)


@st.composite
def turns(draw: st.DrawFn) -> Any:
    made = draw(st.lists(calls(), max_size=4))
    if draw(st.integers(0, 5)) == 0:
        error = {"class": "ProviderError", "message": "<b>no</b>"}
        return turn(calls=made, result=None, error=error)
    skip = {"flowId": draw(_names), "code": "cooldown"}
    return turn(
        *draw(st.lists(lines(), max_size=4)),
        calls=made,
        runs=draw(st.lists(st.builds(asking, _names, _names), max_size=1)),
        version=draw(st.integers(0, 2)),
        skipped=[skip] * draw(st.integers(0, 2)),
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Any:
    return scenario(
        *draw(st.lists(turns(), max_size=4)),
        title=draw(_names),
        file=draw(st.sampled_from(["s/a.yaml", "s/b.yaml"])),
        status=draw(st.sampled_from(["passed", "failed", "error"])),
    )


traces = st.lists(scenarios(), max_size=4).map(lambda made: trace(*made))
"""Any trace: scenarios may be played twice, calls may belong to nobody, nobody may have counted."""
