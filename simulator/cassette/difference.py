"""The recorded request that is nearest to one that was not recorded, and what differs in it."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

from falai.shapes import is_list, is_mapping
from simulator.cassette.bodies import Body
from simulator.cassette.scrub import without_credentials
from simulator.cassette.tape import TapedCall, TapedRequest
from simulator.place import counted
from simulator.yamlout import yaml_text

_LINES = 40
"""Lines of a difference that are shown."""
_AROUND = 2
_COMPARED = 40
"""Recorded requests that are compared in full."""
_ENOUGH = 20_000
"""Characters of a request that decide how near it is."""


def nearest(
    asked: TapedRequest, turn: str, purpose: str, calls: Sequence[TapedCall]
) -> TapedCall | None:
    """The recorded call that this one was most likely meant to be."""
    likely = (
        [call for call in calls if (call.turn, call.purpose) == (turn, purpose)]
        or [call for call in calls if call.purpose == purpose]
        or calls
    )
    if not likely:
        return None
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(_words(asked))
    return max(likely[:_COMPARED], key=lambda call: _likeness(matcher, call.request))


def _likeness(matcher: "difflib.SequenceMatcher[str]", request: TapedRequest) -> float:
    matcher.set_seq1(_words(request))
    return matcher.quick_ratio()


def _words(request: TapedRequest) -> list[str]:
    return json.dumps(request.body.value)[-_ENOUGH:].split()


def difference(recorded: TapedRequest, asked: TapedRequest) -> list[str]:
    """What was recorded and what is asked now, as lines of text: the prompt first."""
    lines = list(_differences(recorded, asked))
    more = len(lines) - _LINES
    return [*lines[:_LINES], f"… and {counted(more, 'more line')}"] if more > 0 else lines


def _differences(recorded: TapedRequest, asked: TapedRequest) -> Iterator[str]:
    before, after = _parts(recorded), _parts(asked)
    for name in after | before:
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            yield f"{name}:"
            yield from (f"  {line}" for line in _diff(old, new))


def _diff(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=_AROUND, lineterm="")
    for line in islice(lines, 2, None):  # behind the names of two files
        yield "…" if line.startswith("@@") else f"{line[0]} {line[1:]}".rstrip()


def _parts(request: TapedRequest) -> dict[str, str]:
    """A request in parts that people know, in the order in which they want to see them."""
    body = request.body
    if body.form != "json" or not is_mapping(body.value):
        return {"the body": _shown(body), **_address(request)}
    rest = dict(body.value)
    messages = rest.pop("messages", None)
    parts: dict[str, str] = {}
    if is_list(messages) and messages:
        *before, last = messages
        parts["the prompt"] = _said(last)
        system = [item for item in before if is_mapping(item) and item.get("role") == "system"]
        parts["the system prompt"] = "\n".join(map(_said, system))
        said = [item for item in before if item not in system]
        parts["the history"] = "\n".join(map(_said, said))
    return {**parts, "the rest of the body": yaml_text(rest), **_address(request)}


def _address(request: TapedRequest) -> dict[str, str]:
    parts = urlsplit(request.url)
    query = urlencode(without_credentials(parts.query))
    return {"the address": f"{request.method} {parts.path}{query and f'?{query}'}"}


def _said(message: Any) -> str:
    """One message of a conversation."""
    if not is_mapping(message):
        return json.dumps(message, ensure_ascii=False)
    rest: Mapping[str, Any] = {key: value for key, value in message.items() if key != "content"}
    content = message.get("content")
    text = content if isinstance(content, str) else yaml_text({"content": content})
    return f"{yaml_text(rest)}{text}"


def _shown(body: Body) -> str:
    return yaml_text({body.form: body.value})
