"""Tool rounds: running what the model calls while it phrases a reply, until it speaks."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from falai.errors import ProviderError, ScriptError
from falai.providers.base import ModelCall, ModelReply, ToolCall
from falai.shapes import is_mapping
from falai.text.envelope import Envelope
from falai.text.reply import read_arguments
from falai.text.speech import read_speech
from falai.turn.model import ask
from falai.turn.needs import Steps, ToolBatch, ToolRun
from falai.turn.notes import Spoken
from falai.turn.state import Turn, step_key
from falai.words.context import ToolCtx
from falai.words.data import check_depth
from falai.words.flow import Talk
from falai.words.registry import Idle, Tool
from falai.words.session import Run
from falai.words.turn import HistoryItem, MessageInput


def offered_tools(turn: Turn, run: Run | None, step: Talk | None) -> Sequence[str]:
    """Ids of the tools on offer: the step's, else the flow's, else all of the agent's."""
    if turn.agent.max_tool_loops == 0:
        return ()
    plan = turn.plan_of(run) if run is not None else None
    idle = turn.agent.idle if run is None and isinstance(turn.agent.idle, Idle) else None
    for tools in (
        step.tools if step else None,
        plan.flow.tools if plan else None,
        idle.tools if idle else None,
    ):
        if tools is not None:
            return tools
    return tuple(turn.agent.tools)


def converse(turn: Turn, run: Run | None, call: ModelCall, envelope: Envelope) -> Steps[Spoken]:
    """Make the speak call and its tool rounds; raises ProviderError when one fails or is blank."""
    fields: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for number in range(turn.agent.max_tool_loops):
        reply = yield from ask(turn, call)
        said = read_speech(reply, envelope)
        fields.update(said.fields)
        if not reply.tool_calls:
            return _spoken(turn, said.message, fields, data)
        results = yield from _run_all(turn, run, call, reply.tool_calls, data)
        opening = _customer_first(turn, call) if number == 0 else ()
        items = _round_items(number, reply, said.message, results)
        call = replace(call, history=[*call.history, *opening, *items])
    reply = yield from ask(turn, replace(call, tools=()))
    said = read_speech(reply, envelope)
    fields.update(said.fields)
    return _spoken(turn, said.message, fields, data)


def _spoken(turn: Turn, message: str, fields: Mapping[str, Any], data: Mapping[str, Any]) -> Spoken:
    if not message.strip():
        provider = turn.agent.provider_name
        raise ProviderError(provider, "unknown", f"No response from {provider}")
    return Spoken(message=message, fields=fields, data=data)


def _customer_first(turn: Turn, call: ModelCall) -> Iterator[HistoryItem]:
    """What the model answers to, so that the conversation never opens with the assistant."""
    if not call.history or call.history[-1].get("role") != "user":
        said = turn.what.text if isinstance(turn.what, MessageInput) else call.prompt
        yield {"role": "user", "content": said}


def _round_items(
    number: int, reply: ModelReply, preamble: str, results: Sequence[str]
) -> Iterator[HistoryItem]:
    """The round as messages: what the assistant called, and what came back."""
    calls = [
        {
            "id": f"call-{number}-{index}",
            "name": call.tool,
            "arguments": read_arguments(call.arguments),
        }
        for index, call in enumerate(reply.tool_calls)
    ]
    asked: dict[str, Any] = {
        "role": "assistant",
        "content": preamble,
        "toolCalls": calls,
    }
    if reply.reasoning is not None:
        asked["reasoning"] = reply.reasoning
    yield asked
    for call, result in zip(calls, results, strict=True):
        yield {"role": "tool", "toolCallId": call["id"], "name": call["name"], "content": result}


# --- one round --------------------------------------------------------------------------------


def _run_all(
    turn: Turn,
    run: Run | None,
    call: ModelCall,
    tool_calls: Sequence[ToolCall],
    data: dict[str, Any],
) -> Steps[list[str]]:
    """Run a round's calls: neighbours that are safe together, the others alone, in order."""
    offered = {offer.id for offer in call.tools}
    prepared = [_prepare(turn, run, c, call, offered) for c in tool_calls]
    results: list[str] = []
    for safe, group in groupby(prepared, key=_is_safe):
        batch = list(group)
        for runs in [batch] if safe else [[one] for one in batch]:
            results.extend((yield from _run_batch(runs, data)))
    return results


def _is_safe(prepared: ToolRun | str) -> bool:
    if isinstance(prepared, str):
        return True
    return prepared.tool.is_read_only or prepared.tool.is_concurrency_safe


def _run_batch(prepared: Sequence[ToolRun | str], data: dict[str, Any]) -> Steps[list[str]]:
    runs = [one for one in prepared if isinstance(one, ToolRun)]
    returned = iter((yield ToolBatch(runs=runs)) if runs else ())
    return [
        _error(one) if isinstance(one, str) else _result(one.tool, next(returned), data)
        for one in prepared
    ]


def _prepare(
    turn: Turn, run: Run | None, tool_call: ToolCall, call: ModelCall, offered: set[str]
) -> ToolRun | str:
    """A call that may run, or what is wrong with it."""
    tool = turn.agent.tools.get(tool_call.tool) if tool_call.tool in offered else None
    if tool is None:
        return f"unknown tool {msgspec.json.encode(tool_call.tool).decode()}"
    args = read_arguments(tool_call.arguments)
    ctx = _ctx(turn, run, call)
    problem = _problem(tool, args, ctx)
    return ToolRun(tool=tool, args=args, ctx=ctx) if problem is None else problem


def _problem(tool: Tool, args: Mapping[str, Any], ctx: ToolCtx[Any]) -> str | None:
    """Why a call may not run, by the tool's own checks; one that raises says no."""
    try:
        problem = tool.validate_input(args) if tool.validate_input is not None else None
        if problem is None and tool.check_permissions is not None:
            problem = tool.check_permissions(args, ctx)
    except Exception as exc:  # noqa: BLE001 - the model reads what went wrong
        return _words(exc)
    return problem


def _ctx(turn: Turn, run: Run | None, call: ModelCall) -> ToolCtx[Any]:
    key = step_key(run, run.step_id or "") if run else f"idle:{turn.key}"
    return ToolCtx(**turn.seen_by(run, key=key, history=call.history))


def _result(tool: Tool, returned: Any, data: dict[str, Any]) -> str:
    """What the model reads of a tool's result; its data patch is kept for Settle."""
    if isinstance(returned, ScriptError):
        raise returned
    if isinstance(returned, Exception):
        return _error(_words(returned))
    if not is_mapping(returned):
        return _error(f"the tool returned {type(returned).__name__}, not a mapping")
    patch: Any = returned.get("data") or {}
    if not is_mapping(patch):
        return _error(f"the tool returned data that is {type(patch).__name__}, not a mapping")
    try:
        check_depth(patch)
    except ValueError as error:
        return _error(str(error))
    data.update(patch)
    return _cut(_json(returned.get("value")), tool.max_result_chars)


def _cut(text: str, limit: int | None) -> str:
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}… [cut: the full result has {len(text)} characters]"


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _error(reason: str) -> str:
    return _json({"error": reason})


def _json(value: Any) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value, enc_hook=str).decode()
