"""What a flow may name: everything that its agent registers."""

from collections.abc import Collection, Mapping

import msgspec

from falai.words.field import Field
from falai.words.registry import Action, Condition, EventDef, Tool


class Registries(msgspec.Struct, frozen=True, kw_only=True):
    """The names of one agent, by kind."""

    fields: Mapping[str, Field] = {}
    actions: Mapping[str, Action] = {}
    events: Mapping[str, EventDef] = {}
    conditions: Mapping[str, Condition] = {}
    tools: Mapping[str, Tool] = {}
    flow_ids: Collection[str] | None = None
    """The agent's flows; None when they are not known, and chains are not checked."""
