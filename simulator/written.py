"""Writes what happened as a scenario file: the same inputs, the same replies, what came of them."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from falai.clock import to_ms
from falai.providers.base import Purpose
from falai.shapes import is_mapping
from falai.words.turn import Usage
from simulator.expectation import expected_of, literal
from simulator.live import Happening, Live
from simulator.reply import FAIL_KEYS
from simulator.scenario import DEFAULT_CLOCK, DEFAULT_SESSION
from simulator.trace import CallRecord, TurnRecord
from simulator.yamlout import yaml_text

_PURPOSES: tuple[Purpose, ...] = ("understand", "speak", "summary")


def scenario_text(live: Live, *, title: str, agent: str) -> str:
    """A scenario file that plays what happened, and expects the same to come of it.

    `agent` is what the file shall name: a path from its own folder, or `module:attribute`.
    """
    head: dict[str, Any] = {"scenario": title, "agent": agent}
    if to_ms(live.start) != to_ms(DEFAULT_CLOCK):
        head["clock"] = live.start
    if live.session_id != DEFAULT_SESSION:
        head["session"] = live.session_id
    if live.context:
        head["context"] = literal(live.context)
    return f"{yaml_text(head)}\nturns:\n" + "\n".join(items_of(live.happenings))


def items_of(
    happenings: Iterable[Happening], data: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """The entries of a scenario, as text; `data` is the session's before the first of them."""
    data = data or {}
    for happening in happenings:
        yield item_text(_entry(happening, data))
        results = [turn.result for turn in happening.turns if turn.result is not None]
        data = results[-1].session.data if results else data


def item_text(turn: Mapping[str, Any]) -> str:
    """One entry of the list, with a blank line before the next one."""
    return "  - " + textwrap.indent(yaml_text(turn), "    ").lstrip()


def _entry(happening: Happening, before: Mapping[str, Any]) -> dict[str, Any]:
    """`before` is the session's data until then."""
    entry = dict(literal(happening.what))
    if "advance" not in entry:
        return {**entry, **played_of(happening.turns[0], before)}
    fired: list[dict[str, Any]] = []
    for turn in happening.turns:
        fired.append(played_of(turn, before))
        before = turn.result.session.data if turn.result is not None else before
    return {**entry, "fired": fired} if fired else entry


def played_of(turn: TurnRecord, before: Mapping[str, Any]) -> dict[str, Any]:
    """What the model answered in a turn, and what came of it."""
    model: dict[str, Any] = {}
    for purpose in _PURPOSES:
        replies = [reply_of(call) for call in turn.calls if call.purpose == purpose]
        if replies:
            model[purpose] = replies[0] if len(replies) == 1 else replies
    return {**({"model": model} if model else {}), "expect": expected_of(turn, before)}


def reply_of(call: CallRecord) -> dict[str, Any]:
    """What the model answered, as a scenario's `model` has it."""
    usage = {"usage": msgspec.to_builtins(call.usage)} if _counted(call.usage) else {}
    return {**_answer(call.reply, call.purpose), **usage}


def _counted(usage: Usage | None) -> bool:
    return usage is not None and usage != Usage()


def _answer(reply: Mapping[str, Any], purpose: str) -> dict[str, Any]:
    if "error" in reply:
        return {"fail": literal(_failure(reply["error"]))}
    envelope = reply.get("structured") or _object_in(reply["message"])
    calls = {"toolCalls": literal(reply["toolCalls"])} if "toolCalls" in reply else {}
    if envelope is not None:
        return {**literal(_given(envelope)), **calls}
    if calls:
        return {**({"message": literal(reply["message"])} if reply["message"] else {}), **calls}
    return {"raw": literal(reply["message"])} if reply["message"].strip() else {"empty": True}


def _failure(error: Mapping[str, Any]) -> Any:
    """How a call failed: its kind, beside what the engine decides by when it says that too."""
    told = {"kind": "unknown"} | {key: error[key] for key in FAIL_KEYS if key in error}
    return told if len(told) > 1 else told["kind"]


def _given(envelope: Mapping[str, Any]) -> dict[str, Any]:
    """What an envelope says: null is what a property is taken for that is left out."""
    return {
        key: _given(value) if is_mapping(value) else value
        for key, value in envelope.items()
        if value is not None
    }


def _object_in(text: str) -> dict[str, Any] | None:
    """The envelope that a text is; None when it is more or less than one."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None
