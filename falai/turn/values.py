"""Values from the model: checked against their fields, then written; a refused one leaves a line."""

from collections.abc import Mapping
from typing import Any

from falai.turn.state import Turn
from falai.words.field import RefusedValueError, coerce


def write_values(turn: Turn, values: Mapping[str, Any]) -> None:
    """Write given values in their order."""
    for slug, raw in values.items():
        field = turn.agent.fields.get(slug)
        if field is None:
            turn.log("collect", "skipped", "unknown-field", detail=slug)
            continue
        try:
            turn.data[slug] = coerce(field, raw)
        except RefusedValueError as refused:
            turn.log("collect", "skipped", refused.code, detail=slug)
