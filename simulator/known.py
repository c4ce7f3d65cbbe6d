"""Reads what the host knows at a turn: anchors, claims, silence and the conversation so far."""

from collections.abc import Mapping
from typing import Any

from falai.words.turn import Anchor, HeldClaims, HistoryItem, Silenced
from simulator.scenario import History
from simulator.spot import Spot

ROLES = ("user", "assistant", "tool", "system")


def read_anchors(spot: Spot) -> Mapping[str, Anchor]:
    """Read `{name: {key, lastInboundAt?}}`; null is none."""
    if spot.value is None:
        return {}
    return {name: _anchor(item) for name, item in spot.entries()}


def _anchor(spot: Spot) -> Anchor:
    spot.mapping(("key", "lastInboundAt"))
    return Anchor(spot.need("key").text(), spot.optional("lastInboundAt", Spot.instant))


def read_claims(spot: Spot) -> HeldClaims:
    """Read `{held: {dedupeKey: time}, active: ["flowId:anchor"]}`; null is none."""
    if spot.value is None:
        return HeldClaims()
    spot.mapping(("held", "active"))
    held, active = spot.get("held"), spot.get("active")
    return HeldClaims(
        held={key: item.instant() for key, item in held.entries()} if held else {},
        active=active.texts() if active else (),
    )


def read_silenced(spot: Spot) -> Silenced | None:
    """Read a reason, or `{reason, understand?, skip?}`; null is not silenced."""
    if spot.value is None:
        return None
    if isinstance(spot.value, str):
        return Silenced(spot.value)
    if not spot.is_mapping:
        raise spot.wanted("a reason, or a mapping with one")
    spot.mapping(("reason", "understand", "skip"))
    return Silenced(
        spot.need("reason").text(),
        understand=spot.optional("understand", Spot.flag) or False,
        skip=spot.optional("skip", Spot.flag) or False,
    )


def read_history(spot: Spot) -> History:
    """Read `auto`, `none` or the conversation itself; null is none."""
    if spot.value is None or spot.value == "none":
        return "none"
    if spot.value == "auto":
        return "auto"
    if spot.is_list:
        return read_conversation(spot)
    raise spot.error(f"{spot.name} must be auto, none or a list of messages")


def read_conversation(spot: Spot) -> tuple[HistoryItem, ...]:
    """Read a list of `{role, content, …}`."""
    return tuple(_history_item(item) for item in spot.items())


def _history_item(spot: Spot) -> Mapping[str, Any]:
    value = spot.mapping()
    spot.need("role").word(ROLES)
    if "content" not in value:
        raise spot.error(f"{spot.name} has no content", "Add content.")
    return value
