"""HTTP bodies as a tape shows them: JSON and events as data, other text as it is."""

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeAlias, cast

import msgspec

from falai.shapes import is_list, is_mapping

Form: TypeAlias = Literal["json", "events", "text", "base64"]
FORMS: tuple[Form, ...] = ("json", "events", "text", "base64")

_DEPTH = 60
"""How deeply JSON may be nested: a file's reader allows little more, and nobody reads it."""
_BREAK = re.compile(r"\r\n|\n|\r")
_FIELDS = ("event", "id", "retry")
"""What an event may have beside its data."""


class Body(msgspec.Struct, frozen=True):
    """What a request or a response carries.

    `json` holds any JSON value. `events` holds a list of `{data | text, event?, id?, retry?}`:
    `data` is JSON, `text` is anything else. `base64` is for what is no text.
    """

    form: Form = "text"
    value: Any = ""

    @property
    def is_empty(self) -> bool:
        return self.form == "text" and not self.value


def read_body(content: bytes, content_type: str = "") -> Body:
    """The data that bytes stand for; what would lose something on the way stays as it is."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return Body("base64", base64.b64encode(content).decode())
    if "event-stream" in content_type:
        events = _events(text)
        return Body("text", text) if events is None else Body("events", events)
    try:
        return Body("json", parse_json(text))
    except ValueError:
        return Body("text", text)


def write_body(body: Body) -> bytes:
    """The bytes that a body stands for; raises ValueError for base64 that is none."""
    match body.form:
        case "json":
            return json_text(body.value).encode()
        case "events":
            return "".join(map(_event_text, body.value)).encode()
        case "text":
            return str(body.value).encode()
        case "base64":
            try:
                return base64.b64decode(body.value, validate=True)
            except binascii.Error as error:
                raise ValueError(str(error)) from error


# --- JSON -------------------------------------------------------------------------------------


def parse_json(text: str) -> Any:
    """The value of a JSON text; raises ValueError for what a tape cannot hold without a loss."""
    try:
        value = json.loads(
            text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object
        )
        json_text(value).encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _depth(value) > _DEPTH:
        raise ValueError("nested too deeply")
    return value


def json_text(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _depth(value: Any) -> int:
    if is_mapping(value):
        return 1 + max(map(_depth, value.values()), default=0)
    if is_list(value):
        return 1 + max(map(_depth, value), default=0)
    return 0


# --- server-sent events -----------------------------------------------------------------------


def _events(text: str) -> list[dict[str, Any]] | None:
    """The events of a stream, comments left out; None when it has more to it than that."""
    if "\0" in text:
        return None
    found: list[dict[str, Any]] = []
    lines: list[str] = []
    *whole, cut = _BREAK.split(text)
    for line in whole:
        if line:
            lines.append(line)
            continue
        event = _event(lines)
        if event is None:
            return None
        if event:
            found.append(event)
        lines = []
    return None if cut or lines else found  # a last event that was cut is no event


def _event(lines: Sequence[str]) -> dict[str, Any] | None:
    event: dict[str, Any] = {}
    data: list[str] = []
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name in _FIELDS and name not in event:
            event[name] = value
        elif name:
            return None
    return {**event, **_data("\n".join(data))} if data else event


def _data(text: str) -> dict[str, Any]:
    try:
        return {"data": parse_json(text)}
    except ValueError:
        return {"text": text}


def _event_text(event: Mapping[str, Any]) -> str:
    lines = [f"{name}: {event[name]}" for name in _FIELDS if name in event]
    if "data" in event:
        lines.append(f"data: {json_text(event['data'])}")
    elif "text" in event:
        lines += [f"data: {line}" for line in cast("str", event["text"]).split("\n")]
    return "\n".join([*lines, "", ""])
