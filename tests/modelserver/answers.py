"""What the model server may answer: completions, errors, and connections that break."""

import gzip
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias


class Mark(Enum):
    """What a response may do between its bytes."""

    CUT = "cut"
    """Close the connection."""
    HOLD = "hold"
    """Send nothing more before the server stops."""


CUT, HOLD = Mark.CUT, Mark.HOLD

Part: TypeAlias = bytes | threading.Event | Mark
"""Bytes are written, an event is waited for."""

Usage: TypeAlias = Mapping[str, Any]
USAGE: Usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True)
class Request:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    raw: bytes

    @property
    def body(self) -> Any:
        """The parsed JSON body."""
        return json.loads(self.raw)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass(frozen=True, kw_only=True)
class Response:
    """What is sent; the head goes out with the first bytes."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    parts: Sequence[Part]


Answer: TypeAlias = Callable[[Request], Response]
"""Makes the response to a request."""


# --- completions ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A chat completion: one JSON object, or events when the request asks to stream."""

    pieces: Sequence[str] = ()
    """The text; each piece is an event of its own in a stream."""
    calls: Sequence[tuple[str, Sequence[str]]] = ()
    """Tool calls: a name, and the pieces of the arguments' text."""
    usage: Usage | None = field(default_factory=lambda: USAGE)
    finish: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """More keys of the message, or of the first delta."""

    def __call__(self, request: Request) -> Response:
        if request.streams:
            return events(*self.events(request.body), "[DONE]")
        return json_body(self._whole(request.body["model"]))

    def events(self, body: Mapping[str, Any]) -> list[Any]:
        """The events of a stream, up to the last."""
        deltas = [{"role": "assistant", "content": "", **self.extra}]
        deltas += [{"content": piece} for piece in self.pieces]
        deltas += [
            {"tool_calls": [delta]}
            for index, call in enumerate(self.calls)
            for delta in _call_deltas(index, *call)
        ]
        made = [_chunk(body, {"index": 0, "delta": delta}) for delta in deltas]
        made.append(_chunk(body, {"index": 0, "delta": {}, "finish_reason": self._finish}))
        if self.usage is not None and (body.get("stream_options") or {}).get("include_usage"):
            made.append({**_chunk(body), "usage": self.usage})
        return made

    @property
    def _finish(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")

    def _whole(self, model: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self.pieces) or None}
        if self.calls:
            message["tool_calls"] = [
                _call(index, name, "".join(arguments))
                for index, (name, arguments) in enumerate(self.calls)
            ]
        choice = {"index": 0, "message": {**message, **self.extra}, "finish_reason": self._finish}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [choice],
            **({"usage": self.usage} if self.usage is not None else {}),
        }


def said(*pieces: str, **options: Any) -> Completion:
    """A completion with this text."""
    return Completion(pieces=pieces, **options)


def enveloped(*, cut_every: int = 7, **envelope: Any) -> Completion:
    """A completion whose text is a JSON object, in pieces of some characters."""
    text = json.dumps(envelope, ensure_ascii=False)
    return said(*[text[at : at + cut_every] for at in range(0, len(text), cut_every)])


def called(name: str, *pieces: str, **options: Any) -> Completion:
    """A completion that calls one tool; the arguments' text may come in pieces."""
    return Completion(calls=[(name, pieces)], **options)


def _call(index: int, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": f"srv-{index}", "type": "function", "function": function}


def _call_deltas(index: int, name: str, pieces: Sequence[str]) -> list[dict[str, Any]]:
    rest = [{"index": index, "function": {"arguments": piece}} for piece in pieces]
    return [{"index": index, **_call(index, name, "")}, *rest]


def _chunk(body: Mapping[str, Any], *choices: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [{"finish_reason": None, **choice} for choice in choices],
    }


# --- anything else ----------------------------------------------------------------------------


def json_body(value: Any, status: int = 200, **headers: str) -> Response:
    body = json.dumps(value, ensure_ascii=False).encode()
    sent = {"Content-Type": "application/json"} | _named(headers)
    return Response(status=status, headers=sent, parts=[body])


def events(*items: Any) -> Response:
    """Server-sent events: JSON values, texts as they are, and parts that are no events."""
    parts = [item if isinstance(item, threading.Event | Mark) else _event(item) for item in items]
    return Response(headers={"Content-Type": "text/event-stream; charset=utf-8"}, parts=parts)


def _event(item: Any) -> bytes:
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def raw(body: bytes, status: int = 200, **headers: str) -> Answer:
    """A body as it is, HTML unless `Content_Type` says otherwise."""
    sent = {"Content-Type": "text/html"} | _named(headers)
    return lambda _: Response(status=status, headers=sent, parts=[body])


def fails(
    status: int,
    message: str = "Something is wrong.",
    *,
    code: str | None = None,
    type: str = "error",  # noqa: A002 - the key's own name
    **headers: str,
) -> Answer:
    """An error in OpenAI's shape; header names are given with `_` for `-`."""
    error = {"message": message, "type": type, "param": None, "code": code}
    return lambda _: json_body({"error": error}, status, **headers)


def cut(_: Request) -> Response:
    """The connection closes before anything was sent."""
    return Response(parts=[CUT])


@dataclass(frozen=True)
class InStream:
    """A streamed completion with something else behind some of its events."""

    completion: Completion
    after: int
    then: Sequence[Part | Mapping[str, Any]]

    def __call__(self, request: Request) -> Response:
        begun = self.completion.events(request.body)[: self.after]
        return events(*begun, *self.then)


def held(answer: Answer, until: threading.Event | None = None) -> Answer:
    """The same answer once the event is set; without one, not before the server stops."""

    def wait(request: Request) -> Response:
        made = answer(request)
        return replace(made, parts=[until or HOLD, *made.parts])

    return wait


def gzipped(answer: Answer) -> Answer:
    """The same answer, compressed."""

    def compress(request: Request) -> Response:
        made = answer(request)
        body = gzip.compress(b"".join(part for part in made.parts if isinstance(part, bytes)))
        return replace(made, headers={**made.headers, "Content-Encoding": "gzip"}, parts=[body])

    return compress


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
