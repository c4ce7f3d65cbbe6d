"""What is worth expecting of a turn, and how what came is written so that a file means it."""

from collections.abc import Mapping
from typing import Any

from falai.shapes import is_list, is_mapping
from falai.words.session import Session
from falai.words.turn import TurnResult
from simulator.trace import TurnRecord


def expected_of(turn: TurnRecord, before: Mapping[str, Any]) -> dict[str, Any]:
    """A block that pins what came of a turn; `before` is the session's data until then.

    Of the data only what changed is named, null where it went; of a turn that raised, the error.
    """
    if turn.result is None:
        shown = turn.error or {}
        return literal({"error": {key: shown[key] for key in ("class", "kind") if key in shown}})
    return literal(_of_result(turn.result, before))


def _of_result(result: TurnResult, before: Mapping[str, Any]) -> dict[str, Any]:
    expected: dict[str, Any] = {
        "llmCalls": result.llm_calls,
        "replies": [message.text for message in result.messages],
        "floor": floor_of(result.session),
    }
    data = result.session.data
    changed = {key: value for key, value in data.items() if before.get(key) != value}
    changed |= {key: None for key in before if key not in data}
    return {**expected, "data": changed} if changed else expected


def expected_of_state(session: Session[Any] | None) -> dict[str, Any]:
    """A block that pins what a session holds after an entry without a turn."""
    data: Mapping[str, Any] = session.data if session else {}
    return literal({"floor": floor_of(session), "data": data})


def floor_of(session: Session[Any] | None) -> str | None:
    """The flow that is asking."""
    runs = session.runs if session else ()
    return next((run.flow_id for run in runs if run.status == "asking"), None)


def literal(value: Any) -> Any:
    """Values so written that the file means them as they are: no `${` in a text is filled in."""
    if isinstance(value, str):
        return value.replace("${", "$${")
    if is_mapping(value):
        return {literal(key): literal(item) for key, item in value.items()}
    return [literal(item) for item in value] if is_list(value) else value
