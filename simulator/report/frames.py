"""Traces as pandas frames: one row for each scenario, turn, model call and outcome line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pandas as pd

from simulator.report.document import TracedCall, TracedError, TracedScenario, TracedTurn
from simulator.report.owner import NONE, Owner, Owners, owner_of, owner_of_line

Row: TypeAlias = Mapping[str, Any]
Columns: TypeAlias = Mapping[str, str]
"""Names of columns, with the pandas type of each."""

_PLAY: Columns = {"play": "int64", "file": "str", "scenario": "str"}
"""`play` numbers what was played: a title may be played twice."""

SCENARIO_COLUMNS: Columns = {**_PLAY, "status": "str"}

_TURN: Columns = {**_PLAY, "turn": "int64", "entry": "str", "line": "Int64"}
"""`turn` counts within the play from 1; `entry` is the number in the scenario's file."""

TURN_COLUMNS: Columns = {**_TURN, "now": "str", "input": "str", "calls": "int64", "error": "str"}

CALL_COLUMNS: Columns = {
    **_TURN,
    "flow": "str",
    "step": "str",
    "phase": "str",
    "code": "str",
    "promptTokens": "Int64",
    "completionTokens": "Int64",
    "cachedTokens": "Int64",
    "costUsd": "Float64",
    "durationMs": "Float64",
    "failed": "bool",
    "error": "str",
}

OUTCOME_COLUMNS: Columns = {
    **_TURN,
    "flow": "str",
    "step": "str",
    "kind": "str",
    "status": "str",
    "code": "str",
    "message": "str",
    "detail": "str",
}


class Frames(NamedTuple):
    """All that a report counts."""

    scenarios: pd.DataFrame
    turns: pd.DataFrame
    calls: pd.DataFrame
    outcomes: pd.DataFrame


def frames_of(played: Sequence[TracedScenario]) -> Frames:
    """Lay out what was played as frames, in the order of the traces."""
    scenarios: list[Row] = []
    turns: list[Row] = []
    calls: list[Row] = []
    outcomes: list[Row] = []
    for number, scenario in enumerate(played, start=1):
        play = {"play": number, "file": scenario.file, "scenario": scenario.scenario}
        scenarios.append({**play, "status": scenario.status})
        owners = Owners()
        for count, turn in enumerate(scenario.turns, start=1):
            place = {**play, "turn": count, "entry": str(turn.entry), "line": turn.line}
            turns.append({**place, **_turn(turn)})
            by_purpose = owners.of_turn(turn)
            calls.extend(
                {**place, **_call(call, owner_of(call, by_purpose))} for call in turn.calls
            )
            outcomes.extend({**place, **line} for line in _lines(turn))
    return Frames(
        scenarios=_frame(scenarios, SCENARIO_COLUMNS),
        turns=_frame(turns, TURN_COLUMNS),
        calls=_frame(calls, CALL_COLUMNS),
        outcomes=_frame(outcomes, OUTCOME_COLUMNS),
    )


def _frame(rows: Sequence[Row], columns: Columns) -> pd.DataFrame:
    return pd.DataFrame(
        {name: pd.Series([row[name] for row in rows], dtype=kind) for name, kind in columns.items()}
    )


def _turn(turn: TracedTurn) -> Row:
    return {
        "now": turn.now,
        "input": input_kind(turn),
        "calls": len(turn.calls),
        "error": error_class(turn),
    }


def input_kind(turn: TracedTurn) -> str:
    """Which of the four kinds of input the turn had."""
    kinds = ("message", "wake", "event", "start")
    return next((kind for kind in kinds if kind in turn.input), NONE)


def error_class(turn: TracedTurn) -> str | None:
    """What a turn raised, if it did."""
    return turn.error.class_ if isinstance(turn.error, TracedError) else turn.error


def _call(call: TracedCall, owner: Owner) -> Row:
    usage = call.usage
    return {
        **owner._asdict(),
        "phase": call.purpose,
        "promptTokens": usage.prompt_tokens if usage else None,
        "completionTokens": usage.completion_tokens if usage else None,
        "cachedTokens": usage.cached_input_tokens if usage else None,
        "costUsd": call.cost_usd,
        "durationMs": call.duration_ms,
        "failed": call.error is not None,
        "error": call.error,
    }


def _lines(turn: TracedTurn) -> Iterator[Row]:
    """The outcome lines of a turn; a start that was refused counts as one too."""
    if turn.result is None:
        return
    for line in turn.result.outcomes:
        yield {
            **owner_of_line(line)._asdict(),
            "kind": line.kind,
            "status": line.status,
            "message": line.message,
            "detail": line.detail,
        }
    for skip in turn.result.skipped:
        yield {
            "flow": skip.flow_id or NONE,
            "step": NONE,
            "kind": "start",
            "status": "skipped",
            "code": skip.code or NONE,
            "message": skip.message,
            "detail": None,
        }
