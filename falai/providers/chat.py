"""Writes a model call as a chat completion: messages, tools, and the format of the reply."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, Literal, TypeAlias

import msgspec

from falai.providers.base import ModelCall, ToolOffer
from falai.shapes import compact, is_list, is_mapping
from falai.text.names import Names
from falai.words.turn import HistoryItem

Message: TypeAlias = dict[str, Any]
Format: TypeAlias = Literal["schema", "json", "prompt"]
"""How a reply is held to its schema: the model enforces it; it writes some JSON object, and reads
the schema in the prompt; or the prompt is all there is."""

_ADVICE = "Answer with one JSON object, and nothing before or after it, that fits this JSON Schema:"


def chat_request(call: ModelCall, form: Format) -> dict[str, Any]:
    """The parts of a request that come from the call; nothing in it is shared with the call."""
    names = tool_names(call)
    request: dict[str, Any] = {"messages": _messages(call, form, names)}
    if call.tools:
        request["tools"] = [_tool(offer, names) for offer in call.tools]
    if call.schema is not None and form == "schema":
        request["response_format"] = _schema_format(call.purpose, call.schema)
    if call.schema is not None and form == "json":
        request["response_format"] = {"type": "json_object"}
    return request


def tool_names(call: ModelCall) -> Names:
    """What the tools of a call are called on the way: an id need not be a function's name."""
    offered = [offer.id for offer in call.tools]
    called = [one["name"] for item in call.history for one in _calls(item)]
    return Names.of([*offered, *called], "tool")


# --- messages ---------------------------------------------------------------------------------


def _messages(call: ModelCall, form: Format, names: Names) -> list[Message]:
    prompt = call.prompt
    if call.schema is not None and form != "schema":
        prompt = f"{prompt}\n\n{_ADVICE}\n{compact(call.schema)}"
    system = [{"role": "system", "content": call.system}] if call.system else []
    return [*system, *_history(call.history, names), {"role": "user", "content": prompt}]


def _history(history: Sequence[HistoryItem], names: Names) -> Iterator[Message]:
    """The history in the wire's words; a call without its result, or the reverse, is left out."""
    for place, item in enumerate(history):
        if item.get("role") == "tool":
            continue
        results = _results(history, place + 1)
        calls = [call for call in _calls(item) if call["id"] in results]
        content = _content(item.get("content"))
        if calls:
            yield _round(item, content, calls, names)
            yield from (results[call["id"]] for call in calls)
        elif content:
            yield {"role": item.get("role"), "content": content}


def _results(history: Sequence[HistoryItem], start: int) -> dict[str, Message]:
    """The results that stand in a row from some place on, by the id of their call."""
    row = takewhile(lambda item: item.get("role") == "tool", islice(history, start, None))
    return {
        item["toolCallId"]: {
            "role": "tool",
            "tool_call_id": item["toolCallId"],
            "content": _content(item.get("content")),
        }
        for item in row
        if isinstance(item.get("toolCallId"), str)
    }


def _content(content: object) -> object:
    """Text, or a list of parts as providers take them; another shape is spelled as JSON."""
    if content is None or isinstance(content, str):
        return content if content and content.strip() else ""
    if is_list(content) and all(is_mapping(part) and "type" in part for part in content):
        return copy.deepcopy(content)
    return compact(content)


def _calls(item: HistoryItem) -> list[Mapping[str, Any]]:
    calls = item.get("toolCalls")
    return [
        call
        for call in (calls if is_list(calls) else ())
        if is_mapping(call)
        and isinstance(call.get("id"), str)
        and isinstance(call.get("name"), str)
    ]


def _round(
    item: HistoryItem, content: object, calls: Sequence[Mapping[str, Any]], names: Names
) -> Message:
    message: Message = {"role": "assistant", "content": content or None}
    message["tool_calls"] = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": names.wire(call["name"]), "arguments": _arguments(call)},
        }
        for call in calls
    ]
    reasoning = item.get("reasoning")
    return replay(message, reasoning) if is_mapping(reasoning) else message


def _arguments(call: Mapping[str, Any]) -> str:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return msgspec.json.encode(arguments or {}, enc_hook=str).decode()


# --- reasoning --------------------------------------------------------------------------------

_THOUGHTS = ("reasoning_content", "thinking_blocks")
_MARKS = "provider_specific_fields"
"""Of a tool call: where a client puts a signature that must come back with the call."""


def reasoning_of(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a provider must get back with the tool round that a message begins."""
    kept: dict[str, Any] = {key: message[key] for key in _THOUGHTS if message.get(key)}
    marks = [call.get(_MARKS) for call in message.get("tool_calls") or ()]
    if any(marks):
        kept["tool_calls"] = marks
    return kept or None


def replay(message: Message, reasoning: Mapping[str, Any]) -> Message:
    """Put what `reasoning_of` kept where it came from."""
    kept = copy.deepcopy(dict(reasoning))
    for call, mark in zip(message["tool_calls"], kept.pop("tool_calls", ()), strict=False):
        if mark:
            call[_MARKS] = mark
    return message | {key: kept[key] for key in _THOUGHTS if key in kept}


# --- tools and schemas ------------------------------------------------------------------------


def _tool(offer: ToolOffer, names: Names) -> dict[str, Any]:
    function = {
        "name": names.wire(offer.id),
        "description": offer.description,
        "parameters": copy.deepcopy(dict(offer.parameters)),
    }
    return {"type": "function", "function": function}


def _schema_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    strict = {"name": name, "strict": True, "schema": _nullable(schema)}
    return {"type": "json_schema", "json_schema": strict}


def _nullable(schema: Any) -> Any:
    """A copy in which a list of options holds null where the type does: enforced, a list is all."""
    if is_list(schema):
        return [_nullable(item) for item in schema]
    if not is_mapping(schema):
        return schema
    made = {key: _nullable(value) for key, value in schema.items()}
    options, types = made.get("enum"), made.get("type")
    if is_list(options) and is_list(types) and "null" in types and None not in options:
        made["enum"] = [*options, None]
    return made
