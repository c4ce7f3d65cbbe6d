"""What the host knows at a turn: the defaults of a scenario, and what an entry says instead."""

from collections.abc import Mapping

from falai.words.turn import Anchor, HeldClaims, Silenced
from simulator.known import ROLES
from simulator.schema.parts import (
    Schema,
    anything,
    closed,
    flag,
    instant,
    many,
    mapping,
    nullable,
    of,
    or_null,
    ref,
    text,
    texts,
    word,
)

_ANCHOR: Mapping[str, Schema] = {
    "key": text("The key that the sessions share."),
    "lastInboundAt": instant("When the customer last wrote in any of them."),
}
_CLAIMS: Mapping[str, Schema] = {
    "held": mapping("What has started once, by its key: the time.", instant("The time.")),
    "active": texts("Live runs, each as flowId:anchor."),
}
_SILENCED: Mapping[str, Schema] = {
    "reason": text("Why the assistant may not speak."),
    "understand": flag("Whether it reads the customer's message all the same."),
    "skip": flag("Whether flows go on without what they would say, instead of ending."),
}
_SAID: Mapping[str, Schema] = {
    "role": word("Who said it.", ROLES),
    "content": anything("What was said."),
}

HOST: Mapping[str, Schema] = {
    "context": anything("What the host knows; texts read it as {{context.key}}."),
    "anchors": or_null(
        mapping("Keys that several sessions share, by name.", {"type": "object", **of("anchor")})
    ),
    "claims": anything("What other sessions hold.", type=["object", "null"], **of("claims")),
    "silenced": anything(
        "Why the assistant may not speak; a text, or a mapping with a reason.",
        type=["string", "object", "null"],
        **of("silenced"),
    ),
    "history": anything(
        "The conversation so far: auto as the host kept it, none, or a list of messages.",
        anyOf=[{"enum": ["auto", "none", None]}, {"type": "array", "items": ref("said")}],
    ),
}


def conversation(about: str) -> Schema:
    return many(about, ref("said"))


def definitions() -> dict[str, Schema]:
    """The shapes of what the host knows."""
    claims = HeldClaims.__struct_encode_fields__
    return {
        "anchor": closed(
            Anchor.__struct_encode_fields__, nullable(_ANCHOR, but=["key"]), required=["key"]
        ),
        "claims": closed(claims, nullable(_CLAIMS)),
        "silenced": closed(
            Silenced.__struct_encode_fields__,
            nullable(_SILENCED, but=["reason"]),
            required=["reason"],
        ),
        "said": {"type": "object", "properties": dict(_SAID), "required": list(_SAID)},
    }
