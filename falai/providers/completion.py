"""Reads a chat completion, whole or from its pieces, as a model's reply."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from falai.errors import ProviderError
from falai.providers.base import ModelReply, ToolCall
from falai.providers.chat import reasoning_of
from falai.shapes import is_list, is_mapping
from falai.text.names import Names
from falai.words.turn import Usage

_FILTERED = "content_filter"


def read_completion(provider: str, whole: Mapping[str, Any], names: Names) -> ModelReply:
    """The reply in a completion; raises ProviderError when it holds none, or is a refusal."""
    choice = _first(whole.get("choices"))
    message = choice.get("message")
    if not is_mapping(message):
        raise ProviderError(provider, "unknown", f"{provider}: the answer holds no message")
    return _reply(provider, message, choice.get("finish_reason"), whole.get("usage"), names)


class Pieces:
    """Gathers the pieces of a streamed completion."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._refused: list[str] = []
        self._reasoned: list[str] = []
        self._thoughts: list[dict[str, Any]] = []
        self._calls: list[dict[str, Any]] = []
        self._places: dict[object, int] = {}
        self._finish: object = None
        self._begun = False
        self.usage: object = None

    def take(self, piece: Mapping[str, Any]) -> str:
        """Take the next piece; return the text in it."""
        self.usage = piece.get("usage") or self.usage
        choice = _first(piece.get("choices"))
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta")
        if not is_mapping(delta):
            return ""
        text = delta.get("content") or ""
        self._begun = self._begun or any(value is not None for value in delta.values())
        self._said.append(text)
        self._refused.append(delta.get("refusal") or "")
        self._reasoned.append(delta.get("reasoning_content") or "")
        for thought in delta.get("thinking_blocks") or ():
            self._think(thought)
        for call in delta.get("tool_calls") or ():
            self._call(call)
        return text

    def reply(self, provider: str, names: Names) -> ModelReply:
        """The whole reply; raises ProviderError when there is none, or it is a refusal."""
        if not self._begun:
            raise ProviderError(provider, "unknown", f"{provider}: the stream holds no message")
        message = {
            "content": "".join(self._said),
            "refusal": "".join(self._refused),
            "reasoning_content": "".join(self._reasoned),
            "thinking_blocks": self._thoughts,
            "tool_calls": self._calls,
        }
        return _reply(provider, message, self._finish, self.usage, names)

    def _think(self, piece: Mapping[str, Any]) -> None:
        """A block may come in pieces; the last of them brings the signature that closes it."""
        last = self._thoughts[-1] if self._thoughts else {}
        if not piece.get("type") == last.get("type") == "thinking" or last.get("signature"):
            self._thoughts.append(dict(piece))
            return
        last["thinking"] = (last.get("thinking") or "") + (piece.get("thinking") or "")
        last["signature"] = piece.get("signature")

    def _call(self, piece: Mapping[str, Any]) -> None:
        """A call comes in pieces under one index; an id of its own begins another call."""
        index, call_id = piece.get("index"), piece.get("id")
        place = self._places.get(index)
        if place is None or (call_id and self._calls[place]["id"] not in {None, call_id}):
            place = self._places[index] = len(self._calls)
            self._calls.append({"id": call_id, "function": {"name": "", "arguments": ""}})
        call = self._calls[place]
        function: Mapping[str, Any] = piece.get("function") or {}
        call["function"]["name"] = call["function"]["name"] or function.get("name") or ""
        call["function"]["arguments"] += function.get("arguments") or ""
        if piece.get("provider_specific_fields"):
            call["provider_specific_fields"] = piece["provider_specific_fields"]


def _reply(
    provider: str, message: Mapping[str, Any], finish: object, usage: object, names: Names
) -> ModelReply:
    if message.get("refusal"):
        said = f"{provider}: the model refused: {message['refusal']}"
        raise ProviderError(provider, "content", said, code="refusal")
    if finish == _FILTERED:
        said = f"{provider}: the reply was stopped by a content filter"
        raise ProviderError(provider, "content", said, code=_FILTERED)
    return ModelReply(
        message=_text(message.get("content")),
        tool_calls=[_call(call, names) for call in message.get("tool_calls") or ()],
        usage=_usage(usage),
        reasoning=reasoning_of(message),
    )


def _text(content: object) -> str:
    """Text, or the text of the parts that some models answer in."""
    if is_list(content):
        return "".join(_text(part.get("text")) for part in content if is_mapping(part))
    return content if isinstance(content, str) else ""


def _call(call: Mapping[str, Any], names: Names) -> ToolCall:
    """A call with its arguments parsed; text that is no object is kept as it came."""
    function: Mapping[str, Any] = call.get("function") or {}
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        with suppress(msgspec.DecodeError, RecursionError):
            arguments = msgspec.json.decode(arguments, type=dict[str, Any])
    return ToolCall(names.real(function.get("name") or ""), arguments or None)


def _usage(usage: object) -> Usage | None:
    """The tokens that were counted; None when nobody counted."""
    if not is_mapping(usage):
        return None
    details = usage.get("prompt_tokens_details")
    counted = Usage(
        prompt_tokens=usage.get("prompt_tokens") or 0,
        completion_tokens=usage.get("completion_tokens") or 0,
        cached_input_tokens=(is_mapping(details) and details.get("cached_tokens")) or 0,
    )
    return None if counted == Usage() else counted


def _first(choices: object) -> Mapping[str, Any]:
    return choices[0] if is_list(choices) and choices and is_mapping(choices[0]) else {}
