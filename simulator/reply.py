"""Reads what a scripted model answers and what actions return."""

from collections.abc import Mapping
from typing import Any, get_args

from falai.errors import ErrorKind
from falai.providers.base import ToolCall
from falai.words.turn import Usage
from simulator.place import nearest
from simulator.scenario import Failure, ModelScript, Reply, Results
from simulator.spot import Spot

PURPOSES = ("understand", "speak", "summary")
ALONE = ("fail", "raw", "empty")
"""Replies without an envelope: nothing but `usage` stands beside them."""
SECTIONS = ("flows", "mentions", "extract", "branches", "fields")
JUDGEMENT = (*SECTIONS, "asks", "toolCalls", "usage")
_SLIP = 0.8
"""How much a key must look like a section to be taken for a slip."""
SPEECH = ("message", "toolCalls", "usage", *ALONE)
"""What a speak reply is made of, beside the values of fields."""
_SPEECH_SLIP = 0.85
"""The same in a reply that says nothing: a field such as `mensagem` is no slip."""
USAGE = {
    "promptTokens": "prompt_tokens",
    "completionTokens": "completion_tokens",
    "cachedInputTokens": "cached_input_tokens",
}
_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
FAIL_KEYS = ("kind", "status", "retryAfterMs", "resetAtMs", "shouldRetry", "body")
_REPLY_FIX = "Write {message: …}, or {raw: …} for a text with no structure."


def read_script(spot: Spot) -> ModelScript:
    """Read `model: {understand, speak, summary}`: one reply each, or a list of them."""
    spot.mapping(PURPOSES)
    return ModelScript(**{purpose: _replies(item) for purpose, item in spot.entries()})


def _replies(spot: Spot) -> tuple[Reply, ...]:
    judges = spot.path[-1] == "understand"
    if not spot.is_list:
        return (_reply(spot, judges),)
    return tuple(_reply(item, judges) for item in spot.items())


def _reply(spot: Spot, judges: bool) -> Reply:
    value = spot.mapping(fix=_REPLY_FIX)
    usage = _usage(spot.at("usage")) if "usage" in value else None
    alone = next((key for key in ALONE if key in value), None)
    if alone is None:
        return _envelope(spot, usage, judges)
    for key in value:
        if key not in (alone, "usage"):
            what = f"{key} cannot stand beside {alone}"
            raise spot.stranger(key, what, f"A reply with {alone} has nothing else.")
    return _without_envelope(spot, alone, usage)


def _without_envelope(spot: Spot, alone: str, usage: Usage | None) -> Reply:
    what = spot.at(alone)
    if alone == "fail":
        return Reply(spot=spot, fail=_failure(what), usage=usage)
    if alone == "raw":
        return Reply(spot=spot, raw=what.text(), usage=usage)
    if what.value is not True:
        raise what.wanted("true", "Leave it out for a reply that is not empty.")
    return Reply(spot=spot, empty=True, usage=usage)


def _envelope(spot: Spot, usage: Usage | None, judges: bool) -> Reply:
    value = spot.mapping()
    if judges:
        _check_judgement(spot)
    else:
        _check_speech(spot)
    if "toolCalls" not in value:
        return Reply(spot=spot, envelope=_without(value, "usage"), usage=usage)
    return Reply(
        spot=spot,
        envelope=_without(value, "toolCalls", "usage"),
        tool_calls=tuple(map(_tool_call, spot.at("toolCalls").items())),
        usage=usage,
    )


def _without(value: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    if not any(key in value for key in keys):
        return value
    return {key: item for key, item in value.items() if key not in keys}


def _check_judgement(spot: Spot) -> None:
    """Refuse what looks like a slip; a model may answer with keys that mean nothing."""
    for key, item in spot.mapping().items():
        if key in SECTIONS:
            if item is not None:
                spot.at(key).mapping()
        elif key not in JUDGEMENT and nearest(key, JUDGEMENT, likeness=_SLIP):
            raise spot.unknown(key, JUDGEMENT)


def _check_speech(spot: Spot) -> None:
    """Refuse what looks like a slip; any other key may be the value of a field."""
    value = spot.mapping()
    if value.get("message") is not None:
        spot.at("message").text()
    says_nothing = "message" not in value and "toolCalls" not in value
    for key, item in value.items():
        if key in SPEECH:
            continue
        # A field never holds a list or a mapping.
        if isinstance(item, list | dict) and nearest(key, SPEECH, likeness=_SLIP):
            raise spot.unknown(key, SPEECH)
        if says_nothing and nearest(key, SPEECH, likeness=_SPEECH_SLIP):
            raise spot.unknown(key, SPEECH)


def _tool_call(spot: Spot) -> ToolCall:
    spot.mapping(("tool", "arguments"))
    arguments = spot.get("arguments")
    if arguments is not None and not (arguments.is_mapping or isinstance(arguments.value, str)):
        raise arguments.wanted("a mapping, or the text that a model sent for one")
    return ToolCall(spot.need("tool").text(), arguments.value if arguments else None)


def _usage(spot: Spot) -> Usage:
    spot.mapping(USAGE)
    return Usage(**{USAGE[key]: item.whole() for key, item in spot.entries()})


def _failure(spot: Spot) -> Failure:
    if not spot.is_mapping:
        return Failure(kind=_kind(spot))
    spot.mapping(FAIL_KEYS)
    parts: dict[str, Any] = {
        "status": spot.optional("status", Spot.whole),
        "retry_after_ms": spot.optional("retryAfterMs", Spot.whole),
        "reset_at_ms": spot.optional("resetAtMs", _whole_or_expression),
        "should_retry": spot.optional("shouldRetry", Spot.flag),
        "body": spot.optional("body", Spot.text),
    }
    return Failure(kind=_kind(spot.need("kind")), **parts)


def _kind(spot: Spot) -> ErrorKind:
    word = spot.word(_KINDS)
    return next(kind for kind in _KINDS if kind == word)


def _whole_or_expression(spot: Spot) -> int | str:
    is_expression = isinstance(spot.value, str) and spot.value.startswith("${ms(")
    return spot.text() if is_expression else spot.whole()


def read_results(spot: Spot) -> Results:
    """Read what an action returns: one result, or a list of them used in order.

    A result may have any shape, since the engine must live with all; only `{throw: text}` is
    looked at.
    """
    items = spot.items() if spot.is_list else [spot]
    if not items:
        raise spot.error(f"{spot.name} must have a result in its list", "Write {ok: true}.")
    for item in items:
        _check_throw(item)
    return tuple(item.value for item in items)


def _check_throw(spot: Spot) -> None:
    """Check a result that raises."""
    if spot.is_mapping and spot.has("throw"):
        for key in spot.value:
            if key != "throw":
                what = f"{key} cannot stand beside throw"
                raise spot.stranger(key, what, "What raises returns nothing.")
        spot.at("throw").text()


def read_action_results(spot: Spot) -> Mapping[str, Results]:
    """Read the results of one turn, by action name."""
    return {name: read_results(item) for name, item in spot.entries()}
