"""What a scripted model answers, and what actions return in one turn."""

from collections.abc import Mapping
from typing import get_args

from falai.errors import ErrorKind
from falai.providers.base import ToolCall
from simulator.reply import ALONE, FAIL_KEYS, JUDGEMENT, PURPOSES, SECTIONS, SPEECH, USAGE
from simulator.schema.parts import (
    Schema,
    anything,
    choose,
    closed,
    flag,
    has,
    known,
    mapping,
    nullable,
    of,
    ref,
    shaped,
    text,
    whole,
    word,
)

_USAGE: Mapping[str, Schema] = {
    "promptTokens": whole("Tokens of the prompt."),
    "completionTokens": whole("Tokens of the reply."),
    "cachedInputTokens": whole("Tokens of the prompt that the provider had kept."),
}

_KIND = word("What kind of failure it is.", get_args(ErrorKind))
_FAIL: Mapping[str, Schema] = {
    "kind": _KIND,
    "status": whole("The HTTP status."),
    "retryAfterMs": whole("How long the provider asks to wait, in ms."),
    "resetAtMs": {
        "description": "When the limit ends, in ms since 1970, or ${ms(now+1h)}.",
        "type": ["integer", "string"],
        "minimum": 0,
        "pattern": r"^\$\{ms\(",
        "patternErrorMessage": "Write a whole number, or ${ms(now+1h)}.",
    },
    "shouldRetry": flag("Whether the provider says that trying again helps."),
    "body": text("What the provider wrote."),
}

_TOOL_CALL: Mapping[str, Schema] = {
    "tool": text("The id of the tool."),
    "arguments": anything("What the tool is given.", type=["object", "string", "null"]),
}

_ALONE: Mapping[str, Schema] = {
    "fail": anything(
        "The call fails: a kind of failure, or a mapping with what the provider said.",
        anyOf=[
            {"enum": list(get_args(ErrorKind))},
            {
                "type": "object",
                **closed(FAIL_KEYS, nullable(_FAIL, but=["kind"]), required=["kind"]),
            },
        ],
    ),
    "raw": text("A text without any structure."),
    "empty": {"description": "true: no text at all.", "const": True},
}
_BESIDE: Mapping[str, Schema] = {
    "toolCalls": {
        "description": "The tools that the model asks for; the next reply of the list follows.",
        "type": "array",
        "items": {"type": "object", **of("toolCall")},
    },
    "usage": shaped("The tokens that the call took.", "object", "usage"),
}

_SPEECH: Mapping[str, Schema] = {
    "message": {
        "description": "The text of the reply; fields stand beside it.",
        "type": ["string", "null"],
    },
    **_BESIDE,
    **_ALONE,
}

_JUDGEMENT: Mapping[str, Schema] = {
    "flows": mapping("How far the message asks for each flow, from 0 to 100."),
    "mentions": mapping("Flows with a mention that the message brings up: true."),
    "extract": mapping("What a mention carries, by flow."),
    "branches": mapping("The verdict on each when, by stepId/position: true or false."),
    "fields": mapping("The values that the customer gave, by field."),
    "asks": anything("Whether the message asks something: true or false."),
    **_BESIDE,
    **_ALONE,
}

_SCRIPT: Mapping[str, Schema] = {
    "understand": anything("The judgement of the message, or a list of replies.", **of("judged")),
    "speak": anything("The reply that is phrased, or a list of replies.", **of("spoken")),
    "summary": anything("The summary of a long history, or a list of replies.", **of("spoken")),
}


def definitions() -> dict[str, Schema]:
    """The script of a turn; none of it says its type, which is for the place to say."""
    others = [key for key in _JUDGEMENT if key not in SECTIONS]
    judgement = nullable(_JUDGEMENT, but=others)
    return {
        "model": closed(PURPOSES, _SCRIPT),
        "judged": _one_or_more("judgement"),
        "judgement": _reply(known((*JUDGEMENT, *ALONE), judgement)),
        "spoken": _one_or_more("speech"),
        "speech": _reply(known(SPEECH, _SPEECH)),
        "toolCall": closed(ToolCall.__struct_fields__, _TOOL_CALL, required=["tool"]),
        "usage": closed(USAGE, _USAGE),
    }


def _one_or_more(name: str) -> Schema:
    """One reply, or a list of them."""
    many: Schema = {"items": {"type": "object", **of(name)}}
    return {"type": ["object", "array"], **choose([({"type": "array"}, many)], ref(name))}


def _reply(envelope: Schema) -> Schema:
    """A reply that has no envelope, or else the envelope, in which any key may stand."""
    usage = _BESIDE["usage"]
    alone = [
        (has(key), closed((key, "usage"), {key: _ALONE[key], "usage": usage})) for key in ALONE
    ]
    return choose(alone, envelope)
